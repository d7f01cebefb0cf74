import { type ActionContext, type ContextOf, type DocumentHooks, documentHooks } from '#server/public/hooks.ts'
import { add, isPositive, subtract } from '#kernel/values/decimal.ts'
import { isLow } from '#kernel/rules/stock-limit.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { type Need, needsOf } from '#modules/trade/purchasing/planning/demand.server.ts'
import { draftOf } from '#modules/trade/purchasing/planning/plan-draft.server.ts'
import { enquiry } from '#modules/trade/purchasing/rfq/enquiry.doc.ts'
import { purchaseOrder } from '#modules/trade/purchasing/orders/purchase-order.doc.ts'
import { keepRequests, standsInPlan } from '#modules/trade/purchasing/planning/planned-requests.server.ts'
import { purchasePlan, wellOver } from '#modules/trade/purchasing/planning/purchase-plan.doc.ts'
import { buildDraft, hasRemainder, openSources, saveDraft } from '#server/public/drafts.ts'
import { specificationFacts } from '#modules/base/items/item-data.server.ts'
import { leftOfLine, patchLines } from '#server/public/documents.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

type Context = ContextOf<typeof purchasePlan>

type Asked = Readonly<Record<string, unknown>>

const storeOf = (asked: Asked): string | null => (asked.warehouse_model_inner_sn as string | null | undefined) ?? null

/** Writes to each line the quantities that decide whether to buy it, and the supplier if none was named. */
async function figure(tx: Tx, session: Session, sn: string): Promise<void> {
  const lines = await tx<PlannedLine[]>`
    select d.id, d.warehouse_id, l.line_no, l.specification_id, l.fields->>'supplier_sn' as supplier_sn,
           l.fields->>'supply_regime' as supply_regime
      from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
     where d.org_id = ${session.org.id} and d.kind = ${purchasePlan.kind} and d.role = 'own' and d.sn = ${sn}
       and l.specification_id is not null`
  const [plan] = lines
  if (!plan) return
  const needs = await needsOf(
    tx,
    session.org.id,
    plan.warehouse_id,
    lines.map(line => line.specification_id),
  )
  const needed = new Map(needs.map(need => [need.specification_id, need]))
  const patches = lines.flatMap(({ line_no, specification_id: size, supplier_sn, supply_regime }) => {
    const need = needed.get(size)
    if (!need) return []
    const { specification_id: _size, supplier_id, regime, ...figures } = need
    const values = { ...figures, supplier_sn: supplier_sn ?? supplier_id, supply_regime: supply_regime ?? regime }
    return [{ line_no, values }]
  })
  await patchLines(tx, session, { id: plan.id, kind: purchasePlan.kind }, patches, 'withAction')
}

/** After each save: the requisition lines that it holds, and the figures of its lines. */
async function keepPlan(tx: Tx, session: Session, sn: string): Promise<void> {
  const [plan] = await tx<{ id: string }[]>`
    select id from document where org_id = ${session.org.id} and kind = ${purchasePlan.kind} and role = 'own'
       and sn = ${sn} and state <> 'deleted'`
  await keepRequests(tx, session, plan!.id)
  await figure(tx, session, sn)
}

type PlannedLine = {
  readonly id: string
  readonly warehouse_id: string | null
  readonly line_no: number
  readonly specification_id: string
  readonly supplier_sn: string | null
  readonly supply_regime: string | null
}

const isShort = ({ min_quantity, available_quantity, coming_quantity }: Need): boolean =>
  isPositive(min_quantity) && isLow(add(available_quantity, coming_quantity, 3), min_quantity)

/** 低库存生成: everything at or below its lower limit including incoming goods, filled to its upper limit. */
async function fromLowStock(tx: Tx, session: Session, asked: Asked): Promise<Record<string, unknown>> {
  const needs = await needsOf(tx, session.org.id, storeOf(asked), null)
  const lines = needs
    .filter(need => isShort(need) && isPositive(need.proposed_quantity))
    .map(need => ({ specification_sn: need.specification_id, quantity: need.proposed_quantity }))
  const header = { ...asked, plan_type: 'refill', plan_source: 'low_stock' }
  return draftOf(tx, session, header, lines, '没有低于下限的产品；请先在仓库产品或产品目录中维护上下限')
}

/** 按用量生成: the quantity used in thirty days. */
async function fromUse(tx: Tx, session: Session, asked: Asked): Promise<Record<string, unknown>> {
  const needs = await needsOf(tx, session.org.id, storeOf(asked), null)
  const lines = needs
    .filter(need => isPositive(need.used_30_days) && need.supplier_id !== null)
    .map(need => ({ specification_sn: need.specification_id, quantity: need.used_30_days }))
  return draftOf(
    tx,
    session,
    { ...asked, plan_type: 'monthly', plan_source: 'use' },
    lines,
    '近30天没有用量，请手工新增',
  )
}

/**
 * 按申领汇总: goods that wards requested, the warehouse cannot supply, and no plan contains yet; one line for each requested
 * line.
 */
async function fromClaim(tx: Tx, session: Session, asked: Asked): Promise<Record<string, unknown>> {
  const open = await tx<{ sn: string; line_no: number; department_id: string | null }[]>`
    select d.sn, l.line_no, d.department_id
      from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
      left join lateral (select sum(p.taken) as taken from line_progress p
                          where p.org_id = l.org_id and p.document_id = l.document_id and p.line_no = l.line_no
                            and p.purpose in ('plan', 'grant', 'allocate')) g on true
      left join lateral (select sum(h.available) as available from stock_on_hand h
                          where h.org_id = d.org_id and h.warehouse_id = d.warehouse_id
                            and h.specification_id = any((select same_sizes(l.specification_id))::bigint[])) s on true
     where d.org_id = ${session.org.id} and d.kind = 'requisition' and d.role = 'own'
       and d.state in ('reviewed', 'partial') and d.warehouse_id = ${storeOf(asked)}
       and l.base_quantity - coalesce(g.taken, 0) > coalesce(s.available, 0)
       and not ${standsInPlan(tx)}
     order by d.business_date, d.id, l.line_no limit 2000`
  const lines = open.map(row => ({
    source_sn: row.sn,
    source_line_no: row.line_no,
    department_inner_sn: row.department_id,
  }))
  const header = { ...asked, plan_type: 'claims', plan_source: 'claims', source_type: sourceTypes.REQUISITION }
  return draftOf(tx, session, header, lines, '没有库存不足且未计划的申领明细')
}

/** 缺货订单生成: goods that customers ordered and the organisation does not have. */
async function fromShortage(tx: Tx, session: Session, asked: Asked): Promise<Record<string, unknown>> {
  const ordered = await tx<{ specification_id: string; quantity: string }[]>`
    select coalesce(z.stands_for_id, l.specification_id) as specification_id,
      sum(${leftOfLine(tx, 'ship')})::numeric(18,3)::text as quantity
      from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
      left join mapped_size z on z.specification_id = l.specification_id
     where d.org_id = ${session.org.id} and d.kind = 'salesOrder' and d.role = 'own'
       and d.state in ('submitted', 'reviewed', 'partial') and l.specification_id is not null
     group by 1 order by 1`
  const needs = await needsOf(
    tx,
    session.org.id,
    storeOf(asked),
    ordered.map(row => row.specification_id),
  )
  const lines = ordered.flatMap(({ specification_id, quantity }) => {
    const need = needs.find(row => row.specification_id === specification_id)
    const held = need ? [need.available_quantity, need.coming_quantity] : []
    const short = held.reduce((rest, part) => subtract(rest, part, 3), quantity)
    return isPositive(short) ? [{ specification_sn: specification_id, quantity: short }] : []
  })
  return draftOf(tx, session, { ...asked, plan_source: 'shortage' }, lines, '没有缺货的销售订单')
}

/** A hospital plans only admitted goods with a supplier and a price. */
async function refuseUnadmitted({ tx, session, doc }: ActionContext): Promise<void> {
  if (session.org.type !== 'H') return
  const models = doc.lines.map(line => line.specification_sn!)
  const trade = { org: session.org.id, counterparty: null, direction: 'none', day: doc.business_date } as const
  const facts = await specificationFacts(tx, models, trade)
  for (const line of doc.lines) {
    const fact = facts.get(line.specification_sn ?? '')
    const why =
      fact?.was_in_catalogue && !fact.in_catalogue
        ? '已停用'
        : fact?.admission_state !== 'admitted'
          ? '未准入'
          : fact.supplier_id === null || !isPositive(fact.price)
            ? '未维护供应商价格'
            : null
    if (why === null) continue
    const msg = `第${line.line_no}行：产品【${line.product_name ?? ''} ${line.specification_name ?? ''}】${why}`
    throw new BusinessError('rule', msg, [{ line: line.line_no, field: 'specification_sn', msg }])
  }
}

/**
 * 转采购订单: a draft for each supplier and regime over the quantity that no order has taken; existing drafts are used
 * first.
 */
async function toOrders({ tx, session, doc, definition }: ActionContext): Promise<void> {
  const waiting = await tx<{ sn: string }[]>`
    select distinct d.sn from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
     where l.org_id = ${session.org.id} and l.source_document_id = ${doc.id} and d.kind = ${purchaseOrder.kind}
       and d.state in ('draft', 'rejected') order by 1 limit 3`
  if (waiting.length > 0)
    throw new BusinessError(
      'blocked',
      `已有未提交的采购订单（${waiting.map(row => row.sn).join('、')}），请先提交或删除`,
    )
  const [source] = await openSources(tx, session, purchaseOrder, [{ sn: doc.sn, org: session.org.id }], {
    type: sourceTypes.PLAN,
  })
  const open = (source?.lines ?? []).filter(hasRemainder).map(({ line }) => line as Asked)
  if (open.length === 0) throw new BusinessError('rule', '计划已全部下单')
  for (const [, lines] of Map.groupBy(open, line => `${line.supplier_sn}/${line.supply_regime ?? ''}`)) {
    const header = {
      counterparty_sn: lines[0]!.supplier_sn,
      regime: lines[0]!.supply_regime ?? null,
      source_sn: doc.sn,
      source_type: sourceTypes.PLAN,
    }
    const taken = lines.map(line => ({ source_sn: doc.sn, source_line_no: parseInteger(line.line_no) }))
    const draft = await buildDraft(tx, session, purchaseOrder, header, taken)
    await saveDraft(tx, session, purchaseOrder, draft, 'draft', `来自${definition.title}${doc.sn}`)
  }
}

/** 转询价: one draft over the quantity not taken yet, for the suppliers named by the lines. */
async function toEnquiry({ tx, session, doc, definition }: Context): Promise<void> {
  const [source] = await openSources(tx, session, enquiry, [{ sn: doc.sn, org: session.org.id }], {
    type: sourceTypes.PLAN,
  })
  const open = (source?.lines ?? []).filter(hasRemainder).map(({ line }) => line as Asked)
  if (open.length === 0) throw new BusinessError('rule', '计划已全部下单或询价')
  const header = {
    heading: `采购计划${doc.sn}询价`,
    expected_date: doc.expected_date ?? null,
    suppliers: [...new Set(open.flatMap(line => (line.supplier_sn ? [String(line.supplier_sn)] : [])))],
    source_sn: doc.sn,
    source_type: sourceTypes.PLAN,
  }
  const taken = open.map(line => ({ source_sn: doc.sn, source_line_no: parseInteger(line.line_no) }))
  const draft = await buildDraft(tx, session, enquiry, header, taken)
  await saveDraft(tx, session, enquiry, draft, 'draft', `来自${definition.title}${doc.sn}`)
}

/** On the printed sheet a line that requests much more than was proposed is marked before its reason. */
const markOver: NonNullable<DocumentHooks['printFields']> = async (_tx, _session, info) => ({
  lines: (info.lines as readonly Asked[]).map(line => ({
    ...line,
    remark: wellOver(line as never) ? `▲ ${String(line.remark ?? '')}` : line.remark,
  })),
})

export const purchasePlanRules = documentHooks(purchasePlan, {
  afterSave: keepPlan,
  printFields: markOver,
  calls: { fromLowStock, fromUse, fromClaim, fromShortage },
  validate: { submit: refuseUnadmitted },
  afterAction: { toOrder: toOrders, toEnquiry },
})

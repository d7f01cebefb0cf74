import { purchaseOrder } from '#modules/trade/purchasing/orders/purchase-order.doc.ts'
import { type ActionContext, type ContextOf, documentHooks } from '#server/public/hooks.ts'
import { purchaseOrderSheet } from '#modules/trade/purchasing/orders/purchase-order-print.server.ts'
import { today } from '#kernel/values/date.ts'
import { type Decimal, isPositive, plain } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { needsFirstApproval } from '#modules/base/checks/initial-approval.server.ts'
import { refuseBeyondOnce } from '#modules/base/checks/one-time-purchase-limit.server.ts'
import { isFromQuotation } from '#server/public/drafts.ts'
import { needsOwnPlace } from '#modules/trade/shipping/delivery-address.server.ts'
import { specificationFacts } from '#modules/base/items/item-data.server.ts'
import { hasAccount, sendUpdate } from '#server/public/intercompany.ts'
import { patchDocument, type StoredDocument } from '#server/public/documents.ts'
import type { Tx } from '#server/public/database.ts'
import { refuseSecondReminder } from '#modules/base/vocabulary/reminders.ts'

type Context = ContextOf<typeof purchaseOrder>

/** The facts about the goods, already read by the compliance check. */
const factsOf = ({ tx, session, doc }: ActionContext) =>
  specificationFacts(
    tx,
    doc.lines.map(line => line.specification_sn!),
    { org: session.org.id, counterparty: doc.counterparty_sn, direction: 'buy', day: doc.business_date },
  )

/**
 * A hospital's order has prices agreed with the supplier, or quoted by it for this order. Prices cannot be typed in.
 */
async function refuseUnpriced(ctx: ActionContext): Promise<void> {
  const { session, doc } = ctx
  if (session.org.type !== 'H') return
  const facts = await factsOf(ctx)
  for (const line of doc.lines) {
    const fact = facts.get(line.specification_sn ?? '')
    if (!fact || isFromQuotation(line, session) || fact.agreed_price !== null) continue
    const msg = `第${line.line_no}行：【${fact.product_name}】与该供应商没有生效的进价，请先办理调价或询价登记再下单`
    throw new BusinessError('rule', msg, [{ field: 'price', line: line.line_no, msg }])
  }
}

/** Goods that a hospital admitted for purchase cannot be ordered on consignment. */
async function refuseForeignRegime(ctx: ActionContext): Promise<void> {
  const { session, doc } = ctx
  if (session.org.type !== 'H' || doc.regime !== 'consigned') return
  const facts = await factsOf(ctx)
  for (const line of doc.lines) {
    const fact = facts.get(line.specification_sn ?? '')
    if (fact?.regime !== 'purchased') continue
    const msg = `第${line.line_no}行：【${fact.product_name}】${fact.name}在本院为买断管理，不能按寄售采购`
    throw new BusinessError('rule', msg, [{ field: 'specification_sn', line: line.line_no, msg }])
  }
}

type Ended = { specification_id: string; document_sn: string }

/**
 * After a supplier ended its supply of a product, it cannot be ordered there until a price with it is in effect
 * again.
 */
async function refuseEnded({ tx, session, doc }: ActionContext): Promise<void> {
  if (session.org.type !== 'H' || doc.counterparty_sn === null) return
  const models = doc.lines.map(line => line.specification_sn!)
  const ended = await tx<Ended[]>`
    select n.specification_id, n.document_sn
      from (select distinct on (specification_id) specification_id, new_price, document_sn from price_history
             where org_id = ${session.org.id} and supplier_id = ${doc.counterparty_sn} and price_kind = 'purchase'
               and specification_id = any(${models}::bigint[]) and valid_from <= ${doc.business_date}
             order by specification_id, valid_from desc, id desc) n
     where n.new_price is null and not exists (
       select 1 from price_agreement g where g.org_id = ${session.org.id} and g.buyer_id = ${session.org.id}
         and g.seller_id = ${doc.counterparty_sn} and g.specification_id = n.specification_id
          and g.status = 'enabled' and g.valid_from <= ${doc.business_date}
            and (g.valid_to is null or g.valid_to >= ${doc.business_date}))`
  for (const line of doc.lines) {
    const found = ended.find(row => row.specification_id === line.specification_sn)
    if (!found) continue
    const msg = `第${line.line_no}行：【${line.product_name ?? ''}】供应商已停止供货（${found.document_sn}），请另选供应商`
    throw new BusinessError('rule', msg, [{ field: 'specification_sn', line: line.line_no, msg }])
  }
}

/** 直送科室: goods that pass through a warehouse of the hospital on their way to a ward. */
async function refuseUnknownWard({ tx, session, doc }: Context): Promise<void> {
  if (!doc.direct_ward_inner_sn) return
  const refuse = (field: string, msg: string): never => {
    throw new BusinessError('rule', msg, [{ field, msg }])
  }
  if (session.org.type !== 'H') refuse('direct_ward_inner_sn', '只有医院可以直送科室，请清空直送科室')
  if (!doc.warehouse_model_inner_sn) refuse('warehouse_model_inner_sn', '直送科室的订单请选择收货仓库')
  const [ward] = await tx<{ model: string; status: string }[]>`
    select model, status from warehouse where org_id = ${session.org.id} and id = ${String(doc.direct_ward_inner_sn)}`
  if (ward?.model !== 'ward' || ward.status !== 'enabled')
    refuse('direct_ward_inner_sn', '直送科室应为启用的科室二级库，请重新选择')
}

/** A supplier without an account is asked by telephone: 供应商答复 records it. An earlier answer is cleared. */
async function keepAnswer({ tx, session, doc }: ActionContext): Promise<void> {
  const offline = doc.counterparty_sn !== null && !(await hasAccount(tx, doc.counterparty_sn))
  const answer = { supplier_answer: offline ? 'offline' : null, answer_reason: null, promised_date: null }
  await patchDocument(tx, session, doc, answer, 'withAction')
}

/**
 * Refuses a reminder if everything was sent, if one was sent today, or if the supplier has no account and must be
 * called.
 */
async function refuseIdleReminder({ tx, session, doc }: Context): Promise<void> {
  refuseSecondReminder(doc)
  if (doc.supplier_answer === 'offline') throw new BusinessError('rule', '供应商未开通账号，请电话或传真催货')
  if (!isPositive(await unsent(tx, session.org.id, doc))) throw new BusinessError('rule', '货物均已发出，请等待到货')
}

/** The quantity of all lines that was neither sent, nor received without a shipment, nor stopped; in base units. */
async function unsent(tx: Tx, org: string, doc: StoredDocument): Promise<Decimal> {
  const [row] = await tx<{ quantity: Decimal }[]>`
    select coalesce(sum(greatest(l.base_quantity - coalesce(g.stopped, 0)
             - coalesce(g.taken, 0), 0)), 0)::numeric(18,3)::text as quantity
      from document_line l
      left join lateral (select max(p.taken) filter (where p.purpose in ('ship', 'receive')) as taken,
                                max(p.taken) filter (where p.purpose = 'stop') as stopped from line_progress p
                          where p.org_id = l.org_id and p.document_id = l.document_id
                            and p.line_no = l.line_no) g on true
     where l.org_id = ${org} and l.document_id = ${doc.id}`
  return row!.quantity
}

/** 催货 notifies the supplier's users on their sales order. */
async function remind({ tx, session, doc }: Context): Promise<void> {
  const left = plain(await unsent(tx, session.org.id, doc))
  const day = doc.expected_date ? `，要求到货日期${String(doc.expected_date)}` : ''
  await patchDocument(tx, session, doc, { reminded_on: today() }, 'withAction')
  await sendUpdate(tx, session, doc, [doc.counterparty_sn!], {
    label: '客户催货',
    text: `还有${left}未发货${day}，请尽快发货`,
    sets: {},
  })
}

/** The checks at submit and at review. */
const alwaysAsked = [refuseUnpriced, needsFirstApproval, refuseBeyondOnce, needsOwnPlace]

export const purchaseOrderRules = documentHooks(purchaseOrder, {
  printFields: purchaseOrderSheet,
  validate: {
    submit: [refuseForeignRegime, refuseEnded, refuseUnknownWard, ...alwaysAsked],
    review: alwaysAsked,
    remind: refuseIdleReminder,
  },
  afterAction: { review: keepAnswer, remind },
})

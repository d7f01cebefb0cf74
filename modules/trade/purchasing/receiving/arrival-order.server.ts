import { arrivalOrder } from '#modules/trade/purchasing/receiving/arrival-order.doc.ts'
import { type ActionContext, type ContextOf, documentHooks } from '#server/public/hooks.ts'
import { patchDocument, replaceLines, type TypedDocument, type TypedLine } from '#server/public/documents.ts'
import { isPastUse, shelfLifeDay } from '#kernel/rules/shelf-life.ts'
import { compare, type Decimal, divide, isPositive, multiply, plain, sum } from '#kernel/values/decimal.ts'
import { isExpired } from '#kernel/values/date.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { inexact } from '#kernel/values/inexact.ts'
import {
  decideLines,
  flagLines,
  named,
  refuseOwnDecision,
  undecide,
  withFlags,
} from '#modules/trade/purchasing/receiving/arrival-quality.server.ts'
import { isOutside, temperatureBounds } from '#modules/base/vocabulary/storage-conditions.ts'
import { outsideOnTheWay, withShipmentRecord } from '#modules/trade/transport/cold-chain/journey.server.ts'
import { specificationFacts } from '#modules/base/items/item-data.server.ts'
import { createSystemDraft, packUnits } from '#server/public/drafts.ts'
import { enqueueMessage } from '#server/public/intercompany.ts'
import { overReceiptPercent } from '#server/public/actions.ts'

type Context = ContextOf<typeof arrivalOrder>
type ArrivalOrder = TypedDocument<typeof arrivalOrder>
type Line = TypedLine<typeof arrivalOrder>

/** Flags the faults, and names the record of the temperatures on the way if a shipment brought one. */
async function prepareSubmit(ctx: Context): Promise<ArrivalOrder> {
  const doc = await withFlags(ctx)
  const temperature_record_no = doc.is_cold_chain === true ? await withShipmentRecord({ ...ctx, doc }) : null
  if (temperature_record_no === null) return doc
  await patchDocument(ctx.tx, ctx.session, doc, { temperature_record_no }, 'withAction')
  return { ...doc, temperature_record_no }
}

/** A delivery note is registered once. */
async function refuseRepeated(ctx: Context): Promise<void> {
  const { tx, session, doc } = ctx
  if (!doc.delivery_note_no) return
  const [other] = await tx<{ sn: string }[]>`
    select sn from document where org_id = ${session.org.id} and kind = 'arrivalOrder' and role = 'own'
      and id <> ${doc.id} and counterparty_id = ${doc.counterparty_sn}
       and source_sn is distinct from ${doc.source_sn} and state not in ('cancelled', 'deleted')
         and fields->>'delivery_note_no' = ${String(doc.delivery_note_no)} limit 1`
  if (other) throw new BusinessError('duplicate', `随货同行单号${String(doc.delivery_note_no)}已登记（${other.sn}）`)
}

const refusedOf = (line: Line): Decimal => (line.refused_quantity as Decimal | null | undefined) ?? '0'

/** Arrived and refused quantity together must not exceed the quantity still expected. */
async function refuseTooMuch(ctx: Context): Promise<void> {
  const { tx, session, doc } = ctx
  const lines = doc.lines.filter(line => isPositive(refusedOf(line)) && line.source_document_id)
  if (lines.length === 0) return
  const packs = await packUnits(
    tx,
    lines.flatMap(line => (line.unit_inner_sn ? [line.unit_inner_sn] : [])),
  )

  const percent = await overReceiptPercent(
    ctx,
    lines.map(line => line.specification_sn),
  )
  const rows = await tx<{ document_id: string; line_no: number; is_order: boolean; whole: Decimal; left: Decimal }[]>`
    select l.document_id, l.line_no, d.kind = 'purchaseOrder' as is_order, l.base_quantity as whole,
      (l.base_quantity - coalesce(g.taken, 0))::numeric(18,3) as left from document_line l
      join document d on d.org_id = l.org_id and d.id = l.document_id
      left join lateral (select sum(p.taken) as taken from line_progress p
                          where p.org_id = l.org_id and p.document_id = l.document_id and p.line_no = l.line_no
                            and p.purpose in ('arrive', 'stop')) g on true
     where l.org_id = ${session.org.id}
       and l.document_id = any(${lines.map(line => line.source_document_id!)}::bigint[])`
  for (const line of lines) {
    const source = rows.find(row => row.document_id === line.source_document_id && row.line_no === line.source_line_no)
    const measure = packs.get(line.unit_inner_sn ?? '')?.base_measure ?? 1
    const whole = sum([line.base_quantity, multiply(refusedOf(line), String(measure), 3)], 3)
    if (!source) continue
    const more = source.is_order ? divide(String(percent(line.specification_sn)), '100', 4) : '0'
    const left = sum([source.left, multiply(source.whole, more, 3)], 3)
    if (compare(whole, left) <= 0) continue
    const msg = `到货数量超过${source.is_order ? '订单' : '来源单'}剩余数量${plain(left)}`
    throw new BusinessError('sourceExceeded', msg, [{ line: line.line_no, field: 'refused_quantity', msg }])
  }
}

/** Goods outside their temperature range in transit are refused or sent to quality. */
async function refuseWarm(ctx: Context): Promise<void> {
  const { tx, doc } = ctx
  const degrees = /-?\d+(\.\d+)?/.exec(String(doc.arrival_temperature ?? ''))?.[0]
  if (doc.is_abnormal === true) return
  const goods = doc.lines.filter(line => isPositive(line.quantity))
  const onTheWay = doc.is_cold_chain === true ? await outsideOnTheWay(ctx, goods) : null
  if (onTheWay !== null)
    throw new BusinessError('rule', '冷链运输温度超标，请拒收或转质量处理', [
      { field: 'temperature_record', msg: onTheWay },
    ])
  if (degrees === undefined) return
  const arrived = goods.map(line => line.specification_sn!)
  const cold = await tx<{ storage_condition: string | null }[]>`
    select distinct p.storage_condition from specification s join product p on p.id = s.product_id
      where s.id = any(${arrived}::bigint[]) and p.is_cold_chain`
  const all = cold.flatMap(row => temperatureBounds(row.storage_condition, true) ?? [])
  // One reading is not valid for frozen goods that came in a box of their own beside chilled ones.
  const chilled = all.filter(({ max }) => max === null || max >= 0)
  const outside = (chilled.length > 0 ? chilled : all).some(bounds => isOutside(bounds, inexact(degrees as string)))
  if (outside) throw new BusinessError('rule', '冷链运输温度超标，请拒收或转质量处理')
}

/** Expired goods and goods without a valid certificate cannot be released. */
async function refusePassing(ctx: Context): Promise<void> {
  await refuseOwnDecision(ctx)
  const { tx, session, doc } = ctx
  const facts = await specificationFacts(
    tx,
    doc.lines.map(line => line.specification_sn!),
    { org: session.org.id, counterparty: doc.counterparty_sn, direction: 'buy', day: doc.business_date },
  )
  const waiting = doc.lines.filter(line => ['pending', 'hold'].includes(String(line.line_decision ?? '')))
  const meant = named(doc, waiting, '没有待处理的质量异常')
  const bad = waiting.find(line => {
    if (!meant.has(line.line_no)) return false
    const certificate = facts.get(line.specification_sn!)?.certificate_valid_to ?? null
    return isPastUse(line, doc) || isExpired(certificate, shelfLifeDay(doc))
  })
  if (bad) throw new BusinessError('rule', '该产品不允许放行', [{ line: bad.line_no, msg: '该产品不允许放行' }])
}

/** The sender sees on its delivery what was refused on arrival, and why; it remains the sender's goods in transit. */
async function notifySender({ tx, session, doc }: Context): Promise<void> {
  const refused = doc.lines.filter(line => isPositive(refusedOf(line)) && line.delivery_document_id)
  if (refused.length === 0 || !doc.source_sn || !doc.source_org_sn || doc.source_org_sn === session.org.id) return
  const reason = refused
    .map(
      line =>
        `【${line.product_name ?? ''}】批号${line.lot_no ?? ''}拒收${plain(refusedOf(line))}：` +
        `${String(line.refuse_reason ?? '')}`,
    )
    .join('；')
  await enqueueMessage(tx, session, doc.source_org_sn, doc.id, {
    message: 'act',
    kind: 'saleOdo',
    sn: doc.source_sn,
    action: 'arriveReject',
    label: '客户拒收',
    reason,
    actor: session.userName,
  })
}

/** Goods refused by mistake arrive after all: they are noted on their lines, and counted on an arrival of their own. */
async function createAnew({ tx, session, definition, doc }: Context): Promise<void> {
  const lines = doc.lines.map(line =>
    isPositive(refusedOf(line)) ? { ...line, refused_quantity: '0.000', unrefused_quantity: refusedOf(line) } : line,
  )
  await replaceLines(tx, session.org.id, definition, doc.id, lines)
  await patchDocument(tx, session, doc, { refused_total: '0.000' }, 'withAction')
  const header = {
    source_sn: doc.source_sn,
    source_type: doc.source_type,
    source_org_sn: doc.source_org_sn,
    warehouse_model_inner_sn: doc.warehouse_model_inner_sn,
  }
  await createSystemDraft(tx, session, doc.kind, header, null)
}

function needsReceiver({ doc }: ActionContext): void {
  if (!doc.handler_inner_sn) throw new BusinessError('rule', '请选择收货员')
}

export const arrivalOrderRules = documentHooks(arrivalOrder, {
  validate: {
    submit: [needsReceiver, refuseRepeated, refuseTooMuch, refuseWarm],
    review: refuseTooMuch,
    qualityPass: refusePassing,
    qualityRefuse: refuseOwnDecision,
    qualityHold: refuseOwnDecision,
    withdraw: refuseOwnDecision,
  },
  prepare: { submit: prepareSubmit },
  afterAction: {
    review: notifySender,
    sendQuality: flagLines,
    qualityPass: decideLines('pass'),
    qualityRefuse: decideLines('refuse'),
    qualityHold: decideLines('hold'),
    withdraw: undecide,
    unrefuse: createAnew,
  },
})

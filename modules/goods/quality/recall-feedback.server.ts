import {
  add,
  compare,
  type Decimal,
  isPositive,
  isZero,
  plain,
  subtract,
  sum,
  wholePieces,
} from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import { booksOfLot } from '#modules/goods/quality/recall-register.server.ts'
import { createSystemDraft, type LineInput } from '#server/public/drafts.ts'
import type { RecordRow, RecordRules } from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'
import { provinces } from '#server/public/traceability.ts'

const parts = ['on_hand', 'used', 'returned', 'passed_on', 'gone'] as const
const figure = (row: Readonly<RecordRow>, name: string) => (row[name] ?? '0.000') as Decimal

/** received = on hand + used + returned + passed on + gone; blocked goods are part of on hand. */
function refuseUneven(row: Readonly<RecordRow>): void {
  const notified = sum(
    parts.map(name => figure(row, name)),
    3,
  )
  const difference = subtract(figure(row, 'received'), notified, 3)
  if (!isZero(difference)) throw new BusinessError('rule', `召回数量不平，差异${plain(difference)}`)
  if (compare(figure(row, 'blocked'), figure(row, 'on_hand')) > 0)
    throw new BusinessError('rule', '已停售数量不能大于在库数量', [
      { field: 'blocked', msg: '已停售数量不能大于在库数量' },
    ])
}

const lotOf = async (tx: Tx, session: Session, row: Readonly<RecordRow>): Promise<string> => {
  const [found] = await tx<{ lot_id: string }[]>`
    select lot_id from recall_feedback where org_id = ${session.org.id} and id = ${String(row.recall_feedback_sn)}`
  return found!.lot_id
}

export const recallFeedbackRules: RecordRules = {
  kind: 'recallFeedback',
  columns: tx => ({
    product_name: tx`(select p.name from product p where p.id = ${tx('to_specification_sn.product_id')})`,
  }),
  mayWrite(_session, action, row) {
    if (action === 'add' || action === 'del') throw new BusinessError('rule', '召回由发出机构送达，不能新增或删除')
    if (row && !['waiting', 'answered'].includes(String(row.state)))
      throw new BusinessError('wrongState', row.state === 'closed' ? '召回已关闭' : '召回已撤下')
  },
  // Changed figures need a new answer.
  alsoWrites: async (_tx, _session, { before }): Promise<Record<string, string>> =>
    before === null ? {} : { state: 'waiting' },
  actions: {
    async feedback(_tx, session, row) {
      refuseUneven(row)
      return { state: 'answered', answered_by: session.userName, answered_at: new Date().toISOString() }
    },
    async recount(tx, session, row) {
      return { ...(await booksOfLot(tx, session.org.id, await lotOf(tx, session, row))), state: 'waiting' }
    },
    async toReturn(tx, session, row) {
      await createReturns(tx, session, row, await lotOf(tx, session, row))
    },
  },
}

/** The words for a holder whose name is not shown. */
const types = { 0: '平台', 1: '医院', 2: '经销商', 3: '生产厂家' } as const

export const recallDeliveryRules: RecordRules = {
  kind: 'recallDelivery',
  columns: tx => ({
    holder: tx`coalesce(t.holder_name, ${tx.json(types)}::jsonb ->> t.holder_type::text
      || coalesce('（' || (${tx.json(provinces)}::jsonb ->> t.holder_province) || '）', ''))`,
    recall_sn: tx`(select d.sn from document d where d.org_id = t.org_id and d.id = t.document_id)`,
    recall_title: tx`(select d.fields->>'heading' from document d where d.org_id = t.org_id and d.id = t.document_id)`,
    product_name: tx`(select p.name from product p where p.id = ${tx('to_specification_sn.product_id')})`,
    lot_no: tx`(select l.lot_no from lot l where l.id = t.lot_id)`,
    answer_state: tx`case when t.answered_at is null then 'waiting' else 'answered' end`,
  }),
}

type Receipt = {
  sn: string
  line_no: number
  counterparty_id: string
  regime: string
  left: Decimal
  unit_codes: string[]
}
type HeldBalance = {
  warehouse_id: string
  location: string
  owner_id: string
  quality_state: string
  free: Decimal
  codes: string[]
}

type Draft = { readonly header: Readonly<Record<string, unknown>>; readonly lines: LineInput[] }

/** Receipts from which the lot can still be returned, newest first. */
const receiptsOf = (tx: Tx, org: string, lot: string) => tx<Receipt[]>`
  select d.sn, l.line_no, d.counterparty_id, coalesce(d.regime, 'purchased') as regime, l.unit_codes,
         (l.base_quantity - coalesce((select sum(g.taken) from line_progress g
           where g.org_id = l.org_id and g.document_id = l.document_id and g.line_no = l.line_no
           and g.purpose in ('return', 'reverse')), 0))::numeric(18,3) as left
    from document_line l join document d on d.org_id = l.org_id and d.id = l.document_id
   where l.org_id = ${org} and l.lot_id = ${lot} and d.kind = 'purchaseGrn' and d.role = 'own' and d.red_of_id is null
     and d.state in ('reviewed', 'partial', 'completed')
   order by d.id desc, l.line_no`

/** Stock of the lot on hand that no other document has reserved. */
const heldBalancesOf = (tx: Tx, org: string, lot: string) => tx<HeldBalance[]>`
  select b.warehouse_id, b.location, b.owner_id, b.quality_state,
         (b.quantity - coalesce((select sum(r.quantity) from reservation r
           where r.org_id = b.org_id and r.warehouse_id = b.warehouse_id and r.location = b.location
            and r.lot_id = b.lot_id and r.owner_id = b.owner_id and r.quality_state = b.quality_state),
              0))::numeric(18,3) as free,
         coalesce((select array_agg(c.bare order by c.bare) from unit u
           join lateral (select min(x.bare) as bare from unit_code x where x.lot_id = u.lot_id and x.unit_id = u.id
           and x.ended is null) c on true
           where u.lot_id = b.lot_id and u.holder_org_id = b.org_id and u.warehouse_id = b.warehouse_id
             and u.owner_id = b.owner_id and coalesce(u.place, '') = b.location and u.status = 'in_stock'),
             '{}') as codes
    from stock_balance b join warehouse w on w.org_id = b.org_id and w.id = b.warehouse_id
   where b.org_id = ${org} and b.lot_id = ${lot} and b.quantity > 0 and w.model not in ('transit', 'consumed')
   order by b.warehouse_id, b.location`

/** 生成采购退货: a draft for each warehouse and supplier with all stock of the lot, under the recall's number. */
async function createReturns(tx: Tx, session: Session, row: Readonly<RecordRow>, lot: string): Promise<void> {
  const receipts = (await receiptsOf(tx, session.org.id, lot)).map(one => ({ ...one }))
  const docs = new Map<string, Draft>()
  for (const balance of await heldBalancesOf(tx, session.org.id, lot)) {
    let free = balance.free
    for (const receipt of receipts) {
      const codes = receipt.unit_codes.filter(code => balance.codes.includes(code))
      const most = receipt.unit_codes.length > 0 ? (String(codes.length) as Decimal) : receipt.left
      const taken = [free, receipt.left, most].reduce((least, one) => (compare(one, least) < 0 ? one : least))
      if (!isPositive(taken)) continue
      free = subtract(free, taken, 3)
      receipt.left = subtract(receipt.left, taken, 3)
      const key = `${balance.warehouse_id}/${receipt.counterparty_id}/${receipt.regime}`
      const doc: Draft = docs.get(key) ?? { header: headerOf(row, balance, receipt), lines: [] }
      docs.set(key, doc)
      doc.lines.push({
        source_sn: receipt.sn,
        source_line_no: receipt.line_no,
        quantity: add(taken, '0', 3),
        quality_state: balance.quality_state,
        owner_org_sn: balance.owner_id,
        location: balance.location,
        ...(codes.length > 0 ? { unit_codes: codes.slice(0, wholePieces(taken)) } : {}),
      })
    }
  }
  if (docs.size === 0)
    throw new BusinessError(
      'rule',
      `批号${String(row.lot_no)}没有可退的库存：在库的货物不是采购入库的，或已被其他单据占用`,
    )
  for (const { header, lines } of docs.values()) await createSystemDraft(tx, session, 'purchaseReturn', header, lines)
}

const headerOf = (row: Readonly<RecordRow>, balance: HeldBalance, receipt: Receipt) => ({
  counterparty_sn: receipt.counterparty_id,
  warehouse_model_inner_sn: balance.warehouse_id,
  regime: receipt.regime,
  return_type: 'recall',
  recall_no: String(row.recall_sn),
  return_reason: `召回：${String(row.title)}`,
  source_sn: receipt.sn,
  source_type: sourceTypes.GRN,
})

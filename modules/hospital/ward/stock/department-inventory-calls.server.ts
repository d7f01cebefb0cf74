import { today } from '#kernel/values/date.ts'
import { compare, type Decimal, isPositive, plain, subtract } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { draftFor } from '#modules/hospital/ward/requisition/draft-for.server.ts'
import { claimProposals, parProposals } from '#modules/hospital/ward/requisition/par-levels.server.ts'
import { codesOf } from '#modules/hospital/ward/stock/piece-codes.server.ts'
import { returnDrafts } from '#modules/hospital/ward/stock/return-drafts.server.ts'
import { loadDocument, patchDocument } from '#server/public/documents.ts'
import { definitionOf, type LineInput } from '#server/public/drafts.ts'
import type { ListActionHandler } from '#server/public/records.ts'
import { may, type Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

/** A row of the department's stock as its actions need it. */
export type StockRow = {
  readonly id: string
  readonly display: 'product' | 'lot' | 'unit'
  readonly warehouse_id: string
  readonly department_id: string | null
  readonly product_id: string
  readonly specification_id: string
  readonly name: string
  readonly lot_id: string | null
  readonly lot_no: string | null
  readonly owner_org_id: string | null
  readonly expiry_date: string | null
  readonly quantity: Decimal
  readonly available: Decimal
  readonly unit_code: string | null
}

/** The chosen rows with what calls decide by. */
async function rowsOf(tx: Tx, session: Session, keys: readonly string[]): Promise<StockRow[]> {
  const rows = await tx<Omit<StockRow, 'unit_code'>[]>`
    select t.id, t.display, t.warehouse_id, t.department_id, t.product_id, t.specification_id,
           p.name || ' ' || s.name as name, t.lot_id, t.lot_no, t.owner_org_id, t.expiry_date, t.quantity,
           t.available
      from (select * from department_stock union all select * from department_stock_out) t
      join specification s on s.id = t.specification_id join product p on p.id = t.product_id
     where t.org_id = ${session.org.id} and t.id = any(${keys as string[]})
     order by t.warehouse_id, t.specification_id, t.expiry_date nulls last, t.id`
  const codes = await codesOf(
    tx,
    rows.map(row => row.id),
  )
  return rows.map(row => ({ ...row, unit_code: codes.get(row.id)?.[0] ?? null }))
}

/** Refuses expired goods, which can only be returned; refuses a product once nothing of it may be used. */
function refuseExpired(rows: readonly StockRow[]): void {
  const day = today()
  const expired = rows.find(
    row =>
      row.expiry_date !== null && row.expiry_date < day && (row.display !== 'product' || !isPositive(row.available)),
  )
  if (!expired) return
  const lot = expired.lot_no ? ` 批号${expired.lot_no}` : ''
  throw new BusinessError('rule', `${expired.name}${lot}已过期，只能办理科室退库`)
}

/**
 * The line of a document for a row: the piece, the lot, or the product, of which the lots that expire first are chosen.
 */
const lineOf = (row: StockRow, each: Decimal): LineInput =>
  row.unit_code !== null
    ? { unit_codes: [row.unit_code] }
    : {
        specification_sn: row.specification_id,
        quantity: each,
        ...(row.lot_id === null ? {} : { lot_no: row.lot_no, owner_org_sn: row.owner_org_id }),
      }

const answer = (session: Session, kind: string, sns: readonly string[], what: string) => ({
  said: `已生成${what}${sns.join('、')}`,
  ...(sns.length === 1 && may(session, `${kind}.edit`) ? { made: { kind, sn: sns[0]! } } : {}),
})

/** 登记使用: a draft of use for each store; patient and pieces without a code are filled in there. */
const use: ListActionHandler = async ({ tx, session, asked: { each }, ids }) => {
  const rows = await rowsOf(tx, session, ids)
  refuseExpired(rows)
  const quantity = (each ?? '1') as Decimal
  const short = rows.find(row => row.unit_code === null && compare(row.available, quantity) < 0)
  if (short) throw shortOf(short.name, short.lot_no, short.available, quantity)
  const sns: string[] = []
  for (const some of Map.groupBy(rows, row => row.warehouse_id).values()) {
    const { warehouse_id, department_id } = some[0]!
    const header = { warehouse_model_inner_sn: warehouse_id, department_inner_sn: department_id }
    const lines = some.map(row => lineOf(row, quantity))
    sns.push(await draftFor(tx, session, 'departmentUse', header, lines))
  }
  return answer(session, 'departmentUse', sns, '科室使用单')
}

const shortOf = (name: string, lot: string | null, available: Decimal, wanted: Decimal) =>
  new BusinessError(
    'stockShort',
    `库存不足：${name}${lot === null ? '' : ` 批号${lot || '无批号'}`} 可用${plain(available)}，需要${plain(wanted)}`,
  )

/** 科室退库: from the grants by which the goods came. */
const returnOdo: ListActionHandler = async ({ tx, session, asked: { return_reason, each }, ids }) => {
  const rows = await rowsOf(tx, session, ids)
  const sns = await returnDrafts(tx, session, rows, (each as Decimal | null | undefined) ?? null, String(return_reason))
  return answer(session, 'grantReturn', sns, '科室退库单')
}

/** 科室借用: the row's store borrows its goods of another department's. */
const borrow: ListActionHandler = async ({
  tx,
  session,
  asked: { lender_sn, each, due_date, transfer_reason },
  ids,
}) => {
  const rows = await rowsOf(tx, session, ids)
  refuseExpired(rows)
  const [row] = rows as [StockRow]
  const lender = String(lender_sn)
  if (lender === row.warehouse_id) throw new BusinessError('rule', '借出仓库与借入仓库不能相同')
  if (String(due_date) < today()) throw new BusinessError('rule', '预计归还日期不能早于今天')
  const [stock] = await tx<{ available: Decimal; model: string }[]>`
    select w.model, (select coalesce(sum(b.available), 0) from stock_on_hand b
      where b.org_id = w.org_id and b.warehouse_id = w.id
        and b.specification_id = any(same_sizes(${row.specification_id})))::numeric(18,3) as available
      from warehouse w where w.org_id = ${session.org.id} and w.id = ${lender}`
  if (stock === undefined || !['ward', 'cabinet'].includes(stock.model))
    throw new BusinessError('rule', '请选择其他科室的二级库或智能柜借用')
  const wanted = String(each) as Decimal
  if (isPositive(subtract(wanted, stock.available, 3))) throw shortOf(row.name, null, stock.available, wanted)
  const header = {
    transfer_type: 'borrow',
    borrow_type: 'give_back',
    warehouse_model_inner_sn: lender,
    to_warehouse_model_inner_sn: row.warehouse_id,
    due_date,
    transfer_reason: transfer_reason ?? null,
  }
  const lines = [{ specification_sn: row.specification_id, quantity: wanted }]
  return answer(session, 'transfer', [await draftFor(tx, session, 'transfer', header, lines)], '科室借用单')
}

/** 生成盘点单: a count of the chosen products for each store. */
const takeStock: ListActionHandler = async ({ tx, session, ids }) => {
  const rows = await rowsOf(tx, session, ids)
  refuseExpired(rows)
  const sns: string[] = []
  for (const some of Map.groupBy(rows, row => row.warehouse_id).values()) {
    const goods = [...new Set(some.map(row => row.specification_id))]
    const header = { warehouse_model_inner_sn: some[0]!.warehouse_id, take_type: 'sample', take_method: 'open' }
    const sn = await draftFor(tx, session, 'stockTake', header, [])
    const doc = await loadDocument(tx, session.org.id, definitionOf('stockTake'), sn)
    await patchDocument(tx, session, doc, { cycle_goods: goods }, 'withAction')
    sns.push(sn)
  }
  return answer(session, 'stockTake', sns, '盘点单')
}

/** 补货申领: the chosen goods up to their upper limits, less the stock there and the goods under way. */
const replenish: ListActionHandler = async ({ tx, session, ids }) => {
  const rows = await rowsOf(tx, session, ids)
  refuseExpired(rows)
  const [stores, goods] = [rows.map(row => row.warehouse_id), rows.map(row => row.specification_id)]
  const proposals = await parProposals(tx, session, {
    which: tx`exists (select 1 from unnest(${stores}::bigint[], ${goods}::bigint[]) n(store, size)
      where n.store = k.warehouse_id and n.size = any((select same_sizes(k.stands_for_id))::bigint[]))`,
    upToMaximum: true,
  })
  if (proposals.length === 0) throw new BusinessError('rule', '所选产品没有设置上限，或现存加在途已达上限，无需补货')
  const sns = await claimProposals(tx, session, proposals, '按科室库存补货')
  return answer(session, 'requisition', sns, '物资申领单')
}

export const calls = { use, returnOdo, borrow, takeStock, replenish }

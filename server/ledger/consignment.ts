import { type Decimal, add, isNegative, isZero, negate, share } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import type { Posted } from '#server/ledger/stock.ts'
import type { Tx } from '#server/database/transaction.ts'

/** One signed row of the memo of own goods at customers. */
export type ConsignedRow = {
  readonly line_no: number
  readonly step: string
  readonly customer_id: string
  readonly specification_id: string
  readonly lot_id: string
  readonly quantity: Decimal
  readonly value: Decimal | null
}

const keyOf = (row: Pick<ConsignedRow, 'customer_id' | 'specification_id' | 'lot_id'>) =>
  `${row.customer_id}/${row.specification_id}/${row.lot_id}`

/**
 * Posts to the memo of goods at customers; outgoing goods leave at average cost. Returns the rows with their values.
 */
export async function postConsignment(tx: Tx, posted: Posted, rows: readonly ConsignedRow[]): Promise<ConsignedRow[]> {
  if (rows.length === 0) return []
  const held = await tx<
    { customer_id: string; specification_id: string; lot_id: string; quantity: Decimal; value: Decimal }[]
  >`
    select customer_id, specification_id, lot_id, quantity, value from consigned_out
     where org_id = ${posted.org} and lot_id = any(${rows.map(row => row.lot_id)}::bigint[])
       and customer_id = any(${rows.map(row => row.customer_id)}::bigint[])
     order by customer_id, specification_id, lot_id for update`
  const left = new Map(held.map(row => [keyOf(row), { quantity: row.quantity, value: row.value }]))
  let leaving: Decimal = '0.00'
  const valued = rows.map(row => {
    const balance = left.get(keyOf(row)) ?? { quantity: '0.000', value: '0.00' }
    const value =
      row.value ??
      (isNegative(row.quantity) && !isZero(balance.quantity)
        ? negate(share(balance.value, negate(row.quantity), balance.quantity, 2))
        : negate(leaving))
    // Goods moved to another lot take the value of the row they leave.
    leaving = isNegative(row.quantity) ? value : '0.00'
    const quantity = add(balance.quantity, row.quantity, 3)
    if (isNegative(quantity)) throw new BusinessError('blocked', '寄售货物数量不足，不能操作')
    left.set(keyOf(row), { quantity, value: add(balance.value, value, 2) })
    return { ...row, value }
  })
  const touched = [...new Map(rows.map(row => [keyOf(row), row])).entries()].map(([key, row]) => ({
    customer_id: row.customer_id,
    specification_id: row.specification_id,
    lot_id: row.lot_id,
    ...left.get(key)!,
  }))
  const set = 'customer_id bigint, specification_id bigint, lot_id bigint, quantity numeric, value numeric'
  await tx`
    insert into consigned_out as c (org_id, customer_id, specification_id, lot_id, quantity, value)
    select d.org_id, k.customer_id, k.specification_id, k.lot_id, k.quantity, k.value
      from document d cross join jsonb_to_recordset(${tx.json(touched)}) as k(${tx.unsafe(set)})
     where d.org_id = ${posted.org} and d.id = ${posted.document} order by k.customer_id, k.specification_id, k.lot_id
    on conflict (org_id, customer_id, specification_id, lot_id) do update set quantity = excluded.quantity,
      value = excluded.value`
  await tx`delete from consigned_out where org_id = ${posted.org} and quantity = 0
    and lot_id = any(${rows.map(row => row.lot_id)}::bigint[])`
  await tx`
    insert into consigned_move (org_id, customer_id, specification_id, lot_id, quantity, value, document_id, line_no,
      step)
    select d.org_id, k.customer_id, k.specification_id, k.lot_id, k.quantity, k.value, d.id, k.line_no, k.step
      from document d cross
        join jsonb_to_recordset(${tx.json(valued)}) as k(${tx.unsafe(set)}, line_no int,
        step text)
     where d.org_id = ${posted.org} and d.id = ${posted.document}`
  return valued
}

/** The net of a document's memo moves. */
export async function netConsignment(tx: Tx, org: string, document: string): Promise<ConsignedRow[]> {
  return tx<ConsignedRow[]>`
    select line_no, min(step) as step, customer_id, specification_id, lot_id, sum(quantity)::numeric(18,3) as quantity,
      sum(value)::numeric(18,2) as value
      from consigned_move where org_id = ${org} and document_id = ${document}
     group by line_no, customer_id, specification_id, lot_id having sum(quantity) <> 0 or sum(value) <> 0`
}

import { type Decimal, negate, share } from '#kernel/values/decimal.ts'
import type { AnyDocument } from '#kernel/definition/document.ts'
import type { Posting } from '#kernel/ledger/posting.ts'
import type { StoredDocument } from '#server/documents/repository/document.ts'
import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'
import { accountRows } from '#server/documents/posting/post.ts'
import { postAccounts } from '#server/ledger/accounts.ts'
import { type ConsignedRow, postConsignment } from '#server/ledger/consignment.ts'
import { postStock, type StockRow } from '#server/ledger/stock.ts'

type Given = { readonly line_no: number; readonly base_quantity: Decimal }

/**
 * The other side takes its answer back: the answer's posting is reversed exactly, including value, or by the share
 * that is taken back. Goods returned at another cost would leave a residual value for ever.
 */
export async function reverseResponsePosting(
  tx: Tx,
  session: Session,
  definition: AnyDocument,
  doc: StoredDocument,
  posting: Posting,
  given: readonly Given[],
): Promise<void> {
  const org = session.org.id
  const posted = { org, document: doc.id, day: doc.business_date }
  const steps = [...new Set((posting.moves ?? []).map(move => move.step))]
  const lines = given.map(line => line.line_no)
  const back = <R extends { line_no: number; quantity: Decimal; value: Decimal | null }>(rows: readonly R[]): R[] =>
    rows.map(row => {
      const part = given.find(line => line.line_no === row.line_no)!.base_quantity
      const whole = row.quantity.startsWith('-') ? negate(row.quantity) : row.quantity
      return {
        ...row,
        quantity: negate(share(row.quantity, part, whole, 3)),
        value: row.value === null ? null : negate(share(row.value, part, whole, 2)),
      }
    })
  const stock = await tx<StockRow[]>`
    select line_no, step, warehouse_id, location, specification_id, lot_id, owner_id, quality_state,
      sum(quantity)::numeric(18,3) as quantity, sum(value)::numeric(18,2) as value
      from stock_move where org_id = ${org} and document_id = ${doc.id} and step = any(${steps})
        and line_no = any(${lines}::int[])
     group by line_no, step, warehouse_id, location, specification_id, lot_id, owner_id, quality_state
       having sum(quantity) <> 0 order by line_no, sum(quantity)`
  const consigned = await tx<ConsignedRow[]>`
    select line_no, step, customer_id, specification_id, lot_id, sum(quantity)::numeric(18,3) as quantity,
      sum(value)::numeric(18,2) as value
      from consigned_move where org_id = ${org} and document_id = ${doc.id} and step = any(${steps})
        and line_no = any(${lines}::int[])
     group by line_no, step, customer_id, specification_id, lot_id having sum(quantity) <> 0 order by line_no`
  await postStock(tx, posted, back(stock))
  await postConsignment(tx, posted, back(consigned))
  await postAccounts(
    tx,
    posted,
    (await accountRows(tx, org, definition, doc, posting.entries ?? [])).map(row => ({
      ...row,
      amount: negate(row.amount),
    })),
  )
}

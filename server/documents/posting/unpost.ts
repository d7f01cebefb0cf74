import { type Decimal, isNegative, negate } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { falseFirst } from '#kernel/values/order.ts'
import type { ActionContext } from '#server/documents/action/context.ts'
import { checkUnserialisedStock } from '#server/documents/posting/serialised-stock.ts'
import { postAccounts, netEntries } from '#server/ledger/accounts.ts'
import { postConsignment, netConsignment } from '#server/ledger/consignment.ts'
import { postStock, netMoves, type StockRow } from '#server/ledger/stock.ts'
import { undoTrace } from '#server/ledger/undo-trace.ts'

const negateAll = <R extends { quantity: Decimal; value: Decimal | null }>(rows: readonly R[]): R[] =>
  rows.map(row => ({ ...row, quantity: negate(row.quantity), value: row.value === null ? null : negate(row.value) }))

/** Appends the exact opposite of the document's postings. Goods that have moved on cannot be taken back. */
export async function unpostDocument(ctx: ActionContext): Promise<void> {
  const { tx, session, doc } = ctx
  const org = session.org.id
  const posted = { org, document: doc.id, day: doc.business_date }
  const [moves, consigned, entries] = await Promise.all([
    netMoves(tx, org, doc.id),
    netConsignment(tx, org, doc.id),
    netEntries(tx, org, doc.id),
  ])
  await explainShortage(ctx, () => postStock(tx, posted, negateAll(moves).sort(leavingFirst) as StockRow[]))
  await postConsignment(tx, posted, negateAll(consigned))
  await postAccounts(
    tx,
    posted,
    entries.map(row => ({ ...row, amount: negate(row.amount) })),
  )
  const named = doc.lines.flatMap(line => (line.lot_id ? [line.lot_id] : []))
  const lots = [...new Set([...named, ...moves.map(move => move.lot_id)])]
  await undoTrace(tx, { org, kind: doc.kind, sn: doc.sn, document: doc.id, actor: session.userName }, lots)
  await checkUnserialisedStock(tx, org, lots)
}

const leavingFirst = (a: StockRow, b: StockRow) =>
  a.line_no - b.line_no || falseFirst(isNegative(b.quantity), isNegative(a.quantity))

/** Insufficient stock while undoing means that the goods have moved on: the message says so. */
export async function explainShortage<T>(ctx: ActionContext, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof BusinessError) || error.reason !== 'stockShort') throw error
    const later = await ctx.tx<{ sn: string }[]>`
      select d.sn from stock_move m join document d on d.org_id = m.org_id and d.id = m.document_id
       where m.org_id = ${ctx.session.org.id} and m.document_id <> ${ctx.doc.id}
         and m.lot_id = any(${ctx.doc.lines.flatMap(line => (line.lot_id ? [line.lot_id] : []))}::bigint[])
         and m.at > (select min(o.at) from stock_move o where o.org_id = m.org_id and o.document_id = ${ctx.doc.id})
         and exists (select 1 from stock_move o where o.org_id = m.org_id and o.document_id = ${ctx.doc.id}
           and o.warehouse_id = m.warehouse_id and o.location = m.location and o.quantity > 0)
       group by d.sn having sum(m.quantity) < 0
       order by d.sn limit 5`
    throw new BusinessError(
      'blocked',
      `货物已有后续业务${later.length > 0 ? `（${later.map(row => row.sn).join('、')}）` : ''}，不能${ctx.spec.label}：` +
        `${error.message}`,
    )
  }
}

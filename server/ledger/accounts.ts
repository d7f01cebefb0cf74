import { type Decimal, isZero } from '#kernel/values/decimal.ts'
import type { Posted } from '#server/ledger/stock.ts'
import { pipelined, type Tx } from '#server/database/transaction.ts'
import type { JSONValue } from 'postgres'

/** One row of the account ledger: what `counterparty` and this organisation owe each other, in yuan. */
export type AccountRow = {
  readonly line_no: number
  readonly counterparty_id: string
  readonly account: string
  readonly amount: Decimal
}

/** Writes entries and their balances: two statements. Balances at zero have no row. */
export async function postAccounts(tx: Tx, posted: Posted, rows: readonly AccountRow[]): Promise<void> {
  const real = rows.filter(row => !isZero(row.amount))
  if (real.length === 0) return
  const json = tx.json(real as unknown as JSONValue)
  const written = tx`
    with entered as (
      insert into account_entry (org_id, counterparty_id, account, amount, document_id, line_no, business_date)
      select d.org_id, k.counterparty_id, k.account, k.amount, d.id, k.line_no, ${posted.day}
        from document d cross
          join jsonb_to_recordset(${json}) as k(counterparty_id bigint, account text, amount numeric, line_no int)
       where d.org_id = ${posted.org} and d.id = ${posted.document})
    insert into account_balance as b (org_id, counterparty_id, account, amount)
    select d.org_id, k.counterparty_id, k.account, sum(k.amount)
      from document d cross join jsonb_to_recordset(${json}) as k(counterparty_id bigint, account text, amount numeric)
     where d.org_id = ${posted.org} and d.id = ${posted.document}
     group by d.org_id, k.counterparty_id, k.account order by k.counterparty_id, k.account
    on conflict (org_id, counterparty_id, account) do update set amount = b.amount + excluded.amount`
  const emptied = tx`
    delete from account_balance b where b.org_id = ${posted.org} and b.amount = 0
       and b.counterparty_id = any(${[...new Set(real.map(row => row.counterparty_id))]}::bigint[])`
  await pipelined([written, emptied])
}

/** The net of a document's entries, per line, counterparty and account. */
export async function netEntries(tx: Tx, org: string, document: string): Promise<AccountRow[]> {
  return tx<AccountRow[]>`
    select line_no, counterparty_id, account, sum(amount)::numeric(18,2) as amount from account_entry
     where org_id = ${org} and document_id = ${document}
     group by line_no, counterparty_id, account having sum(amount) <> 0 order by line_no`
}

import { type Account, accounts, advanceAccounts } from '#kernel/ledger/posting.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { add, type Decimal, isNegative, isZero, negate, sum } from '#kernel/values/decimal.ts'
import type { Posted } from '#server/ledger/stock.ts'
import { pipelined, type Tx } from '#server/database/transaction.ts'

/** One row of the account ledger: what `counterparty` and this organisation owe each other, in yuan. */
export type AccountRow = {
  readonly line_no: number
  readonly counterparty_id: string
  readonly account: string
  readonly amount: Decimal
  /** The document that opened what is settled here: an invoice, an opening, a service fee, an advance. */
  readonly item_id: string | null
  /** Its line where each line is an item of its own; else 0. */
  readonly item_line: number
}

const isAdvance = ({ account }: { readonly account: string }): boolean =>
  advanceAccounts.some(advance => advance === account)

type Net = { readonly account: string; readonly amount: Decimal }
type PartnerNet = Net & { readonly counterparty_id: string }
type ItemNet = Net & { readonly item_id: string }

function netOf<R extends { readonly amount: Decimal }>(rows: readonly R[], keyOf: (row: R) => string): R[] {
  return [...Map.groupBy(rows, keyOf).values()].map(group => ({
    ...group[0]!,
    amount: sum(
      group.map(row => row.amount),
      2,
    ),
  }))
}

/**
 * Locks the advances that lose money, each with its partner's balance, in key order; refuses more than is left of one.
 * The database refuses it as well.
 */
async function lockAdvances(tx: Tx, org: string, partners: readonly PartnerNet[], items: readonly ItemNet[]) {
  if (partners.length > 0)
    await tx`
      select 1 from account_balance b
       where b.org_id = ${org} and b.counterparty_id = any(${partners.map(net => net.counterparty_id)}::bigint[])
       order by b.counterparty_id, b.account for update`
  if (items.length === 0) return
  const rows = await tx<{ document_id: string; sn: string; amount: Decimal }[]>`
    select b.document_id, d.sn, b.amount from advance_balance b
      join document d on d.org_id = b.org_id and d.id = b.document_id
     where b.org_id = ${org} and b.document_id = any(${items.map(net => net.item_id)}::bigint[])
     order by b.document_id for update of b`
  for (const net of items) {
    const row = rows.find(each => each.document_id === net.item_id)
    const left = row?.amount ?? '0.00'
    if (isNegative(add(left, net.amount, 2)))
      throw new BusinessError(
        'sourceExceeded',
        `${accounts[net.account as Account]}款${row?.sn ?? ''}余额不足：余额${left}，本次需要${negate(net.amount)}`,
      )
  }
}

/** Subtracts from rows that are there; a row that is not there would be below zero, which its table refuses. */
const lower = {
  partners: (tx: Tx, org: string, nets: readonly PartnerNet[]) => tx`
    with k as (
      select * from jsonb_to_recordset(${tx.json(nets)})
        as k(counterparty_id bigint, account text, amount numeric)),
    kept as (
      update account_balance b set amount = b.amount + k.amount from k
       where b.org_id = ${org} and b.counterparty_id = k.counterparty_id and b.account = k.account
      returning b.counterparty_id, b.account)
    insert into account_balance (org_id, counterparty_id, account, amount)
    select ${org}::bigint, k.counterparty_id, k.account, k.amount from k
     where not exists (select 1 from kept where kept.counterparty_id = k.counterparty_id
       and kept.account = k.account)`,
  items: (tx: Tx, org: string, nets: readonly ItemNet[]) => tx`
    with k as (
      select * from jsonb_to_recordset(${tx.json(nets)}) as k(item_id bigint, amount numeric)),
    kept as (
      update advance_balance b set amount = b.amount + k.amount from k
       where b.org_id = ${org} and b.document_id = k.item_id returning b.document_id)
    insert into advance_balance (org_id, document_id, amount)
    select ${org}::bigint, k.item_id, k.amount from k
     where not exists (select 1 from kept where kept.document_id = k.item_id)`,
}

/** Writes entries and their balances, by partner and, of money in advance, by advance. Balances at zero have no row. */
export async function postAccounts(tx: Tx, posted: Posted, rows: readonly AccountRow[]): Promise<void> {
  const real = rows.filter(row => !isZero(row.amount))
  if (real.length === 0) return
  const { org } = posted
  const partners = netOf(real, row => `${row.counterparty_id}/${row.account}`)
  const items = netOf(
    real.filter((row): row is AccountRow & { readonly item_id: string } => isAdvance(row) && row.item_id !== null),
    row => row.item_id,
  )
  const isLosing = (net: Net): boolean => isAdvance(net) && isNegative(net.amount)
  const isRising = (net: Net): boolean => !isLosing(net) && !isZero(net.amount)
  const losing = { partners: partners.filter(isLosing), items: items.filter(isLosing) }
  if (losing.partners.length > 0 || losing.items.length > 0) await lockAdvances(tx, org, losing.partners, losing.items)
  const entered = tx`
    insert into account_entry (org_id, counterparty_id, account, amount, document_id, line_no, item_id, item_line,
      business_date)
    select d.org_id, k.counterparty_id, k.account, k.amount, d.id, k.line_no, k.item_id, k.item_line, ${posted.day}
      from document d cross
        join jsonb_to_recordset(${tx.json(real)}) as k(counterparty_id bigint, account text,
          amount numeric, line_no int, item_id bigint, item_line int)
     where d.org_id = ${org} and d.id = ${posted.document}`
  const raised = tx`
    insert into account_balance as b (org_id, counterparty_id, account, amount)
    select d.org_id, k.counterparty_id, k.account, k.amount
      from document d cross
        join jsonb_to_recordset(${tx.json(partners.filter(isRising))})
          as k(counterparty_id bigint, account text, amount numeric)
     where d.org_id = ${org} and d.id = ${posted.document}
     order by k.counterparty_id, k.account
    on conflict (org_id, counterparty_id, account) do update set amount = b.amount + excluded.amount`
  const credited = items.filter(isRising)
  await pipelined([
    entered,
    losing.partners.length > 0 ? lower.partners(tx, org, losing.partners) : null,
    raised,
    losing.items.length > 0 ? lower.items(tx, org, losing.items) : null,
    credited.length === 0
      ? null
      : tx`
        insert into advance_balance as b (org_id, document_id, amount)
        select d.org_id, k.item_id, k.amount
          from document d cross
            join jsonb_to_recordset(${tx.json(credited)}) as k(item_id bigint, amount numeric)
         where d.org_id = ${org} and d.id = ${posted.document}
         order by k.item_id
        on conflict (org_id, document_id) do update set amount = b.amount + excluded.amount`,
    tx`
      delete from account_balance b where b.org_id = ${org} and b.amount = 0
         and b.counterparty_id = any(${[...new Set(real.map(row => row.counterparty_id))]}::bigint[])`,
    items.length === 0
      ? null
      : tx`
        delete from advance_balance b where b.org_id = ${org} and b.amount = 0
           and b.document_id = any(${items.map(net => net.item_id)}::bigint[])`,
  ])
}

/** The net of a document's entries, per line, counterparty, account and item. */
export async function netEntries(tx: Tx, org: string, document: string): Promise<AccountRow[]> {
  return tx<AccountRow[]>`
    select line_no, counterparty_id, account, item_id, item_line, sum(amount)::numeric(18,2) as amount
      from account_entry where org_id = ${org} and document_id = ${document}
     group by line_no, counterparty_id, account, item_id, item_line having sum(amount) <> 0 order by line_no`
}

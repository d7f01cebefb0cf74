import { type Day, monthEnd } from '#kernel/values/date.ts'
import { compare, type Decimal } from '#kernel/values/decimal.ts'
import { derived, documents } from '#kernel/registry.ts'
import { systemSession, type Session } from '#server/access/session.ts'
import { inOrganisation, type Tx } from '#server/database/transaction.ts'
import type { Sql } from '#server/plugins/database.ts'
import { measured, measuredBy, type MeasuredDays, measuredOrganisations } from '#server/reports/measures.ts'
import { measuresFor } from '#server/reports/measured-places.ts'

/** A figure of a sealed month that is another one today. */
export type Changed = {
  readonly organisation: string
  readonly month: string
  /** The measure by its label, and of a statement of account its number and partner. */
  readonly figure: string
  readonly before: Decimal
  readonly after: Decimal
}

type OfOne = Omit<Changed, 'organisation'>
type Org = Session['org']

/** The days of a month that is named by its first one. */
const daysOf = (month: Day): MeasuredDays => ({
  begin_date: month,
  end_date: monthEnd(month),
})

/**
 * Writes down the measures of months that were closed and have none yet, for each organisation; what stands is not
 * written again. Runs as the owner of the tables, beside a running server. Returns how many months it wrote.
 */
export async function sealFigures(owner: Sql): Promise<number> {
  let months = 0
  for (const org of await measuredOrganisations(owner)) {
    const open = await owner<{ month: Day }[]>`
      select to_char(x.month, 'YYYY-MM-DD') as month
        from accounting_period p cross join lateral (select to_date(p.id::text, 'YYYYMM') as month) x
       where p.org_id = ${org.id} and p.state = 'closed' and not exists (
         select 1 from sealed_figure s where s.org_id = p.org_id and s.month = x.month) order by 1`
    for (const { month } of open) {
      months += 1
      await inOrganisation(owner, org.id, '0', async tx => {
        const values = await measured(tx, systemSession(org), measuresFor(org.type), daysOf(month))
        const rows = [...values].map(([measure, amount]) => ({ org_id: org.id, month, measure, amount }))
        await tx`insert into sealed_figure ${tx(rows)} on conflict do nothing`
      })
    }
  }
  return months
}

/** Measures that were written down when their month was closed. */
async function changedMeasures(tx: Tx, org: Org): Promise<OfOne[]> {
  const changed: OfOne[] = []
  const sealed = await tx<{ month: Day; measure: string; amount: Decimal }[]>`
    select to_char(month, 'YYYY-MM-DD') as month, measure, amount::text from sealed_figure where org_id = ${org.id}
     order by 1, 2`
  for (const [month, rows] of Map.groupBy(sealed, row => row.month)) {
    const own = measuresFor(org.type).filter(({ name }) => rows.some(({ measure }) => measure === name))
    const values = await measured(tx, systemSession(org), own, daysOf(month))
    for (const { name, label } of own) {
      const before = rows.find(({ measure }) => measure === name)!.amount
      const after = values.get(name) ?? '0.00'
      if (compare(before, after) !== 0) changed.push({ month: month.slice(0, 7), figure: label, before, after })
    }
  }
  return changed
}

/** The stock of sealed months, as it was summed when they were sealed. */
async function changedStock(tx: Tx, org: Org): Promise<OfOne[]> {
  const changed: OfOne[] = []
  const stock = measuresFor(org.type).find(({ ledger }) => ledger === 'stock')
  if (stock === undefined) return changed
  const sealed = await tx<{ month: Day; amount: Decimal }[]>`
    select to_char(f.month, 'YYYY-MM-DD') as month,
           sum(f.opening_value + f.in_value - f.out_value + f.adjustment)::numeric(18,2)::text as amount
      from month_figure f join warehouse w on w.org_id = f.org_id and w.id = f.warehouse_id
     where f.org_id = ${org.id} and f.is_own and w.model not in ('transit', 'consumed') group by 1 order by 1`
  for (const { month, amount: before } of sealed) {
    const values = await measured(tx, systemSession(org), [stock], daysOf(month))
    const after = values.get(stock.name) ?? '0.00'
    if (compare(before, after) !== 0) changed.push({ month: month.slice(0, 7), figure: stock.label, before, after })
  }
  return changed
}

/** Kinds that fix a balance when they are sent: statements of account. */
const statements = derived(() =>
  documents().flatMap(({ kind, header }) => ('closing_amount' in header && 'direction' in header ? [kind] : [])),
)

/** Balances that were sent to partners as statements of account. */
async function changedStatements(tx: Tx, org: Org): Promise<OfOne[]> {
  const changed: OfOne[] = []
  const sent = await tx<
    { sn: string; partner: string; name: string; direction: string; begin: Day; end: Day; amount: Decimal }[]
  >`
    select d.sn, d.counterparty_id::text as partner, o.name, d.fields->>'direction' as direction,
           d.fields->>'begin_date' as begin, d.fields->>'end_date' as end, d.fields->>'closing_amount' as amount
      from document d join organisation o on o.id = d.counterparty_id
     where d.org_id = ${org.id} and d.kind = any(${statements()}) and d.role = 'own'
       and d.state in ('submitted', 'reviewed', 'rejected') order by d.fields->>'end_date', d.sn`
  const balances = measuresFor(org.type).filter(({ name }) => name === 'payable' || name === 'receivable')
  for (const rows of Map.groupBy(sent, row => `${row.direction} ${row.end}`).values()) {
    const [{ direction, begin, end }] = rows as [(typeof rows)[number]]
    const measure = balances.find(({ name }) => name === direction)
    if (measure === undefined) continue
    const days = { begin_date: begin, end_date: end }
    const now = await measuredBy(tx, systemSession(org), measure, days, ['counterparty_sn'])
    for (const { sn, partner, name, amount: before } of rows) {
      const after = now.find(({ counterparty_sn }) => counterparty_sn === partner)?.amount ?? '0.00'
      if (compare(before, after) !== 0)
        changed.push({ month: end.slice(0, 7), figure: `${measure.label}（对账函${sn} ${name}）`, before, after })
    }
  }
  return changed
}

/**
 * The figures of past months that are others today than what was sealed: measures of closed months, the stock of sealed
 * ones, and balances on statements of account. What was sealed stays as it is.
 */
export async function* changedFigures(owner: Sql): AsyncGenerator<Changed> {
  for (const org of await measuredOrganisations(owner)) {
    const changed = await inOrganisation(owner, org.id, '0', async tx => [
      ...(await changedMeasures(tx, org)),
      ...(await changedStock(tx, org)),
      ...(await changedStatements(tx, org)),
    ])
    for (const each of changed) yield { organisation: org.name, ...each }
  }
}

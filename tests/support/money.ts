import { expect } from 'vitest'
import { type Decimal, negate, subtract, sum } from '#kernel/values/decimal.ts'
import { addDays, type Day } from '#kernel/values/date.ts'
import type { Person, Stage } from './story.ts'
import { day } from './story.ts'

type Row = Readonly<Record<string, string>>

const total = (rows: readonly Row[], name: string): Decimal =>
  sum(
    rows.map(row => row[name] ?? '0'),
    2,
  )
const of = (row: Row | undefined, name: string): string => row?.[name] ?? '0.00'
/** opening + what came − what went, by the names of its columns. */
const closing = (row: Row, plus: readonly string[], minus: readonly string[]): Decimal =>
  sum([...plus.map(name => row[name]!), ...minus.map(name => negate(row[name]!))], 2)

async function report(who: Person, kind: string, query: object): Promise<{ list: Row[]; summary: Row }> {
  const reply = await who.client.get(`/v1/report/${kind}`, { pageSize: '500', ...query } as never)
  expect(reply.code, `${kind} ${JSON.stringify(reply)}`).toBe(0)
  return reply as never
}

let asked = 0
/** The rows of a card of the money wall, today's; each time of another period, as what was asked before is kept. */
export async function moneyWallRows(who: Person, card: 'ages' | 'states'): Promise<Row[]> {
  const { info } = await who.client.get('/v1/business/wall/screenMoney', { begin_date: day(--asked), end_date: day() })
  return info.cards[card][card].rows
}

/** What entries of the account ledger say of a direction, by partner, at the end of a day. */
const ledger = (stage: Stage, org: string, direction: string, until: Day) =>
  stage.server.database.owner<{ partner: string; balance: string; invoiced: string }[]>`
    select e.counterparty_id as partner, sum(e.amount)::numeric(18,2) as balance,
           coalesce(sum(e.amount) filter (where e.account = ${`${direction}_invoiced`}), 0)::numeric(18,2) as invoiced
      from account_entry e
     where e.org_id = ${org} and e.account like ${`${direction}%`}
       and e.at < (${until}::date + 1)::timestamp at time zone 'Asia/Shanghai'
     group by 1`

/** The balance, its movements and its ages, and the account entry by entry. */
async function accountAgrees(who: Person, stage: Stage, org: string, direction: string, days: Period): Promise<void> {
  const books = await ledger(stage, org, direction, days.end_date)
  const { list } = await report(who, 'receivablePayableSummary', { ...days, direction })
  for (const { partner, balance, invoiced } of books) {
    const row = list.find(each => each.counterparty_sn === partner)
    expect([direction, partner, of(row, 'closing_amount')]).toEqual([direction, partner, balance])
    if (!row) continue
    expect(row.billed_amount).toBe(invoiced)
    const moved = closing(
      row,
      ['opening_amount', 'raised_amount', 'rounding_amount'],
      ['returned_amount', 'settled_amount', 'offset_amount'],
    )
    expect(['moved', moved]).toEqual(['moved', balance])
    const ages = ['not_due_amount', 'overdue_30', 'overdue_90', 'overdue_more']
    expect(['ages', closing(row, ages, [])]).toEqual(['ages', balance])
    const detail = await report(who, 'receivablePayableDetail', { ...days, direction, counterparty_sn: partner })
    if (detail.list.length < 500) expect(of(detail.list.at(-1), 'balance_amount')).toBe(balance)
  }
  if (days.end_date !== day()) return
  const items = (await who.list('openItem', { direction, settle_state: 'open', pageSize: '500' })) as Row[]
  if (items.length < 500) expect(['items', total(items, 'open_amount')]).toEqual(['items', total(books, 'invoiced')])
}

/** The lists of a hospital's invoices: by month, by age, on the wall, and by supplier. */
async function invoicesAgree(who: Person, stage: Stage, org: string, days: Period): Promise<void> {
  const books = await ledger(stage, org, 'payable', days.end_date)
  const owed = total(books, 'invoiced')
  const aged = (await report(who, 'creditInvoiceSummary', { end_date: days.end_date })).summary
  expect(['aged', of(aged, 'open_amount')]).toEqual(['aged', owed])
  const bands = ['not_due_amount', 'overdue_30', 'overdue_90', 'overdue_180', 'overdue_more']
  expect([
    'bands',
    sum(
      bands.map(name => of(aged, name)),
      2,
    ),
  ]).toEqual(['bands', owed])
  const month = await report(who, 'creditInvoiceMonth', { period: days.begin_date.slice(0, 7) })
  for (const row of month.list)
    expect(row.closing_amount).toBe(
      closing(row, ['opening_amount', 'booked_amount'], ['reversed_amount', 'paid_amount', 'offset_amount']),
    )
  const { summary: payable } = await report(who, 'receivablePayableSummary', { ...days, direction: 'payable' })
  const late = sum(
    ['overdue_30', 'overdue_90', 'overdue_more'].map(name => of(payable, name)),
    2,
  )
  expect(['late', subtract(of(aged, 'open_amount'), of(aged, 'not_due_amount'), 2)]).toEqual(['late', late])
  const judged = (await report(who, 'supplierStatistic', { ...days, cooperation: 'all' })).summary
  expect(['judged', of(judged, 'payable_amount'), of(judged, 'overdue_amount')]).toEqual([
    'judged',
    total(books, 'balance'),
    late,
  ])
  if (days.end_date !== day()) return
  expect(['month', of(month.summary, 'closing_amount'), of(month.summary, 'overdue_amount')]).toEqual([
    'month',
    owed,
    late,
  ])
  expect(['wall', total(await moneyWallRows(who, 'ages'), 'amount')]).toEqual(['wall', owed])
}

type Period = { readonly begin_date: Day; readonly end_date: Day }
const first = `${day().slice(0, 7)}-01` as Day
const before = addDays(first, -1)
/** This month so far, and the month before. */
const months: readonly Period[] = [
  { begin_date: first, end_date: day() as Day },
  { begin_date: `${before.slice(0, 7)}-01` as Day, end_date: before },
]

/** Every page that shows payables, receivables, what is open, overdue or paid says what the account ledger says. */
export async function expectMoneyAgrees(who: Person, stage: Stage, org: string, type: 'H' | 'D'): Promise<void> {
  for (const days of months) {
    for (const direction of ['payable', 'receivable']) await accountAgrees(who, stage, org, direction, days)
    if (type === 'H') await invoicesAgree(who, stage, org, days)
  }
}

/** A reviewed payment over what was owed to the payee before the program; the reviewer is another person. */
export async function paymentOver(payer: Person, reviewer: Person, payee: string, amount: string): Promise<string> {
  const owed = { opened_on: day(-90), due_date: day(-30), taxed_amount: amount }
  const header = { counterparty_sn: payee, opening_month: day().slice(0, 7), lines: [owed] }
  const opening = await payer.add('openingPayable', header)
  await payer.pass('openingPayable', opening)
  const lines = [{ source_sn: opening, source_line_no: 1 }]
  const application = await payer.add('paymentApplication', { counterparty_sn: payee, lines })
  await payer.pass('paymentApplication', application)
  const sn = await payer.add('payment', { source_type: 115, source_sn: application })
  await payer.done('payment', 'submit', sn)
  await reviewer.done('payment', 'review', sn)
  return sn
}

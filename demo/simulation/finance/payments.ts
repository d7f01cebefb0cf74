import { addDays, today } from '#kernel/values/date.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import { firstOfNext } from '#demo/simulation/calendar.ts'
import { chance } from '#demo/simulation/random.ts'
import { closedMonths, dayAfter, type Settled } from '#demo/simulation/finance/settlements.ts'
import { orgId, someone, type World } from '#demo/simulation/world.ts'

const pairs = [
  ['D01', 'H01'],
  ['D02', 'H01'],
  ['D03', 'H01'],
  ['V03', 'H01'],
  ['D01', 'H02'],
  ['D02', 'H02'],
  ['D03', 'H02'],
  ['V01', 'D01'],
  ['V02', 'D01'],
  ['V04', 'D02'],
  ['V03', 'D03'],
  ['D02', 'D01'],
  ['D01', 'V01'],
  ['D01', 'V02'],
  ['D03', 'V03'],
  ['D02', 'V04'],
] as const

/** A buyer's debt to a seller for a month, and the documents made from it. */
type Debt = {
  readonly seller: string
  readonly buyer: string
  readonly month: string
  /** Its index among the pairs: the waiting items are spread over them. */
  readonly place: number
  readonly day: number
  readonly bills: string[]
  readonly received: string[]
  application?: string | null
}
/**
 * The age of each stage in months: last month is settled and being invoiced, earlier months are invoiced, applied for,
 * paid.
 */
const [INVOICED, APPLIED, PAID] = [2, 3, 4]
type Stay = 'draft' | 'submitted' | 'sent' | null

/** 开票、付款: each month's deliveries and settlements between two organisations, as far as they have progressed. */
export function planMoney(world: World, settled: Settled): void {
  const months = closedMonths(world)
  for (const [at, month] of months.entries())
    for (const [place, [seller, buyer]] of pairs.entries()) {
      const day = chance(`money ${seller} ${buyer} ${month}`).between(3, 5)
      planDebt(world, settled, { seller, buyer, month, place, day, bills: [], received: [] }, months.length - at)
    }
}

function planDebt(world: World, settled: Settled, debt: Debt, age: number): void {
  const plan = (days: number, hour: number, work: () => Promise<unknown>) =>
    world.plan(dayAfter(world, debt.month, days), hour, `money ${debt.seller} ${debt.buyer}`, async () => {
      await work()
    })
  const third = ([null, 'sent', 'submitted', 'draft'] as const)[debt.place % 4]!
  const fourth = ([null, 'submitted', 'draft', null] as const)[debt.place % 4]!
  plan(debt.day, 13, () => invoice(world, settled, debt, age >= INVOICED ? null : third))
  if (age >= APPLIED) plan(56 + debt.day, 13, () => apply(world, debt, null))
  else if (age === INVOICED && fourth) plan(18 + debt.day, 13, () => apply(world, debt, fourth))
  if (age >= PAID) plan(61 + debt.day, 13, () => pay(world, debt, null))
  else if (age === APPLIED && debt.place % 4 > 0)
    plan(61 + debt.day, 13, () => pay(world, debt, (['sent', 'submitted', 'draft'] as const)[(debt.place % 4) - 1]!))
}

/** A number of 20 digits that no other invoice of the demo has. */
const invoiceNo = ({ seller, buyer, month, place }: Debt, nth: number): string =>
  `${month.slice(2, 4)}3220${month.slice(5)}${place + 11}${nth}` +
  `${String(chance(`${seller}${buyer}${month}`).between(0, 999_999_999)).padStart(9, '0')}`

async function invoice(world: World, settled: Settled, debt: Debt, stay: Stay): Promise<void> {
  const { seller, buyer, month } = debt
  const common = { invoice_type: buyer.startsWith('H') ? 'e_normal' : 'e_special', invoice_date: today() }
  const lastDay = addDays(firstOfNext(month), -1)
  const lines = await world.hands.unbilled(orgId(world, seller), orgId(world, buyer), lastDay)
  const delivered = { ...common, counterparty_sn: orgId(world, buyer), lines }
  // One invoice had a wrong tax number: it was reversed (red invoice) and issued again.
  const isWrong = seller === 'D02' && buyer === 'H01' && stay === null && month === closedMonths(world).at(-2)
  if (lines.length > 0 && isWrong) await issueInRed(world, debt, { ...delivered, invoice_no: invoiceNo(debt, 3) })
  if (lines.length > 0) await issue(world, debt, { ...delivered, invoice_no: invoiceNo(debt, 1) }, stay)
  const grn = settled.get(`${buyer}/${seller}/${month}`)
  const source = { source_type: sourceTypes.SETTLEMENT_GRN, source_sn: grn ?? '', source_org_sn: orgId(world, buyer) }
  if (grn) await issue(world, debt, { ...common, ...source, invoice_no: invoiceNo(debt, 2) }, stay)
}

/** Issued by the seller, sent, checked by the buyer; stays in transit where it is meant to wait. */
async function issue(world: World, debt: Debt, body: Readonly<Record<string, unknown>>, stay: Stay): Promise<void> {
  const { hands } = world
  const [writer, head] = [someone(world, debt.seller, 'finance'), someone(world, debt.seller, 'head')]
  const sn = await hands.add(writer, 'outboundInvoice', body)
  if (stay === 'draft') return
  await hands.act(writer, 'outboundInvoice', 'submit', sn)
  if (stay === 'submitted') return
  await hands.act(head, 'outboundInvoice', 'review', sn)
  const copy = stay ? null : await hands.created(orgId(world, debt.buyer), 'inboundInvoice', sn, head.org.id)
  if (!copy) return
  await hands.act(someone(world, debt.buyer, 'finance'), 'inboundInvoice', 'review', copy)
  debt.bills.push(sn)
  debt.received.push(copy)
}

async function issueInRed(world: World, debt: Debt, body: Readonly<Record<string, unknown>>): Promise<void> {
  const [writer, head] = [someone(world, debt.seller, 'finance'), someone(world, debt.seller, 'head')]
  const sn = await world.hands.add(writer, 'outboundInvoice', body)
  await world.hands.pass(writer, head, 'outboundInvoice', sn)
  await world.hands.act(head, 'outboundInvoice', 'redReverse', sn, { reason: '购方税号有误，红冲重开' })
}

/** Every line of some documents, in the form a follow-up document uses. */
async function linesOf(world: World, org: string, docs: readonly string[]) {
  const lines = await Promise.all(docs.map(sn => world.hands.lines(org, sn)))
  return docs.flatMap((sn, at) => lines[at]!.map(line => ({ source_sn: sn, source_line_no: line.line_no })))
}

async function apply(world: World, debt: Debt, stay: Stay): Promise<void> {
  if (debt.received.length === 0) return
  const { hands } = world
  const clerk = someone(world, debt.buyer, 'finance')
  const lines = await linesOf(world, clerk.org.id, debt.received)
  const body = { source_type: sourceTypes.GRN_INVOICE, reason_text: `${debt.month}到期货款`, lines }
  const sn = await hands.add(clerk, 'paymentApplication', body)
  if (stay === 'draft') return
  await hands.act(clerk, 'paymentApplication', 'submit', sn)
  if (stay === 'submitted') return
  await hands.act(someone(world, debt.buyer, 'head'), 'paymentApplication', 'review', sn)
  debt.application = sn
}

/** Paid by the buyer, never reviewed by its author; the seller records what came in and which invoices it settles. */
async function pay(world: World, debt: Debt, stay: Stay): Promise<void> {
  if (!debt.application) return
  const { hands } = world
  const [cashier, head] = [someone(world, debt.buyer, 'finance'), someone(world, debt.buyer, 'head')]
  const paid = { paid_on: today(), payment_method: 'transfer' }
  const source = { source_type: sourceTypes.PAYMENT_APPLICATION, source_sn: debt.application }
  const sn = await hands.add(cashier, 'payment', { ...source, ...paid })
  if (stay === 'draft') return
  await hands.act(cashier, 'payment', 'submit', sn)
  if (stay === 'submitted') return
  const reviewer = cashier.userId === head.userId ? someone(world, debt.buyer, 'keeper') : head
  await hands.act(reviewer, 'payment', 'review', sn)
  if (stay === 'sent') return
  const bank_serial_no = `YH${today().replaceAll('-', '')}${debt.seller}${debt.buyer}`
  await hands.act(cashier, 'payment', 'pay', sn, { paid_on: today(), bank_serial_no })
  const clerk = someone(world, debt.seller, 'finance')
  const receipt =
    (await hands.created(clerk.org.id, 'receipt', sn, cashier.org.id)) ??
    (await hands.add(clerk, 'receipt', {
      ...paid,
      source_type: sourceTypes.ODO_INVOICE,
      counter_payment_sn: sn,
      lines: await linesOf(world, clerk.org.id, debt.bills),
    }))
  await hands.pass(clerk, someone(world, debt.seller, 'head'), 'receipt', receipt)
  if (debt.place % 2 === 0) await record(world, debt, receipt)
  else if (MATCHED_ANEW[debt.place]) await matchAnew(world, debt, receipt)
}

/** Customer money matched by mistake is unmatched: it waits as received in advance, or is matched to the right item. */
const MATCHED_ANEW: Readonly<Record<number, 'again' | 'waits'>> = { 3: 'waits', 5: 'again' }
async function matchAnew(world: World, debt: Debt, receipt: string): Promise<void> {
  const head = someone(world, debt.seller, 'head')
  const isLast = debt.month === closedMonths(world).at(-PAID)
  if (MATCHED_ANEW[debt.place] === 'waits' && !isLast) return
  const reason = '客户来函更正：本笔款项对应另一张发票'
  await world.hands.act(head, 'receipt', 'unmatch', receipt, { reason })
  if (MATCHED_ANEW[debt.place] === 'again')
    await world.hands.act(head, 'receipt', 'match', receipt, { match_invoices: debt.bills.join('，') })
}

/** Payments go into the books of account under a voucher. */
async function record(world: World, debt: Debt, receipt: string): Promise<void> {
  const under = (kind: string, at: number) => ({
    accounting_period: today().slice(0, 7),
    voucher_no: `记-${kind}${String(debt.place * 10 + at + 1).padStart(4, '0')}`,
  })
  const [seller, buyer] = [someone(world, debt.seller, 'finance'), someone(world, debt.buyer, 'finance')]
  await world.hands.act(seller, 'receipt', 'record', receipt, under('SK', 0))
  for (const [at, sn] of debt.bills.entries())
    await world.hands.act(seller, 'outboundInvoice', 'record', sn, under('XX', at))
  for (const [at, sn] of debt.received.entries())
    await world.hands.act(buyer, 'inboundInvoice', 'record', sn, under('JX', at))
}

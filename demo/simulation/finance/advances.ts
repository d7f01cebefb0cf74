import { addDays, today } from '#kernel/values/date.ts'
import { type DemoDatabase, type Hands, openHands } from '#demo/simulation/actions.ts'
import { OPENING } from '#demo/simulation/calendar.ts'
import type { Session } from '#server/access/session.ts'
import { systemSessionOf } from '#server/organisations/organisations.ts'

type Partner = { readonly org: string; readonly partner: string }

/** An organisation of each of these types, with the partner it has most invoices with. */
const partnersOf = (owner: DemoDatabase['owner'], kind: string, types: readonly number[]) => owner<Partner[]>`
  select distinct on (o.system_type) d.org_id::text as org, d.counterparty_id::text as partner
    from document d join organisation o on o.id = d.org_id
   where d.kind = ${kind} and d.role = 'own' and d.state in ('reviewed', 'partial', 'completed')
     and d.red_of_id is null
     and o.system_type = any(${types as number[]}::int[])
   group by o.system_type, d.org_id, d.counterparty_id order by o.system_type, count(*) desc, d.org_id`

const newest = async (owner: DemoDatabase['owner'], org: string, kind: string): Promise<string | null> => {
  const [row] = await owner<{ sn: string }[]>`
    select sn from document where org_id = ${org} and kind = ${kind} and role = 'own' and state = 'draft'
     order by id desc limit 1`
  return row?.sn ?? null
}

/** A partner's invoice that was paid in full, the newest. */
const paidInvoice = async (owner: DemoDatabase['owner'], org: string, partner: string): Promise<string | null> => {
  const [row] = await owner<{ sn: string }[]>`
    select sn from document d where org_id = ${org} and kind = 'inboundInvoice' and role = 'own' and red_of_id is null
       and counterparty_id = ${partner} and state = 'completed'
       and not exists (select 1 from document_line l where l.org_id = d.org_id and l.document_id = d.id
         and l.taxed_amount < 0)
     order by id desc limit 1`
  return row?.sn ?? null
}

/** A line of a customer's invoice of which nothing was received; what is asked for it, less an allowance of 12. */
const openInvoice = async (owner: DemoDatabase['owner'], org: string, partner: string) => {
  const [row] = await owner<{ sn: string; line_no: number; amount: string }[]>`
    select d.sn, l.line_no, (l.taxed_amount - 12)::numeric(18,2) as amount
      from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
     where d.org_id = ${org} and d.kind = 'outboundInvoice' and d.role = 'own' and d.red_of_id is null
       and d.counterparty_id = ${partner} and d.state = 'reviewed' and d.rounding = 0 and l.taxed_amount > 100
     order by d.id, l.line_no limit 1`
  return row ?? null
}

const openingLines = (first: string) => [
  { invoice_no: `${first}01`, opened_on: addDays(today(), -210), taxed_amount: '18600.00', summary_text: '上年货款' },
  {
    invoice_no: `${first}02`,
    opened_on: addDays(today(), -OPENING - 5),
    taxed_amount: '7350.50',
    summary_text: '上年货款',
  },
  { opened_on: addDays(today(), -200), taxed_amount: '-1200.00', summary_text: '质量扣款' },
]

/**
 * Openings from before the program, and money in advance: requested, paid, used up by invoices in part, and about to
 * come back.
 */
export async function advanceMoney(database: DemoDatabase): Promise<void> {
  const { owner } = database
  const hands = openHands(database)
  for (const { org, partner } of await partnersOf(owner, 'inboundInvoice', [1, 2, 3]))
    await buy(database, hands, await cashierOf(owner, org), partner)
  for (const { org, partner } of await partnersOf(owner, 'outboundInvoice', [2, 3]))
    await sell(database, hands, await cashierOf(owner, org), partner)
  await hands.round()
}

const cashierOf = async (owner: DemoDatabase['owner'], org: string): Promise<Session> => ({
  ...(await systemSessionOf(owner, org)),
  userName: '财务主管',
})

/** The newest payment of an organisation, approved and transferred today. */
async function transfer(owner: DemoDatabase['owner'], hands: Hands, who: Session): Promise<void> {
  const sn = (await newest(owner, who.org.id, 'payment'))!
  await hands.pass(who, who, 'payment', sn)
  await hands.act(who, 'payment', 'pay', sn, { paid_on: today(), bank_serial_no: `YH${sn.slice(2)}` })
}

async function buy({ owner }: DemoDatabase, hands: Hands, who: Session, partner: string): Promise<void> {
  const opening_month = today().slice(0, 7)
  const owed = { counterparty_sn: partner, opening_month, lines: openingLines('QF2605') }
  await hands.pass(who, who, 'openingPayable', await hands.add(who, 'openingPayable', owed))
  const money = (amount: string, purpose_text: string) => ({
    counterparty_sn: partner,
    purpose_text,
    lines: [{ summary_text: purpose_text, taxed_amount: amount }],
  })
  const sn = await hands.add(who, 'prepayment', money('20000.00', '年度备货预付款'))
  await hands.pass(who, who, 'prepayment', sn)
  await hands.act(who, 'prepayment', 'pay', sn)
  await transfer(owner, hands, who)
  await hands.act(who, 'prepayment', 'offset', sn)
  await hands.pass(who, who, 'prepaymentOffset', (await newest(owner, who.org.id, 'prepaymentOffset'))!)
  const rest = await hands.add(who, 'prepayment', money('8000.00', '新品试用预付款'))
  await hands.pass(who, who, 'prepayment', rest)
  await hands.act(who, 'prepayment', 'pay', rest)
  await transfer(owner, hands, who)
  await hands.act(who, 'prepayment', 'refund', rest)
  const settled = await paidInvoice(owner, who.org.id, partner)
  if (settled !== null) await hands.act(who, 'inboundInvoice', 'toAdvance', settled, { reason: '价格有误，退票重开' })
  // Approved, and to go to the bank in the next batch.
  const next = await hands.add(who, 'prepayment', money('6000.00', '模具改制预付款'))
  await hands.pass(who, who, 'prepayment', next)
  await hands.act(who, 'prepayment', 'pay', next)
  await hands.pass(who, who, 'payment', (await newest(owner, who.org.id, 'payment'))!)
  await hands.act(who, 'prepayment', 'submit', await hands.add(who, 'prepayment', money('5000.00', '急需耗材预付款')))
}

async function sell({ owner }: DemoDatabase, hands: Hands, who: Session, partner: string): Promise<void> {
  const opening_month = today().slice(0, 7)
  const owed = { counterparty_sn: partner, opening_month, lines: openingLines('QS2605') }
  await hands.pass(who, who, 'openingReceivable', await hands.add(who, 'openingReceivable', owed))
  const money = (amount: string) => ({
    counterparty_sn: partner,
    paid_on: today(),
    lines: [{ summary_text: '预收货款', taxed_amount: amount }],
  })
  const sn = await hands.add(who, 'prereceipt', money('15000.00'))
  await hands.pass(who, who, 'prereceipt', sn)
  await hands.act(who, 'prereceipt', 'offset', sn)
  await hands.pass(who, who, 'prereceiptOffset', (await newest(owner, who.org.id, 'prereceiptOffset'))!)
  const rest = await hands.add(who, 'prereceipt', money('3000.00'))
  await hands.pass(who, who, 'prereceipt', rest)
  await hands.act(who, 'prereceipt', 'refund', rest)
  const open = await openInvoice(owner, who.org.id, partner)
  if (open !== null) {
    const line = { source_sn: open.sn, source_line_no: open.line_no, taxed_amount: open.amount, allowance_amount: '12' }
    const body = { counterparty_sn: partner, paid_on: today(), bank_fee: '5.00', lines: [line] }
    await hands.pass(who, who, 'receipt', await hands.add(who, 'receipt', body))
  }
  const over = { counterparty_sn: partner, paid_on: today(), lines: [{ taxed_amount: '2600.00' }] }
  const receipt = await hands.add(who, 'receipt', over)
  await hands.pass(who, who, 'receipt', receipt)
  await hands.act(who, 'receipt', 'turn', receipt)
}

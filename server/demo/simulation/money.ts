import { addDays, today } from '#kernel/day.ts'
import { sourceTypes } from '#kernel/source-type.ts'
import { firstOfNext } from '#server/demo/simulation/calendar.ts'
import { closedMonths, dayAfter, type Settled } from '#server/demo/simulation/settling.ts'
import { chance } from '#server/demo/simulation/chance.ts'
import { orgId, someone, type World } from '#server/demo/simulation/world.ts'

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

/** How many months back the stages lie: last month is settled only, the one before invoiced, then applied for; older ones are paid. */
const [INVOICED, APPLIED, PAID] = [2, 3, 4]

/** 开票、付款: one month's deliveries and settlements between two organisations, as far as they have come. */
export function planMoney(world: World, settled: Settled): void {
  const months = closedMonths(world)
  months.forEach((month, at) => {
    const age = months.length - at
    for (const [seller, buyer] of pairs) {
      const lane = `money ${seller} ${buyer}`
      const mood = chance(`${lane} ${month}`)
      const invoices: { out: string; in: string }[] = []
      let application: string | null = null
      // A hospital whose supplier waits longer than agreed, and makers' samples, are paid without ceremony.
      const lag = mood.between(3, 8)
      if (age >= INVOICED)
        world.plan(
          dayAfter(world, month, lag),
          15,
          lane,
          async () => void invoices.push(...(await invoice(world, seller, buyer, month, settled, lag))),
        )
      if (age >= APPLIED)
        world.plan(dayAfter(world, month, 56 + lag), 9, lane, async () => {
          application = await apply(
            world,
            buyer,
            invoices.map(paper => paper.in),
          )
        })
      if (age >= PAID)
        world.plan(dayAfter(world, month, 61 + lag), 14, lane, async () => {
          if (application)
            await pay(
              world,
              seller,
              buyer,
              application,
              invoices.map(paper => paper.out),
              `${month}-${lag}`,
            )
        })
    }
  })
}

/** A number of 20 digits that no other invoice of the demo has. */
export const invoiceNo = (seller: string, buyer: string, month: string, nth: number): string =>
  `${month.slice(2, 4)}3220${month.slice(5)}${String(pairs.findIndex(pair => pair[0] === seller && pair[1] === buyer) + 11)}${nth}${String(chance(`${seller}${buyer}${month}`).between(0, 999_999_999)).padStart(9, '0')}`

async function invoice(
  world: World,
  seller: string,
  buyer: string,
  month: string,
  settled: Settled,
  lag: number,
): Promise<{ out: string; in: string }[]> {
  const writer = someone(world, seller, 'finance')
  const made: { out: string; in: string }[] = []
  const common = {
    invoice_type: buyer.startsWith('H') ? 'e_normal' : 'e_special',
    invoice_date: dayAfter(world, month, lag),
  }
  const open = await world.hands.unbilled(orgId(world, seller), orgId(world, buyer), addDays(firstOfNext(month), -1))
  if (open.length > 0)
    made.push(
      ...(await issue(
        world,
        seller,
        buyer,
        await world.hands.add(writer, 'outboundInvoice', {
          ...common,
          invoice_no: invoiceNo(seller, buyer, month, 1),
          counterparty_sn: orgId(world, buyer),
          lines: open,
        }),
      )),
    )
  const grn = settled.get(`${buyer}/${seller}/${month}`)
  if (grn)
    made.push(
      ...(await issue(
        world,
        seller,
        buyer,
        await world.hands.add(writer, 'outboundInvoice', {
          ...common,
          invoice_no: invoiceNo(seller, buyer, month, 2),
          source_type: sourceTypes.SETTLEMENT_GRN,
          source_sn: grn,
          source_org_sn: orgId(world, buyer),
        }),
      )),
    )
  return made
}

/** Issued, sent, checked by the buyer. */
async function issue(world: World, seller: string, buyer: string, sn: string): Promise<{ out: string; in: string }[]> {
  await world.hands.pass(someone(world, seller, 'finance'), someone(world, seller, 'head'), 'outboundInvoice', sn)
  const copy = await world.hands.laid(orgId(world, buyer), 'inboundInvoice', sn, orgId(world, seller))
  if (!copy) return []
  await world.hands.act(someone(world, buyer, 'finance'), 'inboundInvoice', 'review', copy)
  return [{ out: sn, in: copy }]
}

async function apply(world: World, buyer: string, papers: readonly string[]): Promise<string | null> {
  if (papers.length === 0) return null
  const clerk = someone(world, buyer, 'finance')
  const lines = (
    await Promise.all(
      papers.map(async sn =>
        (
          await world.hands.lines(orgId(world, buyer), sn)
        ).map(line => ({ source_sn: sn, source_line_no: line.line_no })),
      ),
    )
  ).flat()
  const sn = await world.hands.add(clerk, 'paymentApplication', {
    source_type: sourceTypes.GRN_INVOICE,
    reason_text: '到期货款',
    lines,
  })
  await world.hands.pass(clerk, someone(world, buyer, 'head'), 'paymentApplication', sn)
  return sn
}

/** Paid by the buyer; the seller writes down what came in and which invoices it settles. */
async function pay(
  world: World,
  seller: string,
  buyer: string,
  application: string,
  bills: readonly string[],
  serial: string,
): Promise<void> {
  const { hands } = world
  const [cashier, head] = [someone(world, buyer, 'finance'), someone(world, buyer, 'head')]
  const paid_on = today()
  const sn = await hands.add(cashier, 'payment', {
    source_type: sourceTypes.PAYMENT_APPLICATION,
    source_sn: application,
    paid_on,
    payment_method: 'transfer',
  })
  await hands.pass(cashier, cashier.userId === head.userId ? someone(world, buyer, 'keeper') : head, 'payment', sn)
  await hands.act(cashier, 'payment', 'pay', sn, {
    paid_on,
    bank_serial_no: `YH${serial.replaceAll('-', '')}${seller}${buyer}`,
  })
  const clerk = someone(world, seller, 'finance')
  const laid = await hands.laid(orgId(world, seller), 'receipt', sn, orgId(world, buyer))
  const lines = (
    await Promise.all(
      bills.map(async bill =>
        (
          await hands.lines(orgId(world, seller), bill)
        ).map(line => ({ source_sn: bill, source_line_no: line.line_no })),
      ),
    )
  ).flat()
  const receipt =
    laid ??
    (await hands.add(clerk, 'receipt', {
      source_type: sourceTypes.ODO_INVOICE,
      paid_on,
      payment_method: 'transfer',
      counter_payment_sn: sn,
      lines,
    }))
  await hands.pass(clerk, someone(world, seller, 'head'), 'receipt', receipt)
}

import { afterAll, beforeAll, expect } from 'vitest'
import { moneyWallRows } from '#tests/support/money.ts'
import { story } from '#tests/support/steps.ts'
import { day, openStage, type Person, type Stage } from '#tests/support/story.ts'

/** Invoices are inserted directly, without the books behind them. */
let stage: Stage
let hospital: Person
beforeAll(async () => {
  stage = await openStage()
  hospital = await stage.person('hospital')
})
afterAll(() => stage?.close())

/** An invoice of the dealer in force, so many days old, of which so much is paid: with the entries under it. */
async function invoice(sn: string, amount: string, days: number, paid: string): Promise<void> {
  const [h, d] = [await stage.org('H01'), await stage.org('D01')]
  const written = async (kind: string, no: string) =>
    (
      await stage.one(
        `insert into document (org_id, kind, sn, from_org_id, state, counterparty_id, business_date, taxed_amount,
           fields)
         values ($1, $2, $3, $1, 'reviewed', $4, $5::date, $6, jsonb_build_object('invoice_date', $5::date))
         returning id`,
        h,
        kind,
        no,
        d,
        day(-days),
        amount,
      )
    ).id
  const id = await written('inboundInvoice', sn)
  for (const [document, sum] of [
    [id, amount],
    [await written('payment', `${sn}P`), `-${paid}`],
  ])
    await stage.one(
      `insert into account_entry (org_id, counterparty_id, account, amount, document_id, line_no, item_id,
         business_date)
       values ($1, $2, 'payable_invoiced', $3, $4, 1, $5, $6::date) returning 1`,
      h,
      d,
      sum,
      document,
      id,
      day(-days),
    )
}

story('账龄', step => {
  step('is that of each invoice, less what was paid of it', async () => {
    await invoice('AGE-1', '100', 100, '70')
    await invoice('AGE-2', '50', 10, '50')
    await invoice('AGE-3', '33.34', 31, '33.33')
    expect(await moneyWallRows(hospital, 'ages')).toEqual([
      { age: 'half', amount: '30.00', invoices: '1', rows: '1' },
      { age: 'two', amount: '0.01', invoices: '1', rows: '1' },
    ])
  })
})

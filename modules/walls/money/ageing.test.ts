import { afterAll, beforeAll, expect } from 'vitest'
import { moneyWall } from '#modules/walls/money/money.wall.ts'
import { story } from '../../../tests/support/steps.ts'
import { day, openStage, type Person, type Stage } from '../../../tests/support/story.ts'

/** Invoices are written as they would stand, without the books behind them. */
let stage: Stage
let hospital: Person
beforeAll(async () => {
  stage = await openStage()
  hospital = await stage.person('hospital')
})
afterAll(() => stage?.close())

/** An invoice of the dealer in force, so many days old, of which so much is paid. */
async function invoice(sn: string, amount: string, days: number, paid: string): Promise<void> {
  const [h, d] = [await stage.org('H01'), await stage.org('D01')]
  const { id } = await stage.one(
    `insert into document (org_id, kind, sn, from_org_id, state, counterparty_id, business_date, taxed_amount, fields)
     values ($1, 'inboundInvoice', $2, $1, 'reviewed', $3, $4::date, $5, jsonb_build_object('invoice_date', $4::date))
     returning id`,
    h,
    sn,
    d,
    day(-days),
    amount,
  )
  await stage.one(
    `insert into line_progress (org_id, document_id, line_no, purpose, taken) values ($1, $2, 0, 'pay', $3)
     returning 1`,
    h,
    id,
    paid,
  )
}

story('账龄', step => {
  step('sets what was paid against the oldest invoices first, whichever it was paid on', async () => {
    await invoice('AGE-1', '100', 100, '70')
    await invoice('AGE-2', '50', 10, '50')
    const { info } = await hospital.client.get(`/v1/business/wall/${moneyWall.kind}`, {})
    expect(info.cards.ages.ages.rows).toEqual([{ age: 'month', amount: '30.00', invoices: '1', rows: '1' }])
  })
})

import { type Day, shiftMonths } from '#kernel/values/date.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { afterAll, beforeAll, expect } from 'vitest'
import { attempt, lotOf, openScene, expectMessage, type Scene } from '#tests/support/fixture.ts'
import { day } from '#tests/support/story.ts'
import { story } from '#tests/support/steps.ts'

/**
 * 月结: a closed month accepts no document of any kind; only the latest is reopened. The average cost is exact to the
 * cent.
 */
let scene: Scene
const month = day().slice(0, 7)
const last = day(-parseInteger(day().slice(8, 10)))
const next = shiftMonths(`${month}-01` as Day, 1).slice(0, 7)
const counts = `；需要补记的，业务日期填【${next}】的日期，计入会计期间【${next}】`
const closed = `会计期间【${month}】已结账：该期间已月结，不能再发生业务${counts}`
beforeAll(async () => {
  scene = await openScene()
  const { hospital, central, inflator } = scene
  await scene.shelve(hospital, central, [lotOf(inflator, 'YJ1', { quantity: '10', price: '10' })])
})
afterAll(() => scene?.close())

const period = async (name: string) =>
  (await scene.hospital.list('accountingPeriod', { period: name })).find(row => row.period === name)
const act = async (action: string, name: string, more: object = {}) => {
  const row = await period(name)
  return scene.hospital.client.post(`/v1/business/accountingPeriod/${action}`, {
    sn: row.accounting_period_sn,
    version: row.version,
    ...more,
  })
}
const value = async () =>
  await scene.one(
    `select sum(b.quantity)::text as quantity, sum(b.value)::text as value from stock_balance b
      join lot l on l.id = b.lot_id
        where b.org_id = $1 and l.lot_no = 'YJ1'`,
    scene.h,
  )
const lossOf = (quantity: string, more: object = {}) => ({
  warehouse_model_inner_sn: scene.central,
  loss_type: 'missing',
  loss_reason: '未找到',
  lines: [{ specification_sn: scene.inflator, lot_no: 'YJ1', quantity }],
  ...more,
})

story('an accounting period, from its costs to a reopened opening', step => {
  step('issues cost the moving average: 10 for 100.00 and 20 for 240.00, 15 of them cost 170.00', async () => {
    const { hospital, central, inflator } = scene
    const grn = await hospital.add('otherGrn', {
      warehouse_model_inner_sn: central,
      lines: [lotOf(inflator, 'YJ1', { quantity: '20', price: '12' })],
    })
    await hospital.pass('otherGrn', grn)
    expect(await value()).toEqual({ quantity: '30.000', value: '340.00' })
    const sn = await hospital.add('loss', lossOf('15'))
    await hospital.done('loss', 'submit', sn)
    await (await scene.person('keeper')).done('loss', 'review', sn)
    expect((await hospital.info('loss', sn)).taxed_amount).toBe('170.00')
    expect(await value()).toEqual({ quantity: '15.000', value: '170.00' })
  })

  // a month is closed, corrected from the next one, and reopened
  step('a month closes once nothing in it is pending; then nothing posts, is undone or recorded in it', async () => {
    const { hospital } = scene
    const waiting = await hospital.add('loss', lossOf('1'))
    await hospital.done('loss', 'submit', waiting)
    const unreviewed = `本期存在1张未审核单据，不能结账：报损单${waiting}，请在【月末检查】逐张审核，或修改业务日期，不需要的删除`
    const standing = () => hospital.client.get('/v1/report/monthEnd', { period: month, category: 'unreviewed' })
    expectMessage(await act('closePeriod', month), unreviewed)
    expect((await standing()).list).toMatchObject([
      { document_no: waiting, note: '已提交，等待审核：请审核，或撤回后修改业务日期', control: 'refuse' },
    ])
    await hospital.done('loss', 'unsubmit', waiting)
    expectMessage(await act('closePeriod', month), unreviewed)
    expect((await standing()).list).toMatchObject([
      { document_no: waiting, note: '草稿：请提交并审核，或修改业务日期，不需要的删除', control: 'refuse' },
    ])
    await scene.rule(scene.h, 'date_ahead_days', 40)
    await hospital.done('loss', 'edit', waiting, { business_date: day(40) })
    const booked = (await hospital.list('otherGrn', {}))[0].sn
    expect(await act('closePeriod', month)).toMatchObject({ code: 0 })
    expect(await period(month)).toMatchObject({ state: 'closed' })
    expectMessage(await act('closePeriod', month), `会计期间【${month}】已结账`)
    await hospital.done('loss', 'edit', waiting, { business_date: day() })
    expectMessage(await hospital.do('loss', 'submit', waiting), closed)
    expectMessage(await hospital.do('otherGrn', 'unreview', booked), closed)
    expectMessage(await hospital.do('otherGrn', 'redReverse', booked, { reason: '录错' }), closed)
    expectMessage(
      await hospital.do('otherGrn', 'redReverse', booked, { reason: '录错', business_date: '2026-13-45' }),
      /红冲日期/,
    )
    expectMessage(
      await attempt(hospital, 'inboundInvoice', { counterparty_sn: scene.d, lines: [], business_date: day() }),
      closed,
    )
    const paid = { counterparty_sn: scene.d, lines: [{ taxed_amount: '100' }], business_date: day() }
    expectMessage(await attempt(hospital, 'prepayment', paid), closed)
    expectMessage(
      await attempt(hospital, 'transfer', { warehouse_model_inner_sn: scene.central, lines: [] }),
      /已结账|请填写/,
    )
    // The months before it are closed with it, though nothing was ever booked in them.
    for (const business_date of [last, day(-300)])
      expectMessage(
        await attempt(hospital, 'loss', lossOf('1', { business_date })),
        `会计期间【${month}】已结账：更早的期间【${business_date.slice(0, 7)}】也不能再发生业务${counts}`,
      )
  })

  step('orders continue: they post nothing', async () => {
    const order = await attempt(scene.hospital, 'purchaseOrder', {
      counterparty_sn: scene.d,
      warehouse_model_inner_sn: scene.central,
      lines: [{ specification_sn: scene.inflator, quantity: '1' }],
    })
    expect(order.code).toBe(0)
  })

  step('a red document dated in an open month reverses a posting of the closed one', async () => {
    const { hospital } = scene
    const booked = (await hospital.list('otherGrn', {}))[0].sn
    expectMessage(
      await hospital.do('otherGrn', 'redReverse', booked, { reason: '录错', business_date: day(40) }),
      `红冲日期${day(40)}晚于今天，请修改日期`,
    )
    await scene.rule(scene.h, 'date_ahead_days', 40)
    const { red_sn, notes } = await hospital.done('otherGrn', 'redReverse', booked, {
      reason: '录错',
      business_date: day(40),
      lines: [{ line_no: 1, quantity: '5' }],
    })
    expect(await hospital.info('otherGrn', red_sn)).toMatchObject({ business_date: day(40) })
    const counted = `会计期间【${month}】已结账，计入会计期间【${day(40).slice(0, 7)}】`
    expect(notes).toEqual([{ msg: counted, pages: [] }])
    const { history } = await hospital.info('otherGrn', booked)
    expect(history.at(-1)).toMatchObject({ reason: `录错；${counted}` })
    // So does everything that is posted while the running month is closed; what only waits says nothing yet.
    const late = await hospital.add('loss', lossOf('1', { business_date: day(40) }))
    expect((await hospital.do('loss', 'submit', late)).info.notes).toBeUndefined()
    const keeper = await scene.person('keeper')
    expect((await keeper.do('loss', 'review', late)).info.notes).toEqual(notes)
    const moved = await scene.one(
      `select distinct m.business_date::text as day from stock_move m join document d on d.org_id = m.org_id
        and d.id = m.document_id where d.sn = $1`,
      red_sn,
    )
    expect(moved.day).toBe(day(40))
  })

  step('only the latest closed month can be reopened, with a reason', async () => {
    const { hospital, central } = scene
    expectMessage(await act('reopenPeriod', month), '请填写反结账原因')
    expect(await act('reopenPeriod', month, { reason: '补录发票' })).toMatchObject({ code: 0 })
    expect(await period(month)).toMatchObject({ state: 'open', reopen_reason: '补录发票' })
    expectMessage(await act('reopenPeriod', month, { reason: '再来' }), `会计期间【${month}】未结账，不需要反结账`)
    const grn = await hospital.add('otherGrn', {
      warehouse_model_inner_sn: central,
      lines: [lotOf(scene.inflator, 'YJ2', { quantity: '1' })],
    })
    await hospital.pass('otherGrn', grn)
  })

  step('an administrator can reopen a closed warehouse opening while nothing else moved there', async () => {
    const { hospital, ward, central, inflator } = scene
    const sn = await scene.shelve(hospital, ward, [lotOf(inflator, 'YJ3', { quantity: '1' })])
    expectMessage(
      await hospital.do('openingStock', 'reopenOpening', sn, { reason: '补录' }),
      '该仓库期初尚未结束，不需要反期初',
    )
    await hospital.done('openingStock', 'closeOpening', sn)
    expectMessage(
      await (await scene.person('keeper')).do('openingStock', 'reopenOpening', sn, { reason: '补录' }),
      /没有操作权限/,
    )
    await hospital.done('openingStock', 'reopenOpening', sn, { reason: '补录' })
    await scene.shelve(hospital, ward, [lotOf(inflator, 'YJ4', { quantity: '1' })])
    const busy = (await hospital.list('openingStock', { warehouse_model_inner_sn: central }))[0].sn
    await hospital.done('openingStock', 'closeOpening', busy)
    expectMessage(
      await hospital.do('openingStock', 'reopenOpening', busy, { reason: '补录' }),
      /^仓库【.+】已发生其他业务，不能反期初（/,
    )
  })
})

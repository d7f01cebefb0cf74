import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createAndReview } from '#server/documents/action/automatic.ts'
import { systemSessionOf } from '#server/organisations/organisations.ts'
import { inOrganisation } from '#server/database/transaction.ts'
import type { Decimal } from '#kernel/values/decimal.ts'
import { expectMessage, lotOf, openScene, type Scene, shelf } from '#tests/support/fixture.ts'
import { proves } from '#tests/support/proves.ts'
import { connectHis, hisItemOf, matchProduct, sendCalls, type StandIn } from '#tests/support/his.ts'

/**
 * 计费时机 = 使用前: the HIS charges a use at its submit, and the review waits for it; nobody is blocked while the HIS is
 * down.
 */
let scene: Scene
let serial = 0
let his: StandIn

beforeAll(async () => {
  scene = await openScene()
  const { server, h, inflator } = scene
  his = await connectHis(server, 'H01')
  await matchProduct(server, his, h, inflator, hisItemOf('CB-IN', { price: '2' as Decimal }), '10')
})
afterAll(async () => {
  await his?.end()
  await scene?.close()
})
beforeEach(async () => {
  his.down = false
  await scene.rule(scene.h, 'charge_timing', 'before')
})

/** A use of three inflators that a nurse has submitted. */
async function submitted(more: object = {}) {
  serial += 1
  const [lot, visit] = [`CB${serial}`, `ZY-B${serial}`]
  const { hospital, ward, inflator, department } = scene
  his.admit(visit, `P-B${serial}`)
  await scene.shelve(hospital, ward, [lotOf(inflator, lot, { quantity: '10' })])
  const sn = await hospital.add('departmentUse', {
    warehouse_model_inner_sn: ward,
    department_inner_sn: department,
    use_type: 'patient',
    patient_no: `P-B${serial}`,
    patient_name: '许望舒',
    admission_no: visit,
    lines: [{ specification_sn: inflator, lot_no: lot, quantity: '3' }],
    ...more,
  })
  await hospital.done('departmentUse', 'submit', sn)
  return { sn, visit, lot }
}
const stateOf = async (sn: string) => (await scene.hospital.info('departmentUse', sn)).charge_state
const bookedOf = (visit: string) =>
  his.charges.filter(charge => charge.visit_no === visit).map(({ charge_kind, quantity }) => [charge_kind, quantity])
const rowsOf = async (sn: string) =>
  (await scene.hospital.list('useCheck', { source_no: sn })).map(row => [row.state, row.due_quantity])
const eventsOf = (sn: string) => scene.server.database.owner`
  select e.event, e.quantity from use_check_event e join use_check c on c.org_id = e.org_id and c.id = e.use_check_id
    join document d on d.org_id = c.org_id and d.id = c.use_document_id where d.sn = ${sn} order by e.id`

test('what is submitted is charged at once; the review waits for it, and only then it is used', async () => {
  proves('charge.inAdvance')
  const { hospital, server, ward, inflator } = scene
  const { sn, visit, lot } = await submitted()
  expect(await stateOf(sn)).toBe('2')
  expectMessage(await hospital.do('departmentUse', 'review', sn), '尚未计费：已推送HIS，请在计费状态变为已计费后审核')
  await sendCalls(server)
  expect([await stateOf(sn), bookedOf(visit)]).toEqual(['4', [['charge', '30.0000']]])
  // Nothing is used yet: there is neither a check nor an event, and the stock is unchanged.
  expect([await rowsOf(sn), await eventsOf(sn)]).toEqual([[], []])
  expect((await shelf(hospital, ward, inflator))[lot]).toBe('10.000')
  await hospital.done('departmentUse', 'review', sn)
  await sendCalls(server)
  expect(bookedOf(visit)).toHaveLength(1)
  expect(await rowsOf(sn)).toEqual([['checked', '30.0000']])
  expect((await eventsOf(sn)).map(({ event, quantity }) => [event, quantity])).toEqual([
    ['use', '3.000'],
    ['checked', '3.000'],
  ])
  expect((await shelf(hospital, ward, inflator))[lot]).toBe('7.000')
})

test('a HIS that is down stops no nurse: who reviews is told so, and the charge follows', async () => {
  const { hospital, server } = scene
  his.down = true
  const { sn, visit } = await submitted()
  await sendCalls(server)
  const { version } = await hospital.info('departmentUse', sn)
  const asked = await hospital.client.post('/v1/business/departmentUse/review', { sn, version })
  expect(asked).toMatchObject({ code: 2200, msg: 'HIS暂时无法连接，尚未计费；审核后计费随后自动补推' })
  await hospital.done('departmentUse', 'review', sn)
  expect([await stateOf(sn), bookedOf(visit)]).toEqual(['2', []])
  his.down = false
  await sendCalls(server)
  expect([await stateOf(sn), bookedOf(visit)]).toEqual(['4', [['charge', '30.0000']]])
  expect(await rowsOf(sn)).toEqual([['checked', '30.0000']])
})

test('what the HIS refuses waits for a person, who asks it again', async () => {
  const { hospital, server } = scene
  const { sn, visit } = await submitted()
  his.close(visit)
  await sendCalls(server)
  expect(await stateOf(sn)).toBe('5')
  expectMessage(
    await hospital.do('departmentUse', 'review', sn),
    /^HIS没有计费：.+；请更正后重新推送计费，或撤回提交后修改$/,
  )
  his.close(visit, true)
  await hospital.done('departmentUse', 'charge', sn)
  await sendCalls(server)
  expect([await stateOf(sn), bookedOf(visit)]).toEqual(['4', [['charge', '30.0000']]])
  await hospital.done('departmentUse', 'review', sn)
})

test('a use that is withdrawn, sent back or cancelled gives back what was charged for it', async () => {
  const { hospital, server } = scene
  for (const action of ['unsubmit', 'reject', 'cancel']) {
    const { sn, visit } = await submitted()
    await sendCalls(server)
    await hospital.done('departmentUse', action, sn, { reason: '未用' })
    await sendCalls(server)
    expect(bookedOf(visit), action).toEqual([
      ['charge', '30.0000'],
      ['refund', '30.0000'],
    ])
    expect([await stateOf(sn), await rowsOf(sn), await eventsOf(sn)]).toEqual(['3', [], []])
    if (action === 'cancel') continue
    // Submitted again, it is charged again, once.
    await hospital.done('departmentUse', 'submit', sn)
    await sendCalls(server)
    await hospital.done('departmentUse', 'review', sn)
    await sendCalls(server)
    expect(bookedOf(visit).map(([kind]) => kind)).toEqual(['charge', 'refund', 'charge'])
    expect(await rowsOf(sn)).toEqual([['checked', '30.0000']])
  }
})

test('what was called back before the HIS was reached is never charged', async () => {
  const { hospital, server } = scene
  his.down = true
  const { sn, visit } = await submitted()
  await sendCalls(server)
  await hospital.done('departmentUse', 'unsubmit', sn)
  his.down = false
  await sendCalls(server)
  expect(bookedOf(visit)).toEqual([])
})

test('nothing to charge keeps no review waiting; charged after the use, nothing is asked before', async () => {
  const { hospital, h } = scene
  const { sn } = await submitted({ use_type: 'consume', patient_no: null, patient_name: null, admission_no: null })
  await hospital.done('departmentUse', 'review', sn)
  await scene.rule(h, 'charge_timing', 'after')
  const other = await submitted()
  expect(await stateOf(other.sn)).toBe('1')
  expectMessage(await hospital.do('departmentUse', 'charge', other.sn), '审核后才能推送计费')
  await hospital.done('departmentUse', 'review', other.sn)
  expect(await stateOf(other.sn)).toBe('2')
})

test('a use that no person submits is charged once it is known, also where only submits are charged', async () => {
  const { hospital, server, ward, inflator, department, h } = scene
  await scene.rule(h, 'charge_on_review', false)
  his.admit('ZY-AUTO', 'P-AUTO')
  await scene.shelve(hospital, ward, [lotOf(inflator, 'CBAUTO', { quantity: '5' })])
  const sn = await inOrganisation(server.database.app, h, '0', async tx =>
    createAndReview(
      tx,
      await systemSessionOf(tx, h),
      'departmentUse',
      {
        warehouse_model_inner_sn: ward,
        department_inner_sn: department,
        use_type: 'cabinet',
        patient_no: 'P-AUTO',
        patient_name: '陆自取',
        admission_no: 'ZY-AUTO',
      },
      [{ specification_sn: inflator, lot_no: 'CBAUTO', quantity: '2' }],
    ),
  )
  expect(await stateOf(sn)).toBe('2')
  await sendCalls(server)
  expect([await stateOf(sn), bookedOf('ZY-AUTO')]).toEqual(['4', [['charge', '20.0000']]])
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Decimal } from '#kernel/values/decimal.ts'
import { expectMessage, lotOf, openScene, type Scene } from '#tests/support/fixture.ts'
import { proves } from '#tests/support/proves.ts'
import { connectHis, hisItemOf, matchProduct, sendCalls, type StandIn } from '#tests/support/his.ts'

/** 计费: a reviewed use is charged, a reversal is refunded; nobody is blocked while the HIS is down. */
let scene: Scene
let serial = 0
let his: StandIn

beforeAll(async () => {
  scene = await openScene()
  const { server, h, stent, inflator } = scene
  his = await connectHis(server, 'H01')
  await matchProduct(server, his, h, stent, hisItemOf('CH-ST', { price: '798' as Decimal }))
  await matchProduct(server, his, h, inflator, hisItemOf('CH-IN', { price: '2' as Decimal }), '10')
})
afterAll(async () => {
  await his?.end()
  await scene?.close()
})

/** A reviewed use of three inflators, each charged in ten parts, on a patient of its own. */
async function used(more: object = {}, quantity = '3') {
  serial += 1
  const [lot, visit] = [`CG${serial}`, `ZY-C${serial}`]
  const { hospital, ward, inflator, department } = scene
  his.admit(visit, `P-C${serial}`)
  await scene.shelve(hospital, ward, [lotOf(inflator, lot, { quantity: '10' })])
  const sn = await hospital.add('departmentUse', {
    warehouse_model_inner_sn: ward,
    department_inner_sn: department,
    use_type: 'patient',
    patient_no: `P-C${serial}`,
    patient_name: '许望舒',
    admission_no: visit,
    lines: [{ specification_sn: inflator, lot_no: lot, quantity }],
    ...more,
  })
  await hospital.pass('departmentUse', sn)
  return { sn, visit }
}
const stateOf = async (sn: string, kind = 'departmentUse') => (await scene.hospital.info(kind, sn)).charge_state
const bookedOf = (visit: string) =>
  his.charges
    .filter(charge => charge.visit_no === visit)
    .map(({ charge_kind, item_code, quantity, unit_code }) => [charge_kind, item_code, quantity, unit_code])
const checksOf = (sn: string) => scene.server.database.owner`
  select c.state, c.quantity, c.returned, c.charged_quantity from use_check c join document d on d.org_id = c.org_id
    and d.id = c.use_document_id where d.sn = ${sn} order by c.id`

test('a HIS that is down stops no use: the use is kept, the page says so, the charge follows', async () => {
  his.down = true
  const { sn, visit } = await used()
  await sendCalls(scene.server)
  expect(await scene.hospital.info('departmentUse', sn)).toMatchObject({ state: 'reviewed', charge_state: '2' })
  const [call] = await scene.server.database
    .owner`select state, error, request, payload::text as payload from outbound_call where object_no = ${sn}`
  expect(call).toMatchObject({ state: 'retrying', error: expect.stringMatching(/^HIS返回503/) })
  expect(`${call!.request} ${call!.payload}`).not.toMatch(/许望舒|ZY-C|P-C/)
  his.down = false
  await sendCalls(scene.server)
  expect(await stateOf(sn)).toBe('4')
  expect(bookedOf(visit)).toEqual([['charge', 'CH-IN', '30.0000', null]])
  expect(await checksOf(sn)).toMatchObject([{ state: 'checked', charged_quantity: '30.0000' }])
  // A request sent again under the same key is the same charge.
  const [request] = await scene.server.database.owner`
    select r.id from charge_request r join document d on d.org_id = r.org_id and d.id = r.use_document_id
     where d.sn = ${sn}`
  await scene.server.database.owner.unsafe(
    `update outbound_call set state = 'retrying', next_at = now(),
      payload = '{"sender":"useCharge","reference":"${request!.id}"}' where object_no = '${sn}'`,
  )
  await sendCalls(scene.server)
  expect(bookedOf(visit)).toHaveLength(1)
})

test('a call that gives up makes the use 计费失败, and is charged by hand', async () => {
  his.down = true
  const { sn, visit } = await used()
  await scene.server.database.owner`update outbound_call set automatic = 4, tries = 5 where object_no = ${sn}`
  await sendCalls(scene.server)
  expect(await stateOf(sn)).toBe('5')
  his.down = false
  await scene.hospital.done('departmentUse', 'charge', sn)
  expect(await stateOf(sn)).toBe('2')
  await sendCalls(scene.server)
  expect(await stateOf(sn)).toBe('4')
  expect(bookedOf(visit)).toHaveLength(1)
  expectMessage(await scene.hospital.do('departmentUse', 'charge', sn), '已推送计费，请勿重复推送')
})

test('what the HIS refused is 计费失败 at once, is asked again, and none of it is refunded before', async () => {
  const { hospital, server } = scene
  const { sn, visit } = await used()
  his.close(visit)
  await sendCalls(server)
  expect(await stateOf(sn)).toBe('5')
  expectMessage(await hospital.do('departmentUse', 'refund', sn, { reason: '未用' }), '尚未计费，不需要退费')
  // Request and response are kept without the patient's data; the platform reads them as the hospital does.
  const [shown] = await hospital.list('interfaceError', { object_no: sn })
  expect(shown.http_status).toBeGreaterThanOrEqual(400)
  expect(shown.request).toMatch(/^POST .*CH-IN/)
  expect(shown.response).toBeTruthy()
  expect(`${shown.request} ${shown.response}`).not.toMatch(new RegExp(`许望舒|${visit}|P-C\\d`))
  const { list } = await (await scene.person('platform')).client.get('/v1/business/interfaceError/list', {
    of_org_sn: scene.h,
    object_no: sn,
  })
  expect(list).toMatchObject([{ request: shown.request, response: shown.response, http_status: shown.http_status }])
  his.close(visit, true)
  await hospital.done('departmentUse', 'charge', sn)
  await sendCalls(server)
  expect([await stateOf(sn), bookedOf(visit).length]).toEqual(['4', 1])
  // A refund that the HIS refuses is shown as refused, and can be requested again.
  his.close(visit)
  await hospital.done('departmentUse', 'refund', sn, { reason: '未用' })
  await sendCalls(server)
  expect(await stateOf(sn)).toBe('7')
  his.close(visit, true)
  await hospital.done('departmentUse', 'refund', sn, { reason: '未用' })
  await sendCalls(server)
  expect([await stateOf(sn), bookedOf(visit).at(-1)![0]]).toEqual(['3', 'refund'])
  expectMessage(await hospital.do('departmentUse', 'refund', sn, { reason: '未用' }), '尚未计费，不需要退费')
})

test('退用前须先退费: charged uses are given back in the HIS first, and it says so', async () => {
  const { hospital, server } = scene
  const { sn, visit } = await used()
  await sendCalls(server)
  for (const action of ['unreview', 'redReverse'])
    expectMessage(await hospital.do('departmentUse', action, sn, { reason: '未用' }), '请先在HIS退费')
  his.down = true
  await hospital.done('departmentUse', 'refund', sn, { reason: '未用' })
  await sendCalls(server)
  expectMessage(
    await hospital.do('departmentUse', 'redReverse', sn, { reason: '未用' }),
    '退费还没有得到HIS的答复，请稍后再试',
  )
  his.down = false
  await sendCalls(server)
  expect(await stateOf(sn)).toBe('3')
  expect(await checksOf(sn)).toMatchObject([{ state: 'refunded', charged_quantity: '0.0000' }])
  await hospital.done('departmentUse', 'unreview', sn)
  expect(await checksOf(sn)).toMatchObject([{ state: 'checked', returned: '3.000' }])
  expect(bookedOf(visit).map(([kind]) => kind)).toEqual(['charge', 'refund'])
  // A use that is reviewed again is charged again.
  await hospital.done('departmentUse', 'review', sn)
  await sendCalls(server)
  expect(bookedOf(visit).map(([kind]) => kind)).toEqual(['charge', 'refund', 'charge'])
})

test('without that rule the take-back comes first and its refund follows, for the part that was taken back', async () => {
  proves('charge.refundFirst')
  const { hospital, server, h } = scene
  await scene.rule(h, 'refund_first', false)
  const { sn, visit } = await used()
  await sendCalls(server)
  await hospital.done('departmentUse', 'redReverse', sn, { reason: '多领', lines: [{ line_no: 1, quantity: '1' }] })
  await sendCalls(server)
  expect(bookedOf(visit)).toEqual([
    ['charge', 'CH-IN', '30.0000', null],
    ['refund', 'CH-IN', '10.0000', null],
  ])
  expect(await checksOf(sn)).toMatchObject([{ state: 'checked', returned: '1.000', charged_quantity: '20.0000' }])
  await hospital.done('departmentUse', 'redReverse', sn, { reason: '都没用' })
  await sendCalls(server)
  expect(bookedOf(visit).at(-1)).toEqual(['refund', 'CH-IN', '20.0000', null])
  expect(await stateOf(sn)).toBe('3')
})

test('what is taken back before the HIS was reached is never charged; an answer that was lost charges once', async () => {
  const { hospital, server, h } = scene
  await scene.rule(h, 'refund_first', false)
  his.down = true
  const first = await used()
  await sendCalls(server)
  await hospital.done('departmentUse', 'redReverse', first.sn, { reason: '未用' })
  his.down = false
  await sendCalls(server)
  expect(bookedOf(first.visit)).toEqual([])
  // The use was not charged, so nothing was refunded.
  expect(await stateOf(first.sn)).toBe('1')
  // The answer to this one was lost: the HIS has it, we do not.
  const second = await used()
  const [request] = await server.database.owner`
    select r.id from charge_request r join document d on d.org_id = r.org_id and d.id = r.use_document_id
     where d.sn = ${second.sn}`
  const key = `useCharge:${request!.id}`
  his.book({
    item_code: 'CH-IN',
    quantity: '30' as Decimal,
    visit_no: second.visit,
    patient_no: `P-C${serial}`,
    request_key: key,
    request_line_no: 1,
  })
  await sendCalls(server)
  expect(bookedOf(second.visit)).toHaveLength(1)
  expect(await stateOf(second.sn)).toBe('4')
})

test('pieces are charged by their codes, less what was opened and not used; no patient, no charge', async () => {
  const { hospital, server, ward, stent, department, surgeon, d } = scene
  await scene.shelve(hospital, ward, [lotOf(stent, 'CGST', { unit_codes: ['CG-A', 'CG-B', 'CG-C'], owner_org_sn: d })])
  his.admit('ZY-CG', 'P-CG')
  const sn = await hospital.add('surgeryUse', {
    warehouse_model_inner_sn: ward,
    department_inner_sn: department,
    doctor_inner_sn: surgeon,
    surgery_name: '冠状动脉支架置入术',
    patient_no: 'P-CG',
    patient_name: '许望舒',
    admission_no: 'ZY-CG',
    implant_site: '前降支',
    lines: [{ unit_codes: ['CG-A', 'CG-B', 'CG-C'], wasted_quantity: '1' }],
  })
  await hospital.pass('surgeryUse', sn)
  await sendCalls(server)
  expect(bookedOf('ZY-CG')).toEqual([
    ['charge', 'CH-ST', '1.0000', 'CG-A'],
    ['charge', 'CH-ST', '1.0000', 'CG-B'],
  ])
  const consumed = await used({ use_type: 'consume', patient_no: null, patient_name: null, admission_no: null })
  expect(await stateOf(consumed.sn)).toBe('1')
  expect(await checksOf(consumed.sn)).toMatchObject([{ state: 'waiting' }])
  expectMessage(
    await hospital.do('departmentUse', 'charge', consumed.sn),
    '没有可计费的耗材：须为可收费产品、已与HIS收费项目对照，并填写患者编号或住院号',
  )
})

test('of a patient whose use says one number the HIS is asked for the other; one that it does not know waits', async () => {
  const { sn, visit } = await used({ admission_no: null })
  await sendCalls(scene.server)
  expect([await stateOf(sn), bookedOf(visit)]).toEqual(['4', [['charge', 'CH-IN', '30.0000', null]]])
  const unknown = await used({ patient_no: null, admission_no: 'ZY-NOBODY' })
  await sendCalls(scene.server)
  expect(await stateOf(unknown.sn)).toBe('5')
  const [call] = await scene.server.database.owner`
    select error from outbound_call where object_no = ${unknown.sn}`
  expect(call!.error).toBe(`使用单${unknown.sn}的患者在HIS中查不到，请核对患者编号和住院号/门诊号`)
})

test('a hospital that charges by hand, and one without a HIS, are charged nothing by the review', async () => {
  proves('charge.onReview')
  const { h, hospital, server } = scene
  await scene.rule(h, 'charge_on_review', false)
  const { sn, visit } = await used()
  await sendCalls(server)
  expect([await stateOf(sn), bookedOf(visit)]).toEqual(['1', []])
  await hospital.done('departmentUse', 'charge', sn)
  await sendCalls(server)
  expect(await stateOf(sn)).toBe('4')
  await scene.rule(h, 'his_enabled', false)
  const other = await used()
  expect(await checksOf(other.sn)).toEqual([])
  expectMessage(
    await hospital.do('departmentUse', 'charge', other.sn),
    '本机构未开通HIS接口，不能计费或退费，请联系平台',
  )
})

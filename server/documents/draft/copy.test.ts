import { afterAll, beforeAll, expect, test } from 'vitest'
import { lotOf, openScene, expectMessage, type Scene } from '#tests/support/fixture.ts'
import { day } from '#tests/support/story.ts'

/** 复制: a new draft based on an earlier document, without its one-off data. */
let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene?.close())

const copy = (person: Scene['hospital'], kind: string, sn: string) =>
  person.client.post(`/v1/business/${kind}/copy`, { sn })

test('an order is copied with partner, goods, quantities and prices, dated today', async () => {
  const { hospital, d, central, inflator } = scene
  const sn = await hospital.add('purchaseOrder', {
    counterparty_sn: d,
    warehouse_model_inner_sn: central,
    business_date: day(-3),
    remark: '每周补货',
    lines: [{ specification_sn: inflator, quantity: '12' }],
  })
  expect((await hospital.info('purchaseOrder', sn)).actions).toContain('copy')
  const reply = await copy(hospital, 'purchaseOrder', sn)
  const made = await hospital.info('purchaseOrder', reply.info.sn)
  expect(made).toMatchObject({
    state: 'draft',
    counterparty_sn: d,
    business_date: day(),
    remark: '每周补货',
    taxed_amount: '1740.00',
    lines: [{ specification_sn: inflator, quantity: '12.000', price: '145.0000' }],
  })
  expect(made.history[0]).toMatchObject({ action: 'add', reason: `复制自${sn}` })
})

test("outgoing goods are proposed again: the earlier document's lot is not kept", async () => {
  const { hospital, h, inflator } = scene
  const store = await scene.store('H01', 'central')
  await scene.shelve(hospital, store, [lotOf(inflator, 'LATE', { quantity: '5', expiry_date: day(600) })])
  const sn = await hospital.add('loss', {
    warehouse_model_inner_sn: store,
    lines: [{ specification_sn: inflator, quantity: '1' }],
  })
  expect((await hospital.info('loss', sn)).lines[0]).toMatchObject({ lot_no: 'LATE', owner_org_sn: h })
  await scene.shelve(hospital, store, [lotOf(inflator, 'SOON', { quantity: '5', expiry_date: day(200) })])
  const made = await hospital.info('loss', (await copy(hospital, 'loss', sn)).info.sn)
  expect(made.lines[0]).toMatchObject({ lot_no: 'SOON', quantity: '1.000' })
})

test('copying is refused, with a message, for kinds that need a source and for users without the right', async () => {
  const { hospital, dealer, d, central, inflator } = scene
  const sn = await hospital.add('purchaseOrder', {
    counterparty_sn: d,
    warehouse_model_inner_sn: central,
    lines: [{ specification_sn: inflator, quantity: '1' }],
  })
  expectMessage(await copy(dealer, 'purchaseOrder', sn), `采购订单${sn}不存在或已被删除`)
  // An arrival is only made from a delivery: there is no such call.
  expect((await copy(hospital, 'arrivalOrder', 'DH0')).code).toBe(404)
  expectMessage(await copy(hospital, 'purchaseOrder', ''), '采购订单不存在或已被删除')
})

test('a field cleared on a draft made from a source stays empty after later saves', async () => {
  const { dealer, hospital, h, d, shop, inflator } = scene
  await scene.rule(h, 'arrival_before_receipt', true)
  await scene.shelve(dealer, shop, [lotOf(inflator, 'EMPTIED', { quantity: '1' })])
  const odo = await dealer.add('saleOdo', {
    counterparty_sn: h,
    warehouse_model_inner_sn: shop,
    carrier: '顺达冷链',
    departure_temperature: '4.5℃',
    lines: [{ specification_sn: inflator, lot_no: 'EMPTIED', quantity: '1' }],
  })
  await dealer.pass('saleOdo', odo)
  const { sn } = await hospital.from('arrivalOrder', odo)
  expect(await hospital.info('arrivalOrder', sn)).toMatchObject({ carrier: '顺达冷链', departure_temperature: '4.5℃' })
  await hospital.done('arrivalOrder', 'edit', sn, { carrier: '', departure_temperature: null })
  await hospital.done('arrivalOrder', 'edit', sn, { arrival_temperature: '5℃' })
  expect(await hospital.info('arrivalOrder', sn)).toMatchObject({
    carrier: null,
    departure_temperature: null,
    arrival_temperature: '5℃',
    counterparty_sn: d,
  })
})

test('the patient of a use is not the patient of its copy', async () => {
  const { hospital, ward, department, inflator } = scene
  const sn = await hospital.add('departmentUse', {
    warehouse_model_inner_sn: ward,
    department_inner_sn: department,
    patient_name: '苏听松',
    admission_no: 'ZY01',
    lines: [{ specification_sn: inflator, lot_no: 'FZ1', quantity: '1' }],
  })
  expect(await hospital.info('departmentUse', sn)).toMatchObject({ patient_name: '苏听松' })
  const made = await hospital.info('departmentUse', (await copy(hospital, 'departmentUse', sn)).info.sn)
  expect(made).toMatchObject({ department_inner_sn: department, patient_name: null, admission_no: null })
})

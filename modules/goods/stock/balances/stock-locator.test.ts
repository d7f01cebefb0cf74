import { afterAll, beforeAll, expect, test } from 'vitest'
import { lotOf, openScene, expectMessage, type Scene } from '#tests/support/fixture.ts'
import { day } from '#tests/support/story.ts'
import { notifyReminders } from '#modules/goods/stock/balances/use-reminder.server.ts'

/** 库存综合检索: where the organisation's goods are, including those at customers. */
let scene: Scene
beforeAll(async () => {
  scene = await openScene()
  const { dealer, hospital, shop, h, balloon } = scene
  const codes = { unit_codes: ['WHERE-1', 'WHERE-2', 'WHERE-3'] }
  const near = { expiry_date: day(90) }
  await scene.shelve(dealer, shop, [lotOf(balloon, 'WHERE', { quantity: '3', ...codes, ...near })])
  const line = { specification_sn: balloon, lot_no: 'WHERE', quantity: '2', unit_codes: ['WHERE-1', 'WHERE-2'] }
  const odo = await dealer.add('saleOdo', {
    counterparty_sn: h,
    warehouse_model_inner_sn: shop,
    regime: 'consigned',
    lines: [line],
  })
  await dealer.pass('saleOdo', odo)
  const { sn } = await hospital.from('purchaseGrn', odo)
  await hospital.pass('purchaseGrn', sn)
})
afterAll(() => scene?.close())

test('the owner finds it in its own warehouse and at the customer, by typing or scanning', async () => {
  const { dealer, vendor, h, d } = scene
  const places = async (q: string) =>
    (await dealer.list('stockLocator', { q })).map(row => [row.place_kind, row.keeper_org_sn, row.quantity, row.pieces])
  expect(await places('WHERE')).toEqual(
    expect.arrayContaining([
      ['own', d, '1.000', 1],
      ['consigned_out', h, '2.000', 0],
    ]),
  )
  expect(await places('WHERE-3')).toHaveLength(2)
  expect(await vendor.list('stockLocator', { q: 'WHERE' })).toEqual([])
  expectMessage(
    await dealer.client.get('/v1/business/stockLocator/list', { q: '(01)09999999999994(10)X' }),
    /^未识别的条码：/,
  )
})

test('the owner requests that its goods be used first, once per lot and day; the storekeeper is notified', async () => {
  const { dealer, hospital, h, server } = scene
  const notified = async () => {
    await notifyReminders(server.database.owner, server.database.owner)
    return server.database
      .owner`select title, body, kind from message where org_id = ${h} and title = '寄售货物请优先使用'`
  }
  const rows = await dealer.list('stockLocator', { q: 'WHERE' })
  const ask = (kinds: readonly string[]) =>
    dealer.client.post('/v1/business/stockLocator/remind', {
      sns: JSON.stringify(rows.filter(row => kinds.includes(row.place_kind)).map(row => row.place_sn)),
    })
  expectMessage(await ask([]), /^请先勾选/)
  expectMessage(await ask(['own', 'consigned_out']), /^只能对在外寄售的近效期批次催用/)
  expect(await notified()).toEqual([])
  expect((await ask(['consigned_out'])).info.said).toBe('已提醒1个批次的保管方')
  expectMessage(await ask(['consigned_out']), '今日已发送过催用提醒')
  const [message] = await notified()
  expect(message).toMatchObject({
    kind: 'stockBalance',
    body: expect.stringMatching(/批号WHERE有效期至.+，现存2，请优先使用$/),
  })
  expect(await notified()).toHaveLength(1)
  expectMessage(await hospital.client.post('/v1/business/stockLocator/remind', { sns: '["1"]' }), /不存在/)
})

test('a scanned used piece shows by whom and when; a code without stock shows what became of it', async () => {
  const { dealer, hospital, balloon, shop, ward, department } = scene
  await scene.shelve(hospital, ward, [lotOf(balloon, 'GONE', { quantity: '1', unit_codes: ['GONE-1'] })])
  const use = await hospital.add('departmentUse', {
    warehouse_model_inner_sn: ward,
    department_inner_sn: department,
    lines: [{ unit_codes: ['GONE-1'] }],
  })
  await hospital.pass('departmentUse', use)
  const ask = (who: typeof dealer, q: string) => who.client.get('/v1/business/stockLocator/list', { q })
  const notified = await ask(hospital, 'GONE-1')
  expectMessage(notified, new RegExp(`^院内码GONE-1已使用：.*医院 \\d{4}-\\d\\d-\\d\\d，使用单${use}$`))
  // The page links from there to the usage document.
  expect(notified.info).toEqual({ document: { kind: 'departmentUse', sn: use } })
  await scene.shelve(dealer, shop, [lotOf(balloon, 'LOST', { quantity: '1', unit_codes: ['LOST-1'] })])
  const loss = await dealer.add('loss', {
    warehouse_model_inner_sn: shop,
    loss_type: 'missing',
    lines: [{ unit_codes: ['LOST-1'], line_reason: '盘点未见' }],
  })
  await dealer.done('loss', 'submit', loss)
  await scene.dealer2.done('loss', 'review', loss)
  expectMessage(await ask(dealer, 'LOST-1'), /^该产品当前无库存，最近动态：/)
})

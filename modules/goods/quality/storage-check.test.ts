import { afterAll, beforeAll, expect, test } from 'vitest'
import { attempt, lotOf, openScene, expectMessage, type Scene } from '#tests/support/fixture.ts'
import { proves } from '#tests/support/proves.ts'
import { day } from '#tests/support/story.ts'

/** 养护: goods in stock are checked by plan; doubtful goods are blocked, and a reviewed record does not change. */
let scene: Scene
beforeAll(async () => {
  scene = await openScene()
  const { dealer, shop, inflator, stent } = scene
  await scene.shelve(dealer, shop, [
    lotOf(inflator, 'YH1', { quantity: '10' }),
    lotOf(inflator, 'YH2', { quantity: '4', expiry_date: day(60) }),
    lotOf(inflator, 'YH3', { quantity: '2', expiry_date: day(-1), quality_state: 'unqualified' }),
    lotOf(stent, 'YH4', { unit_codes: ['YH-1'] }),
  ])
})
afterAll(() => scene?.close())

const plan = (check_type: string) =>
  scene.dealer.client.post('/v1/business/storageCheck/generatePlan', {
    warehouse_model_inner_sn: scene.shop,
    check_type,
  })
const lots = async (sn: string) =>
  (await scene.dealer.info('storageCheck', sn)).lines.map((line: { lot_no: string }) => line.lot_no).sort()
const write = (sn: string, lines: object[]) => scene.dealer.do('storageCheck', 'edit', sn, { lines })

test('a plan takes what is due: implants, sterile and near-expiry lots every 30 days, the rest every 90', async () => {
  const { dealer, dealer2 } = scene
  const key = await plan('key')
  expect(key.code, key.msg).toBe(0)
  const found = await lots(key.info.sn)
  expect(found).toEqual(expect.arrayContaining(['YH2', 'YH4']))
  const { sn } = key.info
  const doc = await dealer.info('storageCheck', sn)
  expect(doc.lines.find((line: { lot_no: string }) => line.lot_no === 'YH2')).toMatchObject({
    stock_quantity: '4.000',
  })
  expectMessage(await dealer.do('storageCheck', 'submit', sn), '第1行：请选择质量状况')
  type Line = { line_no: number; lot_no: string; expiry_date: string | null }
  const checked = (condition: (line: Line) => object) =>
    write(
      sn,
      doc.lines.map((line: Line) => ({ line_no: line.line_no, ...condition(line) })),
    )
  await checked(line => ({ condition: 'normal', ...(line.lot_no === 'YH2' ? { condition: 'abnormal' } : {}) }))
  expectMessage(
    await dealer.do('storageCheck', 'submit', sn),
    /：请填写异常数量和处理措施$|批号YH3已过有效期，检查结论不能为合格$/,
  )
  await checked(line =>
    line.lot_no === 'YH2'
      ? { condition: 'abnormal', abnormal_quantity: '3', measure: '隔离待检' }
      : line.lot_no === 'YH3'
        ? { condition: 'abnormal', abnormal_quantity: '2', measure: '报废' }
        : { condition: 'normal' },
  )
  await dealer.done('storageCheck', 'submit', sn)
  expectMessage(await dealer.do('storageCheck', 'review', sn), '审核人不能与养护员为同一人')
  await dealer2.done('storageCheck', 'review', sn)
  const block = await dealer.from('stopSale', sn)
  const lines = (await dealer.info('stopSale', block.sn)).lines
  expect(lines.find((line: Line) => line.lot_no === 'YH2')).toMatchObject({
    quantity: '3.000',
    quality_state: 'qualified',
  })
  const [listed] = await dealer.list('storageCheck', { sn, conclusion: 'bad' })
  expect(listed).toMatchObject({ line_count: lines.length > 0 ? listed.checked_count : 0, conclusion: 'bad' })
  expect(await dealer.list('storageCheck', { sn, conclusion: 'good' })).toEqual([])
  expectMessage(await dealer.do('storageCheck', 'toStopSell', sn), `已有停售单${block.sn}`)
  const { actions } = await dealer.info('storageCheck', sn)
  expect(actions.filter((flag: string) => ['del', 'edit', 'unreview', 'cancel'].includes(flag))).toEqual([])
  expectMessage(await plan('key'), '没有到期需要养护的批次')
})

test('non-key goods are checked every 90 days; after a check they are due again as the organisation sets', async () => {
  proves('quality.careDue')
  const { dealer, dealer2, shop, inflator } = scene
  await scene.shelve(dealer, shop, [lotOf(inflator, 'YH5', { quantity: '3' })])
  await scene.one(
    `update product set is_sterile = false, is_implant = false, is_cold_chain = false
      where id = (select product_id from specification where id = $1) returning 1`,
    inflator,
  )
  const { info } = await plan('normal')
  expect(await lots(info.sn)).toContain('YH5')
  expect(await lots(info.sn)).not.toContain('YH2')
  const { lines } = await dealer.info('storageCheck', info.sn)
  await write(
    info.sn,
    lines.map((line: { line_no: number }) => ({ line_no: line.line_no, condition: 'normal' })),
  )
  await dealer.done('storageCheck', 'submit', info.sn)
  await dealer2.done('storageCheck', 'review', info.sn)
  expectMessage(await plan('normal'), '没有到期需要养护的批次')
  // The organisation sets the number of days; a check of 91 days ago no longer counts.
  const ago = (days: number) =>
    scene.one(
      `update document set reviewed_at = now() - interval '${days} days' where sn = $1 and org_id = $2 returning 1`,
      info.sn,
      scene.d,
    )
  await ago(89)
  expectMessage(await plan('normal'), '没有到期需要养护的批次')
  await ago(91)
  expect(await lots((await plan('normal')).info.sn)).toContain('YH5')
  await scene.rule(scene.d, 'care_days', 120)
  expectMessage(await plan('normal'), '没有到期需要养护的批次')
})

test('an expired lot can never pass', async () => {
  proves('quality.expiredNeverPasses')
  const { dealer, shop, inflator } = scene
  const body = {
    warehouse_model_inner_sn: shop,
    lines: [{ specification_sn: inflator, lot_no: 'YH3', expiry_date: day(-1), quantity: '2', condition: 'normal' }],
  }
  expectMessage(await attempt(dealer, 'storageCheck', body), '第1行：批号YH3已过有效期，检查结论不能为合格')
})

test('temperature and humidity: once every half day, and an action when out of range', async () => {
  const { dealer, shop } = scene
  const log = (more: object) =>
    dealer.client.post('/v1/business/temperatureLog/add', {
      warehouse_model_inner_sn: shop,
      area: '冷藏区',
      log_date: day(),
      half: 'am',
      temperature: '5',
      humidity: '50',
      ...more,
    })
  expect((await log({})).code).toBe(0)
  expectMessage(await log({ temperature: '6' }), '该库区当前时段已登记')
  expectMessage(await log({ half: 'pm', temperature: '9' }), '温湿度超出贮存范围，请填写超标措施')
  expect((await log({ half: 'pm', temperature: '9', measure: '调低冷库设定并转移货物' })).code).toBe(0)
  const rows = await dealer.list('temperatureLog', { area: '冷藏区' })
  expect(rows.map(row => [row.half, row.is_out]).sort()).toEqual([
    ['am', false],
    ['pm', true],
  ])
  // An area's range follows its shelves; the warehouse as a whole uses its own.
  await dealer.add('shelf', { warehouse_model_inner_sn: shop, area: 'K', code: '1', storage_condition: 'cold' })
  expectMessage(await log({ area: 'K', temperature: '12' }), '温湿度超出贮存范围，请填写超标措施')
  expect((await log({ area: 'K' })).code).toBe(0)
  const store = async (more: object) => {
    const { version } = await dealer.info('warehouse', shop)
    return dealer.client.post('/v1/business/warehouse/edit', { sn: shop, version, ...more })
  }
  expectMessage(await store({ temperature_min: '26', temperature_max: '18' }), '温度下限不能大于上限')
  expect((await store({ temperature_min: '18', temperature_max: '26', humidity_max: '60' })).code).toBe(0)
  expectMessage(await log({ area: '', temperature: '28' }), '温湿度超出贮存范围，请填写超标措施')
  expectMessage(await log({ area: '', temperature: '20', humidity: '70' }), '温湿度超出贮存范围，请填写超标措施')
  expect((await log({ area: '', temperature: '20' })).code).toBe(0)
  const [incident] = await dealer.list('errorRecord', { error_kind: 'climate' })
  expect(incident.description).toBe('【冷藏区】温湿度超出贮存范围')
})

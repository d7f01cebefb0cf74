import { afterAll, beforeAll, expect, test } from 'vitest'
import { performDue } from '#server/outbound/calls.ts'
import { lisClient } from '#server/outbound/lis.ts'
import { connectWith } from '#server/registry/connections.ts'
import { lisCarrier, readLisOfAll } from '#modules/hospital/reagents/lis-tests.server.ts'
import { recountWhereNeeded } from '#modules/goods/warnings/recount.server.ts'
import { openExpiryOf } from '#modules/hospital/reagents/operations.server.ts'
import { type RunningHis, startHis } from '../../../deploy/his/server.ts'
import { attempt, expectMessage, lotOf, openScene, type Scene, shelf } from '#tests/support/fixture.ts'
import { day } from '#tests/support/story.ts'

/** 试剂追溯: a bottle is taken in, opened, loaded, unloaded and empty; opening or loading it is the use. */
let scene: Scene
let lab = ''
let kit = ''
let gas = ''
let fridge = ''
let machine = ''
let serial = 0
let stand: RunningHis

beforeAll(async () => {
  scene = await openScene()
  const { hospital } = scene
  lab = await scene.warehouse('H01-W17')
  kit = await scene.specification('P061-01')
  gas = await scene.specification('P072-03')
  await scene.rule(scene.h, 'first_expiry_first', 'off')
  await added('refrigerator', { code: 'BX1', name: '检验科1号冰箱', warehouse_model_inner_sn: lab })
  await added('analyser', { code: 'SH1', name: '生化分析仪1号', lis_code: 'AU5800' })
  fridge = (await hospital.list('refrigerator', { q: 'BX1' }))[0].refrigerator_sn
  machine = (await hospital.list('analyser', { q: 'SH1' }))[0].analyser_sn
  stand = await startHis({ token: 't' })
})
afterAll(async () => {
  connectWith({ carriers: {} })
  await stand?.close()
  await scene?.close()
})

const post = (path: string, body: object) =>
  scene.hospital.client.post(`/v1/business/${path}`, body as Record<string, unknown>)
const added = async (kind: string, body: object) => expect((await post(`${kind}/add`, body)).msg).toBe('')
const row = async (code: string) => {
  const [found] = await scene.hospital.list('reagentTrace', { code })
  return found
}
const act = async (action: string, code: string, more: object = {}) => {
  const { reagent_sn: sn, version } = await row(code)
  return post(`reagentTrace/${action}`, { sn, version, ...more })
}
const done = async (action: string, code: string, more: object = {}) =>
  expect((await act(action, code, more)).msg).toBe('')
const scan = (code: string, operation: string, more: object = {}) =>
  post('reagentTrace/scan', { code, operation, ...more })
const proved = () => ({ analyser_sn: machine, calibration_lot: 'CAL1', control_result: 'pass' })
const cold = (temperature = '4') => ({ refrigerator_sn: fridge, temperature })

/** Kits of one lot in the laboratory, taken in by their lot; returns the lot and their codes. */
async function kits(count: number, goods = kit): Promise<{ lot: string; codes: string[] }> {
  serial += 1
  const lot = `RG${serial}`
  await scene.shelve(scene.hospital, lab, [
    lotOf(goods, lot, { quantity: String(count), price: '420', expiry_date: day(300 + serial) }),
  ])
  const reply = await post('reagentTrace/receiveLot', {
    warehouse_model_inner_sn: lab,
    specification_sn: goods,
    lot_no: lot,
    count,
    ...cold(),
  })
  expect(reply.msg).toBe('')
  const rows = await scene.hospital.list('reagentTrace', { lot_no: lot })
  return { lot, codes: rows.map(each => String(each.code)).sort() }
}
/** Says in the catalogue when goods count as used; within a test until its end is not needed: each sets its own. */
const consumedOn = (specification: string, on: 'open' | 'load') =>
  scene.one(
    'update hospital_product set consumed_on = $1 where org_id = $2 and specification_id = $3 returning 1',
    on,
    scene.h,
    specification,
  )
const moving = (code: string) => ({
  warehouse_model_inner_sn: lab,
  to_warehouse_model_inner_sn: scene.central,
  lines: [{ unit_codes: [code] }],
})
const steps = async (code: string) =>
  (await scene.hospital.trace(code)).list.map((event: { step_name: string }) => event.step_name)

test('a bottle goes from the refrigerator to empty; opening it is the use, later steps only stand in its trace', async () => {
  const { hospital } = scene
  await consumedOn(kit, 'open')
  const { lot, codes } = await kits(2)
  const code = codes[0]!
  expect(await row(code)).toMatchObject({ state: 'in_stock', lot_no: lot, tests_per_kit: 1200, storage_zone: 'cold' })
  await done('open', code)
  const opened = await row(code)
  expect(opened).toMatchObject({ state: 'opened', open_expiry: day(28), specification_sn: kit })
  expect(await shelf(hospital, lab, kit)).toMatchObject({ [lot]: '1.000' })
  expect(await hospital.info('departmentUse', opened.use_sn)).toMatchObject({
    state: 'reviewed',
    use_type: 'reagent',
    warehouse_model_inner_sn: lab,
    lines: [{ unit_codes: [code], quantity: '1.000' }],
  })
  await done('load', code, { ...proved(), channel: 'R1-07' })
  await done('unload', code, { tests: 300 })
  await done('load', code, { analyser_sn: machine })
  await done('finish', code, { tests: 780 })
  expect(await row(code)).toMatchObject({
    state: 'finished',
    tests_done: 1080,
    tests_left: 120,
    is_over: false,
    test_yield: '0.9000',
    cost_per_test: '0.3889',
  })
  expect(await steps(code)).toEqual(['期初', '贴签', '开瓶', '使用', '上机', '下机', '上机', '用完'])
  expect(
    (await hospital.list('reagentStep', { code })).map((each: { operation: string }) => each.operation).reverse(),
  ).toEqual(['receive', 'open', 'load', 'unload', 'load', 'finish'])
  expect(await hospital.list('departmentUse', { unit_code: code })).toHaveLength(1)
})

test('loading is the use where the catalogue says so; a consigned bottle is then due for settlement', async () => {
  const { hospital, v } = scene
  await consumedOn(gas, 'load')
  serial += 1
  const [code, other] = [`BG-${serial}-1`, `BG-${serial}-2`]
  await scene.shelve(hospital, lab, [
    lotOf(gas, `BG${serial}`, { unit_codes: [code, other], owner_org_sn: v, expiry_date: day(100) }),
  ])
  expect((await scan(code, 'receive')).msg).toBe('')
  await added('reagentTrace', { code: other })
  await done('open', code)
  expect(await hospital.list('settlementLine', { unit_code: code })).toEqual([])
  expect((await row(code)).use_sn).toBeNull()
  const loaded = await scan(code, 'load', proved())
  expect(loaded.msg).toBe('')
  const { use_sn } = await row(code)
  expect(loaded.info.said).toBe(`试剂${code}已上机，使用单${use_sn}`)
  const [line] = await hospital.list('settlementLine', { unit_code: code })
  expect(line).toMatchObject({ owner_org_sn: v, quantity: '1.000' })
  // Loaded unopened: the analyser opens it.
  await done('load', other, { analyser_sn: machine })
  expect(await row(other)).toMatchObject({ state: 'loaded', open_expiry: day(28) })
  expect(await hospital.list('settlementLine', { unit_code: other })).toHaveLength(1)
})

test('an opened bottle is not given away, though only its loading will be the use; thrown away, it is used up', async () => {
  const { hospital } = scene
  const creatinine = await scene.specification('P063-01')
  await consumedOn(creatinine, 'load')
  const { lot, codes } = await kits(1, creatinine)
  const code = codes[0]!
  await done('open', code)
  expect(await shelf(hospital, lab, creatinine)).toMatchObject({ [lot]: '1.000' })
  expectMessage(await attempt(hospital, 'transfer', moving(code)), `试剂${code}已开瓶，不能调拨`)
  await done('scrap', code, { scrap_reason: '复溶失败' })
  expect((await shelf(hospital, lab, creatinine))[lot]).toBeUndefined()
  expect((await row(code)).use_sn).toMatch(/^SY/)
})

test('an opened bottle that was to be scrapped by its document is open again when that is taken back', async () => {
  const { hospital } = scene
  const creatinine = await scene.specification('P063-01')
  await consumedOn(creatinine, 'load')
  const { lot, codes } = await kits(1, creatinine)
  const code = codes[0]!
  await done('open', code)
  await scene.one(
    `update stock_lot k set expiry_date = $1 from lot l
      where l.id = k.lot_id and k.org_id = $2 and l.lot_no = $3 returning 1`,
    day(-1),
    scene.h,
    lot,
  )
  const scrap = await hospital.add('scrap', {
    warehouse_model_inner_sn: lab,
    scrap_reason: '过期',
    lines: [{ unit_codes: [code] }],
  })
  await hospital.done('scrap', 'submit', scrap)
  await scene.one(
    "update app_user set is_administrator = true where org_id = $1 and login = 'keeper' returning 1",
    scene.h,
  )
  const keeper = await scene.person('keeper')
  await keeper.done('scrap', 'review', scrap)
  expect((await row(code)).state).toBe('scrapped')
  await keeper.done('scrap', 'unreview', scrap, { reason: '误报' })
  expect(await row(code)).toMatchObject({ state: 'opened', closed_at: null })
  await keeper.done('scrap', 'review', scrap)
  expect((await row(code)).state).toBe('scrapped')
  await keeper.done('scrap', 'redReverse', scrap, { reason: '误报' })
  expect(await row(code)).toMatchObject({ state: 'opened', closed_at: null })
})

test('开瓶失效时间 is the earlier of the expiry and the days after opening', async () => {
  expect(openExpiryOf('2026-05-01', 28, '2026-05-20')).toBe('2026-05-20')
  expect(openExpiryOf('2026-05-01', 28, '2026-07-20')).toBe('2026-05-29')
  expect(openExpiryOf('2026-05-01', null, null)).toBeNull()
  const { codes } = await kits(1)
  const code = codes[0]!
  await done('open', code)
  const set = (to: string) => scene.one('update reagent set open_expiry = $1 where code = $2 returning 1', to, code)
  await set(day(-1))
  expectMessage(await act('load', code, proved()), '试剂已过开瓶有效期，禁止上机')
  expect(await scene.hospital.list('reagentTrace', { code, open_warning: 'expired' })).toHaveLength(1)
  const { app, owner } = scene.server.database
  await recountWhereNeeded(app, owner, 0)
  const [warned] = await scene.hospital.list('warning', { code, object_kind: 'reagentTrace' })
  expect(warned).toMatchObject({ category: 'PRODUCTEXPIRY', level: 'expired', warehouse_model_inner_sn: lab })
  await set(day(0))
  await done('load', code, proved())
  expect(await row(code)).toMatchObject({ open_warning: 'soon' })
})

test('a new lot is calibrated and controlled before its first load on an analyser', async () => {
  const { codes } = await kits(2)
  for (const code of codes) await done('open', code)
  const [one, two] = codes as [string, string]
  const load = (code: string, more: object) => act('load', code, { analyser_sn: machine, ...more })
  expectMessage(await load(one, {}), '新批号须完成校准和质控')
  expectMessage(await load(one, { calibration_lot: 'CAL1' }), '新批号须完成校准和质控')
  expectMessage(await load(one, { calibration_lot: 'CAL1', control_result: 'fail' }), '新批号须完成校准和质控')
  expect((await load(one, proved())).msg).toBe('')
  expect((await load(two, {})).msg).toBe('')
})

test('a step that was already done is refused with the state of the bottle', async () => {
  const { codes } = await kits(1)
  const code = codes[0]!
  expectMessage(await act('load', code, proved()), `试剂${code}当前状态为在库，不能上机`)
  expectMessage(await act('scrap', code, { scrap_reason: '破损' }), /当前状态为在库，不能报废，未开瓶的请办理报废单$/)
  expectMessage(await scan(code, 'receive', cold()), `试剂${code}当前状态为在库，不能领入`)
  expect((await scan(code, 'open')).msg).toBe('')
  expectMessage(await scan(code, 'open'), `试剂${code}当前状态为已开瓶，不能开瓶`)
  expectMessage(await scan(code, 'unload'), `试剂${code}当前状态为已开瓶，不能下机`)
  expectMessage(await scan(code, 'scrap'), '请填写报废原因')
  expect((await scan(code, 'scrap', { scrap_reason: '溶液浑浊' })).msg).toBe('')
  expectMessage(await scan(code, 'load', proved()), `试剂${code}当前状态为已报废，不能上机`)
  expect(await row(code)).toMatchObject({ state: 'scrapped', scrap_reason: '溶液浑浊' })
  expect((await steps(code)).slice(-3)).toEqual(['开瓶', '使用', '报废'])
})

test('an earlier lot in the same store asks for a reason, as the rule 近效期先出 says', async () => {
  const { codes } = await kits(1)
  serial += 1
  await scene.shelve(scene.hospital, lab, [lotOf(kit, `RG${serial}`, { quantity: '1', expiry_date: day(30) })])
  await scene.rule(scene.h, 'first_expiry_first', 'refuse')
  expectMessage(await act('open', codes[0]!), /^存在更近效期批次RG\d+，请填写原因$/)
  await done('open', codes[0]!, { remark: '该批号质控未通过' })
})

test('cold-chain reagents are taken in with a reading of their refrigerator', async () => {
  const { hospital } = scene
  serial += 1
  const lot = `RG${serial}`
  await scene.shelve(hospital, lab, [lotOf(kit, lot, { quantity: '5', expiry_date: day(500) })])
  const take = (more: object) =>
    post('reagentTrace/receiveLot', {
      warehouse_model_inner_sn: lab,
      specification_sn: kit,
      lot_no: lot,
      count: 1,
      ...more,
    })
  await added('refrigerator', { code: `BX${lot}`, name: `冰箱${lot}`, warehouse_model_inner_sn: lab })
  const other = (await hospital.list('refrigerator', { q: `BX${lot}` }))[0].refrigerator_sn
  expectMessage(await take({}), '冷链试剂领入须选择冰箱')
  expectMessage(await take({ refrigerator_sn: other }), /12小时内没有温度读数，请登记冰箱温度$/)
  for (const temperature of ['1.9', '8.1'])
    expectMessage(await take({ refrigerator_sn: other, temperature }), '温度超限，请登记处理意见')
  expect((await take({ refrigerator_sn: other, temperature: '8.1', opinion: '短时开门，已复测5.2℃' })).msg).toBe('')
  const read = (temperature: string, opinion?: string) =>
    post('refrigeratorReading/add', { refrigerator_sn: other, temperature, ...(opinion ? { opinion } : {}) })
  expectMessage(await read('9'), /^温度超限，请登记处理意见/)
  expect((await read('5')).msg).toBe('')
  expect((await take({ refrigerator_sn: other })).msg).toBe('')
  const [, newest] = [
    await hospital.list('refrigerator', { q: `BX${lot}` }),
    await hospital.list('refrigeratorReading', { refrigerator_sn: other }),
  ]
  expect(newest.map((each: { is_out: boolean }) => each.is_out)).toEqual([false, true])
  expectMessage(await take({ count: 9, ...cold() }), /可生成标签数量为3$/)
})

test('the tests of the laboratory’s system and those by hand add up; more than the kit holds is 超测', async () => {
  const { hospital, server } = scene
  const { codes } = await kits(1)
  const code = codes[0]!
  await done('open', code)
  await done('load', code, proved())
  connectWith({ carriers: {} })
  expectMessage(await post('reagentTrace/readLis', {}), /^LIS接口未接通/)
  const client = lisClient({ baseUrl: `${stand.url}/lis`, token: 't' })
  const { app, owner } = server.database
  connectWith({ carriers: { lis: lisCarrier(app, client) } })
  stand.tests.push({ code, tests: 1190 }, { code: 'another hospital', tests: 5 })
  expect((await post('reagentTrace/readLis', {})).msg).toBe('')
  await performDue(app, owner)
  await done('noteTests', code, { tests: 25 })
  expect(await row(code)).toMatchObject({ tests_done: 1215, tests_left: 0, is_over: true })
  // Read again, it is the same count.
  await readLisOfAll(owner)
  await performDue(app, owner)
  expect(await row(code)).toMatchObject({ tests_by_lis: 1190, tests_done: 1215 })
  stand.tests.splice(0, 2, { code, tests: '12' })
  await readLisOfAll(owner)
  await performDue(app, owner)
  const [failed] = await hospital.list('interfaceError', { system: 'lis', state: 'retrying' })
  expect(failed).toMatchObject({ error: 'LIS的答复有误：每瓶应有试剂码和测试数' })
  // Tests that nobody entered by hand are read from the LIS while the bottle runs; a failing LIS is read again later.
  stand.tests.splice(0)
  Object.assign(stand.faults, { failing: 1, status: 503 })
  await readLisOfAll(owner)
  await performDue(app, owner)
  expect(await row(code)).toMatchObject({ tests_by_lis: 1190 })
  await owner`update outbound_call set next_at = now() where system = 'lis' and state = 'retrying'`
  await performDue(app, owner)
  expect(await row(code)).toMatchObject({ tests_by_lis: 0 })
})

test('a use that is taken back leaves the bottle closed; once it ran, the use stands', async () => {
  const { hospital } = scene
  const { lot, codes } = await kits(2)
  const [one, two] = codes as [string, string]
  await done('open', one)
  const { use_sn } = await row(one)
  await hospital.done('departmentUse', 'redReverse', use_sn, { reason: '扫错' })
  expect(await row(one)).toMatchObject({ state: 'in_stock', opened_at: null, open_expiry: null, use_sn: null })
  expect(await shelf(hospital, lab, kit)).toMatchObject({ [lot]: '2.000' })
  await done('open', one)
  await done('open', two)
  await hospital.done('departmentUse', 'unreview', (await row(two)).use_sn, { reason: '扫错' })
  expect(await row(two)).toMatchObject({ state: 'in_stock' })
  await done('load', one, proved())
  expectMessage(
    await hospital.do('departmentUse', 'redReverse', (await row(one)).use_sn, { reason: '扫错' }),
    /已有后续业务/,
  )
})

test('a bottle that is used by hand counts as opened; one that leaves the laboratory is its own no more', async () => {
  const { hospital } = scene
  const { codes } = await kits(2)
  const [one, two] = codes as [string, string]
  const use = await hospital.add('departmentUse', {
    warehouse_model_inner_sn: lab,
    use_type: 'reagent',
    lines: [{ unit_codes: [one] }],
  })
  await hospital.pass('departmentUse', use)
  expect(await row(one)).toMatchObject({ state: 'opened', use_sn: use })
  const away = await hospital.add('transfer', moving(two))
  await hospital.pass('transfer', away)
  expect(await row(two)).toBeUndefined()
  expect((await hospital.list('reagentStep', { code: two }))[0]).toMatchObject({
    operation: 'leave',
    document_sn: away,
  })
})

test('what is no reagent, is not there or is not known is not taken in', async () => {
  const { hospital, stent, ward, d } = scene
  serial += 1
  await scene.shelve(hospital, ward, [lotOf(stent, `ST${serial}`, { unit_codes: [`ST-${serial}`], owner_org_sn: d })])
  expectMessage(await scan(`ST-${serial}`, 'receive'), /不是试剂，不能领入$/)
  expectMessage(await scan('NOBODY-1', 'receive'), /没有对应的试剂盒\/瓶/)
  expectMessage(await scan('NOBODY-1', 'open'), '试剂NOBODY-1尚未领入，请先领入')
  const { codes } = await kits(1)
  const { reagent_sn: sn, version } = await row(codes[0]!)
  expectMessage(await post('reagentTrace/edit', { sn, version, remark: 'x' }), /^试剂的状态由操作登记/)
  expectMessage(await post('reagentTrace/add', { code: 'X', state: 'opened' }), /由系统填写，不能修改|填写内容有误/)
  const later = new Date(Date.now() + 3_600_000).toISOString()
  expectMessage(await act('open', codes[0]!, { done_at: later }), '操作时间不能晚于当前时间')
  expectMessage(await act('open', codes[0]!, { done_at: `${day(-2)}T08:00:00Z` }), '操作时间不能早于上一次操作')
})

test('a double click opens a bottle once', async () => {
  const { codes } = await kits(1)
  const code = codes[0]!
  const replies = await Promise.all([scan(code, 'open'), scan(code, 'open')])
  expect(replies.map(reply => reply.code).filter(answer => answer === 0)).toHaveLength(1)
  expect(await scene.hospital.list('departmentUse', { unit_code: code })).toHaveLength(1)
})

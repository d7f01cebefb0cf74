import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Decimal } from '#kernel/values/decimal.ts'
import { attempt, expectMessage, lotOf, openScene, type Scene } from '#tests/support/fixture.ts'
import type { HisChargeItem } from '#server/outbound/his/contract.ts'
import { connectHis, hisItemOf, sendCalls, type StandIn } from '#tests/support/his.ts'
import { sendSheet, workbook } from '#tests/support/sheets.ts'
import { proves } from '#tests/support/proves.ts'
import { day } from '#tests/support/story.ts'

/**
 * HIS产品对照: the item of the HIS under which a product is charged, from when, and how many of its units one of ours is.
 */
let scene: Scene
let his: StandIn
const RULE = '/v1/business/productComparison'
const call = (name: string, body: object = {}) => scene.hospital.client.post(`${RULE}/${name}`, body as never)
const rowOf = async (specification: string) => {
  const [row] = await scene.hospital.list('productComparison', { specification_sn: specification })
  return row!
}
const keyOf = async (specification: string) => (await rowOf(specification)).product_comparison_sn as string
const itemOf = async (code: string) => {
  const [row] = await scene.hospital.list('hisItem', { item_code: code })
  return row!
}
const edit = async (specification: string, body: object) => {
  const row = await rowOf(specification)
  return call('edit', { sn: row.product_comparison_sn, version: row.version, ...body })
}
/** Items of the HIS that every test begins with. */
let first: HisChargeItem[] = []
/** Removes all matches, with those items in our copy of the dictionary. */
async function clear(): Promise<void> {
  await scene.server.database.owner.unsafe(`delete from his_match_version; delete from his_match_skip;
    delete from his_match; delete from his_item;
    update hospital_product set his_code = null, his_charge_code = null, insurance_code = null, is_chargeable = false;
    update specification set his_code = null`)
  his.items.splice(0, his.items.length, ...first)
  expect((await call('sync')).info.said).toBe('新增4个项目，更新0个，停用0个')
}
const chargeable = (...specifications: string[]) => scene.server.database.owner`
  update hospital_product set is_chargeable = true
   where org_id = ${scene.h} and specification_id = any(${specifications}::bigint[])`

beforeAll(async () => {
  scene = await openScene()
  his = await connectHis(scene.server, 'H01')
  const named = await scene.one(
    `select p.name, s.name as model, o.name as maker, s.udi_di, s.unit_name, h.charge_price
       from specification s join product p on p.id = s.product_id join organisation o on o.id = p.manufacturer_id
       join hospital_product h on h.org_id = $2 and h.specification_id = s.id where s.id = $1`,
    scene.stent,
    scene.h,
  )
  first = [
    hisItemOf('A1', { insurance_code: 'C0101010010100199901', material_code: 'M1', price: '10' as Decimal }),
    hisItemOf('A2', { insurance_code: 'C0101010010100199901', material_code: 'M2', price: '10' as Decimal }),
    hisItemOf('B1', { udi_di: named.udi_di, unit: named.unit_name, price: named.charge_price }),
    hisItemOf('C1', {
      item_name: String(named.name).replace('系统', '（系统）').toUpperCase(),
      specification: ` ${named.model}`,
      manufacturer: named.maker,
    }),
  ]
})
afterAll(async () => {
  await his?.end()
  await scene?.close()
})

test('the dictionary is read incrementally, and what the HIS has no more is 已停用', async () => {
  await clear()
  his.items.push(hisItemOf('S1', { updated_at: '2026-02-01T00:00:00.000Z' }))
  // Items changed at the last known moment or later are read: the four of that moment once more.
  expect((await call('sync')).info.said).toBe('新增1个项目，更新4个，停用0个')
  // From the last change on: the others are not read again.
  expect((await call('sync')).info.said).toBe('新增0个项目，更新1个，停用0个')
  his.items.splice(
    his.items.findIndex(item => item.item_code === 'S1'),
    1,
  )
  expect((await call('sync', { whole: true })).info.said).toBe('新增0个项目，更新4个，停用1个')
  expect((await itemOf('S1')).is_active).toBe(false)
  his.down = true
  const refused = await call('sync')
  expect(refused.code).not.toBe(0)
  expect(refused.code).not.toBe(500)
  his.down = false
})

test('自动对照 proposes single candidates alone, a later criterion chooses among those of an earlier one', async () => {
  const { hospital, server, stent, balloon, inflator, h } = scene
  await clear()
  await chargeable(stent, balloon, inflator)
  await server.database.owner`
    update hospital_product set insurance_code = case
        when specification_id in (${balloon}, ${inflator}) then 'C0101010010100199901' end,
      his_code = case when specification_id = ${balloon} then 'M2' end where org_id = ${h}`
  const reply = await call('autoMatch')
  // The balloon's insurance code has two items, of which its HIS编码 names one; the inflator's names two.
  // By its UDI-DI the stent is B1, by its name C1: the DI comes first, and leaves one.
  expect(reply.info.said).toBe('找到2个待确认的对照，1个规格有多个候选，请人工对照')
  expect(await rowOf(balloon)).toMatchObject({ match_state: 'proposed', item_code: 'A2', basis: '医保耗材编码' })
  expect((await rowOf(inflator)).match_state).toBe('none')
  expect(await rowOf(stent)).toMatchObject({ match_state: 'proposed', item_code: 'B1', basis: 'UDI-DI' })
  const found = await hospital.list('productComparison', { match_state: 'proposed' })
  expect(found.map(row => row.item_code).sort()).toEqual(['A2', 'B1'])
})

test('pairs are confirmed in bulk, end with their day in the history, and the catalogue says their codes', async () => {
  const { hospital, server, stent, balloon, h } = scene
  await clear()
  await chargeable(balloon)
  await server.database.owner`
    update hospital_product set his_code = 'M1'
     where org_id = ${h} and specification_id = ${balloon}`
  await call('autoMatch')
  const key = await keyOf(balloon)
  const unmatched = await keyOf(stent)
  expectMessage(await call('match', { sns: JSON.stringify([unmatched]) }), /为未对照，不能确认对照$/)
  const confirmed = await call('match', { sns: JSON.stringify([key]), valid_from: day(-3) })
  expect(confirmed.info.said).toMatch(/^已确认1个规格的对照/)
  expect(await rowOf(balloon)).toMatchObject({ valid_from: day(-3), item_code: 'A1' })
  const product = await scene.one(
    'select his_code, his_charge_code from hospital_product where org_id = $1 and specification_id = $2',
    h,
    balloon,
  )
  expect(product).toEqual({ his_code: 'M1', his_charge_code: 'A1' })
  const listed = await hospital.list('hospitalProduct', { his_state: 'matched' })
  expect(listed.map(row => row.specification_sn)).toEqual([balloon])
  // A second time there is nothing to confirm.
  expectMessage(await call('match', { sns: JSON.stringify([key]) }), /不能确认对照$/)
  expectMessage(
    await edit(balloon, { his_item_sn: (await itemOf('A2')).his_item_sn, valid_from: day(-5) }),
    /上一次对照/,
  )
  expect((await edit(balloon, { his_item_sn: (await itemOf('A2')).his_item_sn, factor: '2' })).code).toBe(0)
  const undone = await call('unmatch', { sns: JSON.stringify([key]) })
  expect(undone.info.said).toMatch(/^已取消1个规格的对照/)
  expect(await rowOf(balloon)).toMatchObject({ match_state: 'none', item_code: null, factor: '1' })
  const history = await hospital.list('hisMatchVersion', { specification_sn: balloon })
  expect(
    history.map(({ item_code, factor, valid_from, valid_to }) => [item_code, factor, valid_from, valid_to]),
  ).toEqual([
    ['A2', '2', day(0), day(-1)],
    ['A1', '1', day(-3), day(-1)],
  ])
})

test('换算系数 is above zero with up to four places', async () => {
  const { inflator } = scene
  await clear()
  const item = (await itemOf('A1')).his_item_sn
  for (const factor of ['0', '-1', 'x', '0.0000'])
    expectMessage(await edit(inflator, { his_item_sn: item, factor }), '换算系数必须大于0')
  expectMessage(await edit(inflator, { his_item_sn: item, factor: '1.00001' }), '换算系数最多4位小数')
  expect((await edit(inflator, { his_item_sn: item, factor: '10.0005' })).code).toBe(0)
  expect(await rowOf(inflator)).toMatchObject({ factor: '10.0005', basis: '人工对照' })
})

test('差异检查 names what does not agree, to the ten-thousandth; 无需对照 needs no item', async () => {
  const { server, stent, inflator, h } = scene
  await clear()
  const { owner } = server.database
  expect((await edit(stent, { his_item_sn: (await itemOf('B1')).his_item_sn })).code).toBe(0)
  expect((await rowOf(stent)).match_state).toBe('matched')
  const change = async (set: string) => {
    await owner.unsafe(`update his_item set ${set} where org_id = ${h} and item_code = 'B1'`)
    await call('diffCheck')
    return rowOf(stent)
  }
  expect((await change('his_price = his_price + 0.0001')).match_state).toBe('matched')
  expect(await change('his_price = his_price + 0.0001')).toMatchObject({
    match_state: 'different',
    differences: ['price'],
    difference_note: expect.stringContaining('收费价'),
  })
  expect((await change("his_price = his_price - 0.0002, his_unit = '盒'")).differences).toEqual(['unit'])
  expect((await change('is_active = false')).differences).toEqual(['unit', 'inactive'])
  expect((await call('diffCheck')).info.said).toBe('已检查1个对照，1个有差异')
  const skipped = await call('skip', { sns: JSON.stringify([await keyOf(inflator)]) })
  expect(skipped.info.said).toBe('已将1个规格设为无需对照')
  expect((await rowOf(inflator)).match_state).toBe('skipped')
  expectMessage(await call('skip', { sns: JSON.stringify([await keyOf(stent)]) }), /为有差异，不能设为无需对照/)
  await owner`update his_item set is_active = true, his_unit = null where org_id = ${h} and item_code = 'B1'`
})

test('推送HIS sends a row once, is retried while the HIS is down, and brings its item into the dictionary', async () => {
  const { server, inflator, hospital } = scene
  await clear()
  const sns = JSON.stringify([await keyOf(inflator)])
  his.down = true
  expect((await call('push', { sns })).info.said).toBe('已推送1个规格，0个自上次推送后没有变化')
  await sendCalls(server)
  expect(await rowOf(inflator)).toMatchObject({
    push_state: 'underway',
    push_answer: expect.stringMatching(/^HIS返回503/),
  })
  his.down = false
  await sendCalls(server)
  expect((await rowOf(inflator)).push_state).toBe('answered')
  expect((await call('push', { sns })).info.said).toBe('已推送0个规格，1个自上次推送后没有变化')
  const [item] = await hospital.list('hisItem', { item_code: 'XP009-01' })
  expect(item).toBeDefined()
})

test('unmatched chargeable goods are not used on a patient, unless 未对照允许使用; without a HIS nothing is asked', async () => {
  proves('charge.matchedFirst')
  const { hospital, inflator, ward, department, h } = scene
  await clear()
  await chargeable(inflator)
  await scene.shelve(hospital, ward, [lotOf(inflator, 'PC1', { quantity: '20' })])
  const use = (more: object = {}) => ({
    warehouse_model_inner_sn: ward,
    department_inner_sn: department,
    use_type: 'patient',
    patient_name: '顾南星',
    admission_no: 'ZY31',
    lines: [{ specification_sn: inflator, lot_no: 'PC1', quantity: '1' }],
    ...more,
  })
  const { name } = await scene.one(
    `select p.name || ' ' || s.name as name from specification s join product p on p.id = s.product_id
      where s.id = $1`,
    inflator,
  )
  const refusal = `产品【${name}】未与HIS收费项目对照，不能登记使用`
  expectMessage(await attempt(hospital, 'departmentUse', use()), refusal)
  // No patient is charged for a use of the department.
  expect((await attempt(hospital, 'departmentUse', use({ patient_name: null, admission_no: null }))).code).toBe(0)
  expect((await edit(inflator, { his_item_sn: (await itemOf('A1')).his_item_sn, valid_from: day(1) })).code).toBe(0)
  // The pair that begins tomorrow does not charge today.
  expectMessage(await attempt(hospital, 'departmentUse', use()), refusal)
  await scene.rule(h, 'unmatched_use', true)
  expect((await attempt(hospital, 'departmentUse', use())).code).toBe(0)
  await scene.rule(h, 'unmatched_use', false)
  await scene.rule(h, 'his_enabled', false)
  expect((await attempt(hospital, 'departmentUse', use())).code).toBe(0)
})

test('pairs are imported by specification: all rows or none, each wrong one named', async () => {
  const { hospital, stent, balloon } = scene
  await clear()
  const names = async (id: string) => (await scene.one('select code from specification where id = $1', id)).code
  const sheet = (rows: string[][]) =>
    sendSheet(
      hospital.client,
      `${RULE}/import`,
      workbook([['规格型号', 'HIS收费项目', '换算系数', '生效日期'], ...rows]),
    )
  const wrong = await sheet([
    [await names(stent), '项目B1', '1', day(0)],
    [await names(balloon), '项目A1', '0', day(0)],
  ])
  expect(wrong.code).not.toBe(0)
  expect((await rowOf(stent)).match_state).toBe('none')
  const right = await sheet([
    [await names(stent), '项目B1', '1', day(0)],
    [await names(balloon), '项目A1', '2.5', day(0)],
  ])
  expect(right.msg).toBe('')
  expect(await rowOf(balloon)).toMatchObject({ item_code: 'A1', factor: '2.5' })
})

test('who has not the right does none of it, and another hospital sees no row', async () => {
  const { server } = scene
  const nurse = await server.as('nurse')
  for (const name of ['sync', 'autoMatch', 'diffCheck'])
    expectMessage(await nurse.post(`${RULE}/${name}`, {}), /没有操作权限/)
  await clear()
  expectMessage(await scene.dealer.client.post(`${RULE}/autoMatch`, {}), /没有操作权限/)
  expect((await scene.dealer.client.get(`${RULE}/list`)).list).toEqual([])
  expect((await scene.dealer.client.get('/v1/business/hisItem/list')).list).toEqual([])
})

test('a use is judged by the pair and the mark of its day, not by those of today', async () => {
  await clear()
  const { hospital, ward, department, inflator, server, h } = scene
  await chargeable(inflator)
  await scene.rule(h, 'unmatched_use', false)
  await scene.shelve(hospital, ward, [lotOf(inflator, 'HMDAY', { quantity: '20' })])
  const using = (business_date: string) => ({
    warehouse_model_inner_sn: ward,
    department_inner_sn: department,
    use_type: 'patient',
    business_date,
    used_at: `${business_date}T02:00:00.000Z`,
    patient_no: 'P-DAY',
    patient_name: '顾一日',
    admission_no: 'ZY-DAY',
    lines: [{ specification_sn: inflator, lot_no: 'HMDAY', quantity: '1' }],
  })
  const key = await keyOf(inflator)
  expect((await call('skip', { sns: JSON.stringify([key]) })).msg).toBe('')
  await server.database.owner`update his_match_skip set valid_from = ${day(-30)} where org_id = ${h}`
  expect((await call('unmatch', { sns: JSON.stringify([key]) })).msg).toBe('')
  // The goods needed no pair until yesterday, and need one from today on.
  expectMessage(await attempt(hospital, 'departmentUse', using(day(0))), /未与HIS收费项目对照，不能登记使用$/)
  const earlier = await hospital.add('departmentUse', using(day(-2)))
  await hospital.pass('departmentUse', earlier)
  expect(await hospital.list('useCheck', { source_no: earlier })).toEqual([])
})

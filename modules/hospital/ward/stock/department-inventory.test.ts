import { add } from '#kernel/values/decimal.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { afterThisTest, lotOf, openScene, expectMessage, type Scene } from '#tests/support/fixture.ts'
import { day, type Person } from '#tests/support/story.ts'

/** 科室库存: the stock of the wards now, in three views, and the documents that a ward begins from a row of it. */
let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene?.close())

type Row = Record<string, string | null>
const KIND = 'departmentInventory'
const rows = async (who: Person, query: object = {}): Promise<Row[]> =>
  who.list(KIND, { display: 'product', specification_sn: scene.inflator, ...query } as Record<string, string>)
const call = (who: Person, name: string, keys: readonly (string | null | undefined)[], body: object = {}) =>
  who.client.post(`/v1/business/${KIND}/${name}`, { ...body, sns: JSON.stringify(keys) })
const key = (row: Row | undefined) => row?.department_inventory_sn
let series = 0
const lots = (count: number) => Array.from({ length: count }, () => `KS${1000 + series++}`)
const otherWard = async (): Promise<string> =>
  (
    await scene.one(
      "select id from warehouse where org_id = $1 and model = 'ward' and id <> $2 and department_id is not null" +
        ' order by id limit 1',
      scene.h,
      scene.ward,
    )
  ).id

/** Goods that the store granted to the ward, and the ward received. */
async function granted(lot: string, quantity: string): Promise<void> {
  const { hospital, central, ward, department, inflator } = scene
  await scene.shelve(hospital, central, [lotOf(inflator, lot, { quantity })])
  const sn = await hospital.add('grantOdo', {
    warehouse_model_inner_sn: central,
    to_warehouse_model_inner_sn: ward,
    department_inner_sn: department,
    lines: [{ specification_sn: inflator, lot_no: lot, quantity }],
  })
  await hospital.pass('grantOdo', sn)
  const receipt = await hospital.from('wardReceipt', sn)
  if (receipt.state === 'submitted') await hospital.done('wardReceipt', 'review', receipt.sn)
}

async function limits(set: { min: string; max: string; of?: string }): Promise<void> {
  const { h, ward, inflator } = scene
  await scene.one(
    `insert into warehouse_product (org_id, warehouse_id, specification_id, min_quantity, reorder_point, max_quantity)
       values ($1, $2, $3, $4::numeric, $4::numeric, $5::numeric)
       on conflict (org_id, warehouse_id, specification_id)
       do update set min_quantity = $4::numeric, reorder_point = $4::numeric, max_quantity = $5::numeric returning 1`,
    h,
    ward,
    set.of ?? inflator,
    set.min,
    set.max,
  )
  afterThisTest(() =>
    scene.one('delete from warehouse_product where org_id = $1 and warehouse_id = $2 returning 1', h, ward),
  )
}

test('by lot it adds up to what it is by product, and each row says its supply, limits and state', async () => {
  const { hospital, ward } = scene
  const own = await scene.specification('P009-02')
  const [one, two] = lots(2) as [string, string]
  await scene.shelve(hospital, ward, [
    lotOf(own, one, { quantity: '100', price: '2' }),
    lotOf(own, two, { quantity: '35', price: '2', expiry_date: day(20) }),
  ])
  await limits({ min: '50', max: '60', of: own })
  const [before] = await rows(hospital, { warehouse_model_inner_sn: ward, specification_sn: own })
  expect(before).toMatchObject({ quantity: '135.000', available: '135.000', supply_days: null, stock_state: 'high' })
  const used = await hospital.add('departmentUse', {
    warehouse_model_inner_sn: ward,
    department_inner_sn: scene.department,
    lines: [{ specification_sn: own, lot_no: one, quantity: '90' }],
  })
  await hospital.pass('departmentUse', used)
  const [product] = await rows(hospital, { warehouse_model_inner_sn: ward, specification_sn: own })
  // 45 on hand, 90 used in 30 days: 15 days.
  expect(product).toMatchObject({
    quantity: '45.000',
    available: '45.000',
    supply_days: 15,
    min_quantity: '50.000',
    max_quantity: '60.000',
    stock_state: 'low',
    ownership: 'own',
    price: '2.0000',
    amount: '90.00',
    received_on: day(),
    expiry_state: 'near',
  })
  const byLot = await rows(hospital, { display: 'lot', warehouse_model_inner_sn: ward, specification_sn: own })
  expect(byLot.map(row => [row.lot_no, row.quantity, row.expiry_state])).toEqual([
    [two, '35.000', 'near'],
    [one, '10.000', 'normal'],
  ])
  // A use that is taken back does not count.
  await hospital.done('departmentUse', 'unreview', used, { reason: '登记错误' })
  expect((await rows(hospital, { warehouse_model_inner_sn: ward, specification_sn: own }))[0]).toMatchObject({
    supply_days: null,
  })
  await hospital.done('departmentUse', 'review', used)
})

test('what a document holds is not available; an expired lot is not either, and may only go back', async () => {
  const { hospital, ward, inflator } = scene
  const [good, old] = lots(2) as [string, string]
  await scene.shelve(hospital, ward, [lotOf(inflator, good, { quantity: '10' })])
  await granted(old, '4')
  await scene.one(
    `update stock_lot set expiry_date = $1 where org_id = $2
       and lot_id in (select id from lot where lot_no = $3) returning 1`,
    day(-1),
    scene.h,
    old,
  )
  const held = await hospital.add('departmentUse', {
    warehouse_model_inner_sn: ward,
    department_inner_sn: scene.department,
    lines: [{ specification_sn: inflator, lot_no: good, quantity: '3' }],
  })
  await hospital.done('departmentUse', 'submit', held)
  const byLot = new Map(
    (await rows(hospital, { display: 'lot', warehouse_model_inner_sn: ward })).map(row => [row.lot_no, row]),
  )
  expect(byLot.get(good)).toMatchObject({ quantity: '10.000', available: '7.000' })
  expect(byLot.get(old)).toMatchObject({
    quantity: '4.000',
    available: '0.000',
    expiry_state: 'expired',
    days_left: -1,
  })
  const expired = key(byLot.get(old))
  for (const [name, body] of [
    ['use', {}],
    ['takeStock', {}],
    ['replenish', {}],
    ['borrow', { lender_sn: await otherWard(), each: '1', due_date: day(3) }],
  ] as const)
    expectMessage(await call(hospital, name, [expired], body), / 批号KS\d+已过期，只能办理科室退库$/)
  const back = await call(hospital, 'returnOdo', [expired], { return_reason: '过期' })
  expect(back.msg).toBe('')
  const draft = await hospital.info('grantReturn', back.info.made.sn)
  expect(draft).toMatchObject({
    return_reason: '过期',
    warehouse_model_inner_sn: ward,
    to_warehouse_model_inner_sn: scene.central,
  })
  expect(draft.lines).toMatchObject([{ lot_no: old, quantity: '4.000' }])
  await hospital.done('departmentUse', 'unsubmit', held)
})

test('a row begins a use, a count, a loan and a requisition; without one nothing begins', async () => {
  const { hospital, ward, inflator } = scene
  const [lot] = lots(1) as [string]
  await granted(lot, '8')
  const [row] = await rows(hospital, { display: 'lot', lot_no: lot })
  const none = '请先勾选表格中的复选框，再进行该操作。'
  for (const name of ['use', 'takeStock', 'replenish']) expectMessage(await call(hospital, name, []), none)
  const one = '请先选中表格中一行数据，再进行相关操作。'
  const loan = { lender_sn: await otherWard(), each: '2', due_date: day(3) }
  expectMessage(await call(hospital, 'borrow', [], loan), one)
  expectMessage(await call(hospital, 'borrow', [key(row), key(row), 'l-1-1-1-1'], loan), one)

  const use = await call(hospital, 'use', [key(row)], { each: '3' })
  expect(use.msg).toBe('')
  expect((await hospital.info('departmentUse', use.info.made.sn)).lines).toMatchObject([
    { lot_no: lot, quantity: '3.000' },
  ])
  expectMessage(await call(hospital, 'use', [key(row)], { each: '9' }), /^库存不足：.+ 批号KS\d+ 可用8，需要9$/)

  const count = await call(hospital, 'takeStock', [key(row)])
  expect(count.msg).toBe('')
  await hospital.done('stockTake', 'start', count.info.made.sn)
  const counted = await hospital.info('stockTake', count.info.made.sn)
  expect(new Set(counted.lines.map((line: Row) => line.specification_sn))).toEqual(new Set([inflator]))
  await hospital.done('stockTake', 'end', count.info.made.sn, { reason: '试' }).catch(() => undefined)

  expectMessage(await call(hospital, 'replenish', [key(row)]), '所选产品没有设置上限，或现存加在途已达上限，无需补货')
  const [product] = await rows(hospital, { warehouse_model_inner_sn: ward })
  await limits({ min: '0', max: add(product!.available!, '20', 3) })
  const claim = await call(hospital, 'replenish', [key(product)])
  expect(claim.msg).toBe('')
  expect((await hospital.info('requisition', claim.info.made.sn)).lines).toMatchObject([{ quantity: '20.000' }])
  // Requested goods are under way.
  expectMessage(await call(hospital, 'replenish', [key(product)]), /无需补货$/)
  await hospital.done('requisition', 'del', claim.info.made.sn).catch(() => undefined)
})

test('a loan is asked of another department, of what it has', async () => {
  const { hospital, ward, central, inflator } = scene
  const [mine, theirs] = lots(2) as [string, string]
  const lender = await otherWard()
  await scene.shelve(hospital, ward, [lotOf(inflator, mine, { quantity: '1' })])
  await scene.shelve(hospital, lender, [lotOf(inflator, theirs, { quantity: '6' })])
  const [row] = await rows(hospital, { warehouse_model_inner_sn: ward })
  const ask = (body: object) =>
    call(hospital, 'borrow', [key(row)], { lender_sn: lender, each: '2', due_date: day(3), ...body })
  expectMessage(await ask({ each: '7' }), /^库存不足：.+ 可用6，需要7$/)
  expectMessage(await ask({ lender_sn: ward }), '借出仓库与借入仓库不能相同')
  expectMessage(await ask({ lender_sn: central }), '请选择其他科室的二级库或智能柜借用')
  expectMessage(await ask({ due_date: day(-1) }), '预计归还日期不能早于今天')
  const made = await ask({})
  const loan = await hospital.info('transfer', made.info.made.sn)
  expect(loan).toMatchObject({
    transfer_type: 'borrow',
    warehouse_model_inner_sn: lender,
    to_warehouse_model_inner_sn: ward,
  })
  expect(loan.lines).toMatchObject([{ lot_no: theirs, quantity: '2.000' }])
})

test('nothing on the shelf is listed when 零库存 is asked for, and not else', async () => {
  const { hospital, ward, balloon } = scene
  await scene.one(
    `insert into warehouse_product (org_id, warehouse_id, specification_id, max_quantity)
       values ($1, $2, $3, 5) returning 1`,
    scene.h,
    ward,
    balloon,
  )
  afterThisTest(() =>
    scene.one('delete from warehouse_product where org_id = $1 and warehouse_id = $2 returning 1', scene.h, ward),
  )
  const query = { warehouse_model_inner_sn: ward, specification_sn: balloon }
  expect(await rows(hospital, query)).toEqual([])
  expect(await rows(hospital, { ...query, stock_state: 'zero' })).toMatchObject([
    { quantity: '0.000', stock_state: 'zero', max_quantity: '5.000' },
  ])
})

test('single pieces are found by their code, with the owner and whether a document holds them', async () => {
  const { hospital, ward, balloon } = scene
  const [lot] = lots(1) as [string]
  const codes = [`${lot}-1`, `${lot}-2`]
  await scene.shelve(hospital, ward, [lotOf(balloon, lot, { quantity: '2', unit_codes: codes })])
  const found = await rows(hospital, { display: 'unit', specification_sn: balloon, code: codes[1] })
  expect(found).toMatchObject([{ unit_code: codes[1], lot_no: lot, quantity: '1.000', available: '1.000' }])
  const use = await call(hospital, 'use', [key(found[0])])
  expect((await hospital.info('departmentUse', use.info.made.sn)).lines).toMatchObject([{ unit_codes: [codes[1]] }])
})

test('a ward sees its own stores, acts on them alone, and knows no prices without the right to', async () => {
  const { hospital, ward, inflator } = scene
  const nurse = await scene.person('nurse')
  const [mine, theirs] = lots(2) as [string, string]
  await scene.shelve(hospital, ward, [lotOf(inflator, mine, { quantity: '1' })])
  await scene.shelve(hospital, await otherWard(), [lotOf(inflator, theirs, { quantity: '1' })])
  const { id } = await scene.one("select id from app_user where login = 'nurse'")
  await scene.one(
    'insert into user_scope (org_id, user_id, warehouse_id) values ($1, $2, $3) returning 1',
    scene.h,
    id,
    ward,
  )
  afterThisTest(() => scene.one('delete from user_scope where user_id = $1 returning 1', id))
  const seen = await nurse.list(KIND, { display: 'lot' })
  const all = await hospital.list(KIND, { display: 'lot', pageSize: '200' })
  expect(seen.map((row: Row) => row.lot_no)).toContain(mine)
  const foreign = all.find((row: Row) => !seen.some((one: Row) => key(one) === key(row)))
  expect(foreign).toBeDefined()
  expect(new Set(seen.map((row: Row) => row.warehouse_model_inner_sn)).has(foreign!.warehouse_model_inner_sn)).toBe(
    false,
  )
  expectMessage(await call(nurse, 'use', [key(foreign)]), '科室库存已变动，请刷新后重试')
  for (const row of seen) expect([row.price, row.amount]).toEqual([undefined, undefined])
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { inOrganisation, type Tx } from '#server/database/transaction.ts'
import { systemSessionOf } from '#server/organisations/organisations.ts'
import type { Session } from '#server/access/session.ts'
import {
  book,
  kitContents,
  release,
  sendKits,
  takeBackKits,
} from '#modules/hospital/surgery/bookings/booking.server.ts'
import { attempt, expectMessage, lotOf, openScene, type Scene, shelf } from '#tests/support/fixture.ts'
import { day } from '#tests/support/story.ts'

/** 手术套包: a numbered kit is a place in the store; its contents leave only with an operation. */
let scene: Scene
let plate = ''
let screw = ''
/** Goods without codes, each test has its own. */
let pool: string[] = []
let serial = 0
let plan = { id: '', sn: '' }
beforeAll(async () => {
  scene = await openScene()
  plate = await scene.specification('P001-01')
  const sizes = await scene.server.database.owner<{ id: string }[]>`
    select s.id from specification s join product p on p.id = s.product_id
     where s.status = 'released' and not p.is_unit_coded and not p.is_cold_chain
       and exists (select from dealer_product h where h.org_id = ${scene.d} and h.specification_id = s.id)
     order by s.id limit 32`
  pool = sizes.map(size => size.id)
  expect(pool.length).toBeGreaterThan(12)
  screw = pool[0]!
  const sn = await scene.dealer.add('purchasePlan', { lines: [{ specification_sn: screw, quantity: '1' }] })
  plan = { sn, id: (await scene.one('select id from document where org_id = $1 and sn = $2', scene.d, sn)).id }
})
afterAll(() => scene?.close())

const post = (path: string, body: object) =>
  scene.dealer.client.post(`/v1/business/${path}`, body as Record<string, unknown>)
const ok = async (path: string, body: object) => {
  const reply = await post(path, body)
  expect(reply.msg).toBe('')
  return reply
}
const kitOf = async (code: string) => (await scene.dealer.list('implantKit', { code }))[0]
const linesOf = async (code: string) =>
  scene.dealer.list('implantKitLine', { implant_kit_sn: (await kitOf(code)).implant_kit_sn })
const act = async (action: string, code: string, more: object = {}) => {
  const { implant_kit_sn: sn, version } = await kitOf(code)
  return post(`implantKit/${action}`, { sn, version, ...more })
}
const asDealer = <T>(work: (ctx: { tx: Tx; session: Session }) => Promise<T>) =>
  inOrganisation(scene.server.database.app, scene.d, '0', async tx =>
    work({ tx, session: await systemSessionOf(tx, scene.d) }),
  )

/** A list of one coded plate and eight screws. */
async function template(quantity = '8'): Promise<{ sn: string; code: string; name: string }> {
  serial += 1
  screw = pool[serial]!
  const [code, name] = [`MB${serial}`, `髋部套包${serial}`]
  const { info } = await ok('operationKit/add', { code, name, surgery_name: '髋关节置换术' })
  await ok('operationKitLine/add', { operation_kit_sn: info.sn, specification_sn: plate, quantity: '1', tray: '上层' })
  await ok('operationKitLine/add', { operation_kit_sn: info.sn, specification_sn: screw, quantity, tray: '下层' })
  return { sn: info.sn, code, name }
}
const stock = (screws: string, plates: readonly string[], expiry = 400) =>
  scene.shelve(scene.dealer, scene.shop, [
    ...(plates.length > 0 ? [lotOf(plate, `PL${serial}`, { unit_codes: plates, expiry_date: day(expiry) })] : []),
    lotOf(screw, `SC${serial}`, { quantity: screws, expiry_date: day(expiry) }),
  ])
const pack = (sn: string, code: string, more: object = {}) =>
  post('implantKit/add', { code, operation_kit_sn: sn, warehouse_model_inner_sn: scene.shop, ...more })

test('a kit is packed from the store by its list: what is in it is not in the store any more for anybody', async () => {
  const { sn, code: mould } = await template()
  await stock('10', [`U${serial}-1`, `U${serial}-2`])
  expect((await pack(sn, 'TB-1')).msg).toBe('')
  expect(await kitOf('TB-1')).toMatchObject({
    state: 'ready',
    standard_quantity: '9.000',
    held_quantity: '9.000',
    missing_quantity: '0.000',
    template_code: mould,
  })
  expect((await linesOf('TB-1')).map(row => [row.tray, row.held_quantity, row.unit_codes.length])).toEqual([
    ['上层', '1.000', 1],
    ['下层', '8.000', 0],
  ])
  // The stock of the store is what it was: the kit is a place in it.
  const rows = await scene.dealer.list('stockBalance', {
    warehouse_model_inner_sn: scene.shop,
    specification_sn: screw,
  })
  expect(rows.map(row => [row.location, row.quantity]).toSorted()).toEqual([
    ['', '2.000'],
    ['TB-1', '8.000'],
  ])
  const trace = await scene.dealer.trace((await linesOf('TB-1'))[0].unit_codes[0])
  expect(trace.list.at(-1)).toMatchObject({ step: 'pack', document_kind: 'kitLoading' })
  expect(trace.info.now).toMatchObject({ location: 'TB-1' })
  const [piece] = (await linesOf('TB-1'))[0].unit_codes
  expect(await scene.dealer.list('unitLabel', { q: piece })).toMatchObject([{ parent_code: 'TB-1' }])
  // The code of the kit, scanned anywhere, opens what is in it.
  const content = await scene.dealer.trace('TB-1')
  expect(content.info.candidates).toHaveLength(2)
  expect(JSON.stringify(content)).not.toMatch(/price|单价/)
  // Two screws are left in the store: a sale gets these two and no more.
  const sale = (quantity: string, more: object = {}) =>
    attempt(scene.dealer, 'otherOdo', {
      warehouse_model_inner_sn: scene.shop,
      odo_type: 'loan',
      purpose_note: '院内试用',
      return_due: day(30),
      lines: [{ specification_sn: screw, lot_no: `SC${serial}`, quantity, ...more }],
    })
  expectMessage(await sale('3'), /^库存不足：.* 可用2，需要3$/)
  expectMessage(await sale('1', { location: 'TB-1' }), /在套包【TB-1】内，请先取出$/)
})

test('what the store lacks refuses the packing in the words of the rule; nothing is left of it', async () => {
  const { sn } = await template('6')
  await stock('4', [`U${serial}-1`])
  const name = await scene.one(
    "select p.name || ' ' || s.name as it from specification s join product p on p.id = s.product_id where s.id = $1",
    screw,
  )
  const free = (await shelf(scene.dealer, scene.shop, screw))[`SC${serial}`]
  expect(free).toBe('4.000')
  const reply = await pack(sn, 'TB-2')
  expect(reply.msg).toMatch(new RegExp(`^库存不足：${name.it} 批号.+ 可用\\d+，需要6$`))
  expect(await kitOf('TB-2')).toBeUndefined()
  // An empty one is loaded by scan, or as far as the store goes.
  expect((await pack(sn, 'TB-2', { packed_by: 'scan' })).msg).toBe('')
  expect(await kitOf('TB-2')).toMatchObject({ state: 'refill', held_quantity: '0.000', missing_quantity: '7.000' })
  expectMessage(await act('supply', 'TB-2'), /^库存不足：/)
  expect((await act('supply', 'TB-2', { takes_what_is_there: 'true' })).msg).toBe('')
  expect(await kitOf('TB-2')).toMatchObject({ held_quantity: '5.000', missing_quantity: '2.000' })
})

test('pieces are loaded by scan and taken out by scan; a piece in one kit is not put into another', async () => {
  const { sn } = await template('2')
  await stock('5', [`U${serial}-1`, `U${serial}-2`])
  const [a, b] = [`TB-A${serial}`, `TB-B${serial}`]
  for (const code of [a, b]) expect((await pack(sn, code, { packed_by: 'scan' })).msg).toBe('')
  const piece = `U${serial}-1`
  expect((await act('scan', a, { unit_codes: JSON.stringify([piece]) })).msg).toBe('')
  expect((await act('scan', a, { specification_sn: screw, lot_no: `SC${serial}`, quantity: '2' })).msg).toBe('')
  expect(await kitOf(a)).toMatchObject({ state: 'ready', held_quantity: '3.000' })
  expectMessage(await act('scan', b, { unit_codes: JSON.stringify([piece]) }), new RegExp(`套包【${a}】`))
  expectMessage(
    await act('scan', a, { unit_codes: JSON.stringify([piece]) }),
    new RegExp(`${piece}已在套包或货位【${a}】`),
  )
  expectMessage(await act('scan', a, { unit_codes: JSON.stringify(['nobody']) }), /^唯一码nobody不存在/)
  expectMessage(await act('scan', a), /^请扫描唯一码，或选择规格型号并填写数量$/)
  expectMessage(await act('takeOut', b, { unit_codes: JSON.stringify([piece]) }), new RegExp(`${piece}已在套包`))
  expect((await act('takeOut', a, { unit_codes: JSON.stringify([piece]) })).msg).toBe('')
  expectMessage(
    await act('takeOut', a, { specification_sn: screw, quantity: '3' }),
    /内可取出的该规格有2，需要3；一物一码的产品请扫唯一码$/,
  )
  expect((await act('takeOut', a, { specification_sn: screw, quantity: '1' })).msg).toBe('')
  expect(await kitOf(a)).toMatchObject({ state: 'refill', held_quantity: '1.000' })
  expect((await act('unpack', a)).msg).toBe('')
  expect(await kitOf(a)).toMatchObject({ held_quantity: '0.000' })
  expectMessage(await act('unpack', a), `套包【${a}】是空的，不需要拆包`)
})

test('an assigned kit is neither unpacked nor given to another plan; it goes, comes back short, and is refilled', async () => {
  const { sn } = await template('4')
  await stock('20', [`U${serial}-1`])
  const code = `TB-R${serial}`
  expect((await pack(sn, code)).msg).toBe('')
  const kit = (await kitOf(code)).implant_kit_sn
  const booking = { subject: 'kit', sn: kit, planId: plan.id } as const
  const [from, to] = [`${day(2)}T08:00:00+08:00`, `${day(4)}T08:00:00+08:00`]
  await asDealer(ctx => book(ctx, { ...booking, from, to }))
  expect(await kitOf(code)).toMatchObject({ state: 'booked', plan_no: plan.sn })
  expectMessage(await act('unpack', code), `套包【${code}】已占用，不能拆包`)
  expectMessage(await act('disable', code), `套包【${code}】已被手术${plan.sn}占用`)
  const contents = await asDealer(({ tx, session }) => kitContents(tx, session, [kit]))
  expect(contents.map(row => [row.kit_code, row.location, row.quantity, row.unit_codes.length])).toEqual([
    [code, code, '1.000', 1],
    [code, code, '4.000', 0],
  ])
  await asDealer(ctx => sendKits(ctx, plan.id, [kit]))
  expect(await kitOf(code)).toMatchObject({ state: 'out', is_out: true, plan_no: plan.sn, due_back_on: day(4) })
  expectMessage(await act('supply', code), `套包【${code}】已送出，请先归还清点`)
  const elsewhere = { ...booking, planId: (await otherPlan()).id, from: `${day(9)}T08:00:00+08:00` }
  await expect(asDealer(ctx => book(ctx, { ...elsewhere, to: `${day(10)}T08:00:00+08:00` }))).rejects.toThrow(
    `套包【${code}】已被手术${plan.sn}占用`,
  )
  await asDealer(ctx => takeBackKits(ctx, plan.id, [kit]))
  expect(await kitOf(code)).toMatchObject({ state: 'ready', plan_no: null })
  // The used part is missing: the list proposes to supply it, or a user confirms that the kit may go as it is.
  expect((await act('takeOut', code, { specification_sn: screw, quantity: '3' })).msg).toBe('')
  expect(await kitOf(code)).toMatchObject({ state: 'refill', missing_quantity: '3.000' })
  expectMessage(await act('confirmShortage', code), '请填写缺件原因')
  expect((await act('confirmShortage', code, { reason: '本次只需一种规格' })).msg).toBe('')
  expect(await kitOf(code)).toMatchObject({ state: 'ready', confirmed_shortage: '3.000' })
  const { implant_kit_sn } = await kitOf(code)
  const { info } = await scene.dealer.client.get('/v1/business/implantKit/print', { sn: implant_kit_sn })
  expect(info).toMatchObject({ sn: code, missing_total: '3', confirmed_total: '3' })
  expect(info.lines).toContainEqual(expect.objectContaining({ missing_quantity: '3.000' }))
  expect((await act('supply', code)).msg).toBe('')
  expect(await kitOf(code)).toMatchObject({ state: 'ready', missing_quantity: '0.000', confirmed_shortage: null })
})

const otherPlan = async () => {
  const sn = await scene.dealer.add('purchasePlan', { lines: [{ specification_sn: screw, quantity: '1' }] })
  return scene.one('select id, sn from document where org_id = $1 and sn = $2', scene.d, sn)
}

test('a kit with an expired piece is not assigned until it was taken out', async () => {
  const { sn } = await template('2')
  await stock('2', [`U${serial}-1`], 3)
  const code = `TB-E${serial}`
  const at = { packed_by: 'scan' }
  expect((await pack(sn, code, at)).msg).toBe('')
  expect((await act('scan', code, { specification_sn: screw, lot_no: `SC${serial}`, quantity: '2' })).msg).toBe('')
  expect(await kitOf(code)).toMatchObject({ has_near_expiry: true, near_expiry_quantity: '2.000' })
  await scene.one(
    `update stock_lot set expiry_date = $1 where org_id = $2 and lot_id = (
       select id from lot where lot_no = $3 and specification_id = $4) returning 1`,
    day(-1),
    scene.d,
    `SC${serial}`,
    screw,
  )
  const kit = (await kitOf(code)).implant_kit_sn
  const times = { from: `${day(2)}T08:00:00+08:00`, to: `${day(3)}T08:00:00+08:00` }
  const assign = () => asDealer(ctx => book(ctx, { subject: 'kit', sn: kit, planId: plan.id, ...times }))
  await expect(assign()).rejects.toThrow(/^套包内.+已过期，请先取出$/)
  expect((await act('takeOut', code, { specification_sn: screw, quantity: '2' })).msg).toBe('')
  await assign()
  await asDealer(ctx => release(ctx, plan.id))
})

test('可齐套数: twelve plates and fifty screws fill six kits of one and eight', async () => {
  const { sn, code } = await template('8')
  const sets = async () => (await scene.dealer.list('operationKit', { code }))[0].full_sets
  const free = async (specification: string) =>
    (
      await scene.one(
        `select coalesce(sum(b.available), 0)::int as n from stock_on_hand b where b.org_id = $1
         and b.specification_id = $2 and b.quality_state = 'qualified'
         and coalesce(b.expiry_date, 'infinity') >= $3
         and b.warehouse_model not in ('advance', 'loan', 'consigned')
         and not exists (select from implant_kit k where k.org_id = b.org_id and k.code = b.location)`,
        scene.d,
        specification,
        day(),
      )
    ).n
  expect(await sets()).toBe(Math.min(await free(plate), Math.floor((await free(screw)) / 8)))
  await ok('implantKit/add', {
    code: `TB-F${serial}`,
    operation_kit_sn: sn,
    packed_by: 'scan',
    warehouse_model_inner_sn: scene.shop,
  })
  expect((await kitOf(`TB-F${serial}`)).full_sets).toBe(await sets())
})

test('names of lists are unique; a list that was packed changes by a new version only', async () => {
  const { sn, name, code } = await template('1')
  expectMessage(await post('operationKit/add', { code: `${code}X`, name, surgery_name: '髋' }), '套包名称已存在')
  expect((await pack(sn, `TB-V${serial}`, { packed_by: 'scan' })).msg).toBe('')
  const row = async () => (await scene.dealer.list('operationKit', { code, is_current: 'true' }))[0]
  const { version } = await row()
  expectMessage(await post('operationKit/edit', { sn, version, remark: '改' }), '套包模板已组包，请新建版本')
  expectMessage(await post('operationKit/del', { sn, version }), '套包模板已组包，请新建版本')
  await ok('operationKit/newVersion', { sn, version })
  expect(await row()).toMatchObject({ version_no: 2, name, product_count: 2 })
  expect(await kitOf(`TB-V${serial}`)).toMatchObject({ version_no: 1 })
  expectMessage(await pack(sn, `TB-W${serial}`), `套包模板【${name}】已停用或不是当前版本，请重新选择`)
})

test('hospitals have no kits of implants, dealers none of consumables; kits of others do not exist', async () => {
  const { sn } = await template('1')
  expect((await pack(sn, `TB-O${serial}`, { packed_by: 'scan' })).msg).toBe('')
  const kit = await kitOf(`TB-O${serial}`)
  expect(await scene.hospital.list('implantKit')).toEqual([])
  expectMessage(await scene.hospital.client.post('/v1/business/implantKit/add', { code: 'H' }), '没有操作权限')
  expect(await scene.vendor.list('implantKit', { code: kit.code })).toEqual([])
  const stolen = await scene.vendor.client.post('/v1/business/implantKit/unpack', {
    sn: kit.implant_kit_sn,
    version: kit.version,
  })
  expectMessage(stolen, /不存在/)
  const edit = { sn: kit.implant_kit_sn, version: kit.version, confirmed_shortage: '1' }
  expect((await post('implantKit/edit', edit)).errors).toMatchObject([{ msg: '【已确认缺件】由系统填写，不能修改' }])
})

test('a kit of four hundred pieces is packed and unpacked in a constant number of statements', async () => {
  const { sn } = await template('1')
  // Beyond those of the tests.
  const sizes = pool.slice(11)
  await scene.shelve(
    scene.dealer,
    scene.shop,
    sizes.map((id, at) => lotOf(id, `Q${serial}-${at}`, { quantity: '100' })),
  )
  const part = String(Math.ceil(400 / sizes.length))
  for (const [at, id] of sizes.entries())
    await ok('operationKitLine/add', { operation_kit_sn: sn, specification_sn: id, quantity: part, sort_no: at + 10 })
  await stock('1', [`U${serial}-1`])
  const code = `TB-L${serial}`
  const counted = async (work: () => Promise<unknown>): Promise<number> => {
    let statements = 0
    const { options } = scene.server.database.app as unknown as { options: { debug: unknown } }
    options.debug = () => statements++
    await work()
    options.debug = false
    return statements
  }
  const small = await template('1')
  await stock('1', [`U${serial}-1`])
  const packs = (list: string, as: string) => async () => expect((await pack(list, as)).msg).toBe('')
  const opens = (as: string) => async () => expect((await act('unpack', as)).msg).toBe('')
  const few = await counted(packs(small.sn, `${code}S`))
  expect(few).toBeGreaterThan(10)
  expect(await counted(packs(sn, code))).toBeLessThanOrEqual(few + 2)
  expect(await kitOf(code)).toMatchObject({
    missing_quantity: '0.000',
    held_quantity: expect.stringMatching(/^4\d\d\.000$/),
  })
  const opened = await counted(opens(`${code}S`))
  expect(await counted(opens(code))).toBeLessThanOrEqual(opened + 2)
  expect(await kitOf(code)).toMatchObject({ held_quantity: '0.000' })
})

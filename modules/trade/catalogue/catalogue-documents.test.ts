import { afterAll, beforeAll, expect, test } from 'vitest'
import { uploadPicture } from '#tests/support/picture.ts'
import { attempt, lotOf, openScene, expectMessage, type Scene } from '#tests/support/fixture.ts'
import { day, type Person } from '#tests/support/story.ts'

/** Official classes, own trees, checks of what dealers trade, documents of lots. */
let scene: Scene
let platform: Person
beforeAll(async () => {
  scene = await openScene()
  platform = await scene.person('platform')
})
afterAll(() => scene?.close())

const add = (who: Person, kind: string, body: object) =>
  who.client.post(`/v1/business/${kind}/add`, body as Record<string, unknown>)
const call = async (who: Person, kind: string, action: string, sn: string, more: object = {}) => {
  const { version } = await who.info(kind, sn)
  return who.client.post(`/v1/business/${kind}/${action}`, { sn, version, ...more })
}

test('everyone can look up the official classes, no one can change them; the platform adds levels below', async () => {
  const list = async (query: Record<string, string>) => scene.hospital.list('deviceClass', query)
  expect(await list({ catalogue: '2002', code: '68' })).toHaveLength(44)
  const of2017 = await list({ catalogue: '2017' })
  expect([of2017.filter(row => row.level === 1).length, of2017.filter(row => row.level === 2).length]).toEqual([
    22, 206,
  ])
  const injection = of2017.find(row => row.code === '14')!
  expect(injection).toMatchObject({
    name: '注输、护理和防护器械',
    corresponds_2002: expect.stringContaining('6815'),
    corresponds_2017: null,
  })
  const [of6815] = await list({ catalogue: '2002', code: '6815' })
  expect(of6815).toMatchObject({ corresponds_2017: of6815.corresponds, corresponds_2002: null })
  expectMessage(
    await call(platform, 'deviceClass', 'edit', injection.device_class_sn, { name: '注射' }),
    '官方分类不能修改',
  )
  expectMessage(await call(platform, 'deviceClass', 'del', injection.device_class_sn), '官方分类不能修改')
  // Names that were compared with the published list are official; the others may be corrected.
  expect(of2017.find(row => row.code === '01-02')).toMatchObject({ name: '激光手术设备及附件', is_official: true })
  expect(of2017.find(row => row.code === '06-02')).toMatchObject({
    name: 'X射线计算机体层摄影设备（CT）',
    is_official: false,
  })
  const under = of2017.find(row => row.code === '14-01')!.device_class_sn
  const known = of2017.find(row => row.code === '14-01')!.name
  expect((await call(platform, 'deviceClass', 'edit', under, { name: known })).code).toBe(0)
  const body = { catalogue: '2017', code: '14-01-01', name: '注射器', parent_sn: under }
  expect((await add(platform, 'deviceClass', body)).code).toBe(0)
  expectMessage(await add(platform, 'deviceClass', body), '分类编码已存在')
  expectMessage(await add(platform, 'deviceClass', { ...body, code: '14-02-09' }), '下级编码应以14-01-开头')
  expect((await add(scene.dealer, 'deviceClass', body)).code).toBe(403)
  expectMessage(
    await call(platform, 'deviceClass', 'map', under, { other_codes: '6815 9999' }),
    '另一版本目录中没有分类编码9999，请核对',
  )
  expect((await call(platform, 'deviceClass', 'map', under, { other_codes: '6815' })).code).toBe(0)
  const product = { name: '分类试验', manufacturer_sn: scene.v, device_class: 'II', base_unit: '个' }
  expectMessage(await add(platform, 'product', { ...product, class_code: '99' }), '分类【99】不在官方分类目录中')
  expect((await list({ catalogue: '2002', code: '6840' })).map(row => row.name).toSorted()).toEqual([
    '临床检验分析仪器',
    '体外诊断试剂',
  ])
  // A class with products is stopped, not deleted, and can no longer be chosen.
  const [fine] = await list({ catalogue: '2017', code: '14-01-01' })
  expect((await add(platform, 'product', { ...product, class_code: '14-01-01' })).code).toBe(0)
  expectMessage(await call(platform, 'deviceClass', 'del', fine!.device_class_sn), /使用/)
  expect((await call(platform, 'deviceClass', 'disable', fine!.device_class_sn)).code).toBe(0)
  // The same applies to a class named in the scope of a licence.
  const scoped = (await add(platform, 'deviceClass', { ...body, code: '14-01-02', name: '针' })).info.sn
  await scene.server.database.owner`
    insert into licence (org_id, holder_id, licence_type, licence_no, valid_from, scope) select o.id, ${scene.d},
      '医疗器械经营许可证', 'FW-1', current_date, '14-01-02' from organisation o where o.system_type = 0 limit 1`
  expectMessage(await call(platform, 'deviceClass', 'del', scoped), /证照的经营范围使用/)
  expectMessage(
    await add(platform, 'product', { ...product, name: '分类试验二', class_code: '14-01-01' }),
    '分类【14-01-01】已停用，请重新选择',
  )
})

test('an organisation has its own trees; a specification is on one leaf of each, and moves are logged', async () => {
  const { hospital, inflator } = scene
  const node = (name: string, more: object = {}) => add(hospital, 'customType', { tree: 'purchase', name, ...more })
  const above = (await node('试验采购')).info.sn
  const [left, right] = [
    (await node('甲', { parent_sn: above })).info.sn,
    (await node('乙', { parent_sn: above })).info.sn,
  ]
  const { code } = await hospital.info('customType', above)
  expect((await hospital.info('customType', left)).code).toBe(`${code}01`)
  expectMessage(await node('甲', { parent_sn: above }), '同级分类名称已存在')
  expectMessage(await node('坏*名'), '分类名称中不能输入特殊字符')
  expectMessage(await call(hospital, 'customType', 'edit', above, { parent_sn: left }), '不能移动到自己的下级分类')
  const hang = (type: string) => add(hospital, 'typedProduct', { custom_type_sn: type, specification_sn: inflator })
  expectMessage(await hang(above), '请选择末级分类')
  expect((await hang(left)).code).toBe(0)
  await scene.one('update typed_product set valid_from = current_date - 9 where custom_type_id = $1 returning 1', left)
  const now = async () =>
    (await hospital.list('typedProduct', { tree: 'purchase', specification_sn: inflator, is_now: 'true' }))[0]
  const moved = await hospital.client.post('/v1/business/typedProduct/move', {
    target_sn: right,
    sns: JSON.stringify([(await now()).typed_product_sn]),
  })
  expect(moved.info.said).toBe('已移动1个规格')
  expect(await now()).toMatchObject({ custom_type_sn: right, former: '甲', valid_from: day() })
  expect((await hospital.list('typedProduct', { custom_type_sn: left }))[0]).toMatchObject({ valid_to: day(-1) })
  expectMessage(await call(hospital, 'customType', 'del', right), '该分类下存在下级分类或产品，不能删除')
  expectMessage(await call(hospital, 'customType', 'edit', right, { parent_sn: null, tree: 'own' }), '分类体系不能修改')
  expect((await hospital.list('hospitalProduct', { specification_sn: inflator }))[0]).toMatchObject({
    purchase_type: '乙',
  })
  expect((await add(scene.dealer, 'customType', { tree: 'account', name: 'x' })).code).toBe(403)
  // The general tree: four levels, no node under itself, and no deletion of a node that holds something.
  const own = async (name: string, parent_sn?: string): Promise<string> => {
    const reply = await add(scene.dealer, 'customType', { tree: 'own', name, ...(parent_sn ? { parent_sn } : {}) })
    expect(reply.code, reply.msg).toBe(0)
    return reply.info.sn
  }
  const first = await own('一')
  const second = await own('二', first)
  const third = await own('三', second)
  const fourth = await own('四', third)
  expectMessage(await add(scene.dealer, 'customType', { tree: 'own', name: '五', parent_sn: fourth }), '分类最多4级')
  expectMessage(await call(scene.dealer, 'customType', 'edit', first, { parent_sn: third }), '不能移动到自身的下级分类')
  expectMessage(await call(scene.dealer, 'customType', 'del', third), '分类下存在子分类或产品，不能删除')
  expect((await add(scene.dealer, 'typedProduct', { custom_type_sn: fourth, specification_sn: inflator })).code).toBe(0)
  expectMessage(await call(scene.dealer, 'customType', 'del', fourth), '分类下存在子分类或产品，不能删除')
})

test('a new hospital starts with the usual sub-accounts; its trees have five levels in steps of two digits', async () => {
  const { hospital } = scene
  const { owner } = scene.server.database
  await owner`delete from typed_product where org_id = ${scene.h} and tree = 'account'`
  await owner`delete from custom_type where org_id = ${scene.h} and tree = 'account'`
  const { seedFinanceCategories } = await import(
    '#modules/trade/catalogue/classification/finance-category-seed.server.ts'
  )
  await seedFinanceCategories(owner)
  await seedFinanceCategories(owner)
  const rows = await hospital.list('customType', { tree: 'account', sort: 'code' })
  expect(rows.map(row => [row.code, row.account_name])).toEqual([
    ['01', '库存物品—卫生材料—血库材料'],
    ['02', '库存物品—卫生材料—医用气体'],
    ['03', '库存物品—卫生材料—影像材料'],
    ['04', '库存物品—卫生材料—化验材料'],
    ['05', '库存物品—卫生材料—其他卫生材料'],
    ['06', '库存物品—低值易耗品'],
    ['07', '库存物品—其他材料'],
  ])
  let above = rows[4]!.custom_type_sn
  for (const level of ['二', '三', '四', '五']) {
    const made = await add(hospital, 'customType', { tree: 'account', name: level, parent_sn: above })
    expect(made.code, made.msg).toBe(0)
    above = made.info.sn
  }
  expect((await hospital.info('customType', above)).code).toBe('0501010101')
  expectMessage(await add(hospital, 'customType', { tree: 'account', name: '六', parent_sn: above }), '分类最多5级')
  expectMessage(await add(hospital, 'customType', { tree: 'account', name: '重号', code: '01' }), '分类编码已存在')
  const leaf = await hospital.info('customType', above)
  const disabled = await call(hospital, 'customType', 'disable', leaf.custom_type_sn)
  expect(disabled.code).toBe(0)
  expectMessage(
    await add(hospital, 'typedProduct', { custom_type_sn: above, specification_sn: scene.inflator }),
    '分类已停用，请重新选择',
  )
})

test('a dealer’s products pass four checks; refused goods are not sold, requested documents have deadlines', async () => {
  const { dealer, shop, h, inflator } = scene
  const { recheckDealers } = await import('#modules/trade/catalogue/assortment/dealer-product-check.server.ts')
  await recheckDealers(scene.server.database.owner)
  const product = (await scene.one('select product_id as id from specification where id = $1', inflator)).id
  const row = async () => (await platform.list('dealerProductCheck', { dealer_sn: scene.d, product_sn: product }))[0]
  const check = await row()
  expect(check).toMatchObject({ certificate_light: 'ok', first_light: 'none' })
  expect(
    (await scene.vendor.list('dealerProductCheck', {})).every(
      each => each.manufacturer_name === check.manufacturer_name,
    ),
  ).toBe(true)
  expect((await call(scene.vendor, 'dealerProductCheck', 'review', check.dealer_check_sn)).code).toBe(403)
  expectMessage(await call(platform, 'dealerProductCheck', 'reject', check.dealer_check_sn), '请填写驳回原因')
  expect(
    (await call(platform, 'dealerProductCheck', 'reject', check.dealer_check_sn, { reason: '授权书过期' })).code,
  ).toBe(0)
  await scene.shelve(dealer, shop, [lotOf(inflator, 'HD1', { quantity: '3' })])
  const body = {
    counterparty_sn: h,
    warehouse_model_inner_sn: shop,
    lines: [{ specification_sn: inflator, lot_no: 'HD1', quantity: '1', price: '100' }],
  }
  expectMessage(await attempt(dealer, 'saleOdo', body), /产品核对未通过，不能销售/)
  // Stock on hand may only go back to its supplier.
  const grn = await dealer.add('purchaseGrn', {
    counterparty_sn: scene.v,
    warehouse_model_inner_sn: shop,
    lines: [lotOf(inflator, 'HD2', { quantity: '2', price: undefined })],
  })
  await dealer.pass('purchaseGrn', grn)
  const back = { source_type: 9, source_sn: grn, return_reason: '包装破损' }
  expect(await attempt(dealer, 'purchaseReturn', back, 'review')).toMatchObject({ code: 0, msg: '' })
  expect((await dealer.list('dealerProduct', { specification_sn: inflator }))[0]).toMatchObject({
    check_state: 'refused',
  })
  expectMessage(
    await call(platform, 'dealerProductCheck', 'notify', check.dealer_check_sn, { licence: '授权书', until: day(-1) }),
    '补证期限不能早于今天',
  )
  expect(
    (await call(platform, 'dealerProductCheck', 'notify', check.dealer_check_sn, { licence: '授权书', until: day(3) }))
      .code,
  ).toBe(0)
  const notified = await scene.one(
    "select body from message where org_id = $1 and title = '请补证照' order by id desc limit 1",
    scene.d,
  )
  expect(notified.body).toContain(`请于${day(3)}前补齐`)
  await scene.one('update dealer_check set due_on = $2 where id = $1 returning 1', check.dealer_check_sn, day(-1))
  await recheckDealers(scene.server.database.owner)
  expect(await row()).toMatchObject({ state: 'refused', opinion: '逾期未补证' })
  const opinion = { review_opinion: '已核实' }
  expect((await call(platform, 'dealerProductCheck', 'review', check.dealer_check_sn, opinion)).code).toBe(0)
  // A licence whose scope names another class does not cover it; a second dealer on the way to a public hospital
  // causes a warning.
  await scene.server.database.owner`
    update licence set scope = '6877 介入器材' where org_id = ${scene.d} and holder_id = ${scene.d}
      and licence_type in ('医疗器械经营许可证', '第二类医疗器械经营备案凭证')`
  await scene.server.database.owner`update product set class_code = '14', class_code_2002 = null where id = ${product}`
  await scene.server.database.owner`
    insert into licence_line (org_id, licence_id, product_id)
    select ${scene.d}, authorisation_licence(${scene.d}, '授权书', o.id, ${scene.d}, 'ER-1', ${day(-1)}, ${day(90)}),
      ${product} from organisation o where o.code = 'D02'`
  await recheckDealers(scene.server.database.owner)
  expect(await row()).toMatchObject({
    scope_light: 'bad',
    chain_light: 'ok',
    chain_level: 2,
    two_invoices: true,
    problem: expect.stringContaining('超出经营范围：14注输、护理和防护器械'),
  })
  // If all lights are green it passes automatically, unless sampled.
  await scene.server.database.owner`
    update licence set scope = '14 注输、护理和防护器械' where org_id = ${scene.d} and holder_id = ${scene.d}
      and licence_type in ('医疗器械经营许可证', '第二类医疗器械经营备案凭证')`
  const sampled = async (percent: string) => {
    await scene.server.database.owner`
      insert into org_config (id, org_id, name, value, valid_from)
        values (nextval('row_id_seq'), ${scene.d}, 'dealer_check_sample', ${percent}, ${day(-1)})
      on conflict (org_id, name) do update set value = excluded.value`
    await scene.server.database.owner`delete from dealer_check where dealer_id = ${scene.d} and product_id = ${product}`
    await recheckDealers(scene.server.database.owner)
    return row()
  }
  expect(await sampled('100')).toMatchObject({ scope_light: 'ok', state: 'pending', problem: '抽查' })
  expect(await sampled('0')).toMatchObject({ scope_light: 'ok', state: 'passed', checked_by: '系统', problem: null })
  const [mine] = await dealer.list('dealerProduct', { specification_sn: inflator })
  expectMessage(
    await call(dealer, 'dealerProduct', 'edit', mine.dealer_product_sn, { lowest_price: '99999' }),
    '销售价不能低于最低限价',
  )
})

test('lot documents are uploaded once and seen by all holders; a newer one replaces the older', async () => {
  const { vendor, hospital, dealer, central, inflator } = scene
  const file = await uploadPicture(vendor)
  const body = { specification_sn: inflator, lot_no: 'ZM1', certificate_type: 'conformity', attachments: [file] }
  expectMessage(await add(vendor, 'qualityCertificate', { ...body, attachments: [] }), '请填写文件')
  const first = (await add(vendor, 'qualityCertificate', body)).info.sn
  const seen = (who: Person) => who.list('qualityCertificate', { lot_no: 'ZM1' })
  expect([(await seen(hospital)).length, (await seen(dealer)).length]).toEqual([0, 0])
  await scene.shelve(hospital, central, [lotOf(inflator, 'ZM1', { quantity: '1' })])
  expect([(await seen(hospital)).length, (await seen(dealer)).length]).toEqual([1, 0])
  const second = (await add(vendor, 'qualityCertificate', { ...body, certificate_no: 'B-2' })).info.sn
  expect((await seen(vendor)).map(row => [row.quality_certificate_sn, row.is_current])).toEqual([
    [second, true],
    [first, false],
  ])
  expect((await call(platform, 'qualityCertificate', 'review', second)).code).toBe(0)
  expectMessage(
    await call(vendor, 'qualityCertificate', 'edit', second, { issuer: 'x' }),
    '证明已审核通过，请上传新的版本',
  )
  expect((await add(hospital, 'qualityCertificate', body)).code).toBe(403)
})

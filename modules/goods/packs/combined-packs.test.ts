import { afterAll, beforeAll, expect, test } from 'vitest'
import { attempt, expectMessage, lotOf, openScene, type Scene, shelf } from '#tests/support/fixture.ts'
import { day } from '#tests/support/story.ts'

/**
 * 组合包 and 外箱拆零: several products under one code are moved and opened as a whole; a maker's box is opened into its
 * pieces.
 */
let scene: Scene
let mesh = ''
let serial = 0
beforeAll(async () => {
  scene = await openScene()
  mesh = await scene.specification('P042-01')
})
afterAll(() => scene?.close())

const post = (path: string, body: object) =>
  scene.hospital.client.post(`/v1/business/${path}`, body as Record<string, unknown>)

type Pack = { readonly template: string; readonly lots: readonly [string, string] }
/** Goods of two products, and a template that packs two of one with five of the other. */
async function goods(count: number): Promise<Pack> {
  const { hospital, inflator, central } = scene
  serial += 1
  const lots = [`CA${serial}`, `CB${serial}`] as const
  await scene.shelve(hospital, central, [
    lotOf(inflator, lots[0], { quantity: String(2 * count), expiry_date: day(300 + serial) }),
    lotOf(mesh, lots[1], { quantity: String(5 * count), expiry_date: day(100 + serial) }),
  ])
  const code = `Z${serial}`
  expect((await post('packTemplate/add', { code, name: `介入组合包${serial}`, pack_type: 'combined' })).msg).toBe('')
  const template = String((await hospital.list('packTemplate', { q: code }))[0].pack_template_sn)
  for (const [specification_sn, quantity] of [
    [inflator, '2'],
    [mesh, '5'],
  ])
    expect((await post('packTemplateLine/add', { pack_template_sn: template, specification_sn, quantity })).msg).toBe(
      '',
    )
  return { template, lots }
}
const lines = ({ lots }: Pack, packs: number) => [
  { specification_sn: scene.inflator, lot_no: lots[0], quantity: String(2 * packs) },
  { specification_sn: mesh, lot_no: lots[1], quantity: String(5 * packs) },
]
const packing = (of: Pack, packs: number) => ({
  warehouse_model_inner_sn: scene.central,
  pack_template_sn: of.template,
  lines: lines(of, packs),
})
async function packed(of: Pack, packs: number): Promise<{ sn: string; codes: string[] }> {
  const sn = await scene.hospital.add('pack', packing(of, packs))
  await scene.hospital.pass('pack', sn)
  const made = await scene.hospital.list('madePack', { document_sn: sn })
  return { sn, codes: made.map(row => String(row.code)).sort() }
}
const granting = (codes: readonly string[]) => ({
  warehouse_model_inner_sn: scene.central,
  to_warehouse_model_inner_sn: scene.ward,
  department_inner_sn: scene.department,
  lines: [{ unit_codes: codes }],
})
async function atWard(codes: string[]): Promise<string> {
  const sn = await scene.hospital.add('grantOdo', granting(codes))
  await scene.hospital.pass('grantOdo', sn)
  const [receipt] = await scene.hospital.list('wardReceipt', { source_sn: sn })
  await scene.hospital.done('wardReceipt', 'review', receipt.sn)
  return sn
}

test('a combined pack has one code for several products, and the earliest expiry of them', async () => {
  const { hospital, central, inflator } = scene
  const of = await goods(2)
  const { sn, codes } = await packed(of, 2)
  expect(codes).toHaveLength(2)
  expect(codes[0]).toMatch(/^DSB\d{10}$/)
  expect(await hospital.info('pack', sn)).toMatchObject({ pack_type: 'combined', pack_count: 2, pack_size: '7.000' })
  const [made] = await hospital.list('madePack', { code: codes[0]! })
  expect(made).toMatchObject({
    pack_type: 'combined',
    size: '7.000',
    expiry_date: day(100 + serial),
    status: 'in_stock',
    print_state: 'no',
  })
  expect(await shelf(hospital, central, inflator)).toMatchObject({ [of.lots[0]]: '4.000' })
  const printed = await hospital.client.get('/v1/labels', { of: 'madePack', units: made.made_pack_sn })
  expect(printed.list).toMatchObject([
    {
      code: codes[0],
      gs1: null,
      product_name: `介入组合包${serial}`,
      specification_name: '组合包，共2种产品',
      quantity: '1包=7件',
      expiry_date: day(100 + serial),
    },
  ])
  const [found] = await hospital.list('pack', { unit_code: codes[0]! })
  expect(found.sn).toBe(sn)
})

test('it is granted, received and used by one scan; the trace shows the pack of a part and its siblings', async () => {
  const { hospital, ward, inflator } = scene
  const of = await goods(2)
  const { codes } = await packed(of, 2)
  await atWard(codes.slice(0, 1))
  expect((await shelf(hospital, ward, inflator))[of.lots[0]]).toBe('2.000')
  expect((await shelf(hospital, ward, mesh))[of.lots[1]]).toBe('5.000')
  const read = await hospital.client.post('/v1/code/parse', { code: codes[0] })
  const parts = [`${codes[0]}-1`, `${codes[0]}-2`]
  expect(read.info).toMatchObject({ pack: { code: codes[0], parts }, specification: null })
  const whole = await hospital.trace(codes[0]!)
  expect(whole.info.candidates.map((each: { code: string }) => each.code).sort()).toEqual(parts)
  const part = await hospital.trace(parts[0]!)
  expect(part.info.unit.pack).toEqual({ code: codes[0], parts })
  expect(part.list.map((event: { step: string }) => event.step)).toEqual(['opening', 'pack', 'grant', 'ward_receive'])
  const use = (unit_codes: readonly string[]) => ({
    warehouse_model_inner_sn: ward,
    department_inner_sn: scene.department,
    use_type: 'pack_open',
    lines: [{ unit_codes }],
  })
  expectMessage(
    await attempt(hospital, 'departmentUse', use([parts[0]!])),
    `组合包${codes[0]}须整包扫描，缺少其中1种产品，要单用请先拆包`,
  )
  const used = await hospital.add('departmentUse', use([codes[0]!]))
  await hospital.pass('departmentUse', used)
  expect((await shelf(hospital, ward, inflator))[of.lots[0]]).toBeUndefined()
  expectMessage(await attempt(hospital, 'departmentUse', use([codes[0]!])), `定数包${codes[0]}已消耗`)
  const [template] = await hospital.list('packTemplate', { q: `介入组合包${serial}` })
  expect(template).toMatchObject({ pack_quantity: '7.000', packs_in_stores: 1, packs_in_wards: 0, packs_used: 1 })
})

test('it is opened whole into loose goods; one that was granted cannot be unmade', async () => {
  const { hospital, central } = scene
  const of = await goods(2)
  const { sn, codes } = await packed(of, 2)
  const opening = (unpack_type: string, code: string) => ({
    warehouse_model_inner_sn: central,
    unpack_type,
    unpack_reason: '包破损',
    lines: [{ unit_codes: [code] }],
  })
  expectMessage(await attempt(hospital, 'unpack', opening('pack', codes[0]!)), '第1行：请扫描要拆的定数包码')
  const opened = await hospital.add('unpack', opening('combined', codes[0]!))
  await hospital.pass('unpack', opened)
  expectMessage(await attempt(hospital, 'grantOdo', granting([codes[0]!])), `定数包${codes[0]}已拆包`)
  expectMessage(await hospital.do('pack', 'unreview', sn, { reason: '重做' }), `定数包${codes[0]}已拆包，不能反审核`)
  await hospital.done('unpack', 'unreview', opened, { reason: '拆错' })
  await atWard([codes[1]!])
  expectMessage(await hospital.do('pack', 'unreview', sn, { reason: '重做' }), `定数包${codes[1]}已发放，不能反审核`)
  expectMessage(
    await hospital.do('pack', 'redReverse', sn, { reason: '错', lines: [{ line_no: 1, quantity: '2' }] }),
    '组合包的组包单请整单红冲',
  )
  const other = await packed(await goods(1), 1)
  await hospital.done('pack', 'redReverse', other.sn, { reason: '错' })
  expectMessage(await attempt(hospital, 'grantOdo', granting(other.codes)), `定数包${other.codes[0]}已作废`)
})

test('lines hold what the template says, no more and no less; generated by lots, a document for each choice', async () => {
  const { hospital, inflator, central } = scene
  const of = await goods(3)
  const wrong = (more: object[]) => attempt(hospital, 'pack', { ...packing(of, 2), lines: more })
  expectMessage(await wrong([lines(of, 2)[0]!]), /^【.+】每包5，2包需要10，明细为0$/)
  expectMessage(await wrong([lines(of, 2)[0]!, { ...lines(of, 2)[1]!, quantity: '9' }]), /整数倍|明细为9$/)
  await scene.shelve(hospital, central, [lotOf(inflator, `CC${serial}`, { quantity: '1', expiry_date: day(9) })])
  const ask = (pack_count: number) =>
    post('pack/byTemplate', { warehouse_model_inner_sn: central, pack_template_sn: of.template, pack_count })
  expectMessage(await ask(900), /不能大于500|应为整数/)
  expectMessage(await ask(400), /^库存不足：【介入组合包\d+】可组\d+包，需要400包，缺【.+】$/)
  const made = await ask(2)
  expect(made.info.said).toMatch(/^已生成组包单ZB\d+、ZB\d+$/)
  const sns = made.info.said.match(/ZB\d+/g) as string[]
  const [first] = await Promise.all(sns.map(sn => hospital.info('pack', sn)))
  expect(first.lines.map((line: { lot_no: string }) => line.lot_no)).toContain(`CC${serial}`)
  for (const sn of sns) await hospital.pass('pack', sn)
  expectMessage(
    await post('packTemplateLine/add', { pack_template_sn: of.template, specification_sn: scene.stent, quantity: '1' }),
    /已按该模板组包，明细不能修改/,
  )
})

test('a ward asks for whole packs, and again for those it used', async () => {
  const { hospital, department, central } = scene
  serial += 1
  await scene.shelve(hospital, central, [lotOf(mesh, `CD${serial}`, { quantity: '20', expiry_date: day(200) })])
  const code = `W${serial}`
  await post('packTemplate/add', { code, name: `十支装${serial}`, specification_sn: mesh, size: '10' })
  const template = String((await hospital.list('packTemplate', { q: code }))[0].pack_template_sn)
  const asking = (quantity: string, specification_sn = mesh) => ({
    department_inner_sn: department,
    warehouse_model_inner_sn: central,
    claim_type: 'pack',
    lines: [{ specification_sn, quantity }],
  })
  expectMessage(await attempt(hospital, 'requisition', asking('15')), '第1行：数量必须为定数10的整数倍')
  expectMessage(
    await attempt(hospital, 'requisition', asking('10', scene.balloon)),
    '第1行：该规格没有启用的定数包模板，请改用其他申领类型',
  )
  const refill = { sns: [template], department_inner_sn: department, warehouse_model_inner_sn: central, days: 7 }
  expectMessage(await post('packTemplate/refill', refill), /最近7天没有用掉所选的定数包/)
  const sn = await hospital.add('pack', {
    warehouse_model_inner_sn: central,
    pack_template_sn: template,
    lines: [{ specification_sn: mesh, lot_no: `CD${serial}`, quantity: '20' }],
  })
  await hospital.pass('pack', sn)
  const codes = (await hospital.info('pack', sn)).lines[0].unit_codes as string[]
  await atWard(codes)
  const used = await hospital.add('departmentUse', {
    warehouse_model_inner_sn: scene.ward,
    department_inner_sn: department,
    lines: [{ unit_codes: [codes[0]!] }],
  })
  await hospital.pass('departmentUse', used)
  const made = await post('packTemplate/refill', refill)
  expect(made.msg).toBe('')
  const demand = String(made.info.said).match(/SL\d+/)![0]
  expect(await hospital.info('requisition', demand)).toMatchObject({
    claim_type: 'pack',
    lines: [{ specification_sn: mesh, quantity: '10.000' }],
  })
})

test('a maker’s box is opened by the unit tree; its pieces keep their codes, or get ours where each has its own', async () => {
  const { hospital, central, inflator } = scene
  serial += 1
  const lot = `CE${serial}`
  await scene.shelve(hospital, central, [lotOf(inflator, lot, { quantity: '40' })])
  const unit = await scene.one('select id from pack_unit where specification_id = $1 limit 1', inflator)
  const boxes = (more: object, header: object = {}) => ({
    warehouse_model_inner_sn: central,
    unpack_type: 'box',
    unpack_reason: '外箱拆零',
    ...header,
    lines: [{ specification_sn: inflator, lot_no: lot, unit_inner_sn: unit.id, quantity: '1', ...more }],
  })
  expectMessage(
    await attempt(hospital, 'unpack', boxes({ unit_inner_sn: null, quantity: '20' })),
    '第1行：外箱拆零请选择外箱单位，不扫定数包码',
  )
  expectMessage(
    await attempt(hospital, 'unpack', boxes({ child_codes: ['K-1'] })),
    '第1行：子码1个，与拆出数量20不一致',
  )
  await scene.places(central, ['C-01-01-01'])
  const child_codes = Array.from({ length: 18 }, (_, at) => `K${serial}-${at + 10}`)
  const sn = await hospital.add('unpack', boxes({ child_codes, lost_quantity: '2', target_location: 'C-01-01-01' }))
  await hospital.pass('unpack', sn)
  expect(await hospital.info('unpack', sn)).toMatchObject({
    lines: [{ released_quantity: '18.000', child_codes }],
    loss_sn: expect.stringMatching(/^BS/),
  })
  const stored = await hospital.list('stockBalance', { warehouse_model_inner_sn: central, lot_no: lot })
  expect(stored.map(row => [row.location, row.quantity]).sort()).toEqual([
    ['', '20.000'],
    ['C-01-01-01', '20.000'],
  ])
  const [label] = await hospital.list('unitLabel', { q: `K${serial}-10` })
  expect(label).toMatchObject({ status: 'in_stock', source_no: sn })
  // Coded goods whose pieces came without codes: opening their box gives them codes.
  const coded = `CF${serial}`
  await scene.one(
    'update hospital_product set is_unit_coded = false where org_id = $1 and specification_id = $2 returning 1',
    scene.h,
    scene.stent,
  )
  await scene.shelve(hospital, central, [lotOf(scene.stent, coded, { quantity: '10' })])
  await scene.one(
    'update hospital_product set is_unit_coded = true where org_id = $1 and specification_id = $2 returning 1',
    scene.h,
    scene.stent,
  )
  const box = await scene.one('select id, base_measure from pack_unit where specification_id = $1 limit 1', scene.stent)
  const opened = await hospital.add('unpack', {
    warehouse_model_inner_sn: central,
    unpack_type: 'box',
    unpack_reason: '外箱拆零',
    lines: [
      { specification_sn: scene.stent, lot_no: coded, unit_inner_sn: box.id, quantity: '1', box_code: `BOX-${coded}` },
    ],
  })
  await hospital.pass('unpack', opened)
  const codes = (await hospital.info('unpack', opened)).lines[0].child_codes as string[]
  expect(codes).toHaveLength(box.base_measure)
  // The code on the box leads to its pieces, and each of them to the box; a box is opened only once.
  const traced = await hospital.trace(`BOX-${coded}`)
  expect(traced.info.candidates.map((each: { code: string }) => each.code).sort()).toEqual(codes)
  expect((await hospital.trace(codes[0]!)).info.unit.pack).toEqual({ code: `BOX-${coded}`, parts: codes })
  await scene.shelve(hospital, central, [lotOf(scene.inflator, `${coded}X`, { quantity: '40' })])
  const again = (more: object) =>
    attempt(hospital, 'unpack', {
      warehouse_model_inner_sn: central,
      unpack_type: 'box',
      unpack_reason: '外箱拆零',
      lines: [{ ...boxes({}).lines[0], lot_no: `${coded}X`, quantity: '1', box_code: `BOX-${coded}`, ...more }],
    })
  expectMessage(await again({}), `第1行：箱码BOX-${coded}已由拆包单${opened}拆箱`)
  expectMessage(await again({ quantity: '2', box_code: 'BOX-N' }), '第1行：填写箱码的行为一箱，数量应为1')
  await hospital.done('unpack', 'unreview', opened, { reason: '拆错' })
  const [voided] = await hospital.list('unitLabel', { q: codes[0]! })
  expect(voided.status).toBe('void')
})

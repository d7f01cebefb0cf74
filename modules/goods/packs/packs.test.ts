import { afterAll, beforeAll, expect, test } from 'vitest'
import { attempt, expectMessage, lotOf, openScene, type Scene, shelf } from '#tests/support/fixture.ts'
import { day } from '#tests/support/story.ts'

/** 定数包: packed in the store, moved and used by one scan of the pack's code, opened where single pieces are wanted. */
let scene: Scene
let serial = 0
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene?.close())

type Goods = { readonly lot: string; readonly template: string }

/** Loose goods in the central store, and a template for packs of them. */
async function goods(quantity: string, size: string, more: object = {}): Promise<Goods> {
  const { hospital, inflator, central } = scene
  serial += 1
  const lot = `PK${serial}`
  await scene.shelve(hospital, central, [lotOf(inflator, lot, { quantity, expiry_date: day(400 + serial) })])
  const made = await hospital.client.post('/v1/business/packTemplate/add', {
    code: `T${serial}`,
    name: `压力泵${size}支装${serial}`,
    specification_sn: inflator,
    size,
    ...more,
  })
  expect(made.msg).toBe('')
  const [row] = await hospital.list('packTemplate', { q: `T${serial}` })
  return { lot, template: row!.pack_template_sn as string }
}
const packing = ({ lot, template }: Goods, quantity: string, more: object = {}) => ({
  warehouse_model_inner_sn: scene.central,
  pack_template_sn: template,
  lines: [{ specification_sn: scene.inflator, lot_no: lot, quantity }],
  ...more,
})
/** Packs of the goods, by their codes. */
async function packed(of: Goods, quantity: string): Promise<{ sn: string; codes: string[] }> {
  const sn = await scene.hospital.add('pack', packing(of, quantity))
  await scene.hospital.pass('pack', sn)
  const info = await scene.hospital.info('pack', sn)
  return { sn, codes: (info.lines as { unit_codes: string[] }[]).flatMap(line => line.unit_codes) }
}
const grant = (codes: readonly string[]) => ({
  warehouse_model_inner_sn: scene.central,
  to_warehouse_model_inner_sn: scene.ward,
  department_inner_sn: scene.department,
  lines: [{ unit_codes: codes }],
})
/** Grants packs to the ward, which receives them. */
async function atWard(codes: string[]): Promise<string> {
  const { hospital } = scene
  const sn = await hospital.add('grantOdo', grant(codes))
  await hospital.pass('grantOdo', sn)
  const [receipt] = await hospital.list('wardReceipt', { source_sn: sn })
  await hospital.done('wardReceipt', 'review', receipt!.sn)
  return sn
}
const steps = async (code: string) =>
  (await scene.hospital.trace(code)).list.map((event: { step: string }) => event.step)

test('packing gives each pack its code and leaves the stock as it is', async () => {
  const { hospital, central, inflator } = scene
  const of = await goods('25', '10')
  const { sn, codes } = await packed(of, '20')
  expect(codes).toHaveLength(2)
  expect(codes[0]).toMatch(/^DSB\d{10}$/)
  expect(await hospital.info('pack', sn)).toMatchObject({
    pack_size: '10.000',
    pack_count: 2,
    total_quantity: '20.000',
  })
  expect(await shelf(hospital, central, inflator)).toMatchObject({ [of.lot]: '25.000' })
  expect(await steps(codes[0]!)).toEqual(['opening', 'pack'])
  const [label] = await hospital.list('unitLabel', { q: codes[0]! })
  expect(label).toMatchObject({ code: codes[0], label_kind: 'pack', pack_quantity: 10, status: 'in_stock' })
  const [template] = await hospital.list('packTemplate', { q: `T${serial}` })
  expect(template).toMatchObject({ packs_in_stores: 2, packs_in_wards: 0, packs_used: 0 })
})

test('what is in packs leaves by their code alone; the loose rest goes without', async () => {
  const { hospital } = scene
  const of = await goods('25', '10')
  await packed(of, '20')
  const loose = (quantity: string) => ({
    ...grant([]),
    lines: [{ specification_sn: scene.inflator, lot_no: of.lot, quantity }],
  })
  expectMessage(
    await attempt(hospital, 'grantOdo', loose('6')),
    /有20件在定数包内或已贴院内码，请扫描定数包码、院内码，或先拆包$/,
  )
  const fine = await attempt(hospital, 'grantOdo', loose('5'))
  expect(fine.msg).toBe('')
  expectMessage(await attempt(hospital, 'pack', packing(of, '10')), /批号PK\d+ 可用0，需要10$/)
})

test('a pack is granted, received and used by one scan, and its lot balances in the recall', async () => {
  const { hospital, ward, inflator } = scene
  const of = await goods('30', '10')
  const { codes } = await packed(of, '30')
  const sn = await atWard(codes.slice(0, 2))
  expect((await hospital.info('grantOdo', sn)).lines).toMatchObject([
    { quantity: '20.000', unit_codes: codes.slice(0, 2) },
  ])
  expect(await shelf(hospital, ward, inflator)).toMatchObject({ [of.lot]: '20.000' })
  const used = await hospital.add('departmentUse', {
    warehouse_model_inner_sn: ward,
    department_inner_sn: scene.department,
    use_type: 'pack_open',
    lines: [{ unit_codes: [codes[0]!] }],
  })
  await hospital.pass('departmentUse', used)
  expect(await shelf(hospital, ward, inflator)).toMatchObject({ [of.lot]: '10.000' })
  expect(await steps(codes[0]!)).toEqual(['opening', 'pack', 'grant', 'ward_receive', 'use'])
  expectMessage(
    await attempt(hospital, 'departmentUse', {
      warehouse_model_inner_sn: ward,
      department_inner_sn: scene.department,
      lines: [{ unit_codes: [codes[0]!] }],
    }),
    `定数包${codes[0]}已消耗`,
  )
  expect((await hospital.trace(of.lot)).info).toMatchObject({ made: '30.000', held: '20.000', used: '10.000' })
  const [template] = await hospital.list('packTemplate', { q: `T${serial}` })
  expect(template).toMatchObject({ packs_in_stores: 1, packs_in_wards: 1, packs_used: 1 })
})

test('packs granted for a requisition count what they hold, with and without a quantity', async () => {
  const { hospital, central, ward, department, inflator } = scene
  const { codes } = await packed(await goods('30', '10'), '30')
  const request = await hospital.add('requisition', {
    warehouse_model_inner_sn: central,
    to_warehouse_model_inner_sn: ward,
    department_inner_sn: department,
    lines: [{ specification_sn: inflator, quantity: '30' }],
  })
  await hospital.pass('requisition', request)
  const header = { ...grant([]), source_sn: request, source_type: 104 }
  const made = async (line: object) => {
    const sn = await hospital.add('grantOdo', { ...header, lines: [{ source_line_no: 1, ...line }] })
    const { lines } = await hospital.info('grantOdo', sn)
    return { sn, lines }
  }
  const small = codes.slice(0, 2).map(code => code.toLowerCase())
  const bare = await made({ unit_codes: small })
  expect(bare.lines).toMatchObject([{ quantity: '20.000', unit_codes: codes.slice(0, 2), source_line_no: 1 }])
  expect((await made({ unit_codes: codes.slice(2), quantity: '10' })).lines).toMatchObject([{ quantity: '10.000' }])
  await hospital.pass('grantOdo', bare.sn)
  expect((await hospital.info('requisition', request)).lines[0]).toMatchObject({ granted_quantity: '20.000' })
})

test('a use by pack is taken back by pack, and a pack goes back to the store whole', async () => {
  const { hospital, ward, central } = scene
  const of = await goods('20', '10')
  const { codes } = await packed(of, '20')
  const granted = await atWard(codes)
  const used = await hospital.add('departmentUse', {
    warehouse_model_inner_sn: ward,
    department_inner_sn: scene.department,
    lines: [{ unit_codes: codes }],
  })
  await hospital.pass('departmentUse', used)
  const part = (lines: object[]) =>
    hospital.do('departmentUse', 'redReverse', used, { reason: '登记错误', lines: JSON.stringify(lines) })
  expectMessage(await part([{ line_no: 1, quantity: '5' }]), /请指明要红冲的院内码$/)
  expect((await part([{ line_no: 1, unit_codes: [codes[1]] }])).msg).toBe('')
  expect((await hospital.list('packTemplate', { q: `T${serial}` }))[0]).toMatchObject({ packs_used: 1 })
  const back = await hospital.add('grantReturn', {
    source_sn: granted,
    source_type: 1,
    warehouse_model_inner_sn: ward,
    to_warehouse_model_inner_sn: central,
    return_reason: '未用',
    lines: [{ source_line_no: 1, unit_codes: [codes[1]] }],
  })
  expect((await hospital.info('grantReturn', back)).lines).toMatchObject([{ quantity: '10.000' }])
})

test('an opened pack is loose goods again; its code is scanned no more, and what was lost becomes a loss', async () => {
  const { hospital, central, inflator } = scene
  const of = await goods('10', '10')
  const { sn: packing, codes } = await packed(of, '10')
  const opened = await hospital.add('unpack', {
    warehouse_model_inner_sn: central,
    unpack_reason: '包破损',
    lines: [{ unit_codes: codes, lost_quantity: '1' }],
  })
  expect((await hospital.info('unpack', opened)).lines).toMatchObject([
    { quantity: '10.000', released_quantity: '9.000' },
  ])
  await hospital.pass('unpack', opened)
  expect(await steps(codes[0]!)).toEqual(['opening', 'pack', 'unpack'])
  expect(await shelf(hospital, central, inflator)).toMatchObject({ [of.lot]: '10.000' })
  expectMessage(await attempt(hospital, 'grantOdo', grant(codes)), `定数包${codes[0]}已拆包`)
  const [loss] = await hospital.list('loss', { sn: (await hospital.info('unpack', opened)).loss_sn as string })
  expect(loss).toMatchObject({ total_quantity: '1.000', state: 'draft' })
  expectMessage(
    await hospital.do('pack', 'unreview', packing, { reason: '重做' }),
    `定数包${codes[0]}已拆包，不能反审核`,
  )
  expect((await hospital.trace(of.lot)).info).toMatchObject({ made: '10.000', held: '10.000' })
})

test('a pack is opened in the store where it is, and in no other', async () => {
  const { hospital, ward } = scene
  const { codes } = await packed(await goods('10', '10'), '10')
  expectMessage(
    await attempt(hospital, 'unpack', {
      warehouse_model_inner_sn: ward,
      unpack_reason: '包破损',
      lines: [{ unit_codes: codes }],
    }),
    `定数包${codes[0]}不在本仓库，请核对所在仓库`,
  )
})

test('an unpacking is taken back once its loss is void; what is lost cannot come back into a pack', async () => {
  const { hospital } = scene
  const { codes } = await packed(await goods('20', '10'), '20')
  const opened = await hospital.add('unpack', {
    warehouse_model_inner_sn: scene.central,
    unpack_reason: '包破损',
    lines: [{ unit_codes: [codes[0]!], lost_quantity: '1' }],
  })
  await hospital.pass('unpack', opened)
  const lossOf = async () => String((await hospital.info('unpack', opened)).loss_sn)
  const first = await lossOf()
  for (const action of ['unreview', 'redReverse'])
    expectMessage(
      await hospital.do('unpack', action, opened, { reason: '拆错' }),
      `拆包损耗已生成报损单${first}，请先作废或红冲该报损单，再${action === 'unreview' ? '反审核' : '红冲'}`,
    )
  await hospital.done('loss', 'cancel', first, { reason: '拆错' })
  await hospital.done('unpack', 'unreview', opened, { reason: '拆错' })
  expect(await steps(codes[0]!)).toEqual(['opening', 'pack', 'unpack', 'undo'])
  await hospital.done('unpack', 'review', opened)
  expect(await lossOf()).not.toBe(first)
})

test('a red reversal unmakes packs, whole or by their codes, and closes opened ones', async () => {
  const { hospital, central, inflator } = scene
  const of = await goods('30', '10')
  const { sn, codes } = await packed(of, '30')
  const [one, two, three] = codes as [string, string, string]
  await hospital.done('pack', 'redReverse', sn, {
    reason: '错包',
    lines: [{ line_no: 1, unit_codes: [one] }],
  })
  expectMessage(await attempt(hospital, 'grantOdo', grant([one])), `定数包${one}已作废`)
  expect(await shelf(hospital, central, inflator)).toMatchObject({ [of.lot]: '30.000' })
  const loose = { ...grant([]), lines: [{ specification_sn: inflator, lot_no: of.lot, quantity: '11' }] }
  expectMessage(await attempt(hospital, 'grantOdo', loose), /有20件在定数包内/)
  const opened = await hospital.add('unpack', {
    warehouse_model_inner_sn: central,
    unpack_reason: '包破损',
    lines: [{ unit_codes: [two] }],
  })
  await hospital.pass('unpack', opened)
  expectMessage(await hospital.do('pack', 'redReverse', sn, { reason: '错包' }), /已有后续业务/)
  await hospital.done('unpack', 'redReverse', opened, { reason: '拆错' })
  await hospital.done('pack', 'redReverse', sn, { reason: '错包' })
  for (const code of [two, three])
    expectMessage(await attempt(hospital, 'grantOdo', grant([code])), `定数包${code}已作废`)
  expect((await hospital.info('pack', sn)).state).toBe('reversed')
  expect((await hospital.trace(of.lot)).info).toMatchObject({ made: '30.000', held: '30.000' })
})

test('a scan of a pack says what it holds, wherever it is scanned', async () => {
  const { hospital, inflator } = scene
  const { codes } = await packed(await goods('10', '10'), '10')
  const read = await hospital.client.post('/v1/code/parse', { code: codes[0] })
  expect(read.info).toMatchObject({
    specification: { specification_sn: inflator, measure: '10', unit_inner_sn: null },
    unit: { code: codes[0], quantity: '10', status: 'in_stock' },
  })
})

test('a label of a pack says what it holds, under its code alone', async () => {
  const { hospital } = scene
  const { codes } = await packed(await goods('10', '10'), '10')
  const [row] = await hospital.list('unitLabel', { q: codes[0]! })
  const printed = await hospital.client.get('/v1/labels', { units: row!.unit_sn })
  expect(printed.list).toMatchObject([{ code: codes[0], gs1: null, quantity: /^1包=10/ }])
})

test('packing is undone while all packs are in the store', async () => {
  const { hospital } = scene
  const of = await goods('20', '10')
  const { sn, codes } = await packed(of, '20')
  await atWard([codes[0]!])
  expectMessage(await hospital.do('pack', 'unreview', sn, { reason: '重做' }), `定数包${codes[0]}已发放，不能反审核`)
  const other = await packed(await goods('10', '5'), '10')
  await hospital.done('pack', 'unreview', other.sn, { reason: '重做' })
  expect((await hospital.info('pack', other.sn)).lines).toMatchObject([{ unit_codes: [] }])
  expectMessage(await attempt(hospital, 'grantOdo', grant([other.codes[0]!])), `定数包${other.codes[0]}已作废`)
  await hospital.done('pack', 'review', other.sn)
})

test('a pack is a whole number above one of one specification, and whole packs are made', async () => {
  const { hospital, stent } = scene
  const add = (body: object) => hospital.client.post('/v1/business/packTemplate/add', body as Record<string, unknown>)
  const of = await goods('20', '10')
  for (const size of ['1', '2.5'])
    expectMessage(
      await add({ code: `X${size}`, name: `X${size}`, specification_sn: scene.inflator, size }),
      '定数必须为大于1的整数',
    )
  expectMessage(
    await add({ code: 'XS', name: 'XS', specification_sn: stent, size: '5', used_on_receipt: true }),
    '植入产品须逐件登记使用，不能领用即消耗',
  )
  expectMessage(await attempt(hospital, 'pack', packing(of, '15')), '第1行：耗用数量须为定数10的整数倍')
  const made = await hospital.client.post('/v1/business/pack/byTemplate', {
    warehouse_model_inner_sn: scene.central,
    pack_template_sn: of.template,
    pack_count: 1,
  })
  expect(made.msg).toBe('')
})

test('领用即消耗: what such packs hold is used up when the ward receives them', async () => {
  const { hospital, ward, inflator } = scene
  const of = await goods('10', '5', { used_on_receipt: true })
  const { codes } = await packed(of, '10')
  await atWard(codes)
  expect((await shelf(hospital, ward, inflator))[of.lot]).toBeUndefined()
  expect(await steps(codes[1]!)).toEqual(['opening', 'pack', 'grant', 'ward_receive', 'use'])
  expectMessage(
    await attempt(hospital, 'unpack', {
      warehouse_model_inner_sn: ward,
      unpack_reason: '试',
      lines: [{ unit_codes: [codes[0]!] }],
    }),
    `定数包${codes[0]}已消耗`,
  )
})

test('a count finds packs by their codes, beside the loose rest; a missing pack is missing by its code', async () => {
  const { hospital, inflator } = scene
  const store = await scene.warehouse('H01-W01')
  serial += 1
  const lot = `PK${serial}`
  await scene.shelve(hospital, store, [lotOf(inflator, lot, { quantity: '25', expiry_date: day(400 + serial) })])
  const code = `T${serial}`
  const name = `盘点用压力泵${serial}`
  await hospital.client.post('/v1/business/packTemplate/add', { code, name, specification_sn: inflator, size: '10' })
  const [template] = await hospital.list('packTemplate', { q: code })
  const sn = await hospital.add('pack', {
    warehouse_model_inner_sn: store,
    pack_template_sn: template!.pack_template_sn,
    lines: [{ specification_sn: inflator, lot_no: lot, quantity: '20' }],
  })
  await hospital.pass('pack', sn)
  const codes = (await hospital.info('pack', sn)).lines[0].unit_codes as string[]
  const count = await hospital.add('stockTake', { warehouse_model_inner_sn: store })
  await hospital.done('stockTake', 'start', count)
  type Line = { line_no: number; lot_no: string; book_quantity: string; expected_codes: string[] }
  const lines = async () =>
    ((await hospital.info('stockTake', count)).lines as Line[]).filter(row => row.lot_no === lot)
  expect((await lines()).map(row => [row.book_quantity, row.expected_codes])).toEqual([
    ['5.000', []],
    ['20.000', codes],
  ])
  const type = async (typed: Record<number, string>) =>
    hospital.do('stockTake', 'edit', count, {
      lines: ((await hospital.info('stockTake', count)).lines as Line[]).map(({ line_no }) => ({
        line_no,
        ...(typed[line_no] ? { first_quantity: typed[line_no] } : {}),
      })),
    })
  const [loose, packs] = await lines()
  expectMessage(await type({ [packs!.line_no]: '20' }), `第${packs!.line_no}行：定数包请扫码盘点`)
  const scanned = await hospital.client.post('/v1/business/stockTake/scan', {
    sn: count,
    codes: JSON.stringify([codes[0]]),
  })
  expect(scanned.info.results).toMatchObject([{ result: 'matched' }])
  expect((await type({ [loose!.line_no]: '5' })).msg).toBe('')
  expect(await lines()).toMatchObject([
    { difference: '0.000' },
    { first_quantity: '10.000', difference: '-10.000', unit_codes: [codes[1]] },
  ])
  expect(count).toMatch(/^PD/)
})

test('a pack whose code is typed in small letters is found, searched for and granted', async () => {
  const { hospital } = scene
  const { codes } = await packed(await goods('5', '5'), '5')
  const [code] = codes as [string]
  const typed = code.toLowerCase()
  expect((await hospital.client.post('/v1/code/parse', { code: typed })).info).toMatchObject({ unit: { code } })
  expect((await hospital.trace(typed)).info.unit.code).toBe(code)
  expect(await hospital.list('stockBalance', { q: typed })).not.toEqual([])
  const sn = await hospital.add('grantOdo', grant([typed]))
  expect((await hospital.info('grantOdo', sn)).lines[0].unit_codes).toEqual([code])
  expect((await hospital.list('grantOdo', { unit_code: typed })).map(row => row.sn)).toEqual([sn])
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { attempt, expectMessage, lotOf, openScene, type Scene, shelf } from '#tests/support/fixture.ts'
import { day } from '#tests/support/story.ts'

/**
 * Goods managed piece by piece in packs: scanned into them, moved by the pack's code, and still found by their own
 * codes.
 */
let scene: Scene
let serial = 0
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene?.close())

const post = (path: string, body: object) =>
  scene.hospital.client.post(`/v1/business/${path}`, body as Record<string, unknown>)

type Goods = { readonly lot: string; readonly pieces: readonly string[]; readonly template: string }
/** Coded balloons in the central store, and a template that packs two of them. */
async function goods(count: number): Promise<Goods> {
  const { hospital, balloon, central, d } = scene
  serial += 1
  const lot = `PP${serial}`
  const pieces = Array.from({ length: count }, (_, at) => `${lot}-${at + 1}`)
  await scene.shelve(hospital, central, [
    lotOf(balloon, lot, { unit_codes: pieces, owner_org_sn: d, expiry_date: day(200 + serial) }),
  ])
  const code = `PT${serial}`
  const made = await post('packTemplate/add', {
    code,
    name: `球囊2支装${serial}`,
    specification_sn: balloon,
    size: '2',
  })
  expect(made.msg).toBe('')
  return { lot, pieces, template: String((await hospital.list('packTemplate', { q: code }))[0].pack_template_sn) }
}
const packing = ({ template }: Goods, unit_codes: readonly string[]) => ({
  warehouse_model_inner_sn: scene.central,
  pack_template_sn: template,
  lines: [{ unit_codes }],
})
async function packed(of: Goods, pieces = of.pieces): Promise<{ sn: string; codes: string[] }> {
  const sn = await scene.hospital.add('pack', packing(of, pieces))
  await scene.hospital.pass('pack', sn)
  const { lines } = await scene.hospital.info('pack', sn)
  return { sn, codes: (lines as { pack_codes: string[] }[]).flatMap(line => line.pack_codes) }
}
const grant = (unit_codes: readonly string[]) => ({
  warehouse_model_inner_sn: scene.central,
  to_warehouse_model_inner_sn: scene.ward,
  department_inner_sn: scene.department,
  lines: [{ unit_codes }],
})
async function atWard(codes: readonly string[]): Promise<string> {
  const { hospital } = scene
  const sn = await hospital.add('grantOdo', grant(codes))
  await hospital.pass('grantOdo', sn)
  const [receipt] = await hospital.list('wardReceipt', { source_sn: sn })
  await hospital.done('wardReceipt', 'review', receipt.sn)
  return sn
}
const use = (unit_codes: readonly string[], more: object = {}) => ({
  warehouse_model_inner_sn: scene.ward,
  department_inner_sn: scene.department,
  use_type: 'consume',
  lines: [{ unit_codes }],
  ...more,
})
const opening = (unit_codes: readonly string[], more: object = {}) => ({
  warehouse_model_inner_sn: scene.central,
  unpack_reason: '要单件',
  lines: [{ unit_codes, ...more }],
})
const steps = async (code: string) =>
  (await scene.hospital.trace(code)).list.map((event: { step: string }) => event.step)

test('pieces are scanned into packs, keep their codes and are traced both ways', async () => {
  const { hospital, central, balloon } = scene
  const of = await goods(4)
  const { sn, codes } = await packed(of)
  expect(codes).toHaveLength(2)
  expect(codes[0]).toMatch(/^DSB\d{10}$/)
  expect(await hospital.info('pack', sn)).toMatchObject({
    pack_size: '2.000',
    pack_count: 2,
    lines: [{ unit_codes: of.pieces, quantity: '4.000' }],
  })
  expect(await shelf(hospital, central, balloon)).toMatchObject({ [of.lot]: '4.000' })
  const piece = await hospital.trace(of.pieces[0]!)
  expect(piece.list.map((event: { step: string }) => event.step)).toEqual(['opening', 'pack'])
  expect(piece.info.unit.pack).toEqual({ code: codes[0], parts: of.pieces.slice(0, 2) })
  const whole = await hospital.trace(codes[0]!)
  expect(whole.info.candidates.map((each: { code: string }) => each.code).sort()).toEqual(of.pieces.slice(0, 2))
  const read = await hospital.client.post('/v1/code/parse', { code: codes[1] })
  expect(read.info.pack).toEqual({ code: codes[1], parts: of.pieces.slice(2) })
  const [made] = await hospital.list('madePack', { code: codes[0]! })
  expect(made).toMatchObject({ pack_type: 'single', size: '2.000', lot_no: of.lot, status: 'in_stock' })
  expect((await hospital.list('packTemplate', { q: `PT${serial}` }))[0]).toMatchObject({ packs_in_stores: 2 })
  expect((await hospital.list('pack', { unit_code: codes[1]! }))[0].sn).toBe(sn)
})

test('what is refused at packing: half a pack, a piece twice, a template without scans', async () => {
  const { hospital, central } = scene
  const of = await goods(4)
  expectMessage(await attempt(hospital, 'pack', packing(of, of.pieces.slice(0, 3))), '第1行：耗用数量须为定数2的整数倍')
  const { codes } = await packed(of, of.pieces.slice(0, 2))
  expectMessage(
    await attempt(hospital, 'pack', packing(of, of.pieces.slice(1, 3))),
    `院内码${of.pieces[1]}已在定数包${codes[0]}内，请先拆包`,
  )
  const ask = { warehouse_model_inner_sn: central, pack_template_sn: of.template, pack_count: 1 }
  expectMessage(
    await post('pack/byTemplate', ask),
    `【球囊2支装${serial}】内有一物一码产品，请新增组包单并扫描每件的院内码`,
  )
})

test('a pack holds one lot: pieces of two do not make one together', async () => {
  const [one, two] = [await goods(1), await goods(1)]
  expectMessage(
    await attempt(scene.hospital, 'pack', packing(one, [...one.pieces, ...two.pieces])),
    '第1行：同一定数包内批号必须一致，耗用数量须为定数2的整数倍',
  )
})

test('a pack is granted, received, used, taken back and returned by its code, and only whole', async () => {
  const { hospital, ward, central, balloon } = scene
  const of = await goods(4)
  const { codes } = await packed(of)
  expectMessage(
    await attempt(hospital, 'grantOdo', grant([of.pieces[0]!])),
    `定数包${codes[0]}须整包扫描，缺少其中1件，要单用请先拆包`,
  )
  const granted = await atWard(codes)
  expect((await hospital.info('grantOdo', granted)).lines).toMatchObject([{ unit_codes: of.pieces }])
  expect((await hospital.list('packTemplate', { q: `PT${serial}` }))[0]).toMatchObject({ packs_in_wards: 2 })
  expectMessage(
    await attempt(hospital, 'departmentUse', use([of.pieces[3]!])),
    `定数包${codes[1]}须整包扫描，缺少其中1件，要单用请先拆包`,
  )
  const used = await hospital.add('departmentUse', use([codes[0]!]))
  await hospital.pass('departmentUse', used)
  expect((await shelf(hospital, ward, balloon))[of.lot]).toBe('2.000')
  expect(await steps(of.pieces[1]!)).toEqual(['opening', 'pack', 'grant', 'ward_receive', 'use'])
  expect((await hospital.list('packTemplate', { q: `PT${serial}` }))[0]).toMatchObject({
    packs_in_wards: 1,
    packs_used: 1,
  })
  await hospital.done('departmentUse', 'redReverse', used, { reason: '登记错误' })
  const back = await hospital.add('grantReturn', {
    source_sn: granted,
    source_type: 1,
    warehouse_model_inner_sn: ward,
    to_warehouse_model_inner_sn: central,
    return_reason: '未用',
    lines: [{ source_line_no: 1, unit_codes: [codes[1]!] }],
  })
  expect((await hospital.info('grantReturn', back)).lines).toMatchObject([{ unit_codes: of.pieces.slice(2) }])
})

test('an opened pack frees its pieces and is scanned no more; closed again it stands as before', async () => {
  const { hospital, central, balloon } = scene
  const of = await goods(2)
  const { sn, codes } = await packed(of)
  expectMessage(await attempt(hospital, 'unpack', opening([of.pieces[0]!])), /须整包扫描，缺少其中1件/)
  expectMessage(
    await attempt(hospital, 'unpack', opening(codes, { lost_quantity: '1' })),
    '第1行：一物一码产品的损耗请在拆包后按院内码报损',
  )
  const opened = await hospital.add('unpack', opening(codes))
  await hospital.pass('unpack', opened)
  expect(await shelf(hospital, central, balloon)).toMatchObject({ [of.lot]: '2.000' })
  expect(await steps(of.pieces[0]!)).toEqual(['opening', 'pack', 'unpack'])
  expect((await hospital.trace(of.pieces[0]!)).info.unit.pack).toBeNull()
  expectMessage(await attempt(hospital, 'grantOdo', grant(codes)), `定数包${codes[0]}已拆包`)
  expect((await attempt(hospital, 'grantOdo', grant([of.pieces[0]!]))).msg).toBe('')
  expectMessage(await hospital.do('pack', 'unreview', sn, { reason: '重做' }), `定数包${codes[0]}已拆包，不能反审核`)
  expect((await hospital.list('madePack', { code: codes[0]! }))[0]).toMatchObject({ status: 'opened' })
})

test('an unpacking is taken back until its pieces are in another pack; a packing until its packs left', async () => {
  const { hospital } = scene
  const of = await goods(2)
  const { sn, codes } = await packed(of)
  const opened = await hospital.add('unpack', opening(codes))
  await hospital.pass('unpack', opened)
  await hospital.done('unpack', 'unreview', opened, { reason: '拆错' })
  expect((await hospital.trace(of.pieces[0]!)).info.unit.pack).toMatchObject({ code: codes[0] })
  await hospital.done('unpack', 'review', opened)
  const again = await packed(of)
  expect(again.codes[0]).not.toBe(codes[0])
  expect((await hospital.do('unpack', 'unreview', opened, { reason: '拆错' })).code).not.toBe(0)
  await hospital.done('pack', 'unreview', again.sn, { reason: '重做' })
  expect((await hospital.info('pack', again.sn)).lines).toMatchObject([{ unit_codes: of.pieces, pack_codes: [] }])
  await hospital.done('pack', 'unsubmit', again.sn)
  await hospital.done('unpack', 'unreview', opened, { reason: '拆错' })
  await hospital.done('unpack', 'unsubmit', opened)
  await hospital.done('pack', 'unreview', sn, { reason: '重做' })
  expect((await hospital.trace(of.pieces[0]!)).info.unit.pack).toBeNull()
})

test('a combined pack holds coded pieces beside loose goods, under one code', async () => {
  const { hospital, balloon, inflator, central, ward } = scene
  const of = await goods(4)
  await scene.shelve(hospital, central, [lotOf(inflator, `${of.lot}L`, { quantity: '6' })])
  const code = `PC${serial}`
  expect((await post('packTemplate/add', { code, name: `介入包${serial}`, pack_type: 'combined' })).msg).toBe('')
  const template = String((await hospital.list('packTemplate', { q: code }))[0].pack_template_sn)
  for (const [specification_sn, quantity] of [
    [balloon, '2'],
    [inflator, '3'],
  ])
    expect((await post('packTemplateLine/add', { pack_template_sn: template, specification_sn, quantity })).msg).toBe(
      '',
    )
  const sn = await hospital.add('pack', {
    warehouse_model_inner_sn: central,
    pack_template_sn: template,
    lines: [{ unit_codes: of.pieces }, { specification_sn: inflator, lot_no: `${of.lot}L`, quantity: '6' }],
  })
  await hospital.pass('pack', sn)
  const made = await hospital.list('madePack', { document_sn: sn, sort: 'code' })
  expect(made).toHaveLength(2)
  expect(made[0]).toMatchObject({ pack_type: 'combined', size: '5.000' })
  const codes = made.map(row => String(row.code)).sort()
  await atWard([codes[0]!])
  expect((await shelf(hospital, ward, balloon))[of.lot]).toBe('2.000')
  expect((await shelf(hospital, ward, inflator))[`${of.lot}L`]).toBe('3.000')
  expectMessage(
    await attempt(hospital, 'departmentUse', use(of.pieces.slice(0, 2))),
    `组合包${codes[0]}须整包扫描，缺少其中1种产品，要单用请先拆包`,
  )
  const opened = await hospital.add('unpack', {
    warehouse_model_inner_sn: ward,
    unpack_type: 'combined',
    unpack_reason: '要单件',
    lines: [{ unit_codes: [codes[0]!] }],
  })
  await hospital.pass('unpack', opened)
  expectMessage(await attempt(hospital, 'departmentUse', use([codes[0]!])), `定数包${codes[0]}已拆包`)
  expect((await attempt(hospital, 'departmentUse', use([of.pieces[0]!]))).msg).toBe('')
})

test('the card of a pack is printed for itself, and its piece has its own label', async () => {
  const { hospital } = scene
  const of = await goods(2)
  const { codes } = await packed(of)
  const [made] = await hospital.list('madePack', { code: codes[0]! })
  const labelsOf = async (kind: string) =>
    (await hospital.client.get('/v1/labels', { of: kind, units: made.made_pack_sn })).list[0]
  expect(await labelsOf('madePack')).toMatchObject({ code: codes[0], gs1: null, quantity: '1包=2件', times: 0 })
  expect(await labelsOf('unitLabel')).toMatchObject({ code: of.pieces[0], times: 0 })
  const printed = await hospital.client.post('/v1/labels/printed', { of: 'madePack', units: made.made_pack_sn })
  expect(printed.msg).toBe('')
  expect([(await labelsOf('madePack')).times, (await labelsOf('unitLabel')).times]).toEqual([1, 0])
})

test('a relabelled piece stays in its pack; a count reads the pack by one scan', async () => {
  const { hospital, central } = scene
  const of = await goods(2)
  const { codes } = await packed(of)
  const [label] = await hospital.list('unitLabel', { q: of.pieces[0]! })
  const replaced = await post('unitLabel/replace', { sns: JSON.stringify([label.unit_sn]), reason: '破损' })
  expect(replaced.msg).toBe('')
  const { parts } = (await hospital.client.post('/v1/code/parse', { code: codes[0] })).info.pack
  expect(parts).toHaveLength(2)
  expect(parts).not.toContain(of.pieces[0])
  const count = await hospital.add('stockTake', { warehouse_model_inner_sn: central })
  await hospital.done('stockTake', 'start', count)
  const scanned = await post('stockTake/scan', { sn: count, codes: JSON.stringify([codes[0]]) })
  expect(scanned.msg).toBe('')
  const { lines } = await hospital.info('stockTake', count)
  expect((lines as { lot_no: string }[]).find(line => line.lot_no === of.lot)).toMatchObject({
    book_quantity: '2.000',
    counted_quantity: '2.000',
  })
})

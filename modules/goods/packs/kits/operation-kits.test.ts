import { afterAll, beforeAll, expect, test } from 'vitest'
import { attempt, expectMessage, lotOf, openScene, type Scene, shelf } from '#tests/support/fixture.ts'
import { day } from '#tests/support/story.ts'

/** 手术套包: made up by a version of its template, issued as one, settled after the operation line by line. */
let scene: Scene
let mesh = ''
let other = ''
let serial = 0
beforeAll(async () => {
  scene = await openScene()
  ;[mesh, other] = (await Promise.all(['P042-01', 'P042-02'].map(scene.specification))) as [string, string]
})
afterAll(() => scene?.close())

const post = (path: string, body: object) =>
  scene.hospital.client.post(`/v1/business/${path}`, body as Record<string, unknown>)
const ok = async (path: string, body: object) => {
  const reply = await post(path, body)
  expect(reply.msg).toBe('')
  return reply
}
const kitRow = async (code: string, more: Record<string, string> = { is_current: 'true' }) =>
  (await scene.hospital.list('operationKit', { code, ...more }))[0]
const instance = async (code: string) => (await scene.hospital.list('madeKit', { code }))[0]

/**
 * A kit of one pump and five needles, with needles of another size as substitutes, and an optional product that is out
 * of stock.
 */
async function kit(more: object = {}): Promise<{ code: string; sn: string }> {
  serial += 1
  const code = `TB${serial}`
  await ok('operationKit/add', { code, name: `胆囊切除套包${serial}`, surgery_name: '腹腔镜胆囊切除术', ...more })
  const sn = String((await kitRow(code)).operation_kit_sn)
  const line = (body: object) => ok('operationKitLine/add', { operation_kit_sn: sn, ...body })
  await line({ specification_sn: scene.inflator, quantity: '1' })
  await line({ specification_sn: mesh, quantity: '5', substitute_sn: other })
  await line({ specification_sn: await scene.specification('P041-03'), quantity: '2', is_required: false })
  return { code, sn }
}
const stock = (specification: string, lot: string, quantity: string, expiry: number) =>
  scene.shelve(scene.hospital, scene.central, [
    lotOf(specification, lot, { quantity, price: '10', expiry_date: day(expiry) }),
  ])
const makeUp = (sn: string, kit_count = 1) =>
  post('operationKit/makeUp', { sns: [sn], warehouse_model_inner_sn: scene.central, kit_count })

/** Made-up kits by their codes. */
async function made(sn: string, count = 1): Promise<string[]> {
  const reply = await makeUp(sn, count)
  expect(reply.msg).toBe('')
  const codes: string[] = []
  for (const document of String(reply.info.said).match(/ZB\d+/g)!) {
    await scene.hospital.pass('pack', document)
    codes.push(...(await scene.hospital.list('madePack', { document_sn: document })).map(row => String(row.code)))
  }
  return codes.sort()
}
/** Goods for some kits, under lots of their own. */
async function supplied(count: number): Promise<[string, string]> {
  const lots: [string, string] = [`KA${serial}`, `KB${serial}`]
  await stock(scene.inflator, lots[0], String(count), 30 + serial)
  await stock(mesh, lots[1], String(5 * count), 10 + serial)
  return lots
}
async function issued(codes: readonly string[]): Promise<string> {
  const keys = await Promise.all(codes.map(async code => String((await instance(code)).made_kit_sn)))
  const reply = await ok('madeKit/issue', {
    sns: keys,
    to_warehouse_model_inner_sn: scene.ward,
    department_inner_sn: scene.department,
  })
  const sn = String(reply.info.said).match(/FF\d+/)![0]
  await scene.hospital.pass('grantOdo', sn)
  const [receipt] = await scene.hospital.list('wardReceipt', { source_sn: sn })
  await scene.hospital.done('wardReceipt', 'review', receipt.sn)
  return sn
}
const parts = async (code: string) =>
  scene.hospital.list('madeKitLine', { made_kit_sn: String((await instance(code)).made_kit_sn) })
const write = async (code: string, figures: readonly (readonly [used: string, returned: string | null])[]) => {
  for (const [at, row] of (await parts(code)).entries()) {
    const [used_quantity, returned_quantity] = figures[at]!
    await ok('madeKitLine/edit', {
      sn: row.made_kit_line_sn,
      version: row.version,
      used_quantity,
      ...(returned_quantity === null ? {} : { returned_quantity }),
    })
  }
}
const stepsOf = async (code: string) =>
  (await scene.hospital.trace(code)).list.map((event: { step: string }) => event.step)
const settle = async (code: string, answers: object = { patient_name: '苏听松', admission_no: 'ZY77' }) => {
  const { made_kit_sn: sn, version } = await instance(code)
  return post('madeKit/settleKit', { sn, version, ...answers })
}

test('a kit is made up whole, of the lots that expire first, and takes the earliest expiry', async () => {
  const { sn, code } = await kit()
  const lots = await supplied(2)
  const [one, two] = (await made(sn, 2)) as [string, string]
  expect(one).toMatch(/^DSB\d{10}$/)
  expect(await instance(one)).toMatchObject({ state: 'ready', expiry_date: day(10 + serial), operation_kit_sn: sn })
  expect((await parts(two)).map(row => [row.lot_no, row.quantity])).toEqual([
    [lots[0], '1.000'],
    [lots[1], '5.000'],
  ])
  expect(await kitRow(code)).toMatchObject({ product_count: 3, piece_count: '8.000', kits_ready: 2, kits_issued: 0 })
  expectMessage(await makeUp(sn, 9), /^必备产品【.+】库存不足$/)
})

test('a required product may be replaced; what may stand in for it is taken when it runs out', async () => {
  const { sn } = await kit()
  await stock(scene.inflator, `KA${serial}`, '1', 20)
  await stock(other, `KC${serial}`, '5', 400)
  const [code] = await made(sn)
  const names = (await parts(code!)).map(row => row.specification_sn)
  expect([mesh, other]).toContain(names[1])
})

test('a version that was made up is never changed: its next version is', async () => {
  const { sn, code } = await kit()
  await supplied(1)
  const [line] = await scene.hospital.list('operationKitLine', { operation_kit_sn: sn })
  await made(sn)
  const edit = async () => {
    const row = await kitRow(code)
    return post('operationKit/edit', { sn: row.operation_kit_sn, version: row.version, name: '改名' })
  }
  expectMessage(await edit(), '套包已配包，请新建版本')
  expectMessage(
    await post('operationKitLine/edit', { sn: line.operation_kit_line_sn, version: line.version, quantity: '3' }),
    '套包已配包，请新建版本',
  )
  const { version } = await kitRow(code)
  expectMessage(await post('operationKit/del', { sn, version }), '套包已配包，请新建版本')
  await ok('operationKit/newVersion', { sn, version })
  const next = await kitRow(code)
  expect(next).toMatchObject({ version_no: 2, product_count: 3, kits_ready: 0 })
  expect((await edit()).msg).toBe('')
  expectMessage(await makeUp(sn), /已停用或不是当前版本，不能配包$/)
  expect(await kitRow(code, { is_current: 'false' })).toMatchObject({ version_no: 1, kits_ready: 1 })
  await ok('operationKit/copy', {
    sn: next.operation_kit_sn,
    version: (await kitRow(code)).version,
    new_code: `${code}F`,
    new_name: '复制',
  })
  expect(await kitRow(`${code}F`)).toMatchObject({ version_no: 1, product_count: 3 })
})

test('a kit with an expired part is not issued', async () => {
  const { sn } = await kit()
  await supplied(1)
  const [code] = (await made(sn)) as [string]
  const [part] = await parts(code)
  const set = (to: string) =>
    scene.one(
      `update stock_lot set expiry_date = $1 where org_id = $2 and lot_id = (
         select l.lot_id from made_kit_line l where l.org_id = $2 and l.id = $3) returning 1`,
      to,
      scene.h,
      part.made_kit_line_sn,
    )
  const before = String(part.expiry_date)
  await set(day(-1))
  const issue = {
    sns: [String((await instance(code)).made_kit_sn)],
    to_warehouse_model_inner_sn: scene.ward,
    department_inner_sn: scene.department,
  }
  expectMessage(await post('madeKit/issue', issue), `套包内【${part.product_name}】已过期`)
  const grant = { ...issue, warehouse_model_inner_sn: scene.central, lines: [{ unit_codes: [code] }] }
  const { sns: _sns, ...byHand } = grant
  expectMessage(await attempt(scene.hospital, 'grantOdo', byHand), /已过期状态，不能发放$/)
  await set(before)
})

test('after the operation what was used is the patient’s and the rest is loose goods; each line balances', async () => {
  const { hospital, ward } = scene
  const { sn, code } = await kit()
  const lots = await supplied(2)
  const [one, two] = (await made(sn, 2)) as [string, string]
  expectMessage(await settle(one), `套包${one}不在手术室库存，不能核销`)
  const issue = await issued([one, two])
  expect(await instance(one)).toMatchObject({ state: 'issued', issue_sn: issue })
  expect(await kitRow(code)).toMatchObject({ kits_ready: 0, kits_issued: 2 })
  expectMessage(await settle(one), '核销数量不平')
  await write(one, [
    ['1', '0'],
    ['1', '3'],
  ])
  expectMessage(await settle(one), '核销数量不平')
  await write(one, [
    ['1', '0'],
    ['1', '4'],
  ])
  expectMessage(await settle(one, {}), '请填写患者姓名或住院号')
  expect((await settle(one)).msg).toBe('')
  const settled = await instance(one)
  expect(settled).toMatchObject({ state: 'settled', use_sn: expect.stringMatching(/^SSSY/) })
  expect(await hospital.info('surgeryUse', settled.use_sn)).toMatchObject({
    state: 'reviewed',
    patient_name: '苏听松',
    surgery_name: '腹腔镜胆囊切除术',
    total_quantity: '2.000',
  })
  expect((await shelf(hospital, ward, mesh))[lots[1]]).toBe('9.000')
  const back = {
    source_sn: issue,
    source_type: 1,
    warehouse_model_inner_sn: ward,
    to_warehouse_model_inner_sn: scene.central,
    return_reason: '未用',
    lines: [{ source_line_no: 1, unit_codes: [`${one}-1`] }],
  }
  expectMessage(await attempt(hospital, 'grantReturn', back), `定数包${one}已拆包`)
  expectMessage(await settle(one), `套包${one}不在手术室库存，不能核销`)
  // A quantity that is not entered as returned counts as left over.
  await write(two, [
    ['0', '1'],
    ['2', null],
  ])
  expect((await settle(two)).msg).toBe('')
  const lines = await hospital.list('operationKitLine', { operation_kit_sn: sn })
  expect(lines.map(row => [row.kits_settled, row.usage_rate, row.proposal])).toEqual([
    [2, '0.5000', null],
    [2, '0.3000', null],
    [0, null, null],
  ])
  expect(await kitRow(code)).toMatchObject({ usage_rate: '0.3333' })
  const log = await scene.one(
    `select count(*)::int as entries, count(*) filter (where l::text like '%苏听松%')::int as leaks
       from operation_log l where l.subject = 'madeKit' and l.action = 'settleKit'`,
  )
  // Two settlements and the refusals before them, all without the patient.
  expect(log.entries).toBeGreaterThan(2)
  expect(log.leaks).toBe(0)
})

test('a kit that may not be split is only opened by its settlement', async () => {
  const { sn } = await kit({ is_splittable: false })
  await supplied(1)
  const [code] = (await made(sn)) as [string]
  const opening = {
    warehouse_model_inner_sn: scene.central,
    unpack_type: 'combined',
    unpack_reason: '试',
    lines: [{ unit_codes: [code] }],
  }
  expectMessage(await attempt(scene.hospital, 'unpack', opening), `套包${code}不允许拆用，请发放后办理术后核销`)
  await issued([code])
  await write(code, [
    ['0', '1'],
    ['0', '5'],
  ])
  expect((await settle(code, {})).msg).toBe('')
  expect(await instance(code)).toMatchObject({ state: 'settled', use_sn: null })
})

/** A kit of two coded stents, with or without loose goods, and such stents in the central store. */
async function codedKit(count: number, isAlone = false): Promise<{ sn: string; pieces: string[] }> {
  serial += 1
  const code = `TB${serial}`
  await ok('operationKit/add', { code, name: `支架套包${serial}`, surgery_name: '冠状动脉支架植入术' })
  const sn = String((await kitRow(code)).operation_kit_sn)
  await ok('operationKitLine/add', { operation_kit_sn: sn, specification_sn: scene.stent, quantity: '2' })
  if (!isAlone)
    await ok('operationKitLine/add', { operation_kit_sn: sn, specification_sn: scene.inflator, quantity: '1' })
  const lot = `KS${serial}`
  const pieces = Array.from({ length: count }, (_, at) => `${lot}-${at + 1}`)
  await scene.shelve(scene.hospital, scene.central, [
    lotOf(scene.stent, lot, { unit_codes: pieces, expiry_date: day(20 + serial) }),
  ])
  return { sn, pieces }
}

test('pieces with codes are in a kit by their codes: proposed, scanned, used one by one, the rest back', async () => {
  const { hospital } = scene
  const { sn, pieces } = await codedKit(4)
  await stock(scene.inflator, `KA${serial}`, '2', 30 + serial)
  const [one, two] = (await made(sn, 2)) as [string, string]
  expect((await hospital.trace(pieces[0]!)).info.unit.pack.code).toBe(one)
  const [first, second, loose] = await parts(one)
  expect([first.piece_code, second.piece_code, loose.piece_code]).toEqual([pieces[0], pieces[1], null])
  expectMessage(await makeUp(sn), /^必备产品【.+】库存不足$/)
  await issued([one, two])
  await expect(write(one, [['0.5', '0.5']])).rejects.toThrow(/一物一码产品填0或1/)
  await write(one, [
    ['1', '0'],
    ['0', '1'],
    ['1', '0'],
  ])
  const answers = {
    patient_name: '苏听松',
    admission_no: 'ZY77',
    implant_site: '前降支',
    doctor_inner_sn: scene.surgeon,
  }
  expect((await settle(one, answers)).msg).toBe('')
  const { use_sn } = await instance(one)
  const { lines } = await hospital.info('surgeryUse', use_sn)
  expect((lines as { unit_codes: string[] }[]).flatMap(line => line.unit_codes)).toContain(pieces[0])
  expect(await stepsOf(pieces[0]!)).toEqual(['opening', 'pack', 'grant', 'ward_receive', 'unpack', 'use'])
  expect(await stepsOf(pieces[1]!)).toEqual(['opening', 'pack', 'grant', 'ward_receive', 'unpack'])
  expect(await instance(two)).toMatchObject({ state: 'issued' })
})

test('a kit of coded pieces alone may be made up again of the pieces that came out of another', async () => {
  const { hospital } = scene
  const { sn, pieces } = await codedKit(2, true)
  const [one] = (await made(sn)) as [string]
  const [card] = (
    await hospital.client.get('/v1/labels', {
      of: 'madeKit',
      units: String((await instance(one)).made_kit_sn),
    })
  ).list
  expect(card).toMatchObject({ code: one })
  const opened = await hospital.add('unpack', {
    warehouse_model_inner_sn: scene.central,
    unpack_type: 'combined',
    unpack_reason: '手术取消',
    lines: [{ unit_codes: [one] }],
  })
  await hospital.pass('unpack', opened)
  expect(await instance(one)).toMatchObject({ state: 'opened' })
  const [two] = (await made(sn)) as [string]
  expect(two).not.toBe(one)
  expect(await instance(two)).toMatchObject({ state: 'ready' })
  expect((await parts(two)).map(row => row.piece_code)).toEqual(pieces)
})

test('whoever is bound to a store sees and settles the kits of that store alone', async () => {
  const { hospital } = scene
  const { sn } = await kit()
  await supplied(2)
  const [code, here] = (await made(sn, 2)) as [string, string]
  await issued([code])
  const page = 'page:/hospital/hospitalOperationKits'
  const flags = [page, 'madeKit.settleKit']
  const role = (await ok('role/add', { name: '中心库套包', flags })).info.sn
  const [person] = await hospital.list('user', { login: 'keeper' })
  await ok('user/edit', {
    sn: person.user_inner_sn,
    version: person.version,
    roles: [role],
    store_scope: 'chosen',
    warehouses: [scene.central],
  })
  await scene.one(
    "update app_user set is_administrator = false where org_id = $1 and login = 'keeper' returning 1",
    scene.h,
  )
  const keeper = await scene.person('keeper')
  const { made_kit_sn, version } = await instance(code)
  expect(await keeper.list('madeKit', { code: here })).toMatchObject([{ state: 'ready' }])
  expect(await keeper.list('madeKit', { code })).toEqual([])
  expect(await keeper.list('madeKitLine', { made_kit_sn: String(made_kit_sn) })).toEqual([])
  const refused = await keeper.client.post('/v1/business/madeKit/settleKit', { sn: made_kit_sn, version })
  expectMessage(refused, /不存在/)
  expect(await instance(code)).toMatchObject({ state: 'issued', settled_at: null })
})

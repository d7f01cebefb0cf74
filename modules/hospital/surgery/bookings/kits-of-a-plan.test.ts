import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectMessage, lotOf, openScene, type Scene } from '#tests/support/fixture.ts'
import { openTechnician } from '#tests/support/technician.ts'
import { day } from '#tests/support/story.ts'

/** 分配手术, 借出, 归还清点: kits and sets are given to plans from their own pages, by the plan's own actions. */
let scene: Scene
let technician = ''
let serial = 0
beforeAll(async () => {
  scene = await openScene()
  const { dealer, shop, inflator } = scene
  technician = await openTechnician(scene)
  await scene.shelve(dealer, shop, [lotOf(inflator, 'KP', { quantity: '40' })])
  await ok('toolsTemplate/add', { code: 'KPT', name: '髋工具包' })
})
afterAll(() => scene?.close())

const post = (path: string, body: object) =>
  scene.dealer.client.post(`/v1/business/${path}`, body as Record<string, unknown>)
const ok = async (path: string, body: object) => {
  const reply = await post(path, body)
  expect(reply.msg).toBe('')
  return reply
}
const rowOf = async (kind: string, code: string) => (await scene.dealer.list(kind, { code }))[0]
const act = async (kind: 'implantKit' | 'toolsKit', action: string, code: string, more: object = {}) => {
  const row = await rowOf(kind, code)
  const sn = row[kind === 'implantKit' ? 'implant_kit_sn' : 'tools_kit_sn']
  return post(`${kind}/${action}`, { sn, version: row.version, ...more })
}

/** An urgent operation that the dealer accepted: it waits for no pre-acceptance. */
async function accepted(offset: number, answers = true, hour = '02'): Promise<string> {
  const sn = await scene.hospital.add('bonePlan', {
    counterparty_sn: scene.d,
    department_inner_sn: scene.department,
    doctor_inner_sn: scene.surgeon,
    surgery_at: `${day(offset)}T${hour}:00:00.000Z`,
    surgery_type: 'emergency',
    procedure_name: '髋关节置换术',
    lines: [{ item_name: '髋部套包', category: 'kit', quantity: '1' }],
  })
  await scene.hospital.pass('bonePlan', sn)
  if (answers) await scene.dealer.done('bonePlan', 'accept', sn, { technician_inner_sn: technician })
  return sn
}

async function kit(): Promise<string> {
  serial += 1
  const { info } = await ok('operationKit/add', { code: `KP${serial}`, name: `髋套包${serial}`, surgery_name: '髋' })
  await ok('operationKitLine/add', { operation_kit_sn: info.sn, specification_sn: scene.inflator, quantity: '4' })
  const code = `TBP-${serial}`
  await ok('implantKit/add', { code, operation_kit_sn: info.sn, warehouse_model_inner_sn: scene.shop })
  return code
}

test('a kit is assigned to an accepted plan and to no other; it goes by the presale and comes home by a return', async () => {
  const code = await kit()
  const open = await accepted(50, false)
  expectMessage(await act('implantKit', 'assign', code, { plan_no: open }), `跟台计划单${open}尚未接单，不能分配`)
  expectMessage(await act('implantKit', 'assign', code, { plan_no: 'GT0' }), '跟台计划单GT0不存在或已结束，请核对单号')
  await scene.one(
    `insert into price_agreement (org_id, seller_id, buyer_id, specification_id, price, tax_rate, valid_from)
     values ($1, $1, $2, $3, 91.25, 13, $4) returning 1`,
    scene.d,
    scene.h,
    scene.inflator,
    day(-1),
  )
  const plan = await accepted(51)
  expect((await act('implantKit', 'assign', code, { plan_no: plan })).msg).toBe('')
  expect(await rowOf('implantKit', code)).toMatchObject({ state: 'booked', plan_no: plan })
  // The kit has the worth that was agreed with this hospital, on the plan and on its sheet, for who may read prices.
  expect((await scene.dealer.list('bonePlan', { sn: plan }))[0]).toMatchObject({
    kit_codes: [code],
    kit_amount: '365.00',
  })
  const { implant_kit_sn } = await rowOf('implantKit', code)
  const sheet = (who = scene.dealer) => who.client.get('/v1/business/implantKit/print', { sn: implant_kit_sn })
  expect((await sheet()).info).toMatchObject({
    taxed_amount: '365.00',
    lines: [{ price: '91.2500', taxed_amount: '365.00' }],
  })
  const packer = await scene.clerk('dealer', 'kitpacker', ['page:/commonView/operationKits', 'implantKit.print'])
  const blind = await sheet(packer)
  expect(blind.info.lines).toHaveLength(1)
  expect(JSON.stringify(blind.info)).not.toMatch(/price|amount/)
  expect(await scene.hospital.info('bonePlan', plan)).not.toHaveProperty('kit_amount')
  const other = await accepted(51, true, '08')
  expectMessage(await act('implantKit', 'assign', code, { plan_no: other }), `套包【${code}】已被手术${plan}占用`)
  await scene.dealer.done('bonePlan', 'toPresale', plan)
  await scene.dealer.pass('bonePresale', (await scene.dealer.from('bonePresale', plan)).sn)
  const out = await rowOf('implantKit', code)
  expect(out).toMatchObject({ state: 'out', current_place: expect.stringContaining('医院') })
  // The hospital scans the code on the box, and reads what is in it; another hospital or dealer does not.
  const seen = await scene.hospital.trace(code)
  expect(JSON.stringify(seen)).toContain('KP')
  const priced = async (statement: string, ...more: string[]) => {
    await scene.server.database.owner.unsafe(statement, [scene.h, scene.d, scene.inflator, ...more])
    return (await scene.hospital.trace(code)).info.container
  }
  const agreed = 'where org_id = $1 and seller_id = $2 and buyer_id = $1 and specification_id = $3'
  const none = await priced(`update price_agreement set status = 'disabled' ${agreed}`)
  expect(none).toMatchObject({ code, amount: null, unpriced: 1 })
  expect(none.goods).toMatchObject([{ specification_sn: scene.inflator, lot_no: 'KP', quantity: '4.000', price: null }])
  const known = await priced(
    `insert into price_agreement (org_id, seller_id, buyer_id, specification_id, price, tax_rate, valid_from)
     values ($1, $2, $1, $3, $4, 13, $5)`,
    '87.5',
    day(-1),
  )
  expect(known).toMatchObject({ amount: '350.00', unpriced: 0, goods: [{ price: '87.5000', amount: '350.00' }] })
  const clerk = await scene.clerk('hospital', 'kitreader', ['page:/hospital/traceabilityManage'])
  const bare = await clerk.trace(code)
  expect(bare.info.container.goods).toHaveLength(1)
  expect(JSON.stringify(bare)).not.toMatch(/price|amount/)
  expect((await scene.vendor.trace(code)).code).not.toBe(0)
  const back = await ok('implantKit/giveBack', { sns: [out.implant_kit_sn] })
  expect(back.info.made).toMatchObject({ kind: 'boneBack' })
  await scene.dealer.pass('boneBack', back.info.made.sn)
  expect(await rowOf('implantKit', code)).toMatchObject({ state: 'ready', held_quantity: '4.000', plan_no: null })
  expectMessage(
    await post('implantKit/giveBack', { sns: [out.implant_kit_sn] }),
    `套包【${code}】没有送出，不需要归还清点`,
  )
})

test('a set is lent to an accepted plan, with every instrument in it', async () => {
  const [template] = await scene.dealer.list('toolsTemplate', { code: 'KPT' })
  await ok('toolsTemplateLine/add', {
    tools_template_sn: template.tools_template_sn,
    tool_code: 'KPZ',
    name: '电钻',
    quantity: '1',
    is_key: true,
  })
  await ok('surgicalTool/add', { code: 'KP-Z1', tool_code: 'KPZ', name: '电钻', warehouse_model_inner_sn: scene.shop })
  await ok('toolsKit/add', {
    code: 'GJP-1',
    tools_template_sn: template.tools_template_sn,
    warehouse_model_inner_sn: scene.shop,
  })
  const plan = await accepted(60)
  expect((await act('toolsKit', 'lend', 'GJP-1', { plan_no: plan })).msg).toBe('')
  expect(await rowOf('toolsKit', 'GJP-1')).toMatchObject({ state: 'out', plan_no: plan })
  expect(await rowOf('surgicalTool', 'KP-Z1')).toMatchObject({
    state: 'out',
    current_place: expect.stringContaining('医院'),
  })
  expectMessage(
    await act('toolsKit', 'lend', 'GJP-1', { plan_no: await accepted(61) }),
    '工具包【GJP-1】为送出状态，不能办理该业务',
  )
  expect((await act('toolsKit', 'giveBack', 'GJP-1', { tool_codes: JSON.stringify(['KP-Z1']) })).msg).toBe('')
  expect(await rowOf('toolsKit', 'GJP-1')).toMatchObject({ state: 'dirty', use_count: 1 })
})

test('a presale that was reviewed by mistake is taken back, and its kits and sets never left', async () => {
  await ok('toolsTemplate/add', { code: 'KPT9', name: '膝工具包' })
  const [template] = await scene.dealer.list('toolsTemplate', { code: 'KPT9' })
  await ok('toolsTemplateLine/add', {
    tools_template_sn: template.tools_template_sn,
    tool_code: 'KPZ9',
    name: '持针器',
    quantity: '1',
  })
  await ok('surgicalTool/add', {
    code: 'KP-Z9',
    tool_code: 'KPZ9',
    name: '持针器',
    warehouse_model_inner_sn: scene.shop,
  })
  await ok('toolsKit/add', {
    code: 'GJP-9',
    tools_template_sn: template.tools_template_sn,
    warehouse_model_inner_sn: scene.shop,
  })
  const code = await kit()
  const plan = await accepted(70)
  await scene.dealer.done('bonePlan', 'prepare', plan, { kit_codes: [code], tools_codes: ['GJP-9'] })
  await scene.dealer.done('bonePlan', 'toPresale', plan)
  const { sn } = await scene.dealer.from('bonePresale', plan)
  await scene.dealer.pass('bonePresale', sn)
  expect(await rowOf('implantKit', code)).toMatchObject({ state: 'out' })
  expect(await rowOf('toolsKit', 'GJP-9')).toMatchObject({ state: 'out' })
  await scene.dealer.done('bonePresale', 'unreview', sn)
  expect(await rowOf('implantKit', code)).toMatchObject({ state: 'booked', plan_no: plan, held_quantity: '4.000' })
  expect(await rowOf('toolsKit', 'GJP-9')).toMatchObject({ state: 'booked', use_count: 0 })
  expect(await rowOf('surgicalTool', 'KP-Z9')).toMatchObject({ state: 'packed', use_count: 0 })
  expect((await scene.dealer.list('bonePlan', { sn: plan }))[0]).toMatchObject({ follow_state: '1' })
  await scene.dealer.done('bonePresale', 'review', sn)
  expect(await rowOf('toolsKit', 'GJP-9')).toMatchObject({ state: 'out' })
})

test('用量对比: what went out in a kit, what of it was used, came back and was lost, kit by kit beside its list', async () => {
  const { dealer, hospital, inflator, shop } = scene
  const codes = [await kit(), await kit()]
  const plan = await accepted(75)
  await dealer.done('bonePlan', 'prepare', plan, { kit_codes: codes })
  await dealer.done('bonePlan', 'toPresale', plan)
  const { sn } = await dealer.from('bonePresale', plan)
  await dealer.pass('bonePresale', sn)
  // Out of the first kit three pieces are used; both have the same lot of the same goods.
  const loans = await scene.one("select id from warehouse where org_id = $1 and model = 'loan' limit 1", scene.h)
  const use = await hospital.add('surgeryUse', {
    warehouse_model_inner_sn: loans.id,
    department_inner_sn: scene.department,
    doctor_inner_sn: scene.surgeon,
    surgery_name: '髋关节置换术',
    patient_no: 'KP-1',
    patient_name: '沈知微',
    admission_no: 'ZYKP1',
    lines: [{ specification_sn: inflator, lot_no: 'KP', quantity: '3', location: sn }],
  })
  await hospital.pass('surgeryUse', use)
  const lines = (await dealer.info('bonePresale', sn)).lines as { line_no: number; kit_code: string }[]
  const at = (code: string) => lines.find(line => line.kit_code === code)!.line_no
  const first = codes.find(code => at(code) === Math.min(...lines.map(line => line.line_no)))!
  const second = codes.find(code => code !== first)!
  const back = await dealer.add('boneBack', {
    source_sn: sn,
    source_org_sn: scene.d,
    source_type: 119,
    warehouse_model_inner_sn: shop,
    lines: [
      { source_line_no: at(first), quantity: '1', return_kind: 'returned' },
      { source_line_no: at(second), quantity: '3', return_kind: 'returned' },
      { source_line_no: at(second), quantity: '1', return_kind: 'lost', difference_reason: '术后清点缺失' },
    ],
  })
  await dealer.pass('boneBack', back)
  const rowsOf = async (who: typeof dealer, more: object = {}) =>
    (await who.client.get('/v1/report/kitUse', { begin_date: day(-1), end_date: day(), kit_code: 'TBP', ...more }))
      .list as Record<string, unknown>[]
  const of = (rows: readonly Record<string, unknown>[], code: string) => rows.find(row => row.kit_code === code)
  const used = { sent_quantity: '4.000', used_quantity: '3.000', returned_quantity: '1.000', lost_quantity: '0.000' }
  const unused = { sent_quantity: '4.000', used_quantity: '0.000', returned_quantity: '3.000', lost_quantity: '1.000' }
  const mine = await rowsOf(dealer)
  expect(of(mine, first)).toMatchObject({
    ...used,
    par_quantity: '4.000',
    operations: 1,
    average_used: '3.000',
    usage_rate: '0.7500',
    deviation: '-0.2500',
    open_quantity: '0.000',
  })
  expect(of(mine, second)).toMatchObject({ ...unused, usage_rate: '0.0000', open_quantity: '0.000' })
  const theirs = await rowsOf(hospital)
  expect(of(theirs, first)).toMatchObject(used)
  expect(of(theirs, second)).toMatchObject(unused)
  expect(theirs[0]).not.toHaveProperty('par_quantity')
  expect(await rowsOf(scene.vendor)).toEqual([])
  const lists = await rowsOf(dealer, { by: 'list' })
  expect(lists.some(row => String(row.kit_code).startsWith('KP'))).toBe(true)
  // By the path: one kit of the list an operation is the standard, and three pieces of its goods.
  const path = await ok('operationPath/add', { code: 'KPL', name: '髋关节置换术', surgery_code: '81.5100' })
  const item = { operation_path_sn: path.info.sn, stage_no: 1, quantity: '1', max_quantity: '9' }
  const [list] = await dealer.list('operationKit', { code: String(lists[0]!.kit_code) })
  await ok('operationPathLine/add', { ...item, item_type: 'kit', operation_kit_sn: list.operation_kit_sn })
  await ok('operationPathLine/add', { ...item, item_type: 'goods', specification_sn: inflator })
  const compared = await dealer.list('operationPathLine', { operation_path_sn: path.info.sn })
  expect(compared.map(row => [row.item_type, row.used_total]).toSorted()).toEqual([
    ['goods', '3.000'],
    ['kit', '1.000'],
  ])
  expect(compared[0]!.operations).toBeGreaterThan(0)
  expectMessage(
    await dealer.client.get('/v1/report/kitUse', { begin_date: day(), end_date: day(-1) }),
    '开始日期不能大于结束日期',
  )
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { inOrganisation, type Tx } from '#server/database/transaction.ts'
import { systemSessionOf } from '#server/organisations/organisations.ts'
import type { Session } from '#server/access/session.ts'
import { book, sendToolsKits } from '#modules/hospital/surgery/bookings/booking.server.ts'
import { expectMessage, openScene, type Scene } from '#tests/support/fixture.ts'
import { day } from '#tests/support/story.ts'

/** 骨科手术工具与工具包: instruments under their own codes, in sets that are lent, counted and cleaned. */
let scene: Scene
let serial = 0
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene?.close())

const post = (path: string, body: object) =>
  scene.dealer.client.post(`/v1/business/${path}`, body as Record<string, unknown>)
const ok = async (path: string, body: object) => {
  const reply = await post(path, body)
  expect(reply.msg).toBe('')
  return reply
}
const toolOf = async (code: string) => (await scene.dealer.list('surgicalTool', { code }))[0]
const kitOf = async (code: string) => (await scene.dealer.list('toolsKit', { code }))[0]
const onTool = async (action: string, code: string, more: object = {}) => {
  const { surgical_tool_sn: sn, version } = await toolOf(code)
  return post(`surgicalTool/${action}`, { sn, version, ...more })
}
const onKit = async (action: string, code: string, more: object = {}) => {
  const { tools_kit_sn: sn, version } = await kitOf(code)
  return post(`toolsKit/${action}`, { sn, version, ...more })
}
const steps = async (code: string) =>
  (await scene.dealer.list('surgicalToolEvent', { surgical_tool_sn: (await toolOf(code)).surgical_tool_sn }))
    .map(row => row.step)
    .toReversed()
const scanned = (...codes: readonly string[]) => ({ tool_codes: JSON.stringify(codes) })
const asDealer = <T>(work: (ctx: { tx: Tx; session: Session }) => Promise<T>) =>
  inOrganisation(scene.server.database.app, scene.d, '0', async tx =>
    work({ tx, session: await systemSessionOf(tx, scene.d) }),
  )

const tool = (code: string, tool_code: string, more: object = {}) =>
  post('surgicalTool/add', {
    code,
    tool_code,
    name: tool_code.startsWith('Z') ? '电钻' : '导向器',
    warehouse_model_inner_sn: scene.shop,
    ...more,
  })

/** A list of one drill, which is a key instrument, and two guides; enough of them in the store. */
async function template(): Promise<{ sn: string; drill: string; guide: string; name: string }> {
  serial += 1
  const [drill, guide, name] = [`Z${serial}`, `D${serial}`, `髋工具包${serial}`]
  const { info } = await ok('toolsTemplate/add', { code: `GM${serial}`, name, weight: '5' })
  const line = (body: object) => ok('toolsTemplateLine/add', { tools_template_sn: info.sn, ...body })
  await line({ tool_code: drill, name: '电钻', quantity: '1', is_key: true, tray: '1' })
  await line({ tool_code: guide, name: '导向器', quantity: '2', tray: '2' })
  return { sn: info.sn, drill, guide, name }
}
const codes = () => ({ drill: `T${serial}-Z1`, guides: [`T${serial}-D1`, `T${serial}-D2`, `T${serial}-D3`] as const })
async function stocked(of: { drill: string; guide: string }, more: object = {}) {
  const { drill, guides } = codes()
  expect((await tool(drill, of.drill, more)).msg).toBe('')
  for (const code of guides) expect((await tool(code, of.guide)).msg).toBe('')
  return { drill, guides }
}
const pack = (sn: string, more: object = {}) =>
  post('toolsKit/add', {
    code: `GJ-${serial}`,
    tools_template_sn: sn,
    warehouse_model_inner_sn: scene.shop,
    sterilisation_method: '高压蒸汽',
    ...more,
  })
async function plan(): Promise<{ id: string; sn: string }> {
  const sn = await scene.dealer.add('purchasePlan', {
    lines: [{ specification_sn: scene.inflator, quantity: '1' }],
  })
  return scene.one('select id, sn from document where org_id = $1 and sn = $2', scene.d, sn)
}
const times = { from: `${day(1)}T08:00:00+08:00`, to: `${day(3)}T08:00:00+08:00` }
const lend = async (code: string, to: { id: string }) => {
  const sn = (await kitOf(code)).tools_kit_sn
  await asDealer(ctx => book(ctx, { subject: 'toolsKit', sn, planId: to.id, ...times }))
  await asDealer(ctx => sendToolsKits(ctx, to.id, [sn], day()))
}

test('each instrument has a code of its own; it is deleted only while nothing happened to it', async () => {
  const of = await template()
  expect((await tool('T-ONE', of.drill)).msg).toBe('')
  expect((await tool('T-ONE', of.guide)).errors).toMatchObject([{ field: 'code', msg: '唯一码T-ONE已存在' }])
  expect(await steps('T-ONE')).toEqual(['register'])
  expect((await onTool('del', 'T-ONE')).msg).toBe('')
  expect((await tool('T-TWO', of.drill)).msg).toBe('')
  expect((await onTool('repair', 'T-TWO', { reason: '钻头松动' })).msg).toBe('')
  expectMessage(await onTool('del', 'T-TWO'), '工具T-TWO已有使用记录，不能删除，请办理报废')
  expectMessage(await onTool('sterilise', 'T-TWO', { on: day() }), '工具T-TWO为维修状态，不能办理该业务')
  expect((await onTool('repairDone', 'T-TWO', { finding: '已更换' })).msg).toBe('')
  expectMessage(await onTool('scrap', 'T-TWO'), '请填写报废原因')
  expect((await onTool('scrap', 'T-TWO', { reason: '断裂' })).msg).toBe('')
  expect(await toolOf('T-TWO')).toMatchObject({ state: 'scrapped' })
  expectMessage(await onTool('repair', 'T-TWO', { reason: '再修' }), '工具T-TWO已报废，不能再办理其他业务')
  expect(await steps('T-TWO')).toEqual(['register', 'repair', 'repaired', 'scrap'])
})

test('a set is packed by its list; an instrument belongs to one set, and is fit and inspected', async () => {
  const of = await template()
  const { drill, guides } = await stocked(of)
  expect((await pack(of.sn)).msg).toBe('')
  const code = `GJ-${serial}`
  expect(await kitOf(code)).toMatchObject({
    state: 'ready',
    standard_count: 3,
    held_count: 3,
    completeness: 'whole',
    differs: false,
  })
  expect(await toolOf(drill)).toMatchObject({ state: 'packed', current_place: expect.any(String) })
  expectMessage(await pack(of.sn, { code: `${code}B` }), '库存不足：导向器 可用1，需要2')
  expect((await pack(of.sn, { code: `${code}B`, packed_by: 'scan' })).msg).toBe('')
  expectMessage(await onKit('supply', `${code}B`, scanned(drill)), `工具${drill}已在工具包【${code}】中`)
  expect((await onKit('supply', `${code}B`, scanned(guides[2]))).msg).toBe('')
  expect((await tool(`T${serial}-OLD`, of.drill, { service_days: 30, serviced_on: day(-31) })).msg).toBe('')
  const old = `T${serial}-OLD`
  expectMessage(await onKit('supply', `${code}B`, scanned(old)), `工具${old}检修已到期`)
  expect(await toolOf(old)).toMatchObject({ is_service_due: true, next_service_on: day(-1) })
  expect((await onTool('maintain', old, { on: day(), finding: '合格' })).msg).toBe('')
  expect((await onKit('supply', `${code}B`, scanned(old))).msg).toBe('')
  expectMessage(await onKit('supply', `${code}B`, scanned('nobody')), /^唯一码nobody不是本机构的手术工具/)
  expect(await kitOf(`${code}B`)).toMatchObject({ held_count: 2, missing_count: 1, completeness: 'gaps' })
})

test('a set goes with one plan, comes back counted, and is cleaned before it goes again', async () => {
  const of = await template()
  const { drill, guides } = await stocked(of, { max_uses: 1 })
  expect((await pack(of.sn)).msg).toBe('')
  const code = `GJ-${serial}`
  const [first, second] = [await plan(), await plan()]
  await lend(code, first)
  expect(await kitOf(code)).toMatchObject({ state: 'out', is_out: true, plan_no: first.sn, due_back_on: day(3) })
  expect(await toolOf(drill)).toMatchObject({ state: 'out', use_count: 0 })
  await expect(lend(code, second)).rejects.toThrow(`工具包【${code}】已被手术${first.sn}占用`)
  expectMessage(await onTool('scrap', drill, { reason: '坏' }), `工具${drill}已送出，归还或登记丢失后才能报废`)
  expectMessage(await onKit('check', code, scanned(drill)), `工具包【${code}】为送出状态，不能办理该业务`)
  const back = scanned(drill, guides[0])
  expectMessage(await onKit('giveBack', code, back), `有1件没有扫到（${guides[1]}），请补扫，或选择登记丢失或损坏`)
  expectMessage(await onKit('giveBack', code, scanned(drill, guides[2])), `扫描到清单外的物品：${guides[2]}`)
  expect((await onKit('giveBack', code, { ...back, missing_as: 'lost' })).msg).toBe('')
  expect(await kitOf(code)).toMatchObject({ state: 'dirty', held_count: 2, missing_count: 1, use_count: 1 })
  expect(await toolOf(guides[1])).toMatchObject({ state: 'lost', tools_kit_sn: null })
  const events = await scene.dealer.list('surgicalToolEvent', {
    surgical_tool_sn: (await toolOf(guides[1])).surgical_tool_sn,
  })
  expect(events[0]).toMatchObject({ step: 'lost', document_sn: first.sn })
  expect(await toolOf(drill)).toMatchObject({ state: 'dirty', use_count: 1, is_worn: true })
  await expect(lend(code, second)).rejects.toThrow(`工具包【${code}】待清洗消毒，请选择其他工具包`)
  expectMessage(await onKit('clean', code, { on: day(1) }), '灭菌日期不能晚于今天')
  expect((await onKit('clean', code, { on: day(), run: 'MJ0301' })).msg).toBe('')
  expect(await kitOf(code)).toMatchObject({ state: 'dirty', is_dirty: false })
  await expect(lend(code, second)).rejects.toThrow(`工具包【${code}】缺1件未确认，请先补件或确认缺件`)
  expect((await onKit('confirmGaps', code, { reason: '备用件不影响' })).msg).toBe('')
  expect(await kitOf(code)).toMatchObject({ state: 'ready' })
  expect(await toolOf(guides[0])).toMatchObject({ sterilisation_count: 1, sterilised_on: day() })
  // The drill was used as often as it may be.
  await expect(lend(code, second)).rejects.toThrow(`工具${drill}已达最大使用次数，请报废或更换`)
  expect((await onTool('scrap', drill, { reason: '到寿' })).msg).toBe('')
  expect((await onKit('confirmGaps', code, { reason: '已报废一把电钻' })).msg).toBe('')
  await expect(lend(code, second)).rejects.toThrow('关键件缺失：电钻')
  expect((await tool(`T${serial}-Z2`, of.drill)).msg).toBe('')
  expect((await onKit('supply', code)).msg).toBe('')
  expect(await kitOf(code)).toMatchObject({ completeness: 'whole' })
  await lend(code, second)
})

test('other gaps than key instruments need somebody who says that the set may go as it is', async () => {
  const of = await template()
  const { drill, guides } = await stocked(of)
  expect((await pack(of.sn)).msg).toBe('')
  const code = `GJ-${serial}`
  expect((await onKit('check', code, { ...scanned(drill, guides[0]), missing_as: 'damaged' })).msg).toBe('')
  expect(await toolOf(guides[1])).toMatchObject({ state: 'repair' })
  const to = await plan()
  await expect(lend(code, to)).rejects.toThrow(`工具包【${code}】缺1件未确认，请先补件或确认缺件`)
  expectMessage(await onKit('confirmGaps', code), '请填写缺件原因')
  expect((await onKit('confirmGaps', code, { reason: '备用件不影响' })).msg).toBe('')
  // The printed sheet of the set shows its contents, its gaps, and who confirmed them.
  const { tools_kit_sn } = await kitOf(code)
  const { info } = await scene.dealer.client.get('/v1/business/toolsKit/print', { sn: tools_kit_sn })
  expect(info).toMatchObject({
    sn: code,
    missing_total: '1',
    confirmed_total: '1',
    confirmed_by: expect.stringMatching(/./),
  })
  expect(info.lines).toContainEqual(
    expect.objectContaining({ key_mark: '★', codes_text: drill, missing_quantity: '0.000' }),
  )
  expect(info.lines).toContainEqual(expect.objectContaining({ codes_text: guides[0], missing_quantity: '1.000' }))
  await lend(code, to)
  expect(await kitOf(code)).toMatchObject({ state: 'out', confirmed_gaps: 1 })
})

test('a changed template shows on packed sets until their next count; more than seven kilograms is asked about', async () => {
  const of = await template()
  const { drill, guides } = await stocked(of)
  expect((await pack(of.sn)).msg).toBe('')
  const code = `GJ-${serial}`
  await ok('toolsTemplateLine/add', { tools_template_sn: of.sn, tool_code: 'NEW', name: '新工具', quantity: '1' })
  expect(await kitOf(code)).toMatchObject({ differs: true, standard_count: 3, completeness: 'whole' })
  expect((await onKit('check', code, scanned(drill, guides[0], guides[1]))).msg).toBe('')
  expect(await kitOf(code)).toMatchObject({ differs: false, standard_count: 4, completeness: 'gaps' })
  const heavy = await post('toolsTemplate/add', { code: `GW${serial}`, name: `重${serial}`, weight: '7.5' })
  expect(heavy).toMatchObject({ code: 2200, msg: '单箱重量超过7公斤，建议分箱' })
  const asked = { code: `GW${serial}`, name: `重${serial}`, weight: '7.5', confirm: heavy.info.token }
  expect((await post('toolsTemplate/add', asked)).msg).toBe('')
  expect((await onKit('unpack', code)).msg).toBe('')
  expect(await toolOf(drill)).toMatchObject({ state: 'in_stock', tools_kit_sn: null })
  expectMessage(await onKit('unpack', code), `工具包【${code}】是空的，不需要拆包`)
})

test('tools and sets of others do not exist; what the system fills is not written', async () => {
  const of = await template()
  const { drill } = await stocked(of)
  const row = await toolOf(drill)
  const stolen = { sn: row.surgical_tool_sn, version: row.version, reason: '偷' }
  expectMessage(await scene.vendor.client.post('/v1/business/surgicalTool/scrap', stolen), /不存在/)
  expectMessage(await scene.hospital.client.post('/v1/business/surgicalTool/scrap', stolen), '没有操作权限')
  const edit = { sn: row.surgical_tool_sn, version: row.version, use_count: '0' }
  expect((await post('surgicalTool/edit', edit)).errors).toMatchObject([{ msg: '【使用次数】由系统填写，不能修改' }])
})

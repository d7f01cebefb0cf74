import { afterAll, beforeAll, expect, test } from 'vitest'
import { inOrganisation } from '#server/database/transaction.ts'
import { systemSessionOf } from '#server/organisations/organisations.ts'
import { pathLines } from '#modules/hospital/surgery/bookings/booking.server.ts'
import { expectMessage, lotOf, openScene, type Scene } from '#tests/support/fixture.ts'
import { day, type Person } from '#tests/support/story.ts'

/** 手术路径: standards in versions, reviewed by another than their author; the platform's are copied, never changed. */
let scene: Scene
let colleague: Person
let platform: Person
let serial = 0
beforeAll(async () => {
  scene = await openScene()
  await scene.rule(scene.h, 'allow_self_review', false)
  ;[colleague, platform] = await Promise.all([scene.colleague('hospital'), scene.person('platform')])
})
afterAll(() => scene?.close())

const post = (who: Person, path: string, body: object) =>
  who.client.post(`/v1/business/${path}`, body as Record<string, unknown>)
const ok = async (who: Person, path: string, body: object) => {
  const reply = await post(who, path, body)
  expect(reply.msg).toBe('')
  return reply
}
const pathOf = async (who: Person, code: string, more: Record<string, string> = {}) =>
  (await who.list('operationPath', { code, ...more }))[0]
const act = async (
  who: Person,
  action: string,
  code: string,
  more: object = {},
  which: Record<string, string> = {},
) => {
  const row = await pathOf(who, code, which)
  return post(who, `operationPath/${action}`, { sn: row.operation_path_sn, version: row.version, ...more })
}
const icd = () => `81.${10 + serial}`

/** A draft with four screws of a size. */
async function draft(who: Person, more: object = {}): Promise<{ code: string; sn: string; name: string }> {
  serial += 1
  const [code, name] = [`LJ${serial}`, `全髋关节置换术${serial}`]
  const header = { code, name, surgery_code: icd(), lead_hours: 48, ...more }
  const { info } = await ok(who, 'operationPath/add', header)
  const line = { operation_path_sn: info.sn, stage_no: 1, stage: 'fix' }
  await ok(who, 'operationPathLine/add', {
    ...line,
    specification_sn: scene.inflator,
    quantity: '4',
    max_quantity: '6',
  })
  await ok(who, 'operationPathLine/add', {
    ...line,
    item_type: 'kit',
    item_name: '髋关节假体套包',
    quantity: '1',
    max_quantity: '1',
  })
  return { code, sn: info.sn, name }
}
async function enabled(who: Person, by: Person, more: object = {}) {
  const made = await draft(who, more)
  for (const [person, action] of [
    [who, 'submit'],
    [by, 'review'],
    [by, 'enable'],
  ] as const)
    expect((await act(person, action, made.code)).msg).toBe('')
  return made
}
const applied = (sn: string) =>
  inOrganisation(scene.server.database.app, scene.h, '0', async tx =>
    pathLines(tx, await systemSessionOf(tx, scene.h), sn),
  )

test('a path is reviewed by another than its author and then enabled; before that it is not applied', async () => {
  const { hospital } = scene
  const { code, sn, name } = await draft(hospital)
  const refused = `手术路径【${name}】未审核或未启用，不能套用`
  await expect(applied(sn)).rejects.toThrow(refused)
  expectMessage(await act(hospital, 'enable', code), '手术路径未审核，不能启用')
  expect((await act(hospital, 'submit', code)).msg).toBe('')
  expectMessage(await act(hospital, 'edit', code, { remark: '改' }), '手术路径待审核，请先撤回提交')
  expectMessage(await act(hospital, 'review', code), '编制人不能审核自己的手术路径，请由他人审核')
  expect((await act(colleague, 'reject', code, { reason: '数量过多' })).msg).toBe('')
  expect((await act(hospital, 'submit', code)).msg).toBe('')
  expect((await act(colleague, 'review', code)).msg).toBe('')
  expect(await pathOf(hospital, code)).toMatchObject({
    review_state: 'reviewed',
    status: 'disabled',
    stage_count: 1,
    kit_count: 1,
    kits: '髋关节假体套包',
  })
  await expect(applied(sn)).rejects.toThrow(refused)
  expect((await act(hospital, 'enable', code)).msg).toBe('')
  expect((await applied(sn)).map(line => [line.item_type, line.quantity, line.max_quantity, line.item_name])).toEqual([
    ['goods', '4.000', '6.000', expect.any(String)],
    ['kit', '1.000', '1.000', '髋关节假体套包'],
  ])
})

test('standards are within their most; the same item stands once in a stage', async () => {
  const { hospital } = scene
  const { sn } = await draft(hospital)
  const line = { operation_path_sn: sn, stage_no: 2, specification_sn: scene.inflator }
  const over = await post(hospital, 'operationPathLine/add', { ...line, quantity: '5', max_quantity: '4' })
  expect(over.errors).toMatchObject([{ msg: '标准数量不能大于最大数量' }])
  await ok(hospital, 'operationPathLine/add', { ...line, quantity: '1', max_quantity: '2' })
  const twice = await post(hospital, 'operationPathLine/add', { ...line, quantity: '1', max_quantity: '2' })
  expect(twice.errors[0].msg).toMatch(/^同一阶段不能重复：.+/)
  const kit = { operation_path_sn: sn, stage_no: 1, item_type: 'kit', quantity: '1', max_quantity: '1' }
  const again = await post(hospital, 'operationPathLine/add', { ...kit, item_name: '髋关节假体套包' })
  expect(again.errors[0].msg).toBe('同一阶段不能重复：髋关节假体套包')
  const nameless = await post(hospital, 'operationPathLine/add', { ...kit, stage_no: 3 })
  expect(nameless.errors[0].msg).toBe('请选择套包模板或填写名称')
})

test('a reviewed path changes by a new version; the version before stays until the next is enabled', async () => {
  const { hospital } = scene
  const { code, sn } = await enabled(hospital, colleague)
  expectMessage(await act(hospital, 'edit', code, { remark: '改' }), '手术路径已审核，请新建版本')
  const [line] = await hospital.list('operationPathLine', { operation_path_sn: sn })
  const edit = { sn: line.operation_path_line_sn, version: line.version, quantity: '5' }
  expectMessage(await post(hospital, 'operationPathLine/edit', edit), '手术路径已审核，请新建版本')
  expect((await act(hospital, 'newVersion', code)).msg).toBe('')
  const next = { version_no: '2' }
  const row = await pathOf(hospital, code, next)
  expect(row).toMatchObject({ review_state: 'draft', status: 'disabled', is_current: false })
  expect(await hospital.list('operationPathLine', { operation_path_sn: row.operation_path_sn })).toHaveLength(2)
  expect(await applied(sn)).toHaveLength(2)
  expect((await act(hospital, 'submit', code, {}, next)).msg).toBe('')
  expect((await act(colleague, 'review', code, {}, next)).msg).toBe('')
  expect((await act(hospital, 'enable', code, {}, next)).msg).toBe('')
  await expect(applied(sn)).rejects.toThrow(/未审核或未启用，不能套用$/)
  expect(await applied(row.operation_path_sn)).toHaveLength(2)
  expect(await pathOf(hospital, code, { version_no: '1' })).toMatchObject({ status: 'disabled', is_current: false })
})

test('of one procedure and department one path is in force; two who enable at once get one', async () => {
  const { hospital } = scene
  const first = await enabled(hospital, colleague)
  const code = (await pathOf(hospital, first.code)).surgery_code
  const other = await draft(hospital, { surgery_code: code })
  const third = await draft(hospital, { surgery_code: code })
  for (const each of [other, third]) {
    expect((await act(hospital, 'submit', each.code)).msg).toBe('')
    expect((await act(colleague, 'review', each.code)).msg).toBe('')
  }
  expect((await act(hospital, 'enable', other.code)).errors).toMatchObject([{ msg: '该术式已有启用的路径' }])
  expect((await act(hospital, 'disable', first.code)).msg).toBe('')
  const both = await Promise.all([act(hospital, 'enable', other.code), act(colleague, 'enable', third.code)])
  expect(both.map(reply => reply.code === 0).toSorted()).toEqual([false, true])
  expect(both.every(reply => reply.status === 200)).toBe(true)
})

test('a path that is used or has others below it is neither deleted nor taken back', async () => {
  const { hospital } = scene
  const above = await draft(hospital)
  await draft(hospital, { parent_sn: above.sn })
  expectMessage(await act(hospital, 'del', above.code), '手术路径已被使用，不能删除')
  const free = await draft(hospital)
  expect((await act(hospital, 'del', free.code)).msg).toBe('')
  expect(await pathOf(hospital, free.code)).toBeUndefined()
})

test('用量对比: ten operations with forty-five pieces of a standard of four are 4.50 each, 12.50% above it', async () => {
  const { hospital, ward } = scene
  const { name, sn } = await enabled(hospital, colleague)
  await scene.rule(scene.h, 'allow_self_review', true)
  await scene.shelve(hospital, ward, [lotOf(scene.inflator, `YL${serial}`, { quantity: '60', price: '20' })])
  for (let at = 0; at < 10; at += 1) {
    const use = await hospital.add('surgeryUse', {
      warehouse_model_inner_sn: ward,
      department_inner_sn: scene.department,
      doctor_inner_sn: scene.surgeon,
      surgery_name: name,
      patient_no: `PL${at}`,
      patient_name: '沈知微',
      admission_no: `ZY${at}`,
      lines: [{ specification_sn: scene.inflator, lot_no: `YL${serial}`, quantity: at % 2 === 0 ? '4' : '5' }],
    })
    await hospital.done('surgeryUse', 'submit', use)
    await colleague.done('surgeryUse', 'review', use)
  }
  const [row] = await hospital.list('operationPathLine', { operation_path_sn: sn, item_type: 'goods' })
  expect(row).toMatchObject({ operations: 10, used_total: '45.000', average_used: '4.500', deviation: '0.1250' })
  expect((await hospital.list('operationPath', { name }))[0]).toMatchObject({ surgery_count: 10 })
})

test('the platform releases a path to organisations: each has a copy once, and is offered what is newer', async () => {
  const reviewer = await scene.colleague('platform')
  const { code, name } = await draft(platform)
  expectMessage(await act(platform, 'push', code, { scope: 'hospitals' }), '只有已启用的模板可以下发，请先启用')
  for (const [who, action] of [
    [platform, 'submit'],
    [reviewer, 'review'],
    [platform, 'enable'],
  ] as const)
    expect((await act(who, action, code)).msg).toBe('')
  const [template] = await scene.dealer.list('publishedTemplate', { code })
  expect(template).toMatchObject({ name, line_count: 2, is_taken: false })
  expectMessage(await act(platform, 'push', code, { scope: 'one' }), '请选择下发的机构')
  expect((await act(platform, 'push', code, { scope: 'one', to_org_sn: scene.h })).msg).toBe('')
  const copy = await pathOf(scene.hospital, code)
  expect(copy).toMatchObject({ origin: 'platform', review_state: 'reviewed', status: 'disabled', newer_version: null })
  expect(await scene.hospital.list('operationPathLine', { operation_path_sn: copy.operation_path_sn })).toHaveLength(2)
  expectMessage(await act(platform, 'push', code, { scope: 'one', to_org_sn: scene.h }), /已下发过$/)
  // A dealer takes it by himself, once.
  const take = { sns: [template.template_sn] }
  expect((await post(scene.dealer, 'publishedTemplate/take', take)).msg).toBe('')
  expect((await scene.dealer.list('publishedTemplate', { code }))[0]).toMatchObject({ is_taken: true })
  expect(await pathOf(scene.dealer, code)).toMatchObject({ origin: 'platform' })
  expectMessage(await post(scene.dealer, 'publishedTemplate/take', take), `平台模板【${name}】已复制到本机构`)
  const row = { sn: template.template_sn, version: template.version }
  expectMessage(await post(scene.dealer, 'publishedTemplate/del', row), '平台模板由平台发布，不能修改')
  // The next version is offered and not forced.
  expect((await act(platform, 'newVersion', code)).msg).toBe('')
  const next = { version_no: '2' }
  for (const [who, action] of [
    [platform, 'submit'],
    [reviewer, 'review'],
    [platform, 'enable'],
  ] as const)
    expect((await act(who, action, code, {}, next)).msg).toBe('')
  expect((await act(platform, 'push', code, { scope: 'one', to_org_sn: scene.h }, next)).msg).toBe('')
  expect(await scene.hospital.list('operationPath', { code })).toHaveLength(1)
  expect(await pathOf(scene.hospital, code)).toMatchObject({ newer_version: 2, version_no: 1 })
  expect((await act(scene.hospital, 'takeNewer', code)).msg).toBe('')
  expect(await scene.hospital.list('operationPath', { code })).toMatchObject([{ version_no: 2 }, { version_no: 1 }])
})

test('the platform gives lists of implants to dealers and makers; a list that was given changes by a new version', async () => {
  const code = `PTK${day()}`
  const { info } = await ok(platform, 'operationKit/add', { code, name: `平台髋套包${code}`, surgery_name: '髋' })
  await ok(platform, 'operationKitLine/add', {
    operation_kit_sn: info.sn,
    specification_sn: scene.inflator,
    quantity: '3',
  })
  const kit = async () => (await platform.list('operationKit', { code, is_current: 'true' }))[0]
  const push = async (more: object) =>
    post(platform, 'operationKit/push', {
      sn: (await kit()).operation_kit_sn,
      version: (await kit()).version,
      scope: 'one',
      ...more,
    })
  expectMessage(await push({ to_org_sn: scene.h }), /^没有可下发的机构/)
  expect((await push({ to_org_sn: scene.d })).msg).toBe('')
  const [copy] = await scene.dealer.list('operationKit', { code })
  expect(copy).toMatchObject({ is_platform: true, piece_count: '3.000', newer_version: null })
  const { version } = await kit()
  expectMessage(
    await post(platform, 'operationKit/edit', { sn: info.sn, version, remark: '改' }),
    '套包模板已下发，请新建版本',
  )
  // Another organisation's push, or a hospital's, is no push.
  const pushed = { sn: copy.operation_kit_sn, version: copy.version, scope: 'dealers' }
  expectMessage(await post(scene.dealer, 'operationKit/push', pushed), '没有操作权限')
  expect(await scene.vendor.list('operationKit', { code })).toEqual([])
})

test('a plan by a path has its lines; more than the path allows asks for a reason', async () => {
  const { hospital, d } = scene
  await scene.rule(scene.h, 'allow_self_review', true)
  const { sn } = await enabled(hospital, colleague)
  const plan = await hospital.add('bonePlan', {
    counterparty_sn: d,
    department_inner_sn: scene.department,
    doctor_inner_sn: scene.surgeon,
    surgery_at: `${day(9)}T02:00:00.000Z`,
    procedure_name: '全髋关节置换术',
    lines: [{ specification_sn: scene.stent, quantity: '1' }],
  })
  await hospital.done('bonePlan', 'applyPath', plan, { path_sn: sn })
  const { lines, version } = await hospital.info('bonePlan', plan)
  expect(lines.map((line: { quantity: string }) => line.quantity)).toEqual(['1.000', '4.000', '1.000'])
  const more = (remark: string | null) =>
    lines.map((line: Record<string, unknown>, at: number) => ({
      line_no: line.line_no,
      category: line.category,
      specification_sn: line.specification_sn,
      item_name: line.item_name,
      quantity: at === 1 ? '7' : line.quantity,
      remark: at === 1 ? remark : null,
    }))
  const edited = await post(hospital, 'bonePlan/edit', { sn: plan, version, path_sn: sn, lines: more(null) })
  expect(edited.msg).toBe('')
  expectMessage(await hospital.do('bonePlan', 'submit', plan), /需求数量超过路径上限6，请在备注填写原因$/)
  const again = { sn: plan, version: (await hospital.info('bonePlan', plan)).version }
  expect((await post(hospital, 'bonePlan/edit', { ...again, path_sn: sn, lines: more('翻修手术') })).msg).toBe('')
  await hospital.done('bonePlan', 'submit', plan)
  // The time before the operation is the one of the path.
  expect(await hospital.info('bonePlan', plan)).toMatchObject({ deliver_by: `${day(7)}T02:00:00.000Z` })
  expect(await hospital.list('operationPath', { name: '全髋', is_current: 'true' })).toEqual(
    expect.arrayContaining([expect.objectContaining({ operation_path_sn: sn, cited: 1 })]),
  )
})

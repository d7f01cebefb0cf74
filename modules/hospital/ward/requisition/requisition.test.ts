import { afterAll, beforeAll, expect, test } from 'vitest'
import { afterThisTest, attempt, lotOf, openScene, expectMessage, type Scene } from '#tests/support/fixture.ts'

/**
 * 物资申领: a ward requests, the head of the warehouse approves a quantity, and the requisition's progress follows what
 * is issued.
 */
let scene: Scene
const asking = (quantity: string, more: object = {}) => ({
  warehouse_model_inner_sn: scene.central,
  to_warehouse_model_inner_sn: scene.ward,
  department_inner_sn: scene.department,
  lines: [{ specification_sn: scene.inflator, quantity }],
  ...more,
})
beforeAll(async () => {
  scene = await openScene()
  await scene.shelve(scene.hospital, scene.central, [lotOf(scene.inflator, 'SL1', { quantity: '100' })])
})
afterAll(() => scene?.close())

async function submitted(quantity: string, more: object = {}): Promise<string> {
  const sn = await scene.hospital.add('requisition', asking(quantity, more))
  await scene.hospital.done('requisition', 'submit', sn)
  return sn
}
const edit = async (sn: string, body: object) => {
  const { version } = await scene.hospital.info('requisition', sn)
  return scene.hospital.client.post('/v1/business/requisition/edit', { sn, version, ...body })
}
const grant = async (sn: string, quantity: string) =>
  attempt(
    scene.hospital,
    'grantOdo',
    { source_type: 104, source_sn: sn, lines: [{ source_line_no: 1, quantity }] },
    'review',
  )

test('approved for less, never for more; the requested quantity is shown beside it', async () => {
  const { hospital } = scene
  const sn = await submitted('10')
  expectMessage(
    await edit(sn, { lines: [{ line_no: 1, approved_quantity: '11' }] }),
    '第1行：批准数量不能大于申领数量10',
  )
  expectMessage(await edit(sn, { department_inner_sn: scene.department }), '待处理的物资申领单不能修改【申领科室】')
  expect((await edit(sn, { lines: [{ line_no: 1, approved_quantity: '0' }] })).code).toBe(0)
  expect((await edit(sn, { lines: [{ line_no: 1, approved_quantity: '6' }] })).code).toBe(0)
  await hospital.done('requisition', 'review', sn)
  expect((await hospital.info('requisition', sn)).lines[0]).toMatchObject({
    applied_quantity: '10.000',
    approved_quantity: '6.000',
    quantity: '6.000',
    base_quantity: '6.000',
  })
  expectMessage(await grant(sn, '7'), '发放数量超过申领未发放数量6')
})

test('whoever asks does not say how much is approved', async () => {
  const { hospital, inflator } = scene
  const line = { specification_sn: inflator, quantity: '10', approved_quantity: '10' }
  const refused = '第1行：【批准数量】由审核人在提交后填写'
  expectMessage(await hospital.client.post('/v1/business/requisition/add', asking('10', { lines: [line] })), refused)
  const sn = await hospital.add('requisition', asking('10'))
  expectMessage(await edit(sn, { lines: [{ line_no: 1, approved_quantity: '9' }] }), refused)
  // The quantity that a reviewer approved before he rejected the document stays until the next review.
  await hospital.done('requisition', 'submit', sn)
  expect((await edit(sn, { lines: [{ line_no: 1, approved_quantity: '6' }] })).code).toBe(0)
  await hospital.done('requisition', 'reject', sn, { reason: '请补充用途' })
  expectMessage(await edit(sn, { lines: [{ line_no: 1, approved_quantity: '8' }] }), refused)
  expect((await edit(sn, { lines: [{ line_no: 1, approved_quantity: '6', remark: '术中备用' }] })).code).toBe(0)
})

test('whoever may edit a waiting request and could not review it writes nothing of what its reviewer decides', async () => {
  const sn = await submitted('10')
  const own = [{ approved_quantity: '9' }, { quantity: '9' }, { refuse_reason: '库存不足' }]
  const writes = (line: object) => edit(sn, { lines: [{ line_no: 1, ...line }] })
  await scene.rule(scene.h, 'allow_self_review', false)
  const another = '制单人与审核人不能为同一人，请由他人审核'
  for (const line of own) expectMessage(await writes(line), another)
  await scene.rule(scene.h, 'allow_self_review', true)
  const flags = ['page:/hospital/SuppliesClaim', 'requisition.edit']
  const clerk = await scene.clerk('nurse', 'claim-clerk', flags)
  const { version, lines } = await clerk.info('requisition', sn)
  const asClerk = (line: object) =>
    clerk.client.post('/v1/business/requisition/edit', { sn, version, lines: [{ line_no: 1, ...line }] })
  for (const line of own) {
    const { code, msg } = await asClerk(line)
    expect([code, msg]).toEqual([403, expect.stringMatching(/^没有操作权限：【(批准数量|不发原因)】由审核人填写$/)])
  }
  // What stands may be sent along with what is the requester's to change.
  const kept = { approved_quantity: lines[0].approved_quantity, refuse_reason: null, remark: '术中备用' }
  expect((await asClerk(kept)).code).toBe(0)
  expect((await writes({ approved_quantity: '9' })).code).toBe(0)
})

test('the number that a message passes on finds its request for programs too', async () => {
  const { hospital } = scene
  const [one] = [await submitted('1'), await submitted('1')]
  expect((await hospital.list('requisition', { voucher_sn: one })).map(({ sn }) => sn)).toEqual([one])
  expect(await hospital.list('requisition', { voucher_sn: 'SL0000000000' })).toEqual([])
})

test('a copy of a request has nothing of what was decided about it', async () => {
  const { hospital } = scene
  const sn = await submitted('10')
  await edit(sn, { lines: [{ line_no: 1, approved_quantity: '4', refuse_reason: '库存不足' }] })
  const { version } = await hospital.info('requisition', sn)
  const copy = await hospital.client.post('/v1/business/requisition/copy', { sn, version })
  const [line] = (await hospital.info('requisition', copy.info.sn)).lines
  expect(line).toMatchObject({ approved_quantity: null, refuse_reason: null })
})

test('approved for zero, the line is closed with the reason; all lines at zero is a refusal', async () => {
  const { hospital, inflator, stent } = scene
  const sn = await submitted('4', {
    lines: [
      { specification_sn: inflator, quantity: '4' },
      { specification_sn: stent, quantity: '1' },
    ],
  })
  await edit(sn, { lines: [{ line_no: 2, approved_quantity: '0' }] })
  expectMessage(await hospital.do('requisition', 'review', sn), '第2行：批准数量为0，请填写不发原因')
  await edit(sn, {
    lines: [
      { line_no: 1, approved_quantity: '0', refuse_reason: '无库存' },
      { line_no: 2, refuse_reason: '已停用' },
    ],
  })
  expectMessage(await hospital.do('requisition', 'review', sn), '全部不发，请驳回申领单并说明原因')
  await edit(sn, { lines: [{ line_no: 1, approved_quantity: '4' }] })
  await hospital.done('requisition', 'review', sn)
  await grant(sn, '4')
  const [receipt] = await hospital.list('wardReceipt', { state: 'submitted' })
  await hospital.done('wardReceipt', 'review', receipt.sn)
  expect((await hospital.info('requisition', sn)).state).toBe('completed')
})

test('issued in parts it is 部分执行; undone only before any issue; stopped, the rest is closed', async () => {
  const { hospital } = scene
  const sn = await submitted('10')
  await hospital.done('requisition', 'review', sn)
  await hospital.done('requisition', 'unreview', sn)
  await hospital.done('requisition', 'review', sn)
  await grant(sn, '4')
  expect(await hospital.info('requisition', sn)).toMatchObject({
    state: 'partial',
    grant_state: '2',
    receive_state: '1',
  })
  expect((await hospital.info('requisition', sn)).lines[0]).toMatchObject({
    executed_quantity: '4.000',
    granted_quantity: '4.000',
  })
  expectMessage(await hospital.do('requisition', 'unreview', sn), /^已配送或发放，不能反审核（FF.*）$/)
  await hospital.done('requisition', 'stop', sn, { reason: '改用其他规格' })
  expectMessage(await grant(sn, '1'), `来源单${sn}当前状态不能引用，请确认已审核且未终止`)
})

test('催单: the store is asked again, at most once a day, and not for what is finished', async () => {
  const { hospital } = scene
  const sn = await hospital.add('requisition', asking('1'))
  expect((await hospital.do('requisition', 'remind', sn)).code).not.toBe(0)
  await hospital.done('requisition', 'submit', sn)
  await hospital.done('requisition', 'remind', sn)
  const messages = await scene.server.database.owner<{ title: string; body: string }[]>`
    select title, body from message where object_id = ${sn} order by id`
  expect(messages.map(({ title }) => title)).toEqual(['收到新的物资申领单', '科室催单'])
  expect(messages[1]!.body).toContain('请尽快审核')
  expectMessage(await hospital.do('requisition', 'remind', sn), '今日已催办，每日限一次，请明日再催')
  await hospital.done('requisition', 'review', sn)
  await hospital.done('requisition', 'stop', sn, { reason: '不用了' })
  expect((await hospital.do('requisition', 'remind', sn)).code).not.toBe(0)
})

test('refused with a reason, it can be corrected and submitted again', async () => {
  const { hospital } = scene
  const sn = await submitted('3')
  expectMessage(await hospital.do('requisition', 'reject', sn), '请填写驳回原因')
  await hospital.done('requisition', 'reject', sn, { reason: '数量过多' })
  expect((await hospital.info('requisition', sn)).history.at(-1)).toMatchObject({
    to_state: 'rejected',
    reason: '数量过多',
  })
  await edit(sn, { lines: [{ line_no: 1, quantity: '1' }] })
  await hospital.pass('requisition', sn)
  expect((await hospital.info('requisition', sn)).state).toBe('reviewed')
})

test('what cannot be requested is refused with its own message', async () => {
  const { hospital, ward } = scene
  const submit = (more: object) => attempt(hospital, 'requisition', asking('1', more))
  expectMessage(await submit({ lines: [] }), '请至少添加一行明细')
  expectMessage(await submit({ is_urgent: true }), '请填写加急原因')
  expect((await submit({ is_urgent: true, urgent_reason: '急诊手术' })).code).toBe(0)
  expectMessage(await submit({ warehouse_model_inner_sn: ward }), '申领仓库与供货仓库不能相同')
  await scene.one(
    "update hospital_product set status = 'disabled' where org_id = $1 and specification_id = $2 returning 1",
    scene.h,
    scene.balloon,
  )
  expectMessage(
    await submit({ lines: [{ specification_sn: scene.balloon, quantity: '1' }] }),
    '第1行：【冠状动脉球囊扩张导管】1.50×15mm 半顺应性不在本院产品目录中，不能申领',
  )
})

test('the patient of a requisition stays inside the hospital, readable only with the patient permission', async () => {
  const { hospital, finance } = scene
  const sn = await submitted('1', { patient_name: '苏听松', claim_type: 'surgery' })
  expect((await hospital.info('requisition', sn)).patient_name).toBe('苏听松')
  expect(JSON.stringify(await finance.client.get('/v1/business/requisition/info', { sn }))).not.toContain('苏听松')
})

test('a ward with a list of its goods requests what is on it, and nothing else', async () => {
  const { hospital, ward, inflator, balloon } = scene
  const list = (specification: string, status: string) =>
    scene.one(
      `insert into warehouse_product (org_id, warehouse_id, specification_id, status) values ($1, $2, $3, $4)
        on conflict (org_id, warehouse_id, specification_id) do update set status = excluded.status returning 1`,
      scene.h,
      ward,
      specification,
      status,
    )
  const before = 'delete from warehouse_product where org_id = $1 and warehouse_id = $2 returning 1'
  afterThisTest(() => scene.one(before, scene.h, ward))
  await submitted('1')
  await list(balloon, 'enabled')
  const unlisted = /^第1行：【.+】.+不在本科室可领目录中，请先在仓库产品中为科室仓库登记$/
  expectMessage(await attempt(hospital, 'requisition', asking('1'), 'submit'), unlisted)
  await list(inflator, 'enabled')
  await submitted('1')
  await list(inflator, 'disabled')
  expectMessage(await attempt(hospital, 'requisition', asking('1'), 'submit'), unlisted)
})

test('the list says how much of a requisition was issued, and how much was not', async () => {
  const { hospital } = scene
  const sn = await submitted('10')
  await hospital.done('requisition', 'review', sn)
  const [before] = await hospital.list('requisition', { sn })
  expect(before).toMatchObject({ issued_quantity: '0.000', unissued_quantity: '10.000' })
  expect((await grant(sn, '4')).code).toBe(0)
  const [after] = await hospital.list('requisition', { sn })
  expect(after).toMatchObject({ issued_quantity: '4.000', unissued_quantity: '6.000' })
})

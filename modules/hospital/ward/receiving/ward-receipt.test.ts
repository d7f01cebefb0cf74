import { add } from '#kernel/values/decimal.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { afterThisTest, attempt, lotOf, openScene, expectMessage, type Scene, shelf } from '#tests/support/fixture.ts'

/** 科室收货: created by the issue, confirmed by the ward; what is missing stays in transit, with its reason. */
let scene: Scene
beforeAll(async () => {
  scene = await openScene()
  const { hospital, central, inflator, balloon } = scene
  await scene.shelve(hospital, central, [
    lotOf(inflator, 'KS1', { quantity: '100' }),
    lotOf(balloon, 'KS2', { unit_codes: ['KS-1', 'KS-2', 'KS-3'] }),
  ])
})
afterAll(() => scene?.close())

async function granted(line: object): Promise<{ grant: string; receipt: string }> {
  const { hospital, central, ward, department } = scene
  const grant = await hospital.add('grantOdo', {
    warehouse_model_inner_sn: central,
    to_warehouse_model_inner_sn: ward,
    department_inner_sn: department,
    lines: [line],
  })
  await hospital.pass('grantOdo', grant)
  return { grant, receipt: (await hospital.from('wardReceipt', grant)).sn }
}
const plain = (quantity: string) => ({ specification_sn: scene.inflator, lot_no: 'KS1', quantity })
const edit = async (sn: string, line: object) => {
  const { version } = await scene.hospital.info('wardReceipt', sn)
  return scene.hospital.client.post('/v1/business/wardReceipt/edit', { sn, version, lines: [{ line_no: 1, ...line }] })
}

test('confirmed, the goods are in the ward, and the transit is closed', async () => {
  const { hospital, ward, inflator } = scene
  const before = await shelf(hospital, ward, inflator)
  const { grant, receipt } = await granted(plain('10'))
  const doc = await hospital.info('wardReceipt', receipt)
  expect(doc).toMatchObject({
    state_name: '待收货',
    source_type: 1,
    source_sn: grant,
    from_warehouse_inner_sn: scene.central,
  })
  expect(doc.actions).toEqual(['edit', 'review', 'reject', 'print'])
  await hospital.done('wardReceipt', 'review', receipt)
  expect(await shelf(hospital, ward, inflator)).toEqual({ ...before, KS1: add(before.KS1 ?? '0', '10', 3) })
  expect((await hospital.list('stockBalance', { in_transit: '1' })).filter(row => row.location === grant)).toEqual([])
  expect((await hospital.info('wardReceipt', receipt)).state_name).toBe('已收货')
})

test('fewer arrived: a reason is needed, the rest stays in transit, and the issue waits for it', async () => {
  const { hospital } = scene
  const { grant, receipt } = await granted(plain('10'))
  expectMessage(await edit(receipt, { received_quantity: '11' }), '第1行：实收数量不能大于发放数量10')
  await edit(receipt, { received_quantity: '8' })
  expectMessage(await hospital.do('wardReceipt', 'review', receipt), '第1行：实收少于发放，请填写差异原因')
  await edit(receipt, { received_quantity: '8', difference_reason: 'broken' })
  const figures = { uncorrected_quantity: '10.000', corrected_quantity: '8.000', correction_quantity: '2.000' }
  expect((await hospital.list('wardReceipt', { sn: receipt }))[0]).toMatchObject(figures)
  await hospital.done('wardReceipt', 'review', receipt)
  expect((await hospital.list('wardReceipt', { sn: receipt }))[0]).toMatchObject(figures)
  expect(await hospital.info('grantOdo', grant)).toMatchObject({ state: 'partial', receive_state: '2' })
  const rest = (await hospital.list('stockBalance', { in_transit: '1' })).filter(row => row.location === grant)
  expect(rest.map(row => row.quantity)).toEqual(['2.000'])
  expect((await hospital.info('wardReceipt', receipt)).lines[0]).toMatchObject({
    granted_quantity: '10.000',
    received_quantity: '8.000',
    difference_reason: 'broken',
  })
})

test('what the ward never received is written off from transit by the issuing warehouse', async () => {
  const { hospital } = scene
  const head = await scene.person('keeper')
  const { grant, receipt } = await granted(plain('3'))
  const lost = await hospital.add('loss', {
    source_type: 128,
    source_sn: grant,
    loss_reason: '运送途中破损',
    lines: [{ source_line_no: 1, quantity: '1' }],
  })
  expectMessage(
    await hospital.do('loss', 'submit', lost),
    `请先由收货方在${receipt}确认实收数量，再对没有收到的部分报损`,
  )
  await edit(receipt, { received_quantity: '2', difference_reason: 'broken' })
  await hospital.done('wardReceipt', 'review', receipt)
  await hospital.done('loss', 'submit', lost)
  await head.done('loss', 'review', lost)
  expect(await hospital.info('grantOdo', grant)).toMatchObject({ state: 'completed' })
  expect((await hospital.list('stockBalance', { in_transit: '1' })).filter(row => row.location === grant)).toEqual([])
})

test('serials are received by their codes, and only those of the issue', async () => {
  const { hospital, ward, balloon } = scene
  const { receipt } = await granted({ unit_codes: ['KS-1', 'KS-2'] })
  expectMessage(await edit(receipt, { unit_codes: ['KS-1', 'KS-3'] }), '院内码KS-3不在本发放单中')
  await edit(receipt, { received_quantity: '1', difference_reason: 'short' })
  expectMessage(
    await hospital.do('wardReceipt', 'review', receipt),
    '第1行【冠状动脉球囊扩张导管】数量1与院内码数量2不一致',
  )
  await edit(receipt, { received_quantity: '1', unit_codes: ['KS-2'], difference_reason: 'short' })
  await hospital.done('wardReceipt', 'review', receipt)
  expect(await shelf(hospital, ward, balloon)).toEqual({ KS2: '1.000' })
  expect((await hospital.trace('KS-1')).info.now).toMatchObject({ status: 'in_transit' })
  expect((await hospital.trace('KS-2')).list.map(event => event.step)).toEqual(['opening', 'grant', 'ward_receive'])
})

test('not created by hand; confirmed only by people of the ward', async () => {
  const { hospital, ward, central, h } = scene
  expectMessage(
    await attempt(hospital, 'wardReceipt', { warehouse_model_inner_sn: ward, lines: [] }),
    '科室收货单不能手工新增，请引用来源单',
  )
  const { receipt } = await granted(plain('1'))
  const nurse = await scene.one("select id from app_user where login = 'nurse'")
  await scene.one(
    'insert into user_scope (org_id, user_id, warehouse_id) values ($1, $2, $3) returning 1',
    h,
    nurse.id,
    central,
  )
  const outsider = await scene.person('nurse')
  const { version } = await hospital.info('wardReceipt', receipt)
  expectMessage(
    await outsider.client.post('/v1/business/wardReceipt/review', { sn: receipt, version }),
    `科室收货单${receipt}不存在或已被删除`,
  )
  await scene.one('update user_scope set warehouse_id = $1 where user_id = $2 returning 1', ward, nurse.id)
  await outsider.done('wardReceipt', 'review', receipt)
})

test('undone while nothing was used; not afterwards', async () => {
  const { hospital, ward, department } = scene
  const { grant, receipt } = await granted(plain('5'))
  await hospital.done('wardReceipt', 'review', receipt)
  await hospital.done('wardReceipt', 'unreview', receipt)
  expect((await hospital.info('grantOdo', grant)).state).toBe('reviewed')
  await hospital.done('wardReceipt', 'review', receipt)
  const stored = (await shelf(hospital, ward, scene.inflator)).KS1 ?? '0'
  const use = await hospital.add('departmentUse', {
    warehouse_model_inner_sn: ward,
    department_inner_sn: department,
    lines: [plain(stored)],
  })
  await hospital.pass('departmentUse', use)
  expectMessage(
    await hospital.do('wardReceipt', 'unreview', receipt),
    new RegExp(`^货物已有后续业务（${use}），不能反审核`),
  )
  await hospital.done('departmentUse', 'unreview', use)
  await hospital.done('departmentUse', 'unsubmit', use)
  const { red_sn } = await hospital.done('wardReceipt', 'redReverse', receipt, { reason: '错收' })
  expect((await hospital.info('wardReceipt', red_sn)).total_quantity).toBe('-5.000')
  expect((await hospital.info('grantOdo', grant)).state).toBe('reviewed')
})

test('自动收货: a department with it on receives at once on issue; others must confirm', async () => {
  const { hospital, ward, department, inflator } = scene
  const before = (await shelf(hospital, ward, inflator)).KS1 ?? '0'
  const switched = async (receives_at_grant: boolean) => {
    const { version } = await hospital.info('department', department)
    const body = { sn: department, version, receives_at_grant }
    expect((await hospital.client.post('/v1/business/department/edit', body)).msg).toBe('')
  }
  await switched(true)
  const { grant, receipt } = await granted(plain('3'))
  expect(await hospital.info('grantOdo', grant)).toMatchObject({ state: 'completed', receive_state: '3' })
  expect(await hospital.info('wardReceipt', receipt)).toMatchObject({
    state: 'reviewed',
    history: expect.arrayContaining([expect.objectContaining({ action: 'review', actor_name: '系统自动收货' })]),
  })
  expect((await shelf(hospital, ward, inflator)).KS1).toBe(add(before, '3', 3))
  expectMessage(await hospital.do('grantOdo', 'unreview', grant), /^科室已收货，不能反审核，请走科室退库/)
  await switched(false)
  expect((await hospital.info('wardReceipt', (await granted(plain('1'))).receipt)).state).toBe('submitted')
})

test('领用即消耗 of the store’s list: used in the same breath, and the consigned part waits for settlement', async () => {
  const { hospital, h, ward, inflator } = scene
  const flag = (used_on_receipt: boolean) =>
    scene.one(
      `insert into warehouse_product (org_id, warehouse_id, specification_id, max_quantity, used_on_receipt)
         values ($1, $2, $3, 9, $4) on conflict (org_id, warehouse_id, specification_id)
         do update set used_on_receipt = $4 returning 1`,
      h,
      ward,
      inflator,
      used_on_receipt,
    )
  afterThisTest(() =>
    scene.one('delete from warehouse_product where org_id = $1 and warehouse_id = $2 returning 1', h, ward),
  )
  await flag(true)
  const before = (await shelf(hospital, ward, inflator)).KS1 ?? '0'
  const { receipt } = await granted(plain('4'))
  const waiting = await hospital.info('wardReceipt', receipt)
  expect(waiting.lines).toMatchObject([{ used_on_receipt: true }])
  await hospital.done('wardReceipt', 'edit', receipt, {
    lines: [{ line_no: 1, received_quantity: '3', difference_reason: 'broken' }],
  })
  await hospital.done('wardReceipt', 'review', receipt)
  expect((await shelf(hospital, ward, inflator)).KS1 ?? '0').toBe(before)
  const [use] = await hospital.list('departmentUse', { pageSize: '1' })
  expect(use).toMatchObject({ use_type: 'consume', state: 'reviewed', remark: `领用即消耗：科室收货单${receipt}` })
  const used = await hospital.info('departmentUse', use.sn)
  expect(used).toMatchObject({ source_type: 133, source_sn: receipt })
  expect(used.lines).toMatchObject([{ quantity: '3.000', lot_no: 'KS1', source_sn: receipt, source_line_no: 1 }])
  // Each names the other on its page, and the list of uses finds it by its receipt.
  const named = (await hospital.info('wardReceipt', receipt)).related
  expect(named).toContainEqual(expect.objectContaining({ direction: 'follow_up', kind: 'departmentUse', sn: use.sn }))
  expect(used.related).toContainEqual(expect.objectContaining({ direction: 'source', sn: receipt }))
  expect((await hospital.list('departmentUse', { source_sn: receipt })).map(({ sn }) => sn)).toEqual([use.sn])
  // Goods that are used up on receipt cannot be used a second time from the same receipt.
  expectMessage(
    await attempt(hospital, 'departmentUse', { source_type: 133, source_sn: receipt }, 'submit'),
    /没有可引用的明细|已全部/,
  )
  // A use must be taken back before its receipt can be.
  expectMessage(
    await hospital.do('wardReceipt', 'unreview', receipt),
    `收货时已登记使用（${use.sn}），不能反审核，请先红冲该科室使用单`,
  )
  await hospital.done('departmentUse', 'redReverse', use.sn, { reason: '错收' })
  await hospital.done('wardReceipt', 'unreview', receipt)
})

test('what is traced piece by piece is never used unseen', async () => {
  const { hospital, h, ward, stent, balloon, inflator } = scene
  const coded = (is_unit_coded: boolean) =>
    scene.one(
      'update hospital_product set is_unit_coded = $3 where org_id = $1 and specification_id = $2 returning 1',
      h,
      inflator,
      is_unit_coded,
    )
  afterThisTest(() => coded(false))
  // The hospital itself has pieces of the last one coded.
  await coded(true)
  for (const specification_sn of [stent, balloon, inflator]) {
    const body = { warehouse_model_inner_sn: ward, specification_sn, max_quantity: '1', used_on_receipt: true }
    const made = await hospital.client.post('/v1/business/warehouseProduct/add', body)
    expect(JSON.stringify(made)).toContain('植入物和一物一码产品逐件登记使用，不能领用即消耗')
  }
})

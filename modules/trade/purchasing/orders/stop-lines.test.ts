import { documents } from '#kernel/registry.ts'
import { add, type Decimal, share, subtract } from '#kernel/values/decimal.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { story } from '#tests/support/steps.ts'
import { expectMessage, lotOf, openScene, type Scene } from '#tests/support/fixture.ts'
import { day } from '#tests/support/story.ts'

/** 终止行: what is not under way of some lines of an order is not executed any more. */
let scene: Scene
let other: string
beforeAll(async () => {
  scene = await openScene()
  other = await scene.specification('P009-02')
  const stock = [lotOf(scene.inflator, 'SL1', { quantity: '900' }), lotOf(other, 'SL2', { quantity: '900' })]
  await scene.shelve(scene.dealer, scene.shop, stock)
})
afterAll(() => scene?.close())

type Ordered = { readonly po: string; readonly so: string }
const lines = (...quantities: string[]) =>
  quantities.map((quantity, at) => ({ specification_sn: at === 0 ? scene.inflator : other, quantity }))

async function ordered(...quantities: string[]): Promise<Ordered> {
  const { hospital, dealer, d, central } = scene
  const po = await hospital.add('purchaseOrder', {
    counterparty_sn: d,
    warehouse_model_inner_sn: central,
    business_date: day(-20),
    expected_date: day(-4),
    lines: lines(...quantities),
  })
  await hospital.pass('purchaseOrder', po)
  return { po, so: (await dealer.from('salesOrder', po)).sn }
}
async function confirmed(...quantities: string[]): Promise<Ordered> {
  const placed = await ordered(...quantities)
  await scene.dealer.done('salesOrder', 'review', placed.so)
  return placed
}
const odoOf = (so: string, ...parts: (readonly [line: number, quantity: string])[]) =>
  scene.dealer.add('saleOdo', {
    source_type: 4,
    source_sn: so,
    warehouse_model_inner_sn: scene.shop,
    lines: parts.map(([source_line_no, quantity]) => ({ source_line_no, quantity })),
  })
async function shipped(so: string, ...parts: (readonly [line: number, quantity: string])[]): Promise<string> {
  const odo = await odoOf(so, ...parts)
  await scene.dealer.pass('saleOdo', odo)
  return odo
}
const receive = async (odo: string) =>
  scene.hospital.pass('purchaseGrn', (await scene.hospital.from('purchaseGrn', odo)).sn)
const stopLines = (po: string, ...stop_lines: string[]) =>
  scene.hospital.do('purchaseOrder', 'stopLine', po, { stop_lines, reason: '临床改用其他规格' })
async function stopped(po: string, ...stop_lines: string[]): Promise<void> {
  const reply = await stopLines(po, ...stop_lines)
  expect(reply.code, reply.msg).toBe(0)
}
const listed = async (kind: string, sn: string, who = scene.hospital) => (await who.list(kind, { sn }))[0]!

test('every kind whose lines can be stopped asks which, keeps why, and stops as a whole as well', () => {
  const stopping = documents().filter(({ actions }) => 'stopLine' in actions)
  expect(stopping.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['purchaseOrder', 'salesOrder']))
  for (const { kind, actions, header, lines, progress, sourcing, screens } of stopping) {
    expect([kind, progress.underWay?.length ?? 0]).not.toEqual([kind, 0])
    expect([kind, progress.underWay?.includes(progress.main!)]).toEqual([kind, true])
    expect([kind, header.stop_lines?.ofLines, lines.stop_reason?.readOnly, sourcing.isOrder]).toEqual([
      kind,
      true,
      true,
      true,
    ])
    expect([kind, Object.keys(actions)]).toEqual([kind, expect.arrayContaining(['stop'])])
    for (const screen of screens)
      expect([kind, screen.columns]).toEqual([kind, expect.arrayContaining(['stopped_quantity'])])
  }
  const withRule = documents().filter(({ progress }) => progress.underWay !== undefined)
  expect(withRule.map(({ kind }) => kind)).toEqual(stopping.map(({ kind }) => kind))
})

story('a line is stopped while a part of it is under way', step => {
  let made: Ordered
  let odo: string

  step('what was shipped still comes, the rest is not wanted: at both sides, in every figure', async () => {
    const { hospital, dealer, d } = scene
    made = await confirmed('100', '10')
    odo = await shipped(made.so, [1, '40'])
    const credit = async () =>
      (await scene.one('select coalesce(sum(used), 0)::text as used from credit_use where org_id = $1', d)).used
    const before = await credit()
    await stopped(made.po, '1')
    const order = await hospital.info('purchaseOrder', made.po)
    expect(order).toMatchObject({ state: 'reviewed' })
    expect(order.lines[0]).toMatchObject({ stopped_quantity: '60.000', stop_reason: '临床改用其他规格' })
    expect(order.lines[1]).toMatchObject({ stop_reason: null })
    const [price, more] = order.lines.map((line: { taxed_amount: Decimal }) => line.taxed_amount)
    expect(await listed('purchaseOrder', made.po)).toMatchObject({
      stopped_quantity: '60.000',
      unreceived_quantity: '50.000',
      standing_amount: add(share(price, '40', '100', 2), more, 2),
    })
    const sales = await dealer.info('salesOrder', made.so)
    expect(sales).toMatchObject({ state: 'partial' })
    expect(sales.lines[0]).toMatchObject({ stopped_quantity: '60.000', stop_reason: '临床改用其他规格' })
    expect(subtract(before, await credit(), 2)).toBe(share(price, '60', '100', 2))
    const said = await scene.one('select * from message where org_id = $1 order by id desc limit 1', d)
    expect(said).toMatchObject({ title: '对方终止了单据的部分行', uri: 'salesOrder', object_id: made.so })
    expect(said.body).toContain(`采购订单${made.po}第1行：临床改用其他规格`)
  })

  step('the supplier ships no more of it, and is told why', async () => {
    const more = await odoOf(made.so, [1, '1'])
    expectMessage(
      await scene.dealer.do('saleOdo', 'submit', more),
      `来源第1行已终止，数量不能大于未终止的剩余数量0，已有销售出库单${odo}`,
    )
    const open = await scene.dealer.client.get('/v1/business/saleOdo/sources', { for: 'so', sn: made.so })
    expect(open.list.map((row: { source_line_no: number }) => row.source_line_no)).toEqual([2])
  })

  step('neither side takes back an order of which lines were stopped', async () => {
    expectMessage(
      await scene.dealer.do('salesOrder', 'stopLine', made.so, { stop_lines: ['1'], reason: '停产' }),
      '第1行已终止，请选择其他行',
    )
    expectMessage(await stopLines(made.po, '1'), '第1行已终止，请选择其他行')
    expectMessage(await stopLines(made.po, '9'), '没有第9行，请重新选择要终止的行')
    expectMessage(await stopLines(made.po), '请选择要终止的行')
    expectMessage(
      await scene.hospital.do('purchaseOrder', 'stopLine', made.po, { stop_lines: ['2'] }),
      '请填写终止行原因',
    )
  })

  step('it is done with what was under way and the other lines', async () => {
    await receive(odo)
    expect(await listed('purchaseOrder', made.po)).toMatchObject({ state: 'partial', unreceived_quantity: '10.000' })
    await receive(await shipped(made.so, [2, '10']))
    expect(await scene.hospital.info('purchaseOrder', made.po)).toMatchObject({
      state: 'completed',
      receive_state: '3',
    })
    expect((await scene.dealer.info('salesOrder', made.so)).state).toBe('completed')
    expectMessage(await stopLines(made.po, '2'), '当前单据状态不允许该操作')
  })
})

test('an order of which nothing came ends with its last line, at both sides, and is not taken back before', async () => {
  const { hospital, dealer } = scene
  const { po, so } = await ordered('5', '6')
  await stopped(po, '2')
  expectMessage(await hospital.do('purchaseOrder', 'unreview', po), '第2行已终止，不能反审核；其余不再执行的请终止单据')
  expectMessage(
    await hospital.do('purchaseOrder', 'cancel', po, { reason: '不要了' }),
    '第2行已终止，不能作废；其余不再执行的请终止单据',
  )
  await stopped(po, '1')
  expect((await hospital.info('purchaseOrder', po)).state).toBe('stopped')
  expect((await dealer.info('salesOrder', so)).state).toBe('cancelled')
})

test('a line that was stopped before the supplier confirmed it is not confirmed; the others are', async () => {
  const { hospital, dealer } = scene
  const { po, so } = await ordered('7', '8')
  await stopped(po, '1')
  expectMessage(await dealer.do('salesOrder', 'review', so), '来源第1行已终止，数量不能大于未终止的剩余数量0')
  const { version, lines: asked } = await dealer.info('salesOrder', so)
  const reply = await dealer.client.post('/v1/business/salesOrder/edit', {
    sn: so,
    version,
    lines: asked.map((line: { line_no: number }) => ({
      line_no: line.line_no,
      ...(line.line_no === 1 ? { confirmed_quantity: '0' } : {}),
    })),
  })
  expect(reply.code, reply.msg).toBe(0)
  await dealer.done('salesOrder', 'review', so)
  await receive(await shipped(so, [2, '8']))
  expect((await hospital.info('purchaseOrder', po)).state).toBe('completed')
  expect((await dealer.info('salesOrder', so)).state).toBe('completed')
})

test('what is wholly under way or received cannot be stopped, nor with a document begun over it', async () => {
  const { po, so } = await confirmed('3', '4')
  const odo = await shipped(so, [1, '3'])
  expectMessage(await stopLines(po, '1'), '第1行已全部发货或执行，没有可以终止的数量')
  expectMessage(await stopLines(po, '1', '2'), '第1行已全部发货或执行，没有可以终止的数量')
  expect((await scene.hospital.info('purchaseOrder', po)).lines[1].stop_reason).toBeNull()
  await receive(odo)
  expectMessage(await stopLines(po, '1'), '第1行已全部发货或执行，没有可以终止的数量')
  const begun = await odoOf(so, [2, '1'])
  expectMessage(
    await scene.dealer.do('salesOrder', 'stopLine', so, { stop_lines: ['2'], reason: '停产' }),
    `请先处理未完成的后续单据（${begun}），再终止行`,
  )
})

test('a shipment of a stopped line that is taken back is not sent again', async () => {
  const { hospital, dealer } = scene
  const { po, so } = await confirmed('20', '1')
  const odo = await shipped(so, [1, '5'])
  await stopped(po, '1')
  expect((await dealer.info('salesOrder', so)).lines[0]).toMatchObject({ stopped_quantity: '15.000' })
  await dealer.done('saleOdo', 'unreview', odo)
  for (const doc of [await hospital.info('purchaseOrder', po), await dealer.info('salesOrder', so)])
    expect(doc.lines[0]).toMatchObject({ stopped_quantity: '20.000' })
  expectMessage(await dealer.do('saleOdo', 'review', odo), '来源第1行已终止，数量不能大于未终止的剩余数量0')
})

test('the supplier stops a line: the order of the buyer waits for no more of it', async () => {
  const { hospital, dealer } = scene
  const { po, so } = await confirmed('30', '2')
  await receive(await shipped(so, [1, '10']))
  await dealer.done('salesOrder', 'stopLine', so, { stop_lines: ['1'], reason: '厂家停产' })
  expect((await hospital.info('purchaseOrder', po)).lines[0]).toMatchObject({
    stopped_quantity: '20.000',
    stop_reason: '厂家停产',
  })
  expect(await listed('purchaseOrder', po)).toMatchObject({ unreceived_quantity: '2.000' })
  await receive(await shipped(so, [2, '2']))
  expect((await hospital.info('purchaseOrder', po)).state).toBe('completed')
})

test('two at once: one stops the line; shipped at the same moment, both sides agree on what is under way', async () => {
  const { hospital, dealer } = scene
  const { po } = await confirmed('50', '1')
  const both = await Promise.all([stopLines(po, '1'), stopLines(po, '1')])
  expect(both.filter(reply => reply.code === 0)).toHaveLength(1)
  expect(both.find(reply => reply.code !== 0)!.msg).toMatch(/已终止|已被他人修改/)

  const made = await confirmed('50', '1')
  const odo = await odoOf(made.so, [1, '30'])
  await dealer.done('saleOdo', 'submit', odo)
  const [stopping, shipping] = await Promise.all([stopLines(made.po, '1'), dealer.do('saleOdo', 'review', odo)])
  expect(stopping.code, stopping.msg).toBe(0)
  if (shipping.code !== 0) expectMessage(shipping, '来源第1行已终止，数量不能大于未终止的剩余数量0')
  const left = shipping.code === 0 ? '20.000' : '50.000'
  expect((await dealer.info('salesOrder', made.so)).lines[0].stopped_quantity).toBe(left)
  expect((await hospital.info('purchaseOrder', made.po)).lines[0].stopped_quantity).toBe(left)
  if (shipping.code === 0) await receive(odo)
})

test('a stopped line is late for no more than what is under way of it, at both sides', async () => {
  const { hospital, dealer } = scene
  const { po, so } = await confirmed('5', '4')
  await shipped(so, [1, '2'])
  const late = async (who: typeof hospital, side: string, sn: string) => {
    const { list } = await who.client.get('/v1/report/overdueOrderLines', { side, pageSize: '500' })
    return list.flatMap((row: Record<string, string>) => (row.document_sn === sn ? [row.open_quantity] : []))
  }
  expect(await late(hospital, 'buy', po)).toEqual(['5.000', '4.000'])
  expect(await late(dealer, 'sell', so)).toEqual(['3.000', '4.000'])
  await stopped(po, '1', '2')
  expect(await late(hospital, 'buy', po)).toEqual(['2.000'])
  expect(await late(dealer, 'sell', so)).toEqual([])
})

test('what was stopped can be planned and ordered again', async () => {
  const { hospital, d, central, inflator } = scene
  const plan = await hospital.add('purchasePlan', {
    warehouse_model_inner_sn: central,
    lines: [{ specification_sn: inflator, quantity: '12', supplier_sn: d, remark: '备货' }],
  })
  await hospital.pass('purchasePlan', plan)
  const from = { counterparty_sn: d, warehouse_model_inner_sn: central, source_type: sourceTypes.PLAN, source_sn: plan }
  const po = await hospital.add('purchaseOrder', from)
  await hospital.pass('purchaseOrder', po)
  const { sn: so } = await scene.dealer.from('salesOrder', po)
  await scene.dealer.done('salesOrder', 'review', so)
  await receive(await shipped(so, [1, '5']))
  expect((await hospital.info('purchasePlan', plan)).state).toBe('completed')
  await stopped(po, '1')
  expect(await hospital.info('purchaseOrder', po)).toMatchObject({ state: 'completed' })
  const open = await hospital.client.get('/v1/business/purchaseOrder/sources', { for: 'plan', sn: plan })
  expect(open.list).toMatchObject([{ source_line_no: 1, left: '7.000' }])
})

test('终止行 of the warnings stops the ticked lines; nobody does without the right', async () => {
  const { hospital } = scene
  const { po } = await ordered('11', '12')
  const warnings = async () =>
    (await hospital.client.get('/v1/report/purchaseOrderWarning', { pageSize: '500' })).list.filter(
      (row: { document_sn: string }) => row.document_sn === po,
    )
  const [first] = await warnings()
  const ticked = (who: typeof hospital, ...rows: { row_key: string }[]) =>
    who.client.post('/v1/report/purchaseOrderWarning/stopLine', {
      query: '',
      reason: '不再采购',
      sns: JSON.stringify(rows.map(row => row.row_key)),
    })
  const reader = await scene.clerk('hospital', 'stop.reader', [
    'page:/hospital/purchaseOrderWarnReport',
    'purchaseOrderWarning.stopLine',
  ])
  expect((await ticked(reader, first)).code).not.toBe(0)
  expect((await ticked(hospital, first)).info.said).toBe('已终止1行')
  expect((await warnings()).map((row: { line_no: number }) => row.line_no)).toEqual([first.line_no === 1 ? 2 : 1])
})

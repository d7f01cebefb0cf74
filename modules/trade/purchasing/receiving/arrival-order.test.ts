import { afterAll, beforeAll, expect } from 'vitest'
import { story } from '#tests/support/steps.ts'
import { afterThisTest, attempt, lotOf, openScene, expectMessage, type Scene, shelf } from '#tests/support/fixture.ts'
import { proves } from '#tests/support/proves.ts'
import { day, type Person } from '#tests/support/story.ts'

/** 到货单: counted on arrival. Faulty goods are refused, doubtful ones go to quality, the rest to inspection. */
let scene: Scene
/** Decides and reviews what the hospital's receiver unloaded. */
let quality: Person
beforeAll(async () => {
  scene = await openScene()
  quality = await scene.colleague('hospital')
  await scene.rule(scene.h, 'arrival_before_receipt', true)
  await scene.shelve(scene.dealer, scene.shop, [lotOf(scene.inflator, 'DH1', { quantity: '200' })])
})
afterAll(() => scene?.close())

/** A delivery of the dealer, and the arrival created for it at the hospital. */
async function unloaded(quantity: string, notified: object = {}): Promise<{ odo: string; arrival: string }> {
  const { dealer, hospital, h, shop, inflator } = scene
  const odo = await dealer.add('saleOdo', {
    counterparty_sn: h,
    warehouse_model_inner_sn: shop,
    lines: [{ specification_sn: inflator, lot_no: 'DH1', quantity }],
    ...notified,
  })
  await dealer.pass('saleOdo', odo)
  return { odo, arrival: (await hospital.from('arrivalOrder', odo)).sn }
}
const edit = async (sn: string, body: object) => {
  const { version } = await scene.hospital.info('arrivalOrder', sn)
  const reply = await scene.hospital.client.post('/v1/business/arrivalOrder/edit', { sn, version, ...body })
  expect(reply.msg).toBe('')
}

story('goods arrival, from one step to the next', step => {
  step(
    'a supplier’s delivery awaits arrival with its lots; reviewed, it awaits inspection, not yet in stock',
    async () => {
      const { dealer, hospital, central, inflator } = scene
      const { odo, arrival } = await unloaded('10')
      // The code on the delivery note opens the waiting document; if that was discarded, it is created again. It shows
      // nothing of other organisations.
      const scan = (who: typeof hospital, sn: string) => who.client.post('/v1/note/receive', { sn })
      expect((await scan(hospital, odo)).info).toEqual({ kind: 'arrivalOrder', sn: arrival })
      expectMessage(
        await scan(hospital, 'CK9'),
        '没有待收货的随货同行单CK9，请核对单号，或是否已收货、已被发货单位收回',
      )
      const thrown = await unloaded('3')
      await hospital.done('arrivalOrder', 'del', thrown.arrival)
      const again = (await scan(hospital, thrown.odo)).info
      expect(again.sn).not.toBe(thrown.arrival)
      expect(await hospital.info('arrivalOrder', again.sn)).toMatchObject({
        source_sn: thrown.odo,
        total_quantity: '3.000',
      })
      expect(await hospital.info('arrivalOrder', arrival)).toMatchObject({
        state: 'draft',
        source_type: 7,
        delivery_note_no: odo,
        lines: [{ lot_no: 'DH1', quantity: '10.000' }],
      })
      expect(await hospital.list('purchaseGrn', { source_sn: odo })).toEqual([])
      await hospital.pass('arrivalOrder', arrival)
      expect(await hospital.from('inspectionOrder', arrival)).toMatchObject({
        state: 'draft',
        total_quantity: '10.000',
      })
      expect(await shelf(hospital, central, inflator)).toEqual({})
      expect((await dealer.info('saleOdo', odo)).lines[0]).toMatchObject({
        arrived_quantity: '10.000',
        executed_quantity: '0.000',
      })
    },
  )

  step('undone while the inspection is untouched; not once inspection began', async () => {
    const { hospital } = scene
    const { arrival } = await unloaded('4')
    await hospital.pass('arrivalOrder', arrival)
    const first = await hospital.from('inspectionOrder', arrival)
    await hospital.done('arrivalOrder', 'unreview', arrival)
    expect((await hospital.info('inspectionOrder', first.sn)).state).toBe('cancelled')
    await hospital.done('arrivalOrder', 'review', arrival)
    const [inspection] = await hospital.list('inspectionOrder', { source_sn: arrival, state: 'draft' })
    await hospital.done('inspectionOrder', 'submit', inspection.sn)
    expectMessage(await hospital.do('arrivalOrder', 'unreview', arrival), `已开始验收，不能反审核（${inspection.sn}）`)
  })

  step("refused on arrival, with a reason: it stays the sender's, who can read why", async () => {
    const { dealer, hospital, inflator } = scene
    const { odo, arrival } = await unloaded('10')
    await edit(arrival, { lines: [{ line_no: 1, quantity: '7', refused_quantity: '4', refuse_reason: '破损' }] })
    expectMessage(await hospital.do('arrivalOrder', 'submit', arrival), '到货数量超过来源单剩余数量10')
    await edit(arrival, { lines: [{ line_no: 1, quantity: '7', refused_quantity: '3', refuse_reason: '' }] })
    expectMessage(await hospital.do('arrivalOrder', 'submit', arrival), '第1行：请填写拒收原因')
    await edit(arrival, { lines: [{ line_no: 1, quantity: '7', refused_quantity: '3', refuse_reason: '外箱破损' }] })
    await hospital.pass('arrivalOrder', arrival)
    expect((await hospital.from('inspectionOrder', arrival)).total_quantity).toBe('7.000')
    const delivery = await dealer.info('saleOdo', odo)
    expect(delivery.history.at(-1)).toMatchObject({
      label: '客户拒收',
      reason: '【一次性使用球囊充压装置】批号DH1拒收3：外箱破损',
    })
    const transit = await dealer.list('stockBalance', { specification_sn: inflator, in_transit: '1' })
    expect(transit.filter(row => row.location === odo).map(row => row.quantity)).toEqual(['10.000'])
  })

  step('撤销拒收: a mistaken refusal is undone while the sender has not acted, and the goods then arrive', async () => {
    const { dealer, hospital } = scene
    const { odo, arrival } = await unloaded('10')
    await edit(arrival, { lines: [{ line_no: 1, quantity: '7', refused_quantity: '3', refuse_reason: '看错批号' }] })
    await hospital.pass('arrivalOrder', arrival)
    const [waiting] = await dealer.list('saleReturn', { source_sn: odo })
    expectMessage(
      await hospital.do('arrivalOrder', 'unreview', arrival),
      '拒收数量已通知对方，不能反审核，请先撤销拒收',
    )
    expectMessage(await hospital.do('arrivalOrder', 'unrefuse', arrival), '请填写撤销拒收原因')
    await hospital.done('arrivalOrder', 'unrefuse', arrival, { reason: '复核后批号无误' })
    // The sender has nothing to take back, and sees why; the goods are in transit to us again.
    expect((await dealer.info('saleReturn', waiting.sn)).state).toBe('cancelled')
    const delivery = await dealer.info('saleOdo', odo)
    expect(delivery.history.at(-1)).toMatchObject({
      label: expect.stringMatching('撤销拒收'),
      reason: '复核后批号无误',
    })
    expect((await hospital.info('arrivalOrder', arrival)).lines).toMatchObject([
      { quantity: '7.000', refused_quantity: '0.000', unrefused_quantity: '3.000' },
    ])
    const [again] = await hospital.list('arrivalOrder', { source_sn: odo, state: 'draft' })
    expect(again).toMatchObject({ total_quantity: '3.000' })
    await edit(again.sn, { delivery_note_no: `${odo}-2` })
    await hospital.pass('arrivalOrder', again.sn)
    expect((await dealer.info('saleOdo', odo)).lines[0].arrived_quantity).toBe('10.000')
    expectMessage(await hospital.do('arrivalOrder', 'unrefuse', arrival, { reason: '再撤' }), '该到货单没有拒收的货物')

    // Once the sender began to take them back, they are the sender's responsibility.
    const late = await unloaded('5')
    await edit(late.arrival, { lines: [{ line_no: 1, quantity: '0', refused_quantity: '5', refuse_reason: '送错货' }] })
    await hospital.pass('arrivalOrder', late.arrival)
    const [home] = await dealer.list('saleReturn', { source_sn: late.odo })
    await dealer.done('saleReturn', 'edit', home.sn, { remark: '安排取回' })
    expectMessage(
      await hospital.do('arrivalOrder', 'unrefuse', late.arrival, { reason: '找到订单' }),
      `对方已处理拒收的货物（销售退货单${home.sn}），不能撤销拒收`,
    )
    expect((await hospital.info('arrivalOrder', late.arrival)).lines[0].refused_quantity).toBe('5.000')
    // The sender discarded the draft, so none of it is in transit, and the whole delivery arrives after all.
    await dealer.done('saleReturn', 'del', home.sn)
    await hospital.done('arrivalOrder', 'unrefuse', late.arrival, { reason: '找到订单' })
    expect(await hospital.list('arrivalOrder', { source_sn: late.odo, state: 'draft' })).toMatchObject([
      { total_quantity: '5.000' },
    ])
  })

  step('a fully refused delivery creates no inspection', async () => {
    const { hospital } = scene
    const { arrival } = await unloaded('2')
    await edit(arrival, { lines: [{ line_no: 1, quantity: '0', refused_quantity: '0' }] })
    expectMessage(await hospital.do('arrivalOrder', 'submit', arrival), '第1行：到货数量与拒收数量不能都为0')
    await edit(arrival, { lines: [{ line_no: 1, quantity: '0', refused_quantity: '2', refuse_reason: '送错货' }] })
    await hospital.pass('arrivalOrder', arrival)
    expect(await hospital.list('inspectionOrder', { source_sn: arrival })).toEqual([])
  })

  step('expired goods cannot arrive, only be refused', async () => {
    const { hospital } = scene
    const { arrival } = await unloaded('1')
    await edit(arrival, { business_date: day(701) })
    expectMessage(
      await hospital.do('arrivalOrder', 'submit', arrival),
      '第1行：一次性使用球囊充压装置批号DH1已过期，请拒收',
    )
    // An earlier business date does not help if the lot is expired today.
    const past = { line_no: 1, production_date: day(-400), expiry_date: day(-1) }
    await edit(arrival, { business_date: day(-3), lines: [past] })
    expectMessage(await hospital.do('arrivalOrder', 'submit', arrival), /^第1行：.*批号DH1已过期，请拒收$/)
    const refused = { line_no: 1, quantity: '0', refused_quantity: '1', refuse_reason: '过期' }
    await edit(arrival, { business_date: day(), lines: [refused] })
    expect((await hospital.do('arrivalOrder', 'submit', arrival)).code).toBe(0)
  })

  step("from one's own order, never more than ordered; never without a source", async () => {
    const { hospital, d, central, inflator } = scene
    expectMessage(
      await attempt(hospital, 'arrivalOrder', { counterparty_sn: d, warehouse_model_inner_sn: central, lines: [] }),
      '到货单不能手工新增，请引用来源单',
    )
    const po = await hospital.add('purchaseOrder', {
      counterparty_sn: d,
      warehouse_model_inner_sn: central,
      lines: [{ specification_sn: inflator, quantity: '5' }],
    })
    await hospital.pass('purchaseOrder', po)
    const arrive = (quantity: string, more: object = {}) =>
      attempt(
        hospital,
        'arrivalOrder',
        {
          source_type: 3,
          source_sn: po,
          lines: [
            { source_line_no: 1, quantity, lot_no: 'DH9', production_date: day(-10), expiry_date: day(900), ...more },
          ],
        },
        'review',
      )
    expectMessage(await arrive('6'), '到货数量超过订单剩余数量5')
    expectMessage(await arrive('4', { refused_quantity: '2', refuse_reason: '破损' }), '到货数量超过订单剩余数量5')
    expectMessage(await arrive('5', { lot_no: null }), '第1行【一次性使用球囊充压装置】请填写批号')
    expect((await arrive('5')).code).toBe(0)
    expect(await hospital.info('purchaseOrder', po)).toMatchObject({
      state: 'reviewed',
      arrive_state: '3',
      receive_state: '1',
    })
  })

  step('a delivery note is registered once', async () => {
    const { hospital } = scene
    const [one, two] = [await unloaded('1'), await unloaded('1')]
    await edit(two.arrival, { delivery_note_no: one.odo })
    expectMessage(
      await hospital.do('arrivalOrder', 'submit', two.arrival),
      `随货同行单号${one.odo}已登记（${one.arrival}）`,
    )
  })

  step('冷链: times and temperature are recorded; too warm goes to quality', async () => {
    const { hospital, inflator } = scene
    const cold =
      'update product set is_cold_chain = $2, storage_condition = $3' +
      ' where id = (select product_id from specification where id = $1) returning 1'
    const { storage_condition } = await scene.one(
      'select p.storage_condition from product p join specification s on s.product_id = p.id where s.id = $1',
      inflator,
    )
    await scene.one(cold, inflator, true, '冷藏 2-8℃')
    afterThisTest(() => scene.one(cold, inflator, false, storage_condition))
    const ship = { carrier: '顺达冷链', departed_at: '2026-11-20T00:30:00.000Z', departure_temperature: '4.5℃' }
    const notified = await unloaded('1', { ...ship, cold_box_no: 'LCX-1', temperature_logger_no: 'JLY-1' })
    // The sender's entries on the delivery note are already filled in on arrival; the rest is read off the note.
    expect(await hospital.info('arrivalOrder', notified.arrival)).toMatchObject(ship)
    const note = { sn: notified.odo, role: 'counterparty', source_org_sn: scene.d }
    const copy = (await hospital.client.get('/v1/business/saleOdo/print', note)).info
    expect(copy).toMatchObject({ cold_box_no: 'LCX-1', temperature_logger_no: 'JLY-1', lines: [{ needs_two: true }] })
    const { arrival } = await unloaded('1')
    // Cold-chain goods are detected automatically.
    expectMessage(await hospital.do('arrivalOrder', 'submit', arrival), '冷链货物请填写启运时间')
    await edit(arrival, { departed_at: '2026-11-20T01:00:00Z' })
    expectMessage(await hospital.do('arrivalOrder', 'submit', arrival), '冷链货物请填写到货温度')
    await edit(arrival, { arrival_temperature: '12.5℃' })
    expectMessage(await hospital.do('arrivalOrder', 'submit', arrival), '冷链货物请上传在途温度记录或填写记录编号')
    await edit(arrival, { temperature_record_no: 'WD-1' })
    expectMessage(await hospital.do('arrivalOrder', 'submit', arrival), '冷链运输温度超标，请拒收或转质量处理')
    await edit(arrival, { is_abnormal: true, abnormal_type: 'temperature' })
    expect((await hospital.do('arrivalOrder', 'submit', arrival)).code).toBe(0)
    expect(await hospital.info('arrivalOrder', arrival)).toMatchObject({
      is_cold_chain: true,
      quality_decision: 'pending',
      lines: [{ line_abnormal: 'temperature', line_decision: 'pending', is_near_expiry: false }],
    })
  })

  step(
    '质量处理: undecided, the arrival waits; decided by someone other than the receiver, with an opinion',
    async () => {
      const { hospital } = scene
      const people = await scene.server.database.owner.unsafe(
        `select id, name from employee
      where org_id = $1 and id <> (select employee_id from app_user where login = 'hospital') order by id limit 1`,
        [scene.h],
      )
      const receiver = String(people[0]!.id)
      const { arrival } = await unloaded('2')
      await edit(arrival, { handler_inner_sn: receiver })
      await hospital.done('arrivalOrder', 'submit', arrival)
      expectMessage(await hospital.do('arrivalOrder', 'sendQuality', arrival), '请选择异常类型')
      await hospital.done('arrivalOrder', 'sendQuality', arrival, {
        abnormal_type: 'packing',
        abnormal_note: '外箱受潮',
      })
      expectMessage(await hospital.do('arrivalOrder', 'review', arrival), '存在未处理的质量异常，不能审核')
      expectMessage(
        await hospital.do('arrivalOrder', 'qualityPass', arrival, { quality_opinion: '行' }),
        '请填写处理意见（至少5个字）',
      )
      expectMessage(
        await hospital.do('arrivalOrder', 'qualityPass', arrival, {
          quality_opinion: '内包装完好',
          quality_handler_inner_sn: receiver,
        }),
        '收货员不能处理本人收货的质量异常',
      )
      await hospital.done('arrivalOrder', 'qualityHold', arrival, { quality_opinion: '等待厂家说明' })
      expectMessage(await hospital.do('arrivalOrder', 'review', arrival), '存在未处理的质量异常，不能审核')
      await hospital.done('arrivalOrder', 'qualityPass', arrival, { quality_opinion: '内包装完好，准予放行' })
      await hospital.done('arrivalOrder', 'withdraw', arrival)
      expect((await hospital.info('arrivalOrder', arrival)).quality_decision).toBe('pending')
      await hospital.done('arrivalOrder', 'qualityPass', arrival, { quality_opinion: '内包装完好，准予放行' })
      await hospital.done('arrivalOrder', 'review', arrival)
      expect((await hospital.info('arrivalOrder', arrival)).history.map((row: { label: string }) => row.label)).toEqual(
        ['新增', '编辑', '提交', '转质量处理', '待查', '放行', '撤销处理', '放行', '审核'],
      )
    },
  )

  step(
    'several kinds of defects in one delivery are decided line by line; refused goods move to 拒收数量',
    async () => {
      proves('purchasing.qualityByOthers')
      const { dealer, hospital, h, shop, inflator } = scene
      await scene.shelve(dealer, shop, [
        lotOf(inflator, 'DH2', { quantity: '9', production_date: day(-660), expiry_date: day(100) }),
      ])
      const odo = await dealer.add('saleOdo', {
        counterparty_sn: h,
        warehouse_model_inner_sn: shop,
        lines: [
          { specification_sn: inflator, lot_no: 'DH1', quantity: '3' },
          { specification_sn: inflator, lot_no: 'DH2', quantity: '2' },
          { specification_sn: inflator, lot_no: 'DH1', quantity: '4' },
        ],
      })
      await dealer.pass('saleOdo', odo)
      const { sn } = await hospital.from('arrivalOrder', odo)
      const lines = async () => (await hospital.info('arrivalOrder', sn)).lines
      const decide = (action: string, quality_lines: string | null, quality_opinion = '开箱检查符合要求') =>
        quality.do('arrivalOrder', action, sn, { quality_opinion, quality_lines })
      await hospital.done('arrivalOrder', 'submit', sn)
      expect((await lines()).map((line: { is_near_expiry: boolean }) => line.is_near_expiry)).toEqual([
        false,
        true,
        false,
      ])
      const flag = (abnormal_type: string, quality_lines: string) =>
        hospital.do('arrivalOrder', 'sendQuality', sn, { abnormal_type, quality_lines })
      expectMessage(await flag('packing', '8'), '没有第8行，请核对行号')
      expectMessage(await flag('packing', '一'), /行号请用逗号隔开/)
      expect((await flag('packing', '1')).code).toBe(0)
      expect((await flag('short_life', '2')).code).toBe(0)
      // No receiver was named, so the user who submitted the arrival counts as the receiver.
      expectMessage(
        await hospital.do('arrivalOrder', 'qualityPass', sn, { quality_opinion: '开箱检查符合要求' }),
        '收货员不能处理本人收货的质量异常',
      )
      expectMessage(await decide('qualityPass', '3'), '第3行没有待处理的质量异常')
      expect((await decide('qualityPass', '1')).code).toBe(0)
      expectMessage(await hospital.do('arrivalOrder', 'review', sn), '存在未处理的质量异常，不能审核')
      // The quality page has a row for each abnormal line; a row is decided without affecting the others.
      const rows = () => hospital.list('arrivalQualityLine', { arrival_no: sn })
      const row = (action: string, one: Record<string, unknown>, body: object = {}) =>
        quality.client.post(`/v1/business/arrivalQualityLine/${action}`, {
          sn: one.arrival_quality_line_sn,
          version: one.version,
          ...body,
        })
      const [passed, short] = await rows()
      expect([passed, short]).toMatchObject([
        { line_no: 1, lot_no: 'DH1', line_abnormal: 'packing', handling: 'done', line_opinion: '开箱检查符合要求' },
        { line_no: 2, lot_no: 'DH2', line_abnormal: 'short_life', handling: 'pending', quantity: '2.000' },
      ])
      expect(passed.line_decided_by).toBeTruthy()
      expectMessage(
        await row('qualityPass', passed, { quality_opinion: '开箱检查符合要求' }),
        '该行已处理，请先撤销处理',
      )
      expectMessage(await row('qualityRefuse', short, { quality_opinion: '短' }), '请填写处理意见（至少5个字）')
      expect((await row('qualityRefuse', short, { quality_opinion: '效期过短，不予接收' })).code).toBe(0)
      expect(await rows()).toMatchObject([
        { handling: 'done', line_decision: 'pass' },
        { handling: 'done', line_decision: 'refuse', quantity: '2.000', refused_quantity: '2.000' },
      ])
      expect(await lines()).toMatchObject([
        { line_abnormal: 'packing', line_decision: 'pass', quantity: '3.000' },
        { line_decision: 'refuse', quantity: '0.000', refused_quantity: '2.000', refuse_reason: '效期过短，不予接收' },
        { line_abnormal: null, quantity: '4.000' },
      ])
      const [flagged] = await hospital.list('arrivalOrder', { sn, is_abnormal: 'true' })
      expect(flagged).toMatchObject({ refused_total: '2.000' })
      expect(flagged.goods_in_question).toMatch(/批号DH1 有效期至[\d-]+；.+ 批号DH2 有效期至/)
      await hospital.done('arrivalOrder', 'review', sn)
      expect((await hospital.from('inspectionOrder', sn)).total_quantity).toBe('7.000')
      expect(await dealer.list('saleReturn', { source_sn: odo })).toMatchObject([{ total_quantity: '2.000' }])
    },
  )

  step('no one can accept goods without a valid certificate, whatever the rules; refused, none arrives', async () => {
    proves('purchasing.noReleaseWithoutCertificate')
    const { hospital, h, inflator } = scene
    const { arrival } = await unloaded('2')
    await scene.rule(h, 'certificate_check', 'warn')
    await scene.expire(inflator)
    await hospital.done('arrivalOrder', 'submit', arrival)
    await hospital.done('arrivalOrder', 'sendQuality', arrival, { abnormal_type: 'licences' })
    expectMessage(
      await quality.do('arrivalOrder', 'qualityPass', arrival, { quality_opinion: '证照正在更换' }),
      '该产品不允许放行',
    )
    await quality.done('arrivalOrder', 'qualityRefuse', arrival, { quality_opinion: '注册证已失效，拒收' })
    expect(await hospital.info('arrivalOrder', arrival)).toMatchObject({
      state: 'submitted',
      quality_decision: 'refuse',
      lines: [{ quantity: '0.000', refused_quantity: '2.000' }],
    })
  })

  step('where inspection precedes receipt, a receipt is made only from what passed inspection', async () => {
    proves('receipt.inspectionFirst')
    const { hospital, d, central, inflator } = scene
    const plain = lotOf(inflator, 'DH31', { price: '145', quantity: '3' })
    const only = '本机构采购入库前须到货验收，请引用验收单'
    expectMessage(
      await attempt(hospital, 'purchaseGrn', { counterparty_sn: d, warehouse_model_inner_sn: central, lines: [plain] }),
      only,
    )
    const po = await hospital.add('purchaseOrder', {
      counterparty_sn: d,
      warehouse_model_inner_sn: central,
      lines: [{ specification_sn: inflator, quantity: '3', price: '145' }],
    })
    await hospital.pass('purchaseOrder', po)
    expectMessage(
      await attempt(hospital, 'purchaseGrn', {
        source_type: 3,
        source_sn: po,
        lines: [{ source_line_no: 1, ...plain }],
      }),
      only,
    )
    const arrival = await hospital.add('arrivalOrder', {
      source_type: 3,
      source_sn: po,
      lines: [{ source_line_no: 1, ...plain }],
    })
    await hospital.pass('arrivalOrder', arrival)
    const inspection = await hospital.from('inspectionOrder', arrival)
    await hospital.done('inspectionOrder', 'submit', inspection.sn)
    await quality.done('inspectionOrder', 'review', inspection.sn)
    const grn = await hospital.from('purchaseGrn', inspection.sn)
    expect(grn).toMatchObject({ source_type: 6, total_quantity: '3.000' })
    await hospital.pass('purchaseGrn', grn.sn)
    expect(await shelf(hospital, central, inflator)).toMatchObject({ DH31: '3.000' })
  })
})

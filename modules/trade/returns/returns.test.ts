import { subtract, add } from '#kernel/values/decimal.ts'
import { afterAll, beforeAll, expect } from 'vitest'
import { story } from '#tests/support/steps.ts'
import { attempt, lotOf, openScene, owed, expectMessage, type Scene, shelf } from '#tests/support/fixture.ts'
import { openLocalCustomer } from '#tests/support/local-customers.ts'

/**
 * Goods go back: from the buyer's stock through transit to the seller's, lot and piece as they came, and what is
 * owed follows.
 */
let scene: Scene
beforeAll(async () => {
  scene = await openScene({ figures: true })
  const { dealer, shop, inflator, stent, balloon } = scene
  await scene.shelve(dealer, shop, [
    lotOf(inflator, 'TH1', { quantity: '100' }),
    lotOf(stent, 'TH2', { price: '113', unit_codes: ['TH-1', 'TH-2', 'TH-3', 'TH-4'] }),
    lotOf(balloon, 'TH3', { price: '113', unit_codes: ['TB-1', 'TB-2', 'TB-3'] }),
  ])
})
afterAll(() => scene?.close())

/** Sold by the dealer and received by the hospital. */
async function sold(line: object, more: object = {}): Promise<{ odo: string; grn: string }> {
  const odo = await scene.dealer.add('saleOdo', {
    counterparty_sn: scene.h,
    warehouse_model_inner_sn: scene.shop,
    lines: [line],
    ...more,
  })
  await scene.dealer.pass('saleOdo', odo)
  const grn = (await scene.hospital.from('purchaseGrn', odo)).sn
  await scene.hospital.done('purchaseGrn', 'edit', grn, { warehouse_model_inner_sn: scene.central })
  await scene.hospital.pass('purchaseGrn', grn)
  return { odo, grn }
}
const plain = (quantity: string, more: object = {}) => ({
  specification_sn: scene.inflator,
  lot_no: 'TH1',
  quantity,
  ...more,
})
const back = (grn: string, lines?: object[], more: object = {}) =>
  scene.hospital.add('purchaseReturn', {
    source_type: 9,
    source_sn: grn,
    return_reason: '包装破损',
    ...(lines ? { lines } : {}),
    ...more,
  })
const debt = async () => (await owed(scene.hospital, scene.d)).payable
const claim = async () => (await owed(scene.dealer, scene.h)).receivable
/** Inspected as good and received by the dealer. */
async function takenHome(sn: string): Promise<void> {
  const { dealer } = scene
  await dealer.done('saleReturn', 'submit', sn)
  await dealer.done('saleReturn', 'inspect', sn)
  await dealer.done('saleReturn', 'review', sn)
}

story('goods that go back to their supplier or come back from a customer', step => {
  step(
    'from a receipt, never more than is left; in transit, no longer owed, with a draft at the supplier',
    async () => {
      const { hospital, dealer, central, shop, inflator } = scene
      const { odo, grn } = await sold(plain('10'))
      const before = { debt: await debt(), claim: await claim() }
      const bare = await hospital.add('purchaseReturn', { source_type: 9, source_sn: grn })
      expectMessage(await hospital.do('purchaseReturn', 'submit', bare), '请选择退货原因')
      await hospital.done('purchaseReturn', 'del', bare)
      const sn = await back(grn, [{ source_line_no: 1, quantity: '4' }])
      const draft = await hospital.info('purchaseReturn', sn)
      expect(draft).toMatchObject({ counterparty_sn: scene.d, source_sn: grn, taxed_amount: '580.00' })
      expect(draft.lines[0]).toMatchObject({ lot_no: 'TH1', source_quantity: '10.000', left_quantity: '10.000' })
      await hospital.pass('purchaseReturn', sn)
      expect(await debt()).toBe(subtract(before.debt, '580', 2))
      expect(await shelf(hospital, central, inflator)).toEqual({ TH1: '6.000' })
      expectMessage(
        await attempt(
          hospital,
          'purchaseReturn',
          { source_type: 9, source_sn: grn, return_reason: '多', lines: [{ source_line_no: 1, quantity: '7' }] },
          'review',
        ),
        /库存不足|退货数量不能大于可退数量6/,
      )
      expect(await hospital.info('purchaseReturn', sn)).toMatchObject({ receive_state: '1', invoice_state: '3' })

      const created = await dealer.from('saleReturn', sn)
      expect(created).toMatchObject({ state: 'draft', customer_return_sn: sn, total_quantity: '4.000' })
      expect(await claim()).toBe(before.claim)
      await dealer.done('saleReturn', 'submit', created.sn)
      expectMessage(await dealer.do('saleReturn', 'review', created.sn), '请先完成退货验收')
      await dealer.done('saleReturn', 'inspect', created.sn)
      await dealer.done('saleReturn', 'review', created.sn)
      expect(await dealer.info('saleReturn', created.sn)).toMatchObject({
        conclusion: 'qualified',
        return_way: 'customer',
      })
      expect(await shelf(dealer, shop, inflator)).toEqual({ TH1: '94.000' })
      expect(await claim()).toBe(subtract(before.claim, '580', 2))
      expect(await hospital.info('purchaseReturn', sn)).toMatchObject({ state: 'completed', receive_state: '3' })
      expectMessage(await hospital.do('purchaseReturn', 'unreview', sn), /^对方已收货，不能反审核/)
      expect((await dealer.info('saleOdo', odo)).lines[0]).toMatchObject({ returned_quantity: '4.000' })
      const trace = await dealer.trace('TH1')
      expect(trace.list.map((event: { step: string }) => event.step).slice(-2)).toEqual(['return', 'return'])
    },
  )

  step('of a serial: the same one, at its outgoing cost; not a used one, nor one never sold', async () => {
    const { hospital, dealer, shop, central, balloon } = scene
    const { grn } = await sold({ unit_codes: ['TB-1', 'TB-2'] })
    const sn = await back(grn, [{ source_line_no: 1, unit_codes: ['TB-2'] }])
    await hospital.pass('purchaseReturn', sn)
    expect((await hospital.list('unitLabel', { q: 'TB-2' }))[0].status).toBe('in_transit')
    const created = await dealer.from('saleReturn', sn)
    await takenHome(created.sn)
    const [home] = await dealer.list('stockBalance', { warehouse_model_inner_sn: shop, specification_sn: balloon })
    expect(home).toMatchObject({ quantity: '2.000', value: '200.00' })
    expect((await dealer.list('unitLabel', { q: 'TB-2' }))[0]).toMatchObject({ status: 'in_stock' })
    const used = await hospital.add('departmentUse', {
      warehouse_model_inner_sn: central,
      department_inner_sn: scene.department,
      patient_name: '应牧野',
      doctor_inner_sn: scene.surgeon,
      lines: [{ unit_codes: ['TB-1'] }],
    })
    await hospital.pass('departmentUse', used)
    const late = await back(grn, [{ source_line_no: 1, unit_codes: ['TB-1'] }])
    expectMessage(await hospital.do('purchaseReturn', 'submit', late), '院内码TB-1已使用')
  })

  step('undone fully or partly while not yet received; a recall return stays', async () => {
    const { hospital, dealer, central, inflator } = scene
    const before = [await debt(), await shelf(hospital, central, inflator)]
    const { grn } = await sold(plain('8', { price: '10' }))
    const sn = await back(grn, [{ source_line_no: 1, quantity: '6' }])
    await hospital.pass('purchaseReturn', sn)
    const first = await dealer.from('saleReturn', sn)
    await hospital.done('purchaseReturn', 'redReverse', sn, {
      reason: '多退',
      lines: [{ line_no: 1, quantity: '2' }],
    })
    expect((await dealer.info('saleReturn', first.sn)).state).toBe('cancelled')
    const [again] = await dealer.list('saleReturn', { source_sn: sn, state: 'draft' })
    expect(again.total_quantity).toBe('4.000')
    await hospital.done('purchaseReturn', 'redReverse', sn, { reason: '不退了' })
    expect((await hospital.info('purchaseReturn', sn)).state).toBe('reversed')
    const recalled = await back(grn, undefined, { return_type: 'recall' })
    expectMessage(await hospital.do('purchaseReturn', 'submit', recalled), '召回退货请填写召回编号')
    await hospital.done('purchaseReturn', 'edit', recalled, { recall_no: 'ZH1' })
    await hospital.pass('purchaseReturn', recalled)
    expectMessage(await hospital.do('purchaseReturn', 'unreview', recalled), '召回退货审核后不能撤回，请按召回流程处理')
    expect([await debt(), await shelf(hospital, central, inflator)]).toEqual(before)
    const opened = await back(grn).catch(error => String(error))
    expect(opened).toMatch(/已全部执行|没有剩余/)
  })

  step('unfit goods are returned as unfit only', async () => {
    const { hospital, central, inflator, d } = scene
    const grn = await hospital.add('purchaseGrn', {
      counterparty_sn: d,
      warehouse_model_inner_sn: central,
      lines: [lotOf(inflator, 'TH9', { quantity: '3', price: '10' })],
    })
    await hospital.pass('purchaseGrn', grn)
    const sn = await back(grn, [{ source_line_no: 1, quantity: '1', quality_state: 'unqualified' }], {
      return_type: 'near_expiry',
    })
    expectMessage(
      await hospital.do('purchaseReturn', 'submit', sn),
      '第1行：批号TH9为不合格状态，退货类型请选择质量退货或召回退货',
    )
    await hospital.done('purchaseReturn', 'edit', sn, { return_type: 'quality' })
    expectMessage(await hospital.do('purchaseReturn', 'submit', sn), /^库存不足：.+批号TH9 可用0，需要1$/)
  })

  step('consigned: the goods return to the owner, no account moves', async () => {
    const { hospital, dealer, shop, stent } = scene
    const before = [await debt(), await claim()]
    const { grn } = await sold({ unit_codes: ['TH-1', 'TH-2', 'TH-3'] }, { regime: 'consigned' })
    const sn = await back(grn, [{ source_line_no: 1, unit_codes: ['TH-1', 'TH-2'] }], { return_type: 'unused' })
    await hospital.pass('purchaseReturn', sn)
    await takenHome((await dealer.from('saleReturn', sn)).sn)
    const [home] = await dealer.list('stockBalance', { warehouse_model_inner_sn: shop, specification_sn: stent })
    expect(home).toMatchObject({ quantity: '3.000', value: '300.00', owner_org_sn: scene.d })
    expect([await debt(), await claim()]).toEqual(before)
  })

  step('what is not accepted goes back to the customer, who holds and owes it again and can read why', async () => {
    const { hospital, dealer, central, shop, inflator } = scene
    const { grn } = await sold(plain('6', { price: '33.33' }))
    const [owes, here, there] = [
      await debt(),
      await shelf(hospital, central, inflator),
      await shelf(dealer, shop, inflator),
    ]
    const sn = await back(grn)
    await hospital.pass('purchaseReturn', sn)
    const created = await dealer.from('saleReturn', sn)
    const edit = (line: object) => dealer.done('saleReturn', 'edit', created.sn, { lines: [{ line_no: 1, ...line }] })
    await edit({ quantity: '3', refused_quantity: '1', refuse_reason: '非我司产品' })
    expectMessage(
      await dealer.do('saleReturn', 'submit', created.sn),
      '第1行：部分拒收时，退货数量与拒收数量之和应为客户退货数量6',
    )
    await edit({ quantity: '4', refused_quantity: '2', refuse_reason: '非我司产品' })
    await dealer.done('saleReturn', 'submit', created.sn)
    await edit({ unqualified_quantity: '1' })
    expectMessage(await dealer.do('saleReturn', 'inspect', created.sn), '第1行：请填写不合格原因')
    await edit({ unqualified_quantity: '1', unqualified_reason: '外包装破损' })
    await dealer.done('saleReturn', 'inspect', created.sn)
    await dealer.done('saleReturn', 'review', created.sn)
    const rows = await dealer.list('stockBalance', { warehouse_model_inner_sn: shop, specification_sn: inflator })
    expect(rows.map(row => [row.quality_state, row.quantity]).sort()).toEqual([
      ['qualified', add(there.TH1 ?? '0', '3', 3)],
      ['unqualified', '1.000'],
    ])
    expect(await hospital.info('purchaseReturn', sn)).toMatchObject({
      state: 'completed',
      refuse_note: '【一次性使用球囊充压装置】批号TH1拒收2：非我司产品',
    })
    expect(await shelf(hospital, central, inflator)).toEqual({ ...here, TH1: subtract(here.TH1 ?? '0', '4', 3) })
    expect(await debt()).toBe(subtract(owes, '133.32', 2))
    expectMessage(await dealer.do('saleReturn', 'unreview', created.sn), '拒收数量已通知对方，不能反审核')
    // The receipt can be returned again for what came back.
    const again = await back(grn)
    expect((await hospital.info('purchaseReturn', again)).total_quantity).toBe('2.000')
    await hospital.done('purchaseReturn', 'del', again)
  })

  step('cold goods without a temperature record and opened sterile goods are not usable again', async () => {
    const { hospital, dealer, one, inflator } = scene
    await one(
      `update product set is_cold_chain = true, storage_condition = '冷藏 2-8℃' where id = (select product_id
        from specification where id = $1) returning id`,
      inflator,
    )
    const { grn } = await sold(plain('1'))
    await hospital.pass('purchaseReturn', await back(grn))
    const [created] = await dealer.list('saleReturn', { state: 'draft' })
    await dealer.done('saleReturn', 'submit', created.sn)
    expectMessage(await dealer.do('saleReturn', 'inspect', created.sn), '第1行：冷链产品无温度记录，不能验收为合格')
    await dealer.done('saleReturn', 'edit', created.sn, { lines: [{ line_no: 1, is_unpacked: true }] })
    expectMessage(
      await dealer.do('saleReturn', 'inspect', created.sn, { arrival_temperature: '4℃' }),
      '第1行：无菌产品已拆封，不能验收为合格',
    )
    await one(
      `update product set is_cold_chain = false where id = (select product_id from specification where id = $1)
        returning id`,
      inflator,
    )
    await dealer.done('saleReturn', 'edit', created.sn, { lines: [{ line_no: 1, is_unpacked: false }] })
    await dealer.done('saleReturn', 'inspect', created.sn)
    await dealer.done('saleReturn', 'review', created.sn)
    await dealer.done('saleReturn', 'unreview', created.sn, { reason: '看错' })
    await dealer.done('saleReturn', 'review', created.sn)
  })

  step('refused on arrival: a draft at the sender, who inspects and restocks; the order is open again', async () => {
    const { hospital, dealer, shop, central, inflator, h, d } = scene
    await scene.rule(h, 'arrival_before_receipt', true)
    const order = await hospital.add('purchaseOrder', {
      counterparty_sn: d,
      warehouse_model_inner_sn: central,
      lines: [{ specification_sn: inflator, quantity: '10' }],
    })
    await hospital.pass('purchaseOrder', order)
    const so = await dealer.from('salesOrder', order)
    await dealer.done('salesOrder', 'review', so.sn)
    const good = async () =>
      (
        await dealer.list('stockBalance', { warehouse_model_inner_sn: shop, lot_no: 'TH1', quality_state: 'qualified' })
      )[0].quantity
    const before = await good()
    const claimed = await claim()
    const odo = await dealer.add('saleOdo', {
      source_type: 4,
      source_sn: so.sn,
      warehouse_model_inner_sn: shop,
      lines: [{ source_line_no: 1, quantity: '10', lot_no: 'TH1' }],
    })
    await dealer.pass('saleOdo', odo)
    const arrival = await hospital.from('arrivalOrder', odo)
    await hospital.done('arrivalOrder', 'edit', arrival.sn, {
      lines: [{ line_no: 1, quantity: '8', refused_quantity: '2', refuse_reason: '外箱破损' }],
    })
    await hospital.pass('arrivalOrder', arrival.sn)
    expectMessage(await hospital.do('arrivalOrder', 'unreview', arrival.sn), /拒收数量已通知对方，不能反审核/)
    const colleague = await scene.colleague('hospital')
    const inspection = await hospital.from('inspectionOrder', arrival.sn)
    await hospital.done('inspectionOrder', 'edit', inspection.sn, {
      lines: [{ line_no: 1, unqualified_quantity: '1', unqualified_reason: '标签破损', disposition: 'return' }],
    })
    await hospital.done('inspectionOrder', 'submit', inspection.sn)
    await colleague.done('inspectionOrder', 'review', inspection.sn)
    const grn = await hospital.from('purchaseGrn', inspection.sn)
    await hospital.pass('purchaseGrn', grn.sn)
    expect(await dealer.info('saleOdo', odo)).toMatchObject({ state: 'completed' })
    const homes = await dealer.list('saleReturn', { source_sn: odo })
    expect(homes.map(row => [row.return_type, row.total_quantity, row.state]).sort()).toEqual([
      ['refused', '1.000', 'draft'],
      ['refused', '2.000', 'draft'],
    ])
    expectMessage(
      await attempt(dealer, 'saleReturn', {
        source_type: 7,
        source_sn: odo,
        return_type: 'refused',
        lines: [{ source_line_no: 1, quantity: '4' }],
      }),
      '第1行：退货数量不能大于客户拒收数量3，其余请由客户提交采购退货单',
    )
    for (const { sn } of homes) await takenHome(sn)
    expect(await good()).toBe(subtract(before, '7', 3))
    expect(subtract(await claim(), claimed, 2)).toBe('1015.00')
    expect((await dealer.info('salesOrder', so.sn)).lines[0]).toMatchObject({ shipped_quantity: '7.000' })
    expect((await hospital.info('purchaseOrder', order)).lines[0]).toMatchObject({
      received_quantity: '7.000',
      shipped_quantity: '7.000',
    })
    await scene.rule(h, 'arrival_before_receipt', false)
  })

  step('from a customer not on the platform: by the delivery, with its serials', async () => {
    const { dealer, shop, stent, one, d } = scene
    const absent = await openLocalCustomer(one, d)
    const odo = await dealer.add('saleOdo', {
      counterparty_sn: absent,
      warehouse_model_inner_sn: shop,
      lines: [{ unit_codes: ['TH-4'], price: '113' }],
    })
    await dealer.pass('saleOdo', odo)
    const other = { source_type: 7, source_sn: odo, lines: [{ source_line_no: 1, unit_codes: ['TH-9'] }] }
    expectMessage(await attempt(dealer, 'saleReturn', other), '院内码TH-9：该产品非本客户购买')
    const sn = await dealer.add('saleReturn', { source_type: 7, source_sn: odo })
    await takenHome(sn)
    expect((await dealer.list('unitLabel', { q: 'TH-4' }))[0].status).toBe('in_stock')
    expect((await owed(dealer, absent)).receivable).toBe('0.00')
    const [home] = await dealer.list('stockBalance', { warehouse_model_inner_sn: shop, specification_sn: stent })
    expect(home).toMatchObject({ quantity: '3.000', value: '300.00' })
    await dealer.done('saleReturn', 'redReverse', sn, { reason: '实未退回' })
    expect((await owed(dealer, absent)).receivable).toBe('113.00')
  })

  const number = (tail: number) => `2611000000000000${String(tail).padStart(4, '0')}`

  step('goods invoiced before the return await a red invoice, on both sides', async () => {
    const { hospital, dealer, finance } = scene
    const { odo, grn } = await sold(plain('5', { price: '100' }))
    const blue = await dealer.add('outboundInvoice', {
      source_type: 7,
      source_sn: odo,
      invoice_no: number(1),
      lines: [{ source_line_no: 1, quantity: '3' }],
    })
    await dealer.pass('outboundInvoice', blue)
    const [theirs] = await hospital.list('inboundInvoice', { invoice_no: number(1) })
    await finance.done('inboundInvoice', 'review', theirs.sn)
    const asked = await hospital.add('paymentApplication', { source_type: 10, source_sn: theirs.sn })
    await hospital.done('paymentApplication', 'submit', asked)
    const sn = await back(grn, [{ source_line_no: 1, quantity: '4' }])
    await hospital.pass('purchaseReturn', sn)
    // An invoice over returned goods is not paid while the red invoice is due.
    const held = (back: string, action: string) =>
      new RegExp(`入库单${grn}已退货（${back}），红字发票未到，暂不能${action}，`)
    expectMessage(await finance.do('paymentApplication', 'review', asked), held(sn, '申请付款'))
    await hospital.done('paymentApplication', 'unsubmit', asked)
    const info = await hospital.info('purchaseReturn', sn)
    expect(info).toMatchObject({ invoice_state: '2' })
    expect(info.lines[0]).toMatchObject({ red_quantity: '2.000', invoice_no: number(1) })
    const created = await dealer.from('saleReturn', sn)
    await takenHome(created.sn)
    expect(await dealer.info('saleReturn', created.sn)).toMatchObject({ invoice_state: '2' })

    const open = await hospital.client.get('/v1/business/inboundInvoice/sources', { for: 'grnReturn', sn })
    expect(open.list).toMatchObject([{ source_sn: sn, left: '-2.000' }])
    const red = (quantity: string) => ({
      is_red: true,
      blue_invoice_no: number(1),
      invoice_no: number(2),
      lines: [{ source_line_no: 1, quantity }],
    })
    const before = await owed(dealer, scene.h)
    const home = { source_type: 117, source_sn: created.sn }
    expectMessage(await attempt(dealer, 'outboundInvoice', { ...home, ...red('1') }), /的开票数量应为负数$/)
    const much = await attempt(dealer, 'outboundInvoice', { ...home, ...red('-3') }, 'review')
    expectMessage(much, '开票数量超过待开红字数量2')
    const sent = await dealer.add('outboundInvoice', { ...home, ...red('-2'), invoice_no: number(3) })
    await dealer.pass('outboundInvoice', sent)
    expect(subtract((await owed(dealer, scene.h)).receivable_invoiced, before.receivable_invoiced, 2)).toBe('-200.00')
    expect(await dealer.info('saleReturn', created.sn)).toMatchObject({ invoice_state: '3' })
    const [got] = await hospital.list('inboundInvoice', { invoice_no: number(3) })
    expect((await hospital.info('inboundInvoice', got.sn)).lines).toMatchObject([{ source_sn: sn, quantity: '-2.000' }])
    await finance.done('inboundInvoice', 'review', got.sn)
    expect(await hospital.info('purchaseReturn', sn)).toMatchObject({ invoice_state: '3' })
    expect((await owed(hospital, scene.d)).payable_invoiced).toBe('100.00')
    await hospital.pass('paymentApplication', asked)
    const payment = await hospital.add('payment', { source_type: 115, source_sn: asked })
    await hospital.done('payment', 'submit', payment)
    // Applied for before more of it was returned: the payment is held as well.
    const more = await back(grn, [{ source_line_no: 1, quantity: '1' }])
    await hospital.pass('purchaseReturn', more)
    expectMessage(await finance.do('payment', 'review', payment), held(more, '付款'))
    await hospital.done('purchaseReturn', 'redReverse', more, { reason: '不退了' })
    await finance.done('payment', 'review', payment)
  })
})

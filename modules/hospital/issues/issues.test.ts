import { isPositive } from '#kernel/values/decimal.ts'
import { afterAll, beforeAll, expect } from 'vitest'
import { story } from '#tests/support/steps.ts'
import { attempt, lotOf, openScene, owed, expectMessage, type Scene, shelf } from '#tests/support/fixture.ts'
import { proves } from '#tests/support/proves.ts'
import { day } from '#tests/support/story.ts'

/** Goods that leave without being sold: out at cost, loaned and returned, given away and received without a price. */
let scene: Scene
beforeAll(async () => {
  scene = await openScene()
  const { dealer, shop, inflator, balloon, stent } = scene
  await scene.shelve(dealer, shop, [
    lotOf(inflator, 'QT1', { quantity: '50', price: '113' }),
    lotOf(inflator, 'QT2', { quantity: '5', price: '113', expiry_date: day(120) }),
    lotOf(balloon, 'QT3', { unit_codes: ['QT-1', 'QT-2', 'QT-3'], price: '113' }),
    lotOf(inflator, 'QT5', { quantity: '1', price: '113' }),
    lotOf(inflator, 'QT5', { quantity: '4', price: '113', quality_state: 'unqualified' }),
    lotOf(stent, 'QT4', { unit_codes: ['QS-1'], price: '113' }),
  ])
})
afterAll(() => scene?.close())

const out = (lines: object[], more: object = {}) => ({
  warehouse_model_inner_sn: scene.shop,
  odo_type: 'loan',
  purpose_note: '院内试用',
  return_due: day(30),
  lines,
  ...more,
})
const plain = (quantity: string, more: object = {}) => ({
  specification_sn: scene.inflator,
  lot_no: 'QT1',
  quantity,
  ...more,
})

story('goods that leave without a sale: returned later, or given', step => {
  // 其他出库
  step(
    'asks for purpose and due date, and approval above a value; the lot that expires first is suggested',
    async () => {
      proves('issue.approvalAttached')
      const { dealer, d } = scene
      expectMessage(await attempt(dealer, 'otherOdo', out([plain('1')], { purpose_note: null })), '请填写用途')
      expectMessage(await attempt(dealer, 'otherOdo', out([plain('1')], { return_due: null })), '请填写预计归还日期')
      expectMessage(
        await attempt(dealer, 'otherOdo', out([plain('1')], { odo_type: 'produce' })),
        '生产领料仅限生产厂家',
      )
      await scene.rule(d, 'issue_approval_limit', '500')
      expectMessage(await attempt(dealer, 'otherOdo', out([plain('6')])), '请上传审批附件')
      await scene.rule(d, 'issue_approval_limit', '10000')
      const sn = await dealer.add('otherOdo', out([plain('1')]))
      const { version } = await dealer.info('otherOdo', sn)
      const asked = await dealer.client.post('/v1/business/otherOdo/submit', { sn, version })
      expect(asked).toMatchObject({ code: 2200, msg: '第1行：存在更近效期批次，是否继续？' })
      await dealer.done('otherOdo', 'del', sn)
    },
  )

  step('leaves at cost and returns in part by the same pieces, never more than is out', async () => {
    const { dealer, shop, balloon, inflator } = scene
    const sn = await dealer.add('otherOdo', out([{ unit_codes: ['QT-1', 'QT-2'] }, plain('4')]))
    await dealer.pass('otherOdo', sn)
    expect(await dealer.info('otherOdo', sn)).toMatchObject({ taxed_amount: '600.00', is_returnable: true })
    expect((await dealer.list('unitLabel', { q: 'QT-1' }))[0].status).toBe('issued')
    await dealer.done('otherOdo', 'giveBack', sn)
    const [back] = await dealer.list('otherGrn', { source_sn: sn })
    expect(back).toMatchObject({ state: 'draft', grn_type: 'loan_back', taxed_amount: '600.00' })
    const { lines: created } = await dealer.info('otherGrn', back.sn)
    const no = (lot: string) => created.find((line: { lot_no: string }) => line.lot_no === lot).line_no
    const edit = (lines: object[]) => dealer.done('otherGrn', 'edit', back.sn, { lines })
    await edit([
      { line_no: no('QT3'), unit_codes: ['QT-3'], quantity: '1' },
      { line_no: no('QT1'), quantity: '4' },
    ])
    expectMessage(await dealer.do('otherGrn', 'submit', back.sn), '院内码QT-3不在原其他出库单中')
    await edit([
      { line_no: no('QT3'), unit_codes: ['QT-1'], quantity: '1' },
      { line_no: no('QT1'), lot_no: 'QT2', quantity: '4', expiry_date: day(120) },
    ])
    expectMessage(await dealer.do('otherGrn', 'submit', back.sn), /归还批号应为QT1$/)
    await edit([
      { line_no: no('QT3'), unit_codes: ['QT-1'], quantity: '1' },
      { line_no: no('QT1'), lot_no: 'QT1', quantity: '5', expiry_date: day(700) },
    ])
    expectMessage(await dealer.do('otherGrn', 'submit', back.sn), '归还数量不能大于未归还数量4')
    await edit([
      { line_no: no('QT3'), unit_codes: ['QT-1'], quantity: '1' },
      { line_no: no('QT1'), quantity: '4' },
    ])
    await dealer.pass('otherGrn', back.sn)
    expect(await dealer.info('otherOdo', sn)).toMatchObject({ state: 'partial', give_back_state: '2' })
    expect(isPositive((await dealer.list('otherOdo', { sn }))[0].given_back_quantity)).toBe(true)
    expect(await shelf(dealer, shop, balloon)).toEqual({ QT3: '2.000' })
    expect((await shelf(dealer, shop, inflator)).QT1).toBe('50.000')
    const [row] = await dealer.list('stockBalance', { warehouse_model_inner_sn: shop, specification_sn: balloon })
    expect(row.value).toBe('200.00')
    expectMessage(await dealer.do('otherOdo', 'unreview', sn), /^货物已归还，不能反审核/)
    const trace = await dealer.trace('QT-1')
    expect(trace.list.map((event: { step: string }) => event.step)).toEqual(['opening', 'issue', 'receive'])
    expectMessage(
      await attempt(dealer, 'otherGrn', {
        warehouse_model_inner_sn: shop,
        grn_type: 'loan_back',
        lines: [lotOf(inflator, 'QT1', { quantity: '1' })],
      }),
      '第1行：样品归还、借出归还请引用原其他出库单',
    )
  })

  step('is reversed in red, fully or partly, and cancelled with a reason; unfit goods go only to the lab', async () => {
    const { dealer, shop, inflator } = scene
    const before = await shelf(dealer, shop, inflator)
    const sn = await dealer.add('otherOdo', out([plain('5')], { odo_type: 'sample' }))
    await dealer.pass('otherOdo', sn)
    await dealer.done('otherOdo', 'redReverse', sn, { reason: '多领', lines: [{ line_no: 1, quantity: '2' }] })
    expectMessage(
      await dealer.do('otherOdo', 'redReverse', sn, { reason: '多领', lines: [{ line_no: 1, quantity: '4' }] }),
      '第1行：红冲数量不能大于可红冲数量3',
    )
    await dealer.done('otherOdo', 'redReverse', sn, { reason: '不用了' })
    expect((await dealer.info('otherOdo', sn)).state).toBe('reversed')
    const draft = await dealer.add('otherOdo', out([plain('1')]))
    expectMessage(await dealer.do('otherOdo', 'cancel', draft), '请填写作废原因')
    await dealer.done('otherOdo', 'cancel', draft, { reason: '不借了' })
    expect(await shelf(dealer, shop, inflator)).toEqual(before)
    const bad = [{ ...plain('1'), quality_state: 'unqualified', location: '', owner_org_sn: scene.d }]
    expectMessage(await attempt(dealer, 'otherOdo', out(bad)), '第1行：批号QT1为不合格状态，不能出库')
    expectMessage(await attempt(dealer, 'otherOdo', out(bad, { odo_type: 'inspect' })), /^库存不足/)
    // Good stock beside it is another balance.
    const unfit = [{ ...plain('4', { lot_no: 'QT5' }), quality_state: 'unqualified' }]
    expect((await attempt(dealer, 'otherOdo', out(unfit, { odo_type: 'inspect' }), 'review')).code).toBe(0)
  })

  // 赠送出库
  const gift = (lines: object[], more: object = {}) => ({
    counterparty_sn: scene.h,
    warehouse_model_inner_sn: scene.shop,
    give_type: 'support',
    lines,
    ...more,
  })

  step('names its sale, or the agreement of a donation, and gives a hospital nothing near expiry', async () => {
    proves('issue.giftShelfLife', 'issue.giftGround')
    const { dealer } = scene
    expectMessage(await attempt(dealer, 'giveOdo', gift([plain('1')], { give_type: 'with_sale' })), '请关联销售单')
    expectMessage(
      await attempt(dealer, 'giveOdo', gift([plain('1')], { give_type: 'with_sale', sale_sn: 'CK0' })),
      '没有找到该单位的销售单CK0，请关联销售单',
    )
    expectMessage(await attempt(dealer, 'giveOdo', gift([plain('1')], { give_type: 'donation' })), '请上传捐赠协议')
    expectMessage(await attempt(dealer, 'giveOdo', gift([plain('1', { lot_no: 'QT2' })])), /近效期产品不允许赠送$/)
    const typed = await dealer.add('giveOdo', gift([plain('1', { price: '9' })]))
    expect((await dealer.info('giveOdo', typed)).lines[0]).toMatchObject({ price: '100.0000' })
    await dealer.done('giveOdo', 'del', typed)
  })

  step('leaves at cost, no one owes it, and arrives at the receiver as a gift without a price', async () => {
    const { dealer, hospital, central, balloon, h, d } = scene
    const sn = await dealer.add('giveOdo', gift([plain('3'), { unit_codes: ['QT-3'] }]))
    await dealer.pass('giveOdo', sn)
    const given = await dealer.info('giveOdo', sn)
    expect(given).toMatchObject({ taxed_amount: '400.00', receive_state: '1' })
    expect(isPositive(given.lines[0].deemed_tax)).toBe(true)
    expect((await owed(dealer, h)).receivable).toBe('0.00')
    const created = await hospital.from('otherGrn', sn)
    expect(created).toMatchObject({ state: 'draft', grn_type: 'gift', counterparty_sn: d, taxed_amount: '0.00' })
    await hospital.done('otherGrn', 'edit', created.sn, { warehouse_model_inner_sn: central })
    await hospital.pass('otherGrn', created.sn)
    expect(await dealer.info('giveOdo', sn)).toMatchObject({ state: 'completed', receive_state: '3' })
    const [row] = await hospital.list('stockBalance', { warehouse_model_inner_sn: central, specification_sn: balloon })
    expect(row).toMatchObject({ quantity: '1.000', value: '0.00', owner_org_sn: h })
    expectMessage(await dealer.do('giveOdo', 'unreview', sn), /^对方已收货，不能反审核/)
    const steps = (await hospital.trace('QT-3')).list.map((event: { step: string }) => event.step)
    expect(steps).toEqual(['opening', 'ship', 'receive'])
    // Part of it is returned: in transit and still traced, until the giver receives it at its original cost; nothing
    // is owed.
    const reason = { purpose_note: '规格不适用' }
    const back = await hospital.add('otherOdo', {
      source_type: 130,
      source_sn: created.sn,
      lines: [{ source_line_no: 2 }, { source_line_no: 1, quantity: '1' }],
    })
    expect(await hospital.info('otherOdo', back)).toMatchObject({
      odo_type: 'gift_back',
      counterparty_sn: d,
      taxed_amount: '0.00',
    })
    expectMessage(await hospital.do('otherOdo', 'submit', back), '请在用途中填写退回原因')
    await hospital.done('otherOdo', 'edit', back, reason)
    await hospital.pass('otherOdo', back)
    expectMessage(
      await attempt(
        hospital,
        'otherOdo',
        { source_type: 130, source_sn: created.sn, ...reason, lines: [{ source_line_no: 1, quantity: '3' }] },
        'review',
      ),
      /库存不足|退回数量不能大于可退数量2/,
    )
    expectMessage(await hospital.do('otherOdo', 'giveBack', back), '退回的赠品由赠送单位收货，不用登记归还')
    const self = { warehouse_model_inner_sn: central, source_type: 110, source_sn: back, grn_type: 'loan_back' }
    expectMessage(
      await attempt(hospital, 'otherGrn', { ...self, lines: [{ source_line_no: 1 }] }),
      '第1行：退回的赠品由赠送单位收货',
    )
    const came = await dealer.from('otherGrn', back)
    expect(came).toMatchObject({
      state: 'draft',
      grn_type: 'gift_back',
      counterparty_sn: h,
      batch_no: back,
      remark: '规格不适用',
      taxed_amount: '200.00',
    })
    expect(await hospital.info('otherOdo', back)).toMatchObject({ state: 'reviewed', give_back_state: '1' })
    await dealer.done('otherGrn', 'edit', came.sn, { grn_type: 'other' })
    expectMessage(await dealer.do('otherGrn', 'submit', came.sn), '退回的赠品入库类型应为赠品退回')
    await dealer.done('otherGrn', 'edit', came.sn, { grn_type: 'gift_back' })
    await dealer.pass('otherGrn', came.sn)
    expect(await hospital.info('otherOdo', back)).toMatchObject({ state: 'completed', give_back_state: '3' })
    expectMessage(await hospital.do('otherOdo', 'unreview', back), /^货物已归还，不能反审核/)
    expect((await dealer.list('giveOdo', { sn }))[0]).toMatchObject({ returned_quantity: '2.000' })
    const [home] = await dealer.list('stockBalance', {
      warehouse_model_inner_sn: scene.shop,
      specification_sn: balloon,
      lot_no: 'QT3',
    })
    expect(home).toMatchObject({ quantity: '2.000', value: '200.00' })
    const walked = (await dealer.trace('QT-3')).list.map((event: { step: string }) => event.step)
    expect(walked).toEqual(['opening', 'ship', 'receive', 'return', 'return'])
    expect([(await owed(hospital, d)).payable, (await owed(dealer, h)).receivable]).toEqual(['0.00', '0.00'])
    const alone = {
      warehouse_model_inner_sn: scene.shop,
      grn_type: 'gift_back',
      lines: [lotOf(balloon, 'X', { price: '1', unit_codes: ['X-1'] })],
    }
    expectMessage(await attempt(dealer, 'otherGrn', alone), '赠品退回请引用受赠单位的退回单')
    // The giver reverses the receipt, the receiver the return: the state is as before.
    await dealer.done('otherGrn', 'unreview', came.sn)
    expectMessage(await hospital.do('otherOdo', 'unreview', back), /^对方已处理/)
    await dealer.done('otherGrn', 'reject', came.sn, { reason: '外包装破损，请自行处理' })
    await hospital.done('otherOdo', 'unreview', back)
    expect((await dealer.info('otherGrn', came.sn)).state).toBe('cancelled')
    for (const { sn: rest, state } of await hospital.list('otherOdo', {
      odo_type: 'gift_back',
      state: 'draft,submitted',
    })) {
      if (state === 'submitted') await hospital.done('otherOdo', 'unsubmit', rest)
      await hospital.done('otherOdo', 'del', rest)
    }
    // The receiver reverses the receipt, and then the giver the gift.
    await hospital.done('otherGrn', 'unreview', created.sn)
    await hospital.done('otherGrn', 'reject', created.sn, { reason: '不需要' })
    await dealer.done('giveOdo', 'unreview', sn)
    expect((await hospital.info('otherGrn', created.sn)).state).toBe('cancelled')
    await dealer.done('giveOdo', 'unsubmit', sn)
    // Trial goods are received as such.
    const trial = await dealer.add('giveOdo', gift([plain('1')], { give_type: 'trial' }))
    await dealer.pass('giveOdo', trial)
    expect(await hospital.from('otherGrn', trial)).toMatchObject({ grn_type: 'trial', taxed_amount: '0.00' })
    // An expired gift can be returned as well, and cannot be issued.
    await scene.shelve(dealer, scene.shop, [lotOf(scene.inflator, 'QT9', { quantity: '2', price: '113' })])
    const old = await dealer.add('giveOdo', gift([plain('2', { lot_no: 'QT9' })]))
    await dealer.pass('giveOdo', old)
    const kept = await hospital.from('otherGrn', old)
    await hospital.done('otherGrn', 'edit', kept.sn, { warehouse_model_inner_sn: central })
    await hospital.pass('otherGrn', kept.sn)
    await scene.one(
      `update stock_lot set expiry_date = $1, production_date = $2 where lot_id = (select id from lot
        where lot_no = 'QT9') returning 1`,
      day(-1),
      day(-400),
    )
    const stale = { specification_sn: scene.inflator, lot_no: 'QT9', quantity: '1' }
    const away = { warehouse_model_inner_sn: central, odo_type: 'own_use', ...reason, lines: [stale] }
    expectMessage(await attempt(hospital, 'otherOdo', away), '第1行：批号QT9为已过期状态，不能出库')
    const expired = await hospital.add('otherOdo', {
      source_type: 130,
      source_sn: kept.sn,
      ...reason,
      lines: [{ source_line_no: 1 }],
    })
    await hospital.pass('otherOdo', expired)
    await dealer.pass('otherGrn', (await dealer.from('otherGrn', expired)).sn)
    expect(await hospital.info('otherOdo', expired)).toMatchObject({ state: 'completed', give_back_state: '3' })
    const atHome = { warehouse_model_inner_sn: scene.shop, specification_sn: scene.inflator, lot_no: 'QT9' }
    expect(await dealer.list('stockBalance', atHome)).toMatchObject([
      { quantity: '2.000', quality_state: 'unqualified', expiry_date: day(-1) },
    ])
  })
})

import { subtract } from '#kernel/values/decimal.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { uploadPicture } from '#tests/support/picture.ts'
import { lotOf, openScene, owed, expectMessage, shelf, type Scene } from '#tests/support/fixture.ts'
import { day, type Person } from '#tests/support/story.ts'

/**
 * A document that two organisations booked is corrected by both: one requests, the other agrees or refuses, and until
 * then nothing is booked.
 */
let scene: Scene
let keeper: Person
let proof: Record<'H' | 'D', string>
beforeAll(async () => {
  scene = await openScene()
  keeper = await scene.person('keeper')
  await scene.one(
    `update role set flags = flags || '{stockCorrection.quality}'::text[] where org_id = $1 and name = '库管员'
      returning 1`,
    scene.h,
  )
  proof = { H: await uploadPicture(scene.hospital), D: await uploadPicture(scene.dealer) }
})
afterAll(() => scene?.close())

/** The dealer delivers from stock. */
async function delivered(lot_no: string, quantity: string, more: object = {}, header: object = {}): Promise<string> {
  const { dealer, inflator, shop, h } = scene
  await scene.shelve(dealer, shop, [lotOf(inflator, lot_no, { quantity, price: '7' })])
  const sn = await dealer.add('saleOdo', {
    counterparty_sn: h,
    warehouse_model_inner_sn: shop,
    lines: [{ specification_sn: inflator, lot_no, quantity, price: '10', tax_rate: 13, ...more }],
    ...header,
  })
  await dealer.pass('saleOdo', sn)
  return sn
}
/** The hospital receives some of it, or all. */
async function received(odo: string, quantity?: string): Promise<string> {
  const { hospital, central } = scene
  const { sn } = await hospital.from('purchaseGrn', odo)
  await hospital.done('purchaseGrn', 'edit', sn, {
    warehouse_model_inner_sn: central,
    ...(quantity ? { lines: [{ line_no: 1, quantity, reject_reason: '分批到货' }] } : {}),
  })
  await hospital.pass('purchaseGrn', sn)
  return sn
}
async function asked(who: Person, source: string, source_type: 7 | 9, change_type: string, line: object, header = {}) {
  const sn = await who.add('stockCorrection', {
    source_sn: source,
    source_type,
    change_type,
    change_reason: '双方核对后更正',
    attachments: [who === scene.hospital ? proof.H : proof.D],
    lines: [{ source_line_no: 1, ...line }],
    ...header,
  })
  await who.done('stockCorrection', 'impact', sn)
  await who.done('stockCorrection', 'submit', sn)
  return sn
}
const taskOf = async (who: Person, sn: string) => {
  const rows = await who.list('stockCorrection', { state: 'submitted' })
  const found = await Promise.all(rows.map(row => who.info('stockCorrection', row.sn)))
  return found.find(info => info.answers_sn === sn)!
}
const opinion = { quality_opinion: '核对实物标签无误' }
const atCustomer = async (lot_no: string) => {
  const row = await scene.one(
    `select sum(quantity)::text as quantity from consigned_out o join lot t on t.id = o.lot_id
      where o.org_id = $1 and t.lot_no = $2`,
    scene.d,
    lot_no,
  )
  return row.quantity
}

describe('进销存变更，双方', () => {
  it('of a supplier’s delivery price: nothing is posted until it agrees, then both sides owe the same', async () => {
    const { hospital, dealer, dealer2, central, inflator, d, h } = scene
    const odo = await delivered('SX1', '10')
    const grn = await received(odo)
    const [payable, receivable] = [(await owed(hospital, d)).payable, (await owed(dealer, h)).receivable]
    const sn = await asked(hospital, grn, 9, 'price', { quantity: '10', new_price: '12' })
    await keeper.done('stockCorrection', 'review', sn)
    expect(await hospital.info('stockCorrection', sn)).toMatchObject({ state: 'partial', answer_state: '1' })
    expect((await owed(hospital, d)).payable).toBe(payable)
    // A line that waits for an answer cannot be invoiced or corrected a second time.
    const invoice = await hospital.add('inboundInvoice', {
      counterparty_sn: d,
      source_sn: grn,
      source_type: 9,
      invoice_no: '24442000000000000901',
      invoice_date: day(),
    })
    await hospital.done('inboundInvoice', 'submit', invoice)
    expectMessage(
      await hospital.do('inboundInvoice', 'review', invoice),
      `来源单${grn}有待对方确认的变更（${sn}），请等对方确认或撤回变更后再操作`,
    )
    await hospital.done('inboundInvoice', 'unsubmit', invoice)
    await hospital.client.post('/v1/business/inboundInvoice/del', {
      sn: invoice,
      version: (await hospital.info('inboundInvoice', invoice)).version,
    })
    const task = await taskOf(dealer, sn)
    expect(task).toMatchObject({ source_title: '销售出库单', old_amount: '100.00', new_amount: '120.00' })
    expect((await dealer.list('message'))[0].title).toBe('对方发起进销存变更，请确认')
    expectMessage(
      await dealer.do('stockCorrection', 'unsubmit', task.sn),
      '对方发起的变更，请审核表示同意，或驳回并说明原因',
    )
    await dealer2.done('stockCorrection', 'review', task.sn)
    expect(await hospital.info('stockCorrection', sn)).toMatchObject({ state: 'reviewed', answer_state: '2' })
    expect(subtract((await owed(hospital, d)).payable, payable, 2)).toBe('20.00')
    expect(subtract((await owed(dealer, h)).receivable, receivable, 2)).toBe('20.00')
    const [row] = await hospital.list('stockBalance', { warehouse_model_inner_sn: central, lot_no: 'SX1' })
    expect(row).toMatchObject({ specification_sn: inflator, cost_price: '12.0000' })
    expectMessage(await keeper.do('stockCorrection', 'unreview', sn), /^对方已处理（进销存变更单BG\d+），不能反审核$/)
    expectMessage(
      await dealer.do('stockCorrection', 'unreview', task.sn),
      '已同意对方的变更，不能反审核，请再做一张变更单',
    )
    const billed = await dealer.add('outboundInvoice', {
      counterparty_sn: h,
      source_sn: odo,
      source_type: 7,
      invoice_no: '24442000000000000902',
      invoice_date: day(),
    })
    expect((await dealer.info('outboundInvoice', billed)).taxed_amount).toBe('120.00')
  })

  it('of a sale price reaches all its receipts to the cent; may be refused, or withdrawn while pending', async () => {
    const { hospital, dealer, dealer2, d, h } = scene
    const odo = await delivered('SX2', '7')
    const first = await received(odo, '3')
    const early = await dealer.add('stockCorrection', {
      source_sn: odo,
      source_type: 7,
      change_type: 'price',
      change_reason: '试',
      attachments: [proof.D],
      lines: [{ source_line_no: 1, quantity: '7', new_price: '9' }],
    })
    await dealer.done('stockCorrection', 'impact', early)
    expectMessage(
      await dealer.do('stockCorrection', 'submit', early),
      '第1行：客户尚未收完货，请在客户收货后变更，或反审核出库单后改正',
    )
    const rest = await hospital.add('purchaseGrn', {
      source_sn: odo,
      source_org_sn: d,
      source_type: 7,
      warehouse_model_inner_sn: scene.central,
    })
    await hospital.pass('purchaseGrn', rest)
    const part = await hospital.add('stockCorrection', {
      source_sn: first,
      source_type: 9,
      change_type: 'price',
      change_reason: '试',
      attachments: [proof.H],
      lines: [{ source_line_no: 1, quantity: '3', new_price: '9' }],
    })
    await hospital.done('stockCorrection', 'impact', part)
    expectMessage(
      await hospital.do('stockCorrection', 'submit', part),
      '第1行：该发货行分次入库或有拒收，请由供应商在销售出库单上发起变更',
    )
    const sn = await asked(dealer, odo, 7, 'price', { quantity: '7', new_price: '9.99' })
    await dealer2.done('stockCorrection', 'review', sn)
    const refused = await taskOf(hospital, sn)
    expect(refused.lines.map((line: { agreed_amount: string }) => line.agreed_amount)).toEqual(['29.97', '39.96'])
    await hospital.done('stockCorrection', 'reject', refused.sn, { reason: '合同价为10元' })
    expect((await hospital.info('stockCorrection', refused.sn)).state).toBe('cancelled')
    expect(await dealer.info('stockCorrection', sn)).toMatchObject({
      state: 'rejected',
      answer_state: '3',
      answer_reason: '合同价为10元',
    })
    // Requested again, and withdrawn before it was answered.
    await dealer.done('stockCorrection', 'edit', sn, { change_reason: '补充协议' })
    await dealer.done('stockCorrection', 'impact', sn)
    await dealer.done('stockCorrection', 'submit', sn)
    await dealer2.done('stockCorrection', 'review', sn)
    const waiting = await taskOf(hospital, sn)
    await dealer2.done('stockCorrection', 'unreview', sn)
    expect((await hospital.info('stockCorrection', waiting.sn)).state).toBe('cancelled')
    const [payable, receivable] = [(await owed(hospital, d)).payable, (await owed(dealer, h)).receivable]
    await dealer2.done('stockCorrection', 'review', sn)
    await keeper.done('stockCorrection', 'review', (await taskOf(hospital, sn)).sn)
    expect(subtract((await owed(hospital, d)).payable, payable, 2)).toBe('-0.07')
    expect(subtract((await owed(dealer, h)).receivable, receivable, 2)).toBe('-0.07')
  })

  it('of a consigned lot: goods are held, the owner’s memo follows, and use continues under the right lot', async () => {
    const { hospital, dealer, dealer2, central, inflator } = scene
    const odo = await delivered('SX3', '5', {}, { regime: 'consigned' })
    const grn = await received(odo)
    const sn = await asked(hospital, grn, 9, 'lot', { quantity: '4', new_lot_no: 'SX3-1' })
    await keeper.done('stockCorrection', 'review', sn, opinion)
    expect(await shelf(hospital, central, inflator)).toMatchObject({ SX3: '5.000' })
    const held = await hospital.add('loss', {
      warehouse_model_inner_sn: central,
      loss_type: 'missing',
      lines: [{ specification_sn: inflator, lot_no: 'SX3', quantity: '2', line_reason: '缺' }],
    })
    expectMessage(await hospital.do('loss', 'submit', held), /库存不足：.*批号SX3 可用1，需要2/)
    const task = await taskOf(dealer, sn)
    expectMessage(await dealer2.do('stockCorrection', 'review', task.sn, opinion), '请选择批号差错原因')
    expectMessage(
      await dealer2.do('stockCorrection', 'review', task.sn, { ...opinion, lot_cause: 'shipped' }),
      '第1行：批号SX3-1在发货仓库可用0，不足4；库存确无该批号的，请选择“批号录入错误”',
    )
    await dealer2.done('stockCorrection', 'review', task.sn, { ...opinion, lot_cause: 'written' })
    expect(await shelf(hospital, central, inflator)).toMatchObject({ SX3: '1.000', 'SX3-1': '4.000' })
    expect([await atCustomer('SX3'), await atCustomer('SX3-1')]).toEqual(['1.000', '4.000'])
  })

  it('of a sold lot: the seller has the named lot back, the shipped one is gone, the customer holds it', async () => {
    const { hospital, dealer, dealer2, central, shop, inflator } = scene
    for (const [lot, right, regime] of [
      ['SX4', 'SX4-1', 'purchased'],
      ['SX5', 'SX5-1', 'consigned'],
    ] as const) {
      await scene.shelve(dealer, shop, [lotOf(inflator, right, { quantity: '6', price: '8' })])
      const odo = await delivered(lot, '4', {}, { regime })
      await received(odo)
      const none = await dealer.add('stockCorrection', {
        source_sn: odo,
        source_type: 7,
        change_type: 'lot',
        change_reason: '发错批号',
        attachments: [proof.D],
        lines: [{ source_line_no: 1, quantity: '4', new_lot_no: right }],
      })
      await dealer.done('stockCorrection', 'impact', none)
      expectMessage(await dealer.do('stockCorrection', 'submit', none), '请选择批号差错原因')
      const sn = await asked(dealer, odo, 7, 'lot', { quantity: '4', new_lot_no: right }, { lot_cause: 'shipped' })
      await dealer2.done('stockCorrection', 'review', sn, opinion)
      await keeper.done('stockCorrection', 'review', (await taskOf(hospital, sn)).sn, opinion)
      expect(await shelf(dealer, shop, inflator)).toMatchObject({ [lot]: '4.000', [right]: '2.000' })
      expect(await shelf(hospital, central, inflator)).toMatchObject({ [right]: '4.000' })
      const balances = await dealer.list('stockBalance', { warehouse_model_inner_sn: shop, lot_no: lot })
      expect(balances.find(row => row.lot_no === lot)!.value).toBe('24.78')
      if (regime === 'consigned') expect([await atCustomer(lot), await atCustomer(right)]).toEqual([null, '4.000'])
    }
  })

  it('that is pending holds its goods, and the books balance meanwhile', async () => {
    const { hospital, central, inflator } = scene
    const grn = await received(await delivered('SX6', '3', {}, { regime: 'consigned' }))
    const sn = await asked(hospital, grn, 9, 'lot', { quantity: '2', new_lot_no: 'SX6-1' })
    await keeper.done('stockCorrection', 'review', sn, opinion)
    const [row] = await hospital.list('stockBalance', { warehouse_model_inner_sn: central, lot_no: 'SX6' })
    expect(row).toMatchObject({ specification_sn: inflator, quantity: '3.000', available: '1.000' })
  })
})

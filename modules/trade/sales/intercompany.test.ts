import { afterAll, beforeAll, expect } from 'vitest'
import { story } from '#tests/support/steps.ts'
import { day, openStage, type Person, type Stage } from '#tests/support/story.ts'

/** Intercompany messages: sent once, withdrawn only while not accepted, with a notice when they are stopped. */
let stage: Stage
let [dealer, hospital] = [] as unknown as [Person, Person]
let [syringe, store, central] = ['', '', '']

beforeAll(async () => {
  stage = await openStage()
  ;[dealer, hospital] = (await Promise.all(['dealer', 'hospital'].map(stage.person))) as [Person, Person]
  // An uncoded product that D01 sells to H01.
  const product = await stage.one(`
    select e.specification_id as id from dealer_product e join organisation d on d.id = e.org_id
      join specification s on s.id = e.specification_id join product p on p.id = s.product_id
      join hospital_product h on h.specification_id = e.specification_id and h.admission_state = 'admitted'
        join organisation o on o.id = h.org_id and o.code = 'H01'
      join registration_certificate c on c.id = s.registration_certificate_id
     where d.code = 'D01' and not h.is_unit_coded and not coalesce(e.is_unit_coded, false) and p.status = 'released'
       and c.valid_to > current_date + 60 limit 1`)
  syringe = product.id
  store = await stage.store('D01', 'central')
  central = await stage.store('H01', 'central')
  const opening = await dealer.add('openingStock', {
    warehouse_model_inner_sn: store,
    lines: [
      {
        specification_sn: syringe,
        lot_no: 'HO1',
        production_date: day(-10),
        expiry_date: day(900),
        quantity: '100',
        price: '0.5',
      },
    ],
  })
  await dealer.pass('openingStock', opening)
})
afterAll(() => stage?.close())

/** An order of the hospital, waiting at the dealer. */
async function ordered(quantity: string): Promise<{ order: string; sales: string }> {
  const order = await hospital.add('purchaseOrder', {
    counterparty_sn: await stage.org('D01'),
    warehouse_model_inner_sn: central,
    lines: [{ specification_sn: syringe, quantity }],
  })
  await hospital.pass('purchaseOrder', order)
  return { order, sales: (await dealer.from('salesOrder', order)).sn }
}
async function delivered(sales: string, quantity: string): Promise<string> {
  const sn = await dealer.add('saleOdo', {
    source_type: 4,
    source_sn: sales,
    warehouse_model_inner_sn: store,
    lines: [{ source_line_no: 1, quantity }],
  })
  await dealer.pass('saleOdo', sn)
  return sn
}

story('intercompany, from one step to the next', step => {
  step('an order can be undone while untouched by the supplier, and is sent again when reviewed again', async () => {
    const { order, sales } = await ordered('5')
    await hospital.done('purchaseOrder', 'unreview', order)
    expect((await dealer.info('salesOrder', sales)).state).toBe('cancelled')
    await hospital.done('purchaseOrder', 'review', order)
    expect((await dealer.list('salesOrder', { source_sn: order })).map(row => row.state)).toEqual([
      'submitted',
      'cancelled',
    ])
  })

  step('a confirmed order cannot be undone; the refusal names the document on the other side', async () => {
    const { order, sales } = await ordered('5')
    await dealer.done('salesOrder', 'review', sales)
    expect((await hospital.do('purchaseOrder', 'unreview', order)).msg).toBe(
      `对方已处理（销售订单${sales}），不能反审核`,
    )
  })

  step('the buyer is notified of a rejected order with the reason', async () => {
    const { order, sales } = await ordered('5')
    await dealer.done('salesOrder', 'reject', sales, { reason: '缺货，下周到' })
    const { history } = await hospital.info('purchaseOrder', order)
    expect(history.at(-1)).toMatchObject({ label: '供应商已拒绝', reason: '缺货，下周到' })
  })

  step(
    'partial deliveries: progress on both sides, the rest stays open, stopping it notifies the other side',
    async () => {
      const { order, sales } = await ordered('10')
      await dealer.done('salesOrder', 'review', sales)
      const first = await delivered(sales, '4')
      expect((await dealer.info('salesOrder', sales)).state).toBe('partial')
      const receipt = await hospital.from('purchaseGrn', first)
      await hospital.pass('purchaseGrn', receipt.sn)
      expect(await hospital.info('purchaseOrder', order)).toMatchObject({
        state: 'partial',
        receive_state: '2',
        ship_state: '2',
      })
      expect((await hospital.do('purchaseOrder', 'unreview', order)).code).toBe(2101)
      await hospital.done('purchaseOrder', 'stop', order, { reason: '改用别的规格' })
      expect((await dealer.info('salesOrder', sales)).state).toBe('stopped')
      const more = await dealer.client.post('/v1/business/saleOdo/add', { source_type: 4, source_sn: sales })
      expect(more.msg).toMatch(/当前状态不能引用/)
    },
  )

  step('a delivery can be undone before receipt: goods, money and draft are as before', async () => {
    const { sales } = await ordered('3')
    await dealer.done('salesOrder', 'review', sales)
    const before = await dealer.list('stockBalance', { specification_sn: syringe })
    const sn = await delivered(sales, '3')
    const draft = await hospital.from('purchaseGrn', sn)
    await dealer.done('saleOdo', 'unreview', sn)
    expect((await hospital.info('purchaseGrn', draft.sn)).state).toBe('cancelled')
    expect((await dealer.list('stockBalance', { specification_sn: syringe })).map(row => row.quantity)).toEqual(
      before.map(row => row.quantity),
    )
    await dealer.done('saleOdo', 'review', sn)
    const again = (await hospital.list('purchaseGrn', { source_sn: sn, state: 'draft' }))[0]
    await hospital.pass('purchaseGrn', again.sn)
    expect((await dealer.do('saleOdo', 'unreview', sn)).code).toBe(2101)
    expect((await dealer.do('saleOdo', 'redReverse', sn, { reason: '发错' })).msg).toMatch(/对方已收货|已有后续业务/)
  })

  step('a receipt below the delivery leaves the rest in transit and the notice open', async () => {
    const { sales } = await ordered('6')
    await dealer.done('salesOrder', 'review', sales)
    const sn = await delivered(sales, '6')
    const draft = await hospital.from('purchaseGrn', sn)
    const { lines, version } = await hospital.info('purchaseGrn', draft.sn)
    const edited = await hospital.client.post('/v1/business/purchaseGrn/edit', {
      sn: draft.sn,
      version,
      lines: [{ line_no: lines[0].line_no, quantity: '4', reject_reason: '少发' }],
    })
    expect(edited.code).toBe(0)
    await hospital.pass('purchaseGrn', draft.sn)
    expect(await dealer.info('saleOdo', sn)).toMatchObject({ state: 'partial', receive_state: '2' })
    const transit = await dealer.list('stockBalance', { specification_sn: syringe, in_transit: '1' })
    expect(
      transit
        .filter(row => row.warehouse_name === '在途' || row.model === 'transit' || row.location === sn)
        .map(row => row.quantity),
    ).toContain('2.000')
    const rest = await hospital.add('purchaseGrn', { source_type: 7, source_sn: sn })
    expect((await hospital.info('purchaseGrn', rest)).lines[0].quantity).toBe('2.000')
    await hospital.pass('purchaseGrn', rest)
    expect((await dealer.info('saleOdo', sn)).state).toBe('completed')
  })

  step("undoing a receipt review puts the goods back in the sender's transit", async () => {
    const { sales } = await ordered('2')
    await dealer.done('salesOrder', 'review', sales)
    const sn = await delivered(sales, '2')
    const draft = await hospital.from('purchaseGrn', sn)
    await hospital.pass('purchaseGrn', draft.sn)
    await hospital.done('purchaseGrn', 'unreview', draft.sn)
    expect(await dealer.info('saleOdo', sn)).toMatchObject({ state: 'reviewed', receive_state: '1' })
    await hospital.done('purchaseGrn', 'review', draft.sn)
    expect((await dealer.info('saleOdo', sn)).state).toBe('completed')
  })

  step("the dealer's receivable equals the hospital's payable", async () => {
    const [mine] = await dealer.list('accountBalance', { counterparty_sn: await stage.org('H01') })
    const [yours] = await hospital.list('accountBalance', { counterparty_sn: await stage.org('D01') })
    expect(mine.receivable).toBe(yours.payable)
  })
})

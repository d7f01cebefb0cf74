import { afterAll, beforeAll, expect } from 'vitest'
import { day, openStage, type Person, type Stage } from '#tests/support/story.ts'
import { story } from '#tests/support/steps.ts'

/**
 * The whole chain: one stent is made, sold, delivered, consigned to a hospital, issued to a ward, used on a patient,
 * settled, invoiced and paid for; and from its code each organisation sees as much of it as it may.
 */
let stage: Stage
let [vendor, dealer, hospital, finance] = [] as unknown as [Person, Person, Person, Person]
let stent: string
const lot = 'LY261101'
const codes = ['S0001', 'S0002', 'S0003'].map(serial => `(01)06999900100016(21)${serial}`)
const scanned = `010699990010001617281031${'10'}${lot}\u001d21S0001`

beforeAll(async () => {
  stage = await openStage()
  ;[vendor, dealer, hospital, finance] = (await Promise.all(
    ['vendor', 'dealer', 'hospital', 'finance'].map(stage.person),
  )) as [Person, Person, Person, Person]
  stent = await stage.specification('P001-01')
})
afterAll(() => stage?.close())

const sns: Record<string, string> = {}

story('one stent, from the manufacturer to the patient, and everything its code then says', step => {
  step('the vendor produces three stents, one code each', async () => {
    const sn = await vendor.add('otherGrn', {
      warehouse_model_inner_sn: await stage.store('V01', 'central'),
      lines: [
        {
          specification_sn: stent,
          lot_no: lot,
          production_date: day(-30),
          expiry_date: '2028-10-31',
          unit_codes: codes,
          price: '400',
        },
      ],
    })
    await vendor.pass('otherGrn', sn)
    const units = await vendor.list('unitLabel', { specification_sn: stent })
    expect(units.map(unit => [unit.code, unit.status, unit.lot_no]).sort()).toEqual(
      codes.map(code => [code, 'in_stock', lot]),
    )
  })

  step("the dealer's reviewed order appears as the vendor's sales order", async () => {
    sns.order = await dealer.add('purchaseOrder', {
      counterparty_sn: await stage.org('V01'),
      warehouse_model_inner_sn: await stage.store('D01', 'central'),
      lines: [{ specification_sn: stent, quantity: '3' }],
    })
    await dealer.pass('purchaseOrder', sns.order)
    const order = await vendor.from('salesOrder', sns.order)
    expect(order).toMatchObject({ state: 'submitted', counterparty_sn: await stage.org('D01'), source_type: 3 })
    await vendor.done('salesOrder', 'review', order.sn)
    expect((await dealer.info('purchaseOrder', sns.order)).confirm_state).toBe('3')
    sns.salesOrder = order.sn
  })

  step("the vendor's reviewed delivery leaves its warehouse, is owed, and becomes the dealer's draft", async () => {
    const warehouse = await stage.store('V01', 'central')
    sns.delivery = await vendor.add('saleOdo', {
      source_type: 4,
      source_sn: sns.salesOrder,
      warehouse_model_inner_sn: warehouse,
      lines: [{ source_line_no: 1, unit_codes: codes }],
    })
    await vendor.pass('saleOdo', sns.delivery)
    const draft = await dealer.from('purchaseGrn', sns.delivery)
    expect(draft).toMatchObject({
      state: 'draft',
      source_type: 7,
      source_org_sn: await stage.org('V01'),
      regime: 'purchased',
    })
    expect((await dealer.info('purchaseGrn', draft.sn)).lines[0]).toMatchObject({
      unit_codes: codes,
      lot_no: lot,
      quantity: '3.000',
    })
    expect(
      (await vendor.list('stockBalance', { specification_sn: stent, in_transit: '1' })).map(row => row.quantity),
    ).toEqual(['3.000'])
    const [books] = await vendor.list('accountBalance', { counterparty_sn: await stage.org('D01') })
    expect(books.receivable).toBe((await vendor.info('saleOdo', sns.delivery)).taxed_amount)
    sns.receipt = draft.sn
  })

  step('the dealer receives: stock and payable posted, and the transit is closed on both sides', async () => {
    await dealer.pass('purchaseGrn', sns.receipt!)
    expect(await vendor.list('stockBalance', { specification_sn: stent, in_transit: '1' })).toEqual([])
    expect((await dealer.list('stockBalance', { specification_sn: stent })).map(row => row.quantity)).toEqual(['3.000'])
    expect((await dealer.info('purchaseOrder', sns.order!)).state).toBe('completed')
    expect((await vendor.info('saleOdo', sns.delivery!)).state).toBe('completed')
    const [mine] = await vendor.list('accountBalance', { counterparty_sn: await stage.org('D01') })
    const [yours] = await dealer.list('accountBalance', { counterparty_sn: await stage.org('V01') })
    expect(mine.receivable).toBe(yours.payable)
  })

  step('the hospital orders on consignment and receives: the dealer stays owner and nothing is owed', async () => {
    const order = await hospital.add('purchaseOrder', {
      counterparty_sn: await stage.org('D01'),
      regime: 'consigned',
      warehouse_model_inner_sn: await stage.warehouse('H01-W02'),
      lines: [{ specification_sn: stent, quantity: '2' }],
    })
    await hospital.pass('purchaseOrder', order)
    const sales = await dealer.from('salesOrder', order)
    await dealer.done('salesOrder', 'review', sales.sn)
    const delivery = await dealer.add('saleOdo', {
      source_type: 4,
      source_sn: sales.sn,
      warehouse_model_inner_sn: await stage.store('D01', 'central'),
      lines: [{ source_line_no: 1, unit_codes: codes.slice(0, 2) }],
    })
    await dealer.pass('saleOdo', delivery)
    const draft = await hospital.from('purchaseGrn', delivery)
    await hospital.pass('purchaseGrn', draft.sn)
    const [row] = await hospital.list('stockBalance', { specification_sn: stent })
    expect(row).toMatchObject({ quantity: '2.000', owner_org_sn: await stage.org('D01') })
    expect(await hospital.list('accountBalance', { counterparty_sn: await stage.org('D01') })).toEqual([])
    expect(
      (await dealer.list('stockBalance', { specification_sn: stent, consigned_out: '1' }))
        .map(stock => stock.quantity)
        .sort(),
    ).toEqual(['1.000', '2.000'])
  })

  step('the ward requests, gets the issue and receives it', async () => {
    const ward = await stage.one(
      `select w.id, w.department_id from warehouse w join organisation o on o.id = w.org_id
        where o.code = 'H01' and w.model = 'ward' order by w.id limit 1`,
    )
    Object.assign(sns, { ward: ward.id, department: ward.department_id })
    const ask = await hospital.add('requisition', {
      warehouse_model_inner_sn: await stage.warehouse('H01-W02'),
      to_warehouse_model_inner_sn: ward.id,
      department_inner_sn: ward.department_id,
      lines: [{ specification_sn: stent, quantity: '2' }],
    })
    await hospital.pass('requisition', ask)
    const grant = await hospital.add('grantOdo', {
      source_type: 104,
      source_sn: ask,
      lines: [{ source_line_no: 1, unit_codes: codes.slice(0, 2) }],
    })
    await hospital.pass('grantOdo', grant)
    const receipt = await hospital.from('wardReceipt', grant)
    expect(receipt).toMatchObject({ state: 'submitted', state_name: '待收货' })
    await hospital.done('wardReceipt', 'review', receipt.sn)
    expect((await hospital.info('requisition', ask)).state).toBe('completed')
    expect((await hospital.info('grantOdo', grant)).state).toBe('completed')
  })

  step('an implant needs a patient; with patient, site and surgeon it is used and due for settlement', async () => {
    const bare = {
      warehouse_model_inner_sn: sns.ward,
      department_inner_sn: sns.department,
      lines: [{ unit_codes: [scanned] }],
    }
    const nobody = await hospital.add('departmentUse', bare)
    expect((await hospital.do('departmentUse', 'submit', nobody)).msg).toContain('为植入物，请填写患者')
    const { id: surgeon } = await stage.one(
      `select e.id from employee e join organisation o on o.id = e.org_id where o.code = 'H01' and e.is_surgeon
        limit 1`,
    )
    sns.use = await hospital.add('departmentUse', {
      ...bare,
      patient_no: 'H01P200011',
      patient_name: '苏听松',
      admission_no: '0126010037',
      implant_site: '左前降支',
      doctor_inner_sn: surgeon,
    })
    await hospital.pass('departmentUse', sns.use)
    const [line] = await hospital.list('settlementLine', { specification_sn: stent })
    expect(line).toMatchObject({ quantity: '1.000', price: '798.0000' })
    const again = await hospital.client.post('/v1/business/departmentUse/add', {
      ...bare,
      patient_no: 'X',
      lines: [{ unit_codes: codes.slice(0, 1) }],
    })
    const second = again.code === 0 ? await hospital.do('departmentUse', 'submit', again.info.sn) : again
    expect(second.code).not.toBe(0)
  })

  step('settlement, invoice, application and payment bring the payable to zero', async () => {
    const supplier = await stage.org('D01')
    const { info } = await hospital.client.post('/v1/business/settlement/generate', {
      counterparty_sn: supplier,
      begin_date: day(-30),
      end_date: day(1),
    })
    await hospital.done('settlement', 'submit', info.sn)
    expect((await hospital.do('settlement', 'review', info.sn)).msg).toContain('尚未经供应商确认')
    const copy = (await dealer.list('settlement', { counterparty_sn: await stage.org('H01'), role: 'counterparty' }))[0]
    expect(copy).toMatchObject({ sn: info.sn, confirm_state: '1' })
    await dealer.done('settlement', 'confirm', info.sn)
    await hospital.done('settlement', 'review', info.sn)
    const receipt = await hospital.add('settlementGrn', { source_type: 101, source_sn: info.sn })
    await hospital.pass('settlementGrn', receipt)
    const [owed] = await hospital.list('accountBalance', { counterparty_sn: supplier })
    expect(owed.payable).toBe('798.00')
    const invoice = await dealer.add('outboundInvoice', {
      source_type: 118,
      source_sn: receipt,
      invoice_no: '26322000000000000001',
      invoice_date: day(),
    })
    await dealer.pass('outboundInvoice', invoice)
    const [received] = await hospital.list('inboundInvoice', { counterparty_sn: supplier })
    expect(received).toMatchObject({ state: 'submitted', invoice_no: '26322000000000000001' })
    await hospital.done('inboundInvoice', 'review', received.sn)
    const application = await hospital.add('paymentApplication', { source_type: 10, source_sn: received.sn })
    await hospital.pass('paymentApplication', application)
    const payment = await hospital.add('payment', { source_type: 115, source_sn: application })
    await hospital.done('payment', 'submit', payment)
    expect((await hospital.do('payment', 'review', payment)).code).toBe(403)
    await finance.done('payment', 'review', payment)
    const [money] = await dealer.list('receipt', { counterparty_sn: await stage.org('H01') })
    await dealer.pass('receipt', money.sn)
    expect(await hospital.list('accountBalance', { counterparty_sn: supplier })).toEqual([])
    expect(await dealer.list('accountBalance', { counterparty_sn: await stage.org('H01') })).toEqual([])
    expect((await hospital.list('settlementLine', { specification_sn: stent }))[0].state).toBe('paid')
  })

  step('one scan shows the whole chain across organisations; the patient only inside the hospital', async () => {
    const steps = ['produce', 'ship', 'receive', 'ship', 'receive', 'grant', 'ward_receive', 'use']
    const inside = await hospital.trace(scanned)
    expect(inside.list.map(event => event.step)).toEqual(steps)
    expect(inside.info.now).toMatchObject({ status: 'used', holder_name: expect.stringContaining('附属医院') })
    const use = inside.list.at(-1)
    expect(use).toMatchObject({ patient_name: '苏听松' })
    // The card and the timeline say the same moment of use.
    expect(inside.info.patient.used_at).not.toBeNull()
    expect(use.happened_at).toBe(inside.info.patient.used_at)
    expect((await vendor.trace(codes[0]!)).list.at(-1).happened_at).toBeNull()
    for (const outsider of [dealer, vendor, await stage.person('platform')]) {
      const seen = await outsider.trace(codes[0]!)
      expect(seen.list.map(event => event.step)).toEqual(steps)
      expect(JSON.stringify(seen)).not.toMatch(/苏听松|H01P200011|0126010037|左前降支/)
    }
    expect((await (await stage.person('dealer2')).trace(codes[0]!)).code).toBe(0)
    expect((await (await stage.person('vendor2')).trace(codes[0]!)).code).toBe(0)
  })

  step('each event begins where the previous one ended', async () => {
    const { list } = await vendor.trace(codes[0]!)
    for (let at = 1; at < list.length; at++)
      expect([list[at].from_org_name, list[at].from_place]).toEqual([list[at - 1].to_org_name, list[at - 1].to_place])
  })

  step('the recall of the lot finds every holder and use, and quantities sum to what was produced', async () => {
    const { info } = await vendor.trace(lot, { direction: 'forward' })
    expect(info).toMatchObject({ made: '3.000', used: '1.000', held: '2.000' })
    expect(info.holders.map((row: { org_name: string; quantity: string }) => row.quantity)).toEqual(['1.000', '1.000'])
    expect(info.uses[0].org_name).toContain('附属医院')
  })
})

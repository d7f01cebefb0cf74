import { afterAll, beforeAll, expect } from 'vitest'
import { subtract } from '#kernel/values/decimal.ts'
import { expectMessage, lotOf, openScene, owed, type Scene, shelf } from '#tests/support/fixture.ts'
import { openTechnician } from '#tests/support/technician.ts'
import { story } from '#tests/support/steps.ts'
import { day } from '#tests/support/story.ts'

/**
 * 骨科跟台, reported once from the booking of an operation to its payment: what a dealer lends is his until it is used, and
 * nobody outside the hospital learns on whom.
 */
let scene: Scene
let technician = ''
beforeAll(async () => {
  scene = await openScene()
  const { dealer, shop, stent, inflator } = scene
  await scene.shelve(dealer, shop, [
    lotOf(stent, 'GK1', { unit_codes: ['GK-1', 'GK-2', 'GK-3', 'GK-4'], price: '400' }),
    lotOf(inflator, 'GK2', { quantity: '20', price: '30' }),
  ])
  technician = await openTechnician(scene)
})
afterAll(() => scene?.close())

const patient = { patient_no: 'P901', patient_name: '慕容青岚', admission_no: 'ZY90135', diagnosis: '右股骨颈骨折' }
const secret = /慕容青岚|P901|ZY90135|股骨颈骨折/
const surgeryAt = `${day(2)}T01:00:00.000Z`
const loanStore = async () =>
  (await scene.one("select id from warehouse where org_id = $1 and model = 'loan'", scene.h)).id as string
const sns: Record<string, string> = {}

story('an operation on loaned goods', step => {
  step('the hospital plans an operation and asks its dealer for goods', async () => {
    const { hospital, stent, inflator, d, department, surgeon } = scene
    sns.surgery = await hospital.add('surgeryPlan', {
      department_inner_sn: department,
      doctor_inner_sn: surgeon,
      surgery_at: surgeryAt,
      procedure_name: '全髋关节置换术',
      site: '右髋',
      theatre: '3号手术间',
      ...patient,
      lines: [
        { specification_sn: stent, quantity: '3', supplier_sn: d },
        { specification_sn: inflator, quantity: '10', supplier_sn: d },
      ],
    })
    await hospital.pass('surgeryPlan', sns.surgery)
    await hospital.done('surgeryPlan', 'toBonePlan', sns.surgery!)
    const plan = await hospital.from('bonePlan', sns.surgery!)
    sns.plan = plan.sn
    expect(plan).toMatchObject({ counterparty_sn: d, procedure_name: '全髋关节置换术', patient_name: '慕容青岚' })
    expectMessage(await hospital.do('surgeryPlan', 'toBonePlan', sns.surgery!), '该手术计划的明细都已生成跟台计划')
    await hospital.pass('bonePlan', plan.sn)
  })

  step('the dealer sees the plan without the patient, and accepts it', async () => {
    const { dealer, h } = scene
    const [row] = await dealer.list('bonePlan', { sn: sns.plan! })
    expect(row).toMatchObject({
      counterparty_sn: h,
      procedure_name: '全髋关节置换术',
      theatre: '3号手术间',
      accept_state: '1',
    })
    const whole = await dealer.client.get('/v1/business/bonePlan/info', { sn: sns.plan! })
    expect(JSON.stringify([row, whole])).not.toMatch(secret)
    await dealer.done('bonePlan', 'accept', sns.plan!, { technician_inner_sn: technician })
    expect(await scene.hospital.info('bonePlan', sns.plan!)).toMatchObject({ accept_state: '2' })
  })

  step('he prepares the goods, and cannot book them out before the hospital has counted them', async () => {
    const { dealer, hospital, stent, shop } = scene
    await dealer.done('bonePlan', 'toPresale', sns.plan!)
    const draft = await dealer.from('bonePresale', sns.plan!)
    sns.presale = draft.sn
    const { version, lines } = await dealer.info('bonePresale', draft.sn)
    expect(lines).toHaveLength(2)
    const edited = await dealer.client.post('/v1/business/bonePresale/edit', {
      sn: draft.sn,
      version,
      warehouse_model_inner_sn: shop,
      lines: [
        { unit_codes: ['GK-1', 'GK-2', 'GK-3'] },
        { specification_sn: scene.inflator, lot_no: 'GK2', quantity: '10' },
      ],
    })
    expect(edited.msg).toBe('')
    await dealer.done('bonePresale', 'submit', sns.presale!)
    expectMessage(await dealer.do('bonePresale', 'review', sns.presale!), '医院尚未预验收，不能出库')
    await hospital.done('bonePlan', 'toPreAcceptance', sns.plan!)
    const acceptance = await hospital.from('bonePreAcceptance', sns.plan!)
    const listed = await hospital.info('bonePreAcceptance', acceptance.sn)
    expect(listed.lines.map((line: { listed_quantity: string }) => line.listed_quantity)).toEqual(['3.000', '10.000'])
    expectMessage(await hospital.do('bonePreAcceptance', 'submit', acceptance.sn), /实收与清单不一致，请填写差异原因/)
    const saved = await hospital.client.post('/v1/business/bonePreAcceptance/edit', {
      sn: acceptance.sn,
      version: (await hospital.info('bonePreAcceptance', acceptance.sn)).version,
      run_no: 'MJ-0101',
      biological: 'passed',
      lines: listed.lines.map((line: Record<string, unknown>) => ({ ...pick(line), quantity: line.listed_quantity })),
    })
    expect(saved.msg).toBe('')
    await hospital.pass('bonePreAcceptance', acceptance.sn)
    await dealer.done('bonePresale', 'review', sns.presale!)
    expect(await shelf(hospital, await loanStore(), stent)).toEqual({ GK1: '3.000' })
  })

  step('what is used leaves the store for loans; the dealer learns what, never on whom', async () => {
    const { hospital, dealer, department, surgeon, stent } = scene
    sns.use = await hospital.add('surgeryUse', {
      warehouse_model_inner_sn: await loanStore(),
      department_inner_sn: department,
      doctor_inner_sn: surgeon,
      surgery_name: '全髋关节置换术',
      implant_site: '右髋',
      ...patient,
      lines: [{ unit_codes: ['GK-1'] }, { specification_sn: scene.inflator, lot_no: 'GK2', quantity: '4' }],
    })
    await hospital.pass('surgeryUse', sns.use)
    const use = await hospital.info('surgeryUse', sns.use)
    expect(use.lines[0]).toMatchObject({ stock_source: 'loan', plan_sn: sns.plan, loan_sn: sns.presale })
    expect(await shelf(hospital, await loanStore(), stent)).toEqual({ GK1: '2.000' })
    expect(await hospital.list('settlementLine', { unit_code: 'GK-1' })).toEqual([])
    const [presale] = await dealer.list('bonePresale', { sn: sns.presale! })
    expect(presale).toMatchObject({ used_quantity: '5.000', open_quantity: '8.000', state: 'partial' })
    // Both sides read on the plan's lines how much of the requested goods was brought and used.
    for (const who of [hospital, dealer]) {
      const { lines } = await who.info('bonePlan', sns.plan!)
      expect(
        lines.map((line: Record<string, unknown>) => [line.quantity, line.prepared_quantity, line.used_quantity]),
      ).toEqual([
        ['3.000', '3.000', '1.000'],
        ['10.000', '10.000', '4.000'],
      ])
    }
    const [copy] = await dealer.list('surgeryUse', { sn: sns.use })
    const seen = await dealer.client.get('/v1/business/surgeryUse/info', { sn: sns.use })
    expect(copy).toBeDefined()
    expect(JSON.stringify([copy, seen])).not.toMatch(secret)
  })

  step('the rest comes back, pieces that were used cannot; with the last one the plan is done', async () => {
    const { dealer, hospital, stent, shop } = scene
    await dealer.done('bonePlan', 'toBack', sns.plan!)
    const back = await dealer.from('boneBack', sns.presale!)
    const info = await dealer.info('boneBack', back.sn)
    expect(
      info.lines.map((line: { unit_codes: string[]; quantity: string }) => [line.unit_codes, line.quantity]),
    ).toEqual([
      [['GK-2', 'GK-3'], '2.000'],
      [[], '6.000'],
    ])
    const wrong = await dealer.client.post('/v1/business/boneBack/edit', {
      sn: back.sn,
      version: info.version,
      warehouse_model_inner_sn: shop,
      lines: [
        { line_no: 1, source_line_no: info.lines[0].source_line_no, unit_codes: ['GK-1', 'GK-2'], quantity: '2' },
      ],
    })
    expect(wrong.msg).toBe('')
    expectMessage(await dealer.do('boneBack', 'submit', back.sn), /该产品已登记使用，不能退回/)
    await dealer.client.post('/v1/business/boneBack/edit', {
      sn: back.sn,
      version: (await dealer.info('boneBack', back.sn)).version,
      lines: info.lines.map((line: Record<string, unknown>) => ({
        source_line_no: line.source_line_no,
        unit_codes: line.unit_codes,
        quantity: line.quantity,
      })),
    })
    await dealer.done('boneBack', 'submit', back.sn)
    expect(await shelf(hospital, await loanStore(), stent)).toEqual({})
    await dealer.done('boneBack', 'review', back.sn)
    expect(await shelf(dealer, shop, stent)).toEqual({ GK1: '3.000' })
    expect((await dealer.list('bonePresale', { sn: sns.presale! }))[0]).toMatchObject({ state: 'completed' })
    expect(await hospital.info('bonePlan', sns.plan!)).toMatchObject({ state: 'completed', follow_state: '7' })
  })

  step('the report of the operation says what was brought, counted, used and went back', async () => {
    const { hospital } = scene
    const { info } = await hospital.client.get('/v1/business/surgeryUse/print', {
      sn: sns.use!,
      sheet: '/newprint/SurgicalReportFormPrint',
    })
    type Reported = Readonly<Record<'brought' | 'counted_before' | 'used' | 'returned' | 'difference', string>>
    const reported = ({ brought, counted_before, used, returned, difference }: Reported) => [
      brought,
      counted_before,
      used,
      returned,
      difference,
    ]
    expect((info.lines as Reported[]).map(reported)).toEqual([
      ['3.000', '3.000', '1.000', '2.000', '0.000'],
      ['10.000', '10.000', '4.000', '6.000', '0.000'],
    ])
    expect(info).toMatchObject({ brought_total: '13', used_total: '5', returned_total: '8', difference_total: '0' })
  })

  step('what was used is sold; the hospital books it in and owes for it, and stock stays as it is', async () => {
    const { dealer, hospital, d, h } = scene
    const before = await owed(hospital, d)
    await dealer.done('bonePlan', 'toSale', sns.plan!)
    const sale = await dealer.from('boneSale', sns.use!)
    await dealer.pass('boneSale', sale.sn)
    const grn = await hospital.from('purchaseGrn', sale.sn)
    await hospital.pass('purchaseGrn', grn.sn)
    const { taxed_amount } = await hospital.info('purchaseGrn', grn.sn)
    expect(taxed_amount).toBe((await dealer.info('boneSale', sale.sn)).taxed_amount)
    expect(subtract((await owed(hospital, d)).payable, before.payable, 2)).toBe(taxed_amount)
    expect((await owed(dealer, h)).receivable).toBe(taxed_amount)
    sns.sale = sale.sn
    sns.receipt = grn.sn
  })

  step('the dealer invoices his sale, the hospital pays it, and neither owes the other anything of it', async () => {
    const { dealer, hospital, finance, d, h } = scene
    const before = { hospital: await owed(hospital, d), dealer: await owed(dealer, h) }
    const invoice = await dealer.add('outboundInvoice', {
      source_sn: sns.sale,
      source_org_sn: d,
      source_type: 5,
      invoice_no: '26332000000000000923',
      invoice_date: day(),
    })
    await dealer.pass('outboundInvoice', invoice)
    const [received] = await hospital.list('inboundInvoice', { invoice_no: '26332000000000000923' })
    await hospital.done('inboundInvoice', 'review', received.sn)
    const { taxed_amount } = await hospital.info('purchaseGrn', sns.receipt!)
    expect(await owed(hospital, d)).toMatchObject({
      payable: before.hospital.payable,
      payable_invoiced: taxed_amount,
    })
    expect(await hospital.info('purchaseGrn', sns.receipt!)).toMatchObject({ invoice_state: '3' })
    const application = await hospital.add('paymentApplication', { source_type: 10, source_sn: received.sn })
    await hospital.pass('paymentApplication', application)
    const payment = await hospital.add('payment', { source_type: 115, source_sn: application })
    await hospital.done('payment', 'submit', payment)
    await finance.done('payment', 'review', payment)
    const [money] = await dealer.list('receipt', { counterparty_sn: h })
    await dealer.pass('receipt', money.sn)
    expect(await owed(hospital, d)).toMatchObject({
      payable: subtract(before.hospital.payable, taxed_amount, 2),
      payable_invoiced: before.hospital.payable_invoiced,
    })
    expect(await owed(dealer, h)).toMatchObject({
      receivable: subtract(before.dealer.receivable, taxed_amount, 2),
      receivable_invoiced: before.dealer.receivable_invoiced,
    })
    const [row] = await hospital.list('purchaseGrn', { sn: sns.receipt! })
    expect(row.payment_state).toBe('3')
    // The sale names the operation's day and department, and how much of it was paid.
    const [sold] = await dealer.list('boneSale', { sn: sns.sale!, collection_state: '3' })
    expect(sold).toMatchObject({
      surgery_department: expect.stringMatching(/./),
      collected_amount: taxed_amount,
      invoiced_amount: taxed_amount,
    })
    expect(Date.parse(sold.surgery_at)).toBe(Date.parse(surgeryAt))
    const { list: patients } = await hospital.client.get('/v1/report/highValuePatients', {
      begin_date: day(),
      end_date: day(),
    })
    const used = patients.find((each: { document_sn: string }) => each.document_sn === sns.use)
    expect(used).toMatchObject({ operated_on: used.used_on })
  })
})

/** The fields of a line that a page sends back. */
function pick(line: Record<string, unknown>): Record<string, unknown> {
  const names = ['line_no', 'specification_sn', 'lot_no', 'expiry_date', 'unit_codes', 'listed_quantity', 'goods_kind']
  return Object.fromEntries(names.map(name => [name, line[name]]))
}

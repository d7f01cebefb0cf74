import { toBuffer } from 'bwip-js/node'
import { afterAll, beforeAll, expect } from 'vitest'
import { pdfOf, qrOf, type Sheet } from '../../../../deploy/einvoice/sheet.ts'
import { expectMessage, lotOf, openScene, type Scene } from '#tests/support/fixture.ts'
import { uploadFile, uploadPicture } from '#tests/support/picture.ts'
import { story } from '#tests/support/steps.ts'
import { proves } from '#tests/support/proves.ts'
import { day } from '#tests/support/story.ts'

/**
 * 识别发票: a supplier's invoice is entered by its file, finds its supplier and its receipts, and is matched with order and
 * receipt; differences beyond the organisation's tolerances need a second person.
 */
let scene: Scene
let facts: { seller: string; sellerTaxNo: string; buyer: string; buyerTaxNo: string; product: string; model: string }
let count = 0
const nextNumber = (): string => `26317000000000000${String(++count).padStart(3, '0')}`

/** Ordered, delivered and received at 145 a piece; returns order and receipt. */
async function received(quantity: string): Promise<{ order: string; grn: string }> {
  const { dealer, hospital, shop, central, inflator, d } = scene
  const order = await hospital.add('purchaseOrder', {
    counterparty_sn: d,
    warehouse_model_inner_sn: central,
    lines: [{ specification_sn: inflator, quantity }],
  })
  await hospital.pass('purchaseOrder', order)
  const { sn: sales } = await dealer.from('salesOrder', order)
  await dealer.done('salesOrder', 'review', sales)
  const odo = await dealer.add('saleOdo', {
    source_type: 4,
    source_sn: sales,
    warehouse_model_inner_sn: shop,
    lines: [{ source_line_no: 1, quantity, lot_no: 'RD1' }],
  })
  await dealer.pass('saleOdo', odo)
  const grn = (await hospital.from('purchaseGrn', odo)).sn
  await hospital.pass('purchaseGrn', grn)
  return { order, grn }
}
const two = (cents: number): string => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`
/** The sheet of a supplier's invoice over some pieces of the goods, at a price with tax in cents. */
function sheetOf(pieces: number, price: number, more: Partial<Sheet> = {}): Sheet {
  const total = pieces * price
  const untaxed = Math.round(total / 1.13)
  return {
    title: '电子发票（普通发票）',
    number: nextNumber(),
    day: day(),
    seller: facts.seller,
    sellerTaxNo: facts.sellerTaxNo,
    buyer: facts.buyer,
    buyerTaxNo: facts.buyerTaxNo,
    lines: [
      {
        name: `*医疗仪器器械*${facts.product}`,
        specification: facts.model,
        unit: '套',
        quantity: String(pieces),
        price: String(Math.round((untaxed / pieces) * 1e6) / 1e8),
        amount: two(untaxed),
        rate: '13%',
        tax: two(total - untaxed),
      },
    ],
    untaxed: two(untaxed),
    tax: two(total - untaxed),
    total: two(total),
    remark: '',
    drawer: '李四',
    mark: '',
    isSpecial: false,
    ...more,
  }
}
const upload = (sheet: Sheet) => uploadFile(scene.hospital, 'fp.pdf', Buffer.from(pdfOf(sheet)))
const read = (file: string, more: object = {}) =>
  scene.hospital.client.post('/v1/business/inboundInvoice/readInvoice', { files: [file], ...more })
const invoice = (sn: string) => scene.hospital.info('inboundInvoice', sn)

beforeAll(async () => {
  scene = await openScene()
  await scene.shelve(scene.dealer, scene.shop, [lotOf(scene.inflator, 'RD1', { quantity: '900' })])
  const { h, d, inflator } = scene
  const of = (id: string) => scene.one('select name, social_credit_code as code from organisation where id = $1', id)
  const [seller, buyer] = [await of(d), await of(h)]
  const goods = await scene.one(
    `select p.name as product, s.name as model
       from specification s join product p on p.id = s.product_id where s.id = $1`,
    inflator,
  )
  facts = { seller: seller.name, sellerTaxNo: seller.code, buyer: buyer.name, buyerTaxNo: buyer.code, ...goods }
})
afterAll(() => scene?.close())

story('invoices by their files', step => {
  step('a PDF fills number, day, amounts and parties, and its lines find their receipts', async () => {
    const { grn } = await received('10')
    const sheet = sheetOf(10, 14_500)
    const file = await upload(sheet)
    const { msg, info } = await read(file)
    expect(msg).toBe('')
    const doc = await invoice(info.sn)
    expect(doc).toMatchObject({
      state: 'draft',
      counterparty_sn: scene.d,
      invoice_no: sheet.number,
      invoice_date: day(),
      invoice_type: 'e_normal',
      taxed_amount: '1450.00',
      invoice_amount: '1450.00',
      tax_amount: sheet.tax,
      buyer_tax_no: facts.buyerTaxNo,
      attachments: [file],
      unchecked: null,
      remark: null,
    })
    expect(info).toMatchObject({ unchecked: [], result: '已识别1张发票' })
    expect(doc.lines).toMatchObject([{ source_sn: grn, quantity: '10.000', taxed_amount: '1450.00' }])
    await scene.hospital.pass('inboundInvoice', info.sn)
    expect(await invoice(info.sn)).toMatchObject({ state: 'reviewed', match_state: 'within', check_result: 'agrees' })
    expect((await invoice(info.sn)).lines[0]).toMatchObject({ order_price: '145.0000', price_gap: '0.0000' })
    // The same invoice again, by the file or by hand.
    expectMessage(await read(await upload(sheet)), `发票号码${sheet.number}已存在（${info.sn}）`)
  })

  step('a photo of the code alone proposes the receipts that add up to its total', async () => {
    const { grn } = await received('7')
    const sheet = sheetOf(7, 14_500)
    const code = await toBuffer({ bcid: 'qrcode', text: qrOf(sheet), scale: 4, padding: 20, backgroundcolor: 'ffffff' })
    const file = await uploadFile(scene.hospital, 'photo.png', code)
    expectMessage(await read(file), '发票上没有读到销售方，请选择供应商后重新识别')
    const { info } = await read(file, { counterparty_sn: scene.d })
    const doc = await invoice(info.sn)
    expect(doc).toMatchObject({ invoice_no: sheet.number, invoice_amount: '1015.00', invoice_date: day() })
    // A code contains neither buyer nor seller nor goods: the answer and the page name the values that were not
    // compared.
    const unchecked = [
      '发票上没有读到购买方，未核对购买方，请填写购买方名称和税号',
      '发票上没有销售方税号，未核对销售方，供应商按所选',
      '没有读到发票明细，未核对品名和数量，请核对所选的入库明细',
    ]
    expect(info).toMatchObject({ unchecked: [{ sn: info.sn, unchecked }] })
    expect(info.result).toBe(`已识别1张发票。${info.sn}：${unchecked.join('；')}`)
    expect(doc).toMatchObject({ unchecked: unchecked.join('；'), buyer_name: null, buyer_tax_no: null })
    expect(doc.lines).toMatchObject([{ source_sn: grn, quantity: '7.000' }])
    await scene.hospital.pass('inboundInvoice', info.sn)
  })

  step('what is no invoice, is for somebody else, or comes from nobody we know, makes no draft', async () => {
    const picture = await uploadPicture(scene.hospital)
    expectMessage(await read(picture), '文件【a.png】没有识别到发票，请上传原件或清晰的二维码照片，或手工登记')
    const elsewhere = sheetOf(1, 14_500, { buyerTaxNo: '12310000000000000X' })
    expectMessage(await read(await upload(elsewhere)), '发票购买方税号12310000000000000X与本机构税号不一致')
    const unknown = sheetOf(1, 14_500, { seller: '无名公司', sellerTaxNo: '91310000000000000X' })
    expectMessage(
      await read(await upload(unknown)),
      '发票销售方【无名公司】（91310000000000000X）不是本机构的供应商，请核对或选择供应商',
    )
    // A user's choice cannot contradict the sheet.
    expectMessage(
      await read(await upload(unknown), { counterparty_sn: scene.d }),
      '发票销售方【无名公司】与所选供应商不一致',
    )
    expect(await scene.hospital.list('inboundInvoice', { invoice_no: unknown.number })).toEqual([])
  })

  step('goods that were not received are named, and nothing is guessed', async () => {
    const sheet = sheetOf(800, 14_500)
    const { info } = await read(await upload(sheet))
    const doc = await invoice(info.sn)
    expect(doc).toMatchObject({ line_count: 0, remark: `发票明细未匹配到入库：${facts.product}×800` })
  })

  step('a price beyond the tolerance needs a second person, who does not review as well', async () => {
    proves('invoice.priceGap')
    const { hospital, h } = scene
    await received('4')
    await scene.rule(h, 'invoice_price_gap', '2')
    await scene.rule(h, 'invoice_tolerance', '100')
    const { info } = await read(await upload(sheetOf(4, 15_000)))
    const { sn } = info
    await hospital.done('inboundInvoice', 'submit', sn)
    const waiting = await invoice(sn)
    expect(waiting).toMatchObject({
      match_state: 'beyond',
      match_note: expect.stringMatching(/开票单价150元，订单\S+单价145元，相差3.45%/),
    })
    expect(waiting.lines[0]).toMatchObject({ order_price: '145.0000', price_gap: '0.0345' })
    const second = await scene.colleague('hospital')
    expectMessage(await second.do('inboundInvoice', 'review', sn, { reason: '涨价' }), /超出容差，须由第二人差异审核$/)
    expectMessage(await second.do('inboundInvoice', 'approveMatch', sn), '请填写差异审核意见')
    await second.done('inboundInvoice', 'approveMatch', sn, { reason: '已与供应商核实涨价' })
    expect(await invoice(sn)).toMatchObject({ match_state: 'approved', match_opinion: '已与供应商核实涨价' })
    expectMessage(
      await second.do('inboundInvoice', 'review', sn, { reason: '涨价' }),
      '差异审核人不能再审核该发票，请由他人审核',
    )
    await hospital.done('inboundInvoice', 'review', sn, { reason: '涨价' })
    expect((await invoice(sn)).state).toBe('reviewed')
  })

  step('within the tolerance nobody else is asked', async () => {
    const { hospital, h } = scene
    await received('5')
    await scene.rule(h, 'invoice_price_gap', '5')
    await scene.rule(h, 'invoice_tolerance', '100')
    const { info } = await read(await upload(sheetOf(5, 15_000)))
    await hospital.done('inboundInvoice', 'submit', info.sn)
    expect(await invoice(info.sn)).toMatchObject({ match_state: 'within', match_note: null })
    await hospital.done('inboundInvoice', 'review', info.sn, { reason: '涨价' })
  })
})

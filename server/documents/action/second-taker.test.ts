import { afterAll, beforeAll, expect, test } from 'vitest'
import { documents } from '#kernel/registry.ts'
import { expectMessage, lotOf, openScene, type Scene } from '#tests/support/fixture.ts'
import { proves } from '#tests/support/proves.ts'
import { day } from '#tests/support/story.ts'

/**
 * Two documents over one source: a draft takes nothing; the second one to be submitted is refused, with the name of the
 * first.
 */
let scene: Scene
let nth = 0
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene?.close())

/** A delivery of goods of the dealer's to the hospital. */
async function delivered(quantity: string): Promise<string> {
  const { dealer, shop, inflator, h } = scene
  const lot_no = `ST${++nth}`
  await scene.shelve(dealer, shop, [lotOf(inflator, lot_no, { quantity })])
  const sn = await dealer.add('saleOdo', {
    counterparty_sn: h,
    warehouse_model_inner_sn: shop,
    lines: [{ specification_sn: inflator, lot_no, quantity }],
  })
  await dealer.pass('saleOdo', sn)
  return sn
}
const receipt = (sn: string, quantity: string) =>
  scene.hospital.add('purchaseGrn', {
    source_type: 7,
    source_sn: sn,
    source_org_sn: scene.d,
    warehouse_model_inner_sn: scene.central,
    lines: [{ source_line_no: 1, quantity, reject_reason: '分批到货' }],
  })

test('two drafts from one sale may stand; the second is refused at submit with the first one’s number', async () => {
  proves('document.sourceOnce')
  const { hospital } = scene
  const sale = await delivered('10')
  const [first, second] = [await receipt(sale, '10'), await receipt(sale, '10')]
  await hospital.done('purchaseGrn', 'submit', first)
  expectMessage(await hospital.do('purchaseGrn', 'submit', second), `收货数量不能大于发货数量0，已有采购入库单${first}`)
  await hospital.done('purchaseGrn', 'review', first)
  expectMessage(
    await hospital.do('purchaseGrn', 'submit', second),
    `来源单${sale}已全部执行，没有剩余可引用，已有采购入库单${first}`,
  )
  // Taken back, its goods are free for the other.
  await hospital.done('purchaseGrn', 'unreview', first)
  await hospital.done('purchaseGrn', 'unsubmit', first)
  await hospital.done('purchaseGrn', 'submit', second)
})

test('parts that are together no more than the sale stand beside each other', async () => {
  const { hospital } = scene
  const sale = await delivered('10')
  const [first, second, third] = [await receipt(sale, '6'), await receipt(sale, '4'), await receipt(sale, '1')]
  await hospital.done('purchaseGrn', 'submit', first)
  await hospital.done('purchaseGrn', 'submit', second)
  expectMessage(
    await hospital.do('purchaseGrn', 'submit', third),
    `收货数量不能大于发货数量0，已有采购入库单${first}、${second}`,
  )
  await hospital.done('purchaseGrn', 'review', first)
  await hospital.done('purchaseGrn', 'review', second)
})

const requested = async () => {
  const { hospital, central, ward, department, inflator } = scene
  const sn = await hospital.add('requisition', {
    warehouse_model_inner_sn: central,
    to_warehouse_model_inner_sn: ward,
    department_inner_sn: department,
    lines: [{ specification_sn: inflator, quantity: '4' }],
  })
  await hospital.pass('requisition', sn)
  return sn
}
const planned = async () => {
  const { hospital, central, inflator, d } = scene
  const lines = [{ specification_sn: inflator, quantity: '4', supplier_sn: d }]
  const sn = await hospital.add('purchasePlan', { warehouse_model_inner_sn: central, lines })
  await hospital.pass('purchasePlan', sn)
  return sn
}
const surgery = async () => {
  const { hospital, department, surgeon, stent, d } = scene
  const sn = await hospital.add('surgeryPlan', {
    department_inner_sn: department,
    doctor_inner_sn: surgeon,
    surgery_at: `${day(3)}T02:00:00.000Z`,
    theatre: '3号手术间',
    procedure_name: '膝关节置换术',
    patient_name: '诸葛静姝',
    admission_no: 'ZY55',
    lines: [{ specification_sn: stent, quantity: '1', supplier_sn: d }],
  })
  await hospital.pass('surgeryPlan', sn)
  return sn
}
const invoiced = async () => {
  const { hospital } = scene
  const grn = (await hospital.from('purchaseGrn', await delivered('4'))).sn
  await hospital.pass('purchaseGrn', grn)
  const invoice_no = `2634200000000000${String(++nth).padStart(4, '0')}`
  const sn = await hospital.add('inboundInvoice', { source_type: 9, source_sn: grn, invoice_no, invoice_date: day() })
  await hospital.pass('inboundInvoice', sn)
  return sn
}
/** A document of each kind that takes at submit, over all that its source has. */
const atSubmit: Readonly<Record<string, () => Promise<object>>> = {
  dispatch: async () => ({ source_type: 104, source_sn: await requested() }),
  bonePlan: async () => ({ source_type: 106, source_sn: await surgery(), counterparty_sn: scene.d }),
  paymentApplication: async () => ({
    counterparty_sn: scene.d,
    lines: [{ source_sn: await invoiced(), source_line_no: 1 }],
  }),
  purchaseOrder: async () => ({ source_type: 111, source_sn: await planned(), counterparty_sn: scene.d }),
  enquiry: async () => ({
    source_type: 111,
    source_sn: await planned(),
    heading: '压力泵询价',
    deadline: new Date(Date.now() + 86_400_000).toISOString(),
    suppliers: [scene.d],
  }),
  purchasePlan: async () => ({ source_type: 104, source_sn: await requested() }),
}

test('every kind that takes its source at submit is tried here', () => {
  const kinds = documents().filter(({ sourcing }) => sourcing.sources?.some(({ countedAt }) => countedAt === 'submit'))
  expect(kinds.map(({ kind }) => kind).toSorted()).toEqual(Object.keys(atSubmit).toSorted())
})

// A request stands in one plan only, so of two plans the second is refused before it is submitted.
test.each(Object.keys(atSubmit).filter(kind => kind !== 'purchasePlan'))(
  '%s: of two drafts over one source the second is refused at submit with the first one’s number',
  async kind => {
    const { hospital, central, inflator } = scene
    await scene.shelve(hospital, central, [lotOf(inflator, `ST${++nth}`, { quantity: '20' })])
    const body = await atSubmit[kind]!()
    const [first, second] = [await hospital.add(kind, body), await hospital.add(kind, body)]
    await hospital.done(kind, 'submit', first)
    const title = documents().find(each => each.kind === kind)!.title
    expectMessage(await hospital.do(kind, 'submit', second), new RegExp(`，已有${title}${first}$`))
    await hospital.done(kind, 'unsubmit', first)
    await hospital.done(kind, 'submit', second)
  },
)

test('what a document of another kind has taken is named by that document', async () => {
  const { hospital } = scene
  const order = (await atSubmit.purchaseOrder!()) as { source_sn: string }
  const [first, second] = [
    await hospital.add('purchaseOrder', order),
    await hospital.add('enquiry', { ...(await atSubmit.enquiry!()), source_sn: order.source_sn }),
  ]
  await hospital.done('purchaseOrder', 'submit', first)
  expectMessage(await hospital.do('enquiry', 'submit', second), new RegExp(`，已有采购订单${first}$`))
})

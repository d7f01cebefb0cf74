import { afterAll, beforeAll, test } from 'vitest'
import { expectMessage, lotOf, openScene, type Scene } from '../../../tests/support/fixture.ts'

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

import { afterAll, beforeAll, expect, it } from 'vitest'
import { sourceTypes } from '#kernel/source-type.ts'
import { applyPrices } from '#modules/purchasing/price-adjustment.server.ts'
import { deliverWaiting } from '#server/engine/deliver.ts'
import { attempt, openScene, says, type Scene } from '../../tests/support/scene.ts'
import { day } from '../../tests/support/story.ts'

/** 调价单: the only way in which prices of a hospital's products change, from a day on, with a history. */
let scene: Scene
beforeAll(async () => {
  scene = await openScene()
}, 60_000)
afterAll(() => scene?.close())

const paper = (more: object = {}, line: object = {}) => ({
  adjust_type: 'purchase',
  adjust_reason: 'bargain',
  counterparty_sn: scene.d,
  effective_on: day(),
  lines: [{ specification_sn: scene.inflator, new_price: '130', ...line }],
  ...more,
})
const price = async () => {
  const sn = await scene.hospital.add('purchaseOrder', {
    counterparty_sn: scene.d,
    lines: [{ specification_sn: scene.inflator, quantity: '1' }],
  })
  return (await scene.hospital.info('purchaseOrder', sn)).lines[0].price
}
const product = async () => (await scene.hospital.list('hospitalProduct', { q: 'P009-01' }))[0]

it('says no in the words of its rules', async () => {
  const { hospital } = scene
  says(await attempt(hospital, 'priceAdjustment', paper({ effective_on: day(-1) })), '生效日期不能早于当前日期')
  says(await attempt(hospital, 'priceAdjustment', paper({}, { new_price: '0' })), '第1行：请填写新进价，且必须大于0')
  const foreign = await scene.one(
    'select s.id from specification s where not exists (select 1 from hospital_product h where h.org_id = $1 and h.specification_id = s.id) limit 1',
    scene.h,
  )
  says(await attempt(hospital, 'priceAdjustment', paper({}, { specification_sn: foreign.id })), /不在医院产品目录中$/)
  await scene.one("update organisation set nature = '公立' where id = $1 returning 1", scene.h)
  says(
    await attempt(hospital, 'priceAdjustment', paper({ adjust_type: 'both' }, { new_charge: '140' })),
    '第1行：公立医院耗材零差率销售',
  )
})

it('from its day on orders take the new price; those written before keep theirs', async () => {
  const { hospital } = scene
  expect(await price()).toBe('145.0000')
  const before = await hospital.add('purchaseOrder', {
    counterparty_sn: scene.d,
    lines: [{ specification_sn: scene.inflator, quantity: '2' }],
  })
  const sn = await hospital.add('priceAdjustment', paper())
  await hospital.done('priceAdjustment', 'submit', sn)
  expect((await hospital.info('priceAdjustment', sn)).lines[0]).toMatchObject({
    old_price: '145.0000',
    price_difference: '-15.0000',
    change_rate: '-0.1034',
  })
  says(await attempt(hospital, 'priceAdjustment', paper()), new RegExp(`^产品【.+】存在未审核的调价单（${sn}）$`))
  await hospital.done('priceAdjustment', 'review', sn)
  expect(await hospital.info('priceAdjustment', sn)).toMatchObject({
    apply_state: '2',
    fallen_count: 1,
    risen_count: 0,
  })
  expect(await price()).toBe('130.0000')
  expect((await product()).purchase_price).toBe('130.0000')
  expect((await hospital.info('purchaseOrder', before)).lines[0].price).toBe('145.0000')
  says(await hospital.do('priceAdjustment', 'cancel', sn, { reason: '试' }), '调价已生效，不能作废，请另做调价单')
})

it('of a later day changes nothing until the day has come, and may be taken back before', async () => {
  const { hospital } = scene
  const sn = await hospital.add('priceAdjustment', paper({ effective_on: day(5) }, { new_price: '120' }))
  await hospital.pass('priceAdjustment', sn)
  expect(await hospital.info('priceAdjustment', sn)).toMatchObject({ apply_state: '1' })
  expect(await price()).toBe('130.0000')
  await hospital.done('priceAdjustment', 'cancel', sn, { reason: '谈判未成' })
  expect(await hospital.list('priceHistory', { document_sn: sn })).toEqual([])
  const again = await hospital.add(
    'priceAdjustment',
    paper({ adjust_type: 'charge', effective_on: day(3) }, { new_charge: '128' }),
  )
  await hospital.pass('priceAdjustment', again)
  expect((await product()).charge_price).not.toBe('128.0000')
  await scene.one('update price_history set valid_from = $2 where document_sn = $1 returning 1', again, day())
  await applyPrices(scene.house.database.owner)
  expect((await product()).charge_price).toBe('128.0000')
})

it('every product keeps its history, which is no other house’s', async () => {
  const { hospital, inflator } = scene
  const rows = await hospital.list('priceHistory', { specification_sn: inflator })
  expect(rows).toMatchObject([
    { price_kind: 'charge', new_price: '128.0000' },
    {
      price_kind: 'purchase',
      old_price: '145.0000',
      new_price: '130.0000',
      change_rate: '-0.1034',
      adjust_reason: 'bargain',
    },
  ])
  expect((await scene.dealer.list('priceHistory')).length).toBe(0)
})

it('是否调整未执行订单: what is still to come takes the new price, the supplier reads it on his copy and is told', async () => {
  const { hospital, dealer } = scene
  const order = await hospital.add('purchaseOrder', {
    counterparty_sn: scene.d,
    lines: [{ specification_sn: scene.inflator, quantity: '10' }],
  })
  await hospital.pass('purchaseOrder', order)
  const partly = await hospital.add('purchaseGrn', {
    source_sn: order,
    source_type: sourceTypes.ORDER_PO,
    warehouse_model_inner_sn: scene.central,
    lines: [
      {
        source_sn: order,
        source_line_no: 1,
        specification_sn: scene.inflator,
        quantity: '4',
        lot_no: 'TJ1',
        production_date: day(-30),
        expiry_date: day(700),
      },
    ],
  })
  await hospital.pass('purchaseGrn', partly)
  const before = (await hospital.info('purchaseOrder', order)).lines[0].price
  // The supplier confirmed eight of the ten: his own order stands under the price of before.
  const so = (await dealer.from('salesOrder', order)).sn
  await dealer.done('salesOrder', 'edit', so, { lines: [{ line_no: 1, confirmed_quantity: '8' }] })
  await dealer.done('salesOrder', 'review', so)
  const sn = await hospital.add('priceAdjustment', paper({ rewrites_orders: true }, { new_price: '110' }))
  await hospital.pass('priceAdjustment', sn)
  expect(before).not.toBe('110.0000')
  expect(await hospital.info('purchaseOrder', order)).toMatchObject({
    taxed_amount: '1100.00',
    tax_amount: '126.55',
    lines: [{ price: '110.0000', taxed_amount: '1100.00' }],
  })
  expect((await hospital.info('purchaseGrn', partly)).lines[0].price).toBe(before)
  const { app, owner } = scene.house.database
  await deliverWaiting(app, owner)
  const [copy] = await dealer.list('purchaseOrder', { role: 'counterparty', sn: order })
  expect(copy.taxed_amount).toBe('1100.00')
  const told = await scene.one("select body, uri from message where org_id = $1 and title = '采购订单已调价'", scene.d)
  expect(told.body).toContain(`调价单${sn}调整未入库部分的单价：第1行110元`)
  expect(told.uri).toBe('salesOrder')
  // What he has still to ship he ships at the new price, and his order says since which paper.
  const theirs = await dealer.info('salesOrder', so)
  expect(theirs).toMatchObject({ taxed_amount: '880.00', lines: [{ price: '110.0000', quantity: '8.000' }] })
  expect(theirs.history.at(-1)).toMatchObject({ label: '采购订单已调价' })
})

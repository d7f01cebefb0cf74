import { subtract } from '#kernel/values/decimal.ts'
import { afterAll, beforeAll, expect } from 'vitest'
import { openScene, type Scene } from '#tests/support/fixture.ts'
import { uploadPicture } from '#tests/support/picture.ts'
import { story } from '#tests/support/steps.ts'
import { day } from '#tests/support/story.ts'

/** Goods at thirds of a yuan under every rate: worked out by hand, and at the end every place compared. */
let scene: Scene
beforeAll(async () => {
  scene = await openScene({ figures: true })
})
afterAll(() => scene?.close())

/** Three pieces for 100.00 under each rate, in one receipt. */
async function received(lot: string, rates: readonly number[]): Promise<string> {
  const { hospital, central, inflator, d } = scene
  const sn = await hospital.add('purchaseGrn', {
    counterparty_sn: d,
    warehouse_model_inner_sn: central,
    lines: rates.map(tax_rate => ({
      specification_sn: inflator,
      lot_no: `${lot}${tax_rate}`,
      production_date: day(-60),
      expiry_date: day(700),
      quantity: '3',
      price: '33.3333',
      tax_rate,
    })),
  })
  await hospital.pass('purchaseGrn', sn)
  return sn
}

const month = { begin_date: `${day().slice(0, 7)}-01`, end_date: day() }
const asked = async (kind: string, query: object) => {
  const reply = await scene.hospital.client.get(`/v1/report/${kind}`, { ...month, ...query } as never)
  expect(reply.code, reply.msg).toBe(0)
  return reply
}
const summed = async (kind: string, query: object = {}) => (await asked(kind, query)).summary as Record<string, string>
const rows = async (kind: string, query: object) => (await asked(kind, query)).list

let [many, free] = ['', '']
story('purchases at thirds', step => {
  step('3 × 33.3333 are 100.00 under each rate, of which 29.32 are tax', async () => {
    many = await received('SF', [1, 3, 6, 9, 13])
    free = await received('SM', [0])
    // 0.99 + 2.91 + 5.66 + 8.26 + 11.50 = 29.32 of 600.00.
    expect(await summed('receivedLines')).toMatchObject({
      amount: '600.00',
      tax_amount: '29.32',
      untaxed_amount: '570.68',
    })
  })

  step('one piece goes back at 33.33; of the three the last takes the cent that is left', async () => {
    const back = async () => {
      const source = { source_type: 9, source_sn: many, return_reason: '包装破损' }
      const lines = [{ source_line_no: 5, quantity: '1' }]
      await scene.hospital.pass('purchaseReturn', await scene.hospital.add('purchaseReturn', { ...source, lines }))
    }
    await back()
    // 600.00 − 33.33.
    expect((await summed('receivedLines')).amount).toBe('566.67')
    await back()
    await back()
    // 600.00 − 100.00.
    expect((await summed('receivedLines')).amount).toBe('500.00')
  })

  step('a receipt that is reversed takes its 100.00 back', async () => {
    await scene.hospital.done('purchaseGrn', 'redReverse', free, { reason: '错收' })
    expect((await summed('receivedLines')).amount).toBe('400.00')
  })

  step('a price that is corrected to 33.34 raises what is owed by 0.02, and is no purchase', async () => {
    const { hospital } = scene
    const before = (await summed('receivablePayableSummary')).closing_amount
    const correction = await hospital.add('stockCorrection', {
      source_sn: many,
      source_type: 9,
      change_type: 'price',
      change_reason: '录入有误',
      attachments: [await uploadPicture(hospital)],
      lines: [{ source_line_no: 4, quantity: '3', new_price: '33.34' }],
    })
    await hospital.done('stockCorrection', 'impact', correction)
    await hospital.done('stockCorrection', 'submit', correction)
    const other = await scene.colleague('hospital')
    await other.done('stockCorrection', 'review', correction, { quality_opinion: '核对实物标签无误' })
    // 400.00 owed before, 3 × 33.34 = 100.02 in place of 100.00.
    expect([before, (await summed('receivablePayableSummary')).closing_amount]).toEqual(['400.00', '400.02'])
    expect((await summed('receivedLines')).amount).toBe('400.00')
  })

  step('a stopped order counts what had come of it', async () => {
    const { hospital, central, inflator, d } = scene
    const order = await hospital.add('purchaseOrder', {
      counterparty_sn: d,
      warehouse_model_inner_sn: central,
      lines: [{ specification_sn: inflator, quantity: '3' }],
    })
    await hospital.pass('purchaseOrder', order)
    const [line] = (await hospital.info('purchaseOrder', order)).lines
    expect(await summed('supplierFigures')).toMatchObject({ order_amount: line.taxed_amount })
    await hospital.done('purchaseOrder', 'stop', order, { reason: '不再需要' })
    expect(await summed('supplierFigures')).toMatchObject({ order_amount: '0.00' })
    const { info } = await hospital.client.get('/v1/business/flow/purchase', { mine: '0', ...month })
    expect(info.figures.ordered_amount).toBe('0.00')
  })

  step('what the supplier refuses of a return is a purchase again, on the day that it is known', async () => {
    const { hospital, dealer, d, shop } = scene
    const before = await summed('supplierFigures', { supplier_sn: d })
    const source = { source_type: 9, source_sn: many, return_reason: '包装破损' }
    const sn = await hospital.add('purchaseReturn', { ...source, lines: [{ source_line_no: 2, quantity: '3' }] })
    await hospital.pass('purchaseReturn', sn)
    // 400.00 − 100.00, of which 2.91 are tax; 570.68 − 88.50 − 100.00 − 97.09.
    expect(await summed('receivedLines')).toMatchObject({ amount: '300.00', untaxed_amount: '285.09' })
    // Reviewed in the month before.
    await scene.server.database.owner`
      update document set reviewed_at = reviewed_at - interval '1 month' where org_id = ${scene.h} and sn = ${sn}`
    expect((await summed('receivedLines')).amount).toBe('400.00')
    const { sn: taken } = await dealer.from('saleReturn', sn)
    await dealer.done('saleReturn', 'edit', taken, {
      warehouse_model_inner_sn: shop,
      lines: [{ line_no: 1, quantity: '2', refused_quantity: '1', refuse_reason: '非我司产品' }],
    })
    for (const action of ['submit', 'inspect', 'review']) await dealer.done('saleReturn', action, taken)
    // One of three: 33.33, of which 33.33 ÷ 1.03 = 32.36 without tax (97.09 ÷ 3).
    const refused = { amount: '433.33', untaxed_amount: '414.54' }
    expect(await summed('receivedLines')).toMatchObject(refused)
    const [row] = await rows('receivedLines', { document_sn: sn })
    expect(row).toMatchObject({ quantity: '1.000', amount: '33.33', untaxed_amount: '32.36', tax_amount: '0.97' })
    expect(await summed('inboundFinance')).toMatchObject({ taxed_amount: '433.33' })
    expect(await summed('supplierSales')).toMatchObject({ amount: '433.33' })
    const after = await summed('supplierFigures', { supplier_sn: d })
    expect([before.purchased_amount, after.purchased_amount, after.returned_amount]).toEqual([
      '400.00',
      '433.33',
      subtract(before.returned_amount!, '33.33', 2),
    ])
    // The return itself, back where it belongs: 400.00 − 100.00 + 33.33.
    await scene.server.database.owner`
      update document set reviewed_at = reviewed_at + interval '1 month' where org_id = ${scene.h} and sn = ${sn}`
    expect((await summed('receivedLines')).amount).toBe('333.33')
  })
})

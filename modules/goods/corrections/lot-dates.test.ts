import { afterAll, beforeAll, expect, test } from 'vitest'
import { story } from '#tests/support/steps.ts'
import { uploadPicture } from '#tests/support/picture.ts'
import { attempt, expectMessage, lotOf, openScene, type Scene, shelf } from '#tests/support/fixture.ts'
import { day, type Person } from '#tests/support/story.ts'

/** A lot that two organisations keep with different dates: asked about, seen on one page, corrected or sent back. */
let scene: Scene
let keeper: Person
let works = ''
const [TYPED, RIGHT] = [day(300), day(700)]
beforeAll(async () => {
  scene = await openScene({ figures: true })
  keeper = await scene.person('keeper')
  works = await scene.store('V01', 'central')
  await scene.one(
    `update role set flags = flags || '{stockCorrection.quality}'::text[] where org_id = $1 and name = '库管员'
      returning 1`,
    scene.h,
  )
})
afterAll(() => scene?.close())

type Row = Readonly<Record<string, string>>
const page = async (who: Person, lot_no: string): Promise<readonly Row[]> =>
  (await who.client.get('/v1/report/lotDates', { lot_no })).list
const call = async (who: Person, name: string, rows: readonly Row[]) =>
  who.client.post(`/v1/report/lotDates/${name}`, { query: '', sns: JSON.stringify(rows.map(row => row.row_key)) })

/** The hospital has the lot with a mistyped expiry, and the dealer sends it with the right one. */
async function sent(lot: string, quantity = '4'): Promise<{ odo: string; grn: string; opening: string }> {
  const { hospital, dealer, central, shop, inflator, h } = scene
  const opening = await scene.shelve(hospital, central, [lotOf(inflator, lot, { quantity: '5', expiry_date: TYPED })])
  await scene.shelve(dealer, shop, [lotOf(inflator, lot, { quantity: '9', expiry_date: RIGHT })])
  const odo = await dealer.add('saleOdo', {
    counterparty_sn: h,
    warehouse_model_inner_sn: shop,
    lines: [{ specification_sn: inflator, lot_no: lot, quantity }],
  })
  await dealer.pass('saleOdo', odo)
  const receipt = await hospital.from('purchaseGrn', odo)
  await hospital.done('purchaseGrn', 'edit', receipt.sn, { warehouse_model_inner_sn: central })
  return { odo, grn: receipt.sn, opening }
}

story('the dates of a lot that its maker has otherwise', step => {
  step('are asked about with both dates and who has the other, and kept in the history once confirmed', async () => {
    const { vendor, hospital, dealer, d, central, inflator, shop } = scene
    const made = await vendor.add('otherGrn', {
      warehouse_model_inner_sn: works,
      grn_type: 'produce',
      release_no: 'FX1',
      lines: [lotOf(inflator, 'XH1', { quantity: '5' })],
    })
    await vendor.pass('otherGrn', made)
    const maker = (await vendor.info('otherGrn', made)).org_name ?? ''
    const line = lotOf(inflator, 'XH1', { quantity: '1', price: '10', expiry_date: TYPED })
    const doors = [
      [hospital, 'purchaseGrn', { counterparty_sn: d, warehouse_model_inner_sn: central }],
      [dealer, 'openingStock', { warehouse_model_inner_sn: shop }],
      [dealer, 'otherGrn', { warehouse_model_inner_sn: shop, grn_type: 'other' }],
    ] as const
    for (const [who, kind, header] of doors) {
      const { info } = await who.client.post(`/v1/business/${kind}/add`, { ...header, lines: [line] } as never)
      const body = { sn: info.sn, version: info.version }
      const reply = await who.client.post(`/v1/business/${kind}/submit`, body)
      expect(reply).toMatchObject({
        code: 2200,
        msg: expect.stringMatching(
          `批号XH1填写为有效期至${TYPED}，生产厂家【.*${maker}.*】于${day()}登记为有效期至${RIGHT}`,
        ),
      })
      const done = await who.client.post(`/v1/business/${kind}/submit`, { ...body, confirm: reply.info.token })
      expect(done.code).toBe(0)
      expect(JSON.stringify(await who.info(kind, info.sn))).toContain('批号XH1填写为')
    }
  })
})

story('a delivery of a lot that the receiver has with another expiry', step => {
  let came: Awaited<ReturnType<typeof sent>>
  let correction = ''

  step('is refused with both dates, who wrote ours and when, and where to go on', async () => {
    const { hospital } = scene
    came = await sent('XH2')
    expectMessage(
      await hospital.do('purchaseGrn', 'submit', came.grn),
      new RegExp(
        `^第1行：批号XH2的有效期至应为${TYPED}（.+于${day()}在期初库存${came.opening}中登记），本单为${RIGHT}，.*批号效期核对`,
      ),
    )
  })

  step('shows on one page both dates, with who wrote which in which document; of the sender what came', async () => {
    const { hospital, dealer, vendor } = scene
    const [row, ...more] = await page(hospital, 'XH2')
    expect(more).toEqual([])
    expect(row).toMatchObject({
      kept_expiry_date: TYPED,
      kept_sn: came.opening,
      kept_by: expect.stringMatching(/./),
      kept_at: expect.stringContaining('-'),
      origin: 'delivery',
      typed_expiry_date: RIGHT,
      document_sn: came.odo,
      typed_by: null,
      quantity: '4.000',
    })
    // No other organisation sees the row: the dealer's own dates do not differ.
    expect(await page(dealer, 'XH2')).toEqual([])
    expect(await page(vendor, 'XH2')).toEqual([])
    expect((await call(vendor, 'correct', [row!])).code).not.toBe(0)
  })

  step('is received once our date is corrected, proved and reviewed by somebody else', async () => {
    const { hospital, central, inflator } = scene
    const rows = await page(hospital, 'XH2')
    const reply = await call(hospital, 'correct', rows)
    expect(reply.info?.made, reply.msg).toMatchObject({ kind: 'stockCorrection' })
    correction = reply.info.made.sn
    expectMessage(await call(hospital, 'correct', rows), `批号XH2已有进销存变更单${correction}，请在该单上继续`)
    expect(await hospital.info('stockCorrection', correction)).toMatchObject({
      source_sn: came.opening,
      change_type: 'lot',
      change_reason: expect.stringMatching(
        `销售出库单${came.odo}中批号XH2为有效期至${RIGHT}，本单位登记为有效期至${TYPED}`,
      ),
      lines: [{ lot_no: 'XH2', expiry_date: TYPED, new_expiry_date: RIGHT, new_production_date: null }],
    })
    // A part was moved on meanwhile: the dates are those of the whole lot.
    const proof = await uploadPicture(hospital)
    await hospital.done('stockCorrection', 'edit', correction, { attachments: [proof] })
    await hospital.done('stockCorrection', 'impact', correction)
    await hospital.done('stockCorrection', 'submit', correction)
    expectMessage(
      await hospital.do('stockCorrection', 'review', correction, { quality_opinion: '标签' }),
      '不能审核本人提交的单据',
    )
    await keeper.done('stockCorrection', 'review', correction, { quality_opinion: '核对实物标签无误' })
    const [stock] = await hospital.list('stockBalance', { lot_no: 'XH2', warehouse_model_inner_sn: central })
    expect(stock).toMatchObject({ expiry_date: RIGHT, quantity: '5.000' })
    expect(await page(hospital, 'XH2')).toEqual([])
    await hospital.pass('purchaseGrn', came.grn)
    expect(await shelf(hospital, central, inflator)).toMatchObject({ XH2: '9.000' })
  })

  step('names from then on whoever corrected it', async () => {
    const { hospital, d, central, inflator } = scene
    const again = { counterparty_sn: d, warehouse_model_inner_sn: central }
    const line = lotOf(inflator, 'XH2', { quantity: '1', price: '10', expiry_date: TYPED })
    expectMessage(
      await attempt(hospital, 'purchaseGrn', { ...again, lines: [line] }),
      new RegExp(`应为${RIGHT}（.+在进销存变更单${correction}中登记）`),
    )
    expect((await page(hospital, 'XH2')).map(({ origin }) => origin)).toEqual(['own'])
    expectMessage(await call(hospital, 'sendBack', await page(hospital, 'XH2')), /是本单位的单据，没有可退回的来货/)
  })
})

test('a lot whose pieces were all used is corrected as well: the delivery comes in, the use keeps its date', async () => {
  const { hospital, dealer, ward, shop, stent, h } = scene
  await scene.shelve(hospital, ward, [lotOf(stent, 'XH5', { unit_codes: ['XH5-1'], expiry_date: TYPED })])
  const use = await hospital.add('surgeryUse', {
    warehouse_model_inner_sn: ward,
    department_inner_sn: scene.department,
    doctor_inner_sn: scene.surgeon,
    surgery_name: '冠状动脉支架置入术',
    implant_site: '左前降支',
    patient_no: 'XH5',
    patient_name: '甲',
    admission_no: 'ZY5',
    lines: [{ unit_codes: ['XH5-1'] }],
  })
  await hospital.pass('surgeryUse', use)
  await scene.shelve(dealer, shop, [lotOf(stent, 'XH5', { unit_codes: ['XH5-2'], expiry_date: RIGHT })])
  const odo = await dealer.add('saleOdo', {
    counterparty_sn: h,
    warehouse_model_inner_sn: shop,
    regime: 'consigned',
    lines: [{ unit_codes: ['XH5-2'] }],
  })
  await dealer.pass('saleOdo', odo)
  const reply = await call(hospital, 'correct', await page(hospital, 'XH5'))
  expect(reply.info?.made, reply.msg).toMatchObject({ kind: 'stockCorrection' })
  const { sn } = reply.info.made
  const proof = await uploadPicture(hospital)
  await hospital.done('stockCorrection', 'edit', sn, { attachments: [proof] })
  await hospital.done('stockCorrection', 'impact', sn)
  await hospital.done('stockCorrection', 'submit', sn)
  await keeper.done('stockCorrection', 'review', sn, { quality_opinion: '核对实物标签无误' })
  expect(await page(hospital, 'XH5')).toEqual([])
  expect((await hospital.info('surgeryUse', use)).lines).toMatchObject([{ expiry_date: TYPED }])
  expect((await hospital.trace('XH5-1')).info.lot).toMatchObject({ expiry_date: RIGHT })
  const receipt = await hospital.from('purchaseGrn', odo)
  await hospital.done('purchaseGrn', 'edit', receipt.sn, { warehouse_model_inner_sn: scene.central })
  await hospital.pass('purchaseGrn', receipt.sn)
  expect(await shelf(hospital, scene.central, stent)).toMatchObject({ XH5: '1.000' })
})

test('a delivery with another expiry goes back with that reason, and the sender takes his goods home', async () => {
  const { hospital, dealer, shop, inflator } = scene
  const { odo, grn } = await sent('XH3')
  const before = await shelf(dealer, shop, inflator)
  const reply = await call(hospital, 'sendBack', await page(hospital, 'XH3'))
  expect(reply.info?.made, reply.msg).toMatchObject({ kind: 'arrivalOrder' })
  const reason = `批号XH3为有效期至${RIGHT}，与本单位登记的有效期至${TYPED}不符`
  expect((await hospital.info('purchaseGrn', grn)).lines).toMatchObject([{ quantity: '0.000', reject_reason: reason }])
  const { sn } = reply.info.made
  expect((await hospital.info('arrivalOrder', sn)).lines).toMatchObject([
    { quantity: '0.000', refused_quantity: '4.000', refuse_reason: reason },
  ])
  const colleague = await scene.colleague('hospital')
  await hospital.done('arrivalOrder', 'submit', sn)
  await colleague.done('arrivalOrder', 'review', sn)
  expect(await page(hospital, 'XH3')).toEqual([])
  const back = await dealer.from('saleReturn', odo)
  expect(JSON.stringify(await dealer.info('saleOdo', odo))).toContain(reason)
  await dealer.done('saleReturn', 'submit', back.sn)
  const { lines } = await dealer.info('saleReturn', back.sn)
  expect(lines).toMatchObject([{ lot_no: 'XH3', quantity: '4.000' }])
  expect(before.XH3).toBe('5.000')
})

test('a lot whose only receipt was taken back is typed anew', async () => {
  const { hospital, central, inflator } = scene
  const body = { warehouse_model_inner_sn: central }
  const sn = await hospital.add('openingStock', { ...body, lines: [lotOf(inflator, 'XH4', { quantity: '1' })] })
  await hospital.pass('openingStock', sn)
  await hospital.done('openingStock', 'unreview', sn)
  await hospital.done('openingStock', 'unsubmit', sn)
  await hospital.done('openingStock', 'edit', sn, { lines: [{ line_no: 1, expiry_date: TYPED }] })
  await hospital.pass('openingStock', sn)
  const [stock] = await hospital.list('stockBalance', { lot_no: 'XH4', warehouse_model_inner_sn: central })
  expect(stock).toMatchObject({ expiry_date: TYPED })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deliverRecalls } from '#modules/goods/quality/recall-delivery.server.ts'
import { attempt, expectMessage, lotOf, openScene, type Scene, shelf } from '#tests/support/fixture.ts'
import { uploadPicture } from '#tests/support/picture.ts'
import { story } from '#tests/support/steps.ts'
import { day } from '#tests/support/story.ts'

/** GS1 distinguishes lots by case; lots of older programs, which stored capitals, are found in either case. */
let scene: Scene
let di = ''
beforeAll(async () => {
  scene = await openScene()
  di = (await scene.one('select udi_di from specification where id = $1', scene.inflator)).udi_di
})
afterAll(() => scene?.close())

const label = (lot: string, more = '') => `(01)${di}(10)${lot}${more}`
const scanned = async (code: string) => (await scene.hospital.client.post('/v1/code/parse', { code })).info
const issue = (lot_no: string, quantity: string) => ({
  warehouse_model_inner_sn: scene.central,
  to_warehouse_model_inner_sn: scene.ward,
  department_inner_sn: scene.department,
  lines: [{ specification_sn: scene.inflator, lot_no, quantity }],
})
const onHand = () => shelf(scene.hospital, scene.central, scene.inflator)
const receipt = (lot: string, more: object = {}) => ({
  counterparty_sn: scene.d,
  warehouse_model_inner_sn: scene.central,
  lines: [lotOf(scene.inflator, lot, { quantity: '4', price: '145', ...more })],
})

story('two lots that differ in case alone', step => {
  step('are received, counted and found apart', async () => {
    const { hospital } = scene
    for (const lot of ['ca12', 'CA12'])
      await hospital.pass('purchaseGrn', await hospital.add('purchaseGrn', receipt(lot)))
    expect(await onHand()).toMatchObject({ ca12: '4.000', CA12: '4.000' })
    for (const lot of ['ca12', 'CA12']) {
      const [receiptOfLot, ...others] = await hospital.list('purchaseGrn', { lot_no: lot })
      expect(others).toEqual([])
      expect((await hospital.info('purchaseGrn', receiptOfLot.sn)).lines[0].lot_no).toBe(lot)
    }
  })

  step('are scanned apart, in the counter, in stock and in the trace', async () => {
    const { hospital } = scene
    for (const lot of ['ca12', 'CA12']) {
      expect(await scanned(label(lot))).toMatchObject({ lot: { lot_no: lot }, lot_nos: [lot] })
      const rows = await hospital.list('stockBalance', { q: label(lot) })
      expect(rows.map(row => row.lot_no)).toEqual([lot])
      expect((await hospital.trace(label(lot))).info.lot.lot_no).toBe(lot)
      expect((await hospital.trace(lot)).info.lot.lot_no).toBe(lot)
    }
    expect((await scanned(label('Ca12'))).lot).toBeNull()
    expect((await hospital.trace(label('Ca12'))).code).not.toBe(0)
  })

  step('are issued apart, though a search for either shows both', async () => {
    const { hospital } = scene
    await hospital.pass('grantOdo', await hospital.add('grantOdo', issue('ca12', '3')))
    expect(await onHand()).toMatchObject({ ca12: '1.000', CA12: '4.000' })
    expectMessage(await attempt(hospital, 'grantOdo', issue('Ca12', '1')), /批号Ca12/)
    const rows = await hospital.list('stockBalance', { q: 'ca12', warehouse_model_inner_sn: scene.central })
    expect(rows.map(row => row.lot_no).sort()).toEqual(['CA12', 'ca12'])
  })

  step('are stopped apart', async () => {
    const { hospital, inflator } = scene
    const reply = await hospital.client.post('/v1/business/stopSale/byLot', {
      specification_sn: inflator,
      lot_no: 'CA12',
      stop_reason: 'quality',
    })
    expect(reply.code).toBe(0)
    const stop = await hospital.info('stopSale', reply.info.sn)
    expect(stop.lines.map((line: { lot_no: string }) => line.lot_no)).toEqual(['CA12'])
  })

  step('a report of one shows nothing of the other', async () => {
    const { list } = await scene.hospital.client.get('/v1/report/stockFlow', {
      begin_date: day(-1),
      end_date: day(1),
      lot_no: 'CA12',
    })
    expect(new Set(list.map((row: { lot_no: string }) => row.lot_no))).toEqual(new Set(['CA12']))
  })
})

describe('a recall', () => {
  it('holds the lot that it names, and no other case of it', async () => {
    const { dealer, hospital, shop, inflator, h } = scene
    for (const lot_no of ['Cr7', 'CR7']) {
      await scene.shelve(dealer, shop, [lotOf(inflator, lot_no, { quantity: '5' })])
      const sale = { counterparty_sn: h, warehouse_model_inner_sn: shop }
      const odo = await dealer.add('saleOdo', {
        ...sale,
        lines: [{ specification_sn: inflator, lot_no, quantity: '2' }],
      })
      await dealer.pass('saleOdo', odo)
    }
    const sn = await dealer.add('recall', {
      heading: '召回',
      recall_level: 'first',
      recall_reason: '渗漏',
      due_date: day(3),
      attachments: [await uploadPicture(dealer)],
      lines: [{ specification_sn: inflator, lot_no: 'Cr7', requirement: '退回' }],
    })
    await dealer.pass('recall', sn)
    await dealer.done('recall', 'publish', sn)
    await deliverRecalls(scene.server.database.app, scene.server.database.owner)
    expectMessage(await attempt(hospital, 'purchaseGrn', receipt('Cr7')), '批号Cr7已召回，不能入库')
    expect(await attempt(hospital, 'purchaseGrn', receipt('CR7'))).toMatchObject({ code: 0 })
    const draft = await hospital.client.post('/v1/business/purchaseGrn/add', receipt('cR7'))
    const asked = await hospital.client.post('/v1/business/purchaseGrn/submit', { ...draft.info })
    expect(asked.code).toBe(2200)
    expect(asked.info.questions[0].msg).toMatch(/^第1行：批号cR7与已有批号C[rR]7仅大小写不同/)
  })
})

describe('a new lot beside one that looks the same', () => {
  it('is confirmed by whoever writes it, once', async () => {
    const { dealer, shop, inflator } = scene
    await scene.shelve(dealer, shop, [lotOf(inflator, 'CN1a', { quantity: '5' })])
    const body = { warehouse_model_inner_sn: shop, lines: [lotOf(inflator, 'cn1A', { quantity: '1' })] }
    const draft = (await dealer.client.post('/v1/business/openingStock/add', body)).info
    const asked = await dealer.client.post('/v1/business/openingStock/submit', draft)
    expect(asked.code).toBe(2200)
    expect(asked.info.questions.map((question: { msg: string }) => question.msg)).toEqual([
      '第1行：批号cn1A与已有批号CN1a仅大小写不同，请核对实物标签，确认是另一批号吗？',
    ])
    await dealer.done('openingStock', 'submit', draft.sn)
    await dealer.done('openingStock', 'review', draft.sn)
    expect(await shelf(dealer, shop, inflator)).toMatchObject({ CN1a: '5.000', cn1A: '1.000' })
    const again = (await dealer.client.post('/v1/business/openingStock/add', body)).info
    expect(await dealer.client.post('/v1/business/openingStock/submit', again)).toMatchObject({ code: 0 })
  })
})

/** A lot as an older program writes it: in capitals. */
const asBefore = (lot_no: string) =>
  scene.one('insert into lot (specification_id, lot_no) values ($1, $2) returning id, folded', scene.inflator, lot_no)

describe('a lot from before, kept in capitals', () => {
  it('is meant by its label in small letters: received, found, issued, stopped and traced', async () => {
    const { hospital, inflator } = scene
    expect(await asBefore('CF5X')).toMatchObject({ folded: true })
    await hospital.pass('purchaseGrn', await hospital.add('purchaseGrn', receipt('cf5x')))
    expect(await onHand()).toMatchObject({ CF5X: '4.000' })
    expect(await onHand()).not.toHaveProperty('cf5x')
    expect(await scanned(label('cf5x'))).toMatchObject({ lot: { lot_no: 'CF5X' }, lot_nos: ['CF5X'] })
    // The second symbol of a label names no goods.
    expect((await scanned('(17)301231(10)cf5x')).lot_nos).toEqual(['cf5x', 'CF5X'])
    expect((await hospital.list('stockBalance', { q: label('cf5x') })).map(row => row.lot_no)).toEqual(['CF5X'])
    expect(await hospital.list('purchaseGrn', { lot_no: 'cf5x' })).toHaveLength(1)
    expect((await hospital.trace('cf5x')).info.lot.lot_no).toBe('CF5X')
    expect((await hospital.trace(label('Cf5x'))).info.lot.lot_no).toBe('CF5X')
    await hospital.pass('grantOdo', await hospital.add('grantOdo', issue('cf5x', '1')))
    expect(await onHand()).toMatchObject({ CF5X: '3.000' })
    const stop = { specification_sn: inflator, lot_no: 'cf5x', stop_reason: 'quality' }
    const { info } = await hospital.client.post('/v1/business/stopSale/byLot', stop)
    expect((await hospital.info('stopSale', info.sn)).lines[0].lot_no).toBe('CF5X')
    const { list } = await hospital.client.get('/v1/report/stockFlow', {
      begin_date: day(-1),
      end_date: day(1),
      lot_no: 'cf5x',
    })
    expect(new Set(list.map((row: { lot_no: string }) => row.lot_no))).toEqual(new Set(['CF5X']))
  })

  it('stands back where a lot is written exactly so', async () => {
    await asBefore('CF6X')
    await scene.one(
      "insert into lot (specification_id, lot_no, folded) values ($1, 'cf6x', false) returning id",
      scene.inflator,
    )
    await scene.hospital.pass('purchaseGrn', await scene.hospital.add('purchaseGrn', receipt('cf6x')))
    expect(await onHand()).toMatchObject({ cf6x: '4.000' })
    expect(await onHand()).not.toHaveProperty('CF6X')
  })

  it('agrees with the label of a piece in small letters', async () => {
    const { hospital, stent, d, central } = scene
    const { udi_di } = await scene.one('select udi_di from specification where id = $1', stent)
    await scene.one("insert into lot (specification_id, lot_no) values ($1, 'CF7X') returning id", stent)
    const line = lotOf(stent, 'CF7X', { unit_codes: [`(01)${udi_di}(10)cf7x(21)CF7-1`], price: '1' })
    const body = { counterparty_sn: d, warehouse_model_inner_sn: central, lines: [line] }
    expect(await attempt(hospital, 'purchaseGrn', body)).toMatchObject({ code: 0 })
  })
})

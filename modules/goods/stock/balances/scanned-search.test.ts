import { afterAll, beforeAll, expect, it } from 'vitest'
import { gtinCheckDigit } from '#kernel/codes/check-digit.ts'
import { lotOf, openScene, type Scene } from '#tests/support/fixture.ts'

/** Texts that are scanned or typed into a search, and texts that look like another kind of code. */
let scene: Scene
let di = ''
beforeAll(async () => {
  scene = await openScene()
  di = (await scene.one('select udi_di from specification where id = $1', scene.inflator)).udi_di
})
afterAll(() => scene?.close())

const scanned = async (code: string) => (await scene.hospital.client.post('/v1/code/parse', { code })).info
const searched = async (kind: string, q: string) =>
  (await scene.hospital.list(kind, { q })).map(row => row.lot_no as string)
const shelve = (lot: string) =>
  scene.shelve(scene.hospital, scene.central, [lotOf(scene.inflator, lot, { quantity: '3' })])

it.each([8, 12, 13, 14])('a lot of %i digits that could be an item number is found', async length => {
  const body = '77'.padEnd(length - 1, '3')
  const lot = body + (gtinCheckDigit(body) ?? '')
  await shelve(lot)
  expect(await searched('stockBalance', lot)).toEqual([lot])
  expect(await searched('stockLocator', lot)).toEqual([lot])
  expect(await scanned(lot)).toMatchObject({
    lot: { lot_no: lot },
    specification: { specification_sn: scene.inflator },
  })
  expect((await scene.hospital.trace(lot)).info.lot.lot_no).toBe(lot)
})

it('a lot with the number of other goods is found beside those goods', async () => {
  await shelve(di)
  const found = await searched('stockBalance', di)
  expect(found).toContain(di)
  const traced = await scene.hospital.trace(di)
  const lots = traced.info.candidates?.map((each: { lot_no: string }) => each.lot_no) ?? [traced.info.lot.lot_no]
  expect(lots).toContain(di)
})

it('a lot that looks like a whole label of other goods is found', async () => {
  const body = '0699999900001'
  const lot = `01${body}${gtinCheckDigit(body) ?? ''}`
  await shelve(lot)
  expect(await searched('stockBalance', lot)).toEqual([lot])
  expect(await searched('stockLocator', lot)).toEqual([lot])
  const unknown = `01${body}${gtinCheckDigit(body) ?? ''}10NOLOT`
  expect((await scene.hospital.client.get(`/v1/business/stockBalance/list?q=${unknown}`)).msg).toContain('未识别的条码')
})

it('the code of an outer box finds its goods', async () => {
  const body = '1699999900002'
  const box = body + (gtinCheckDigit(body) ?? '')
  await scene.one(
    `insert into pack_unit (specification_id, name, measure, base_measure, udi_di) values ($1, '试验箱', 7, 7, $2)
     returning id`,
    scene.inflator,
    box,
  )
  await shelve('BOX1')
  expect(await searched('stockBalance', box)).toContain('BOX1')
  expect(await searched('stockBalance', `01${box}10BOX1`)).toEqual(['BOX1'])
})

it('a string without separators is read by the lots that there are, and asked about without', async () => {
  const code = `01${di}1728123121Q00000110SEP77`
  expect((await scanned(code)).parsed.candidates).toHaveLength(2)
  await shelve('SEP77')
  expect((await scanned(code)).parsed).toMatchObject({ serial: 'Q000001', lot: 'SEP77', repaired: true })
  expect(await searched('stockBalance', code)).toEqual(['SEP77'])
})

it('a code with several readings is not kept as a piece of its own', async () => {
  const code = `01${di}1728123121Z00000110UNK88`
  const reply = await scene.hospital.client.post('/v1/business/purchaseGrn/add', {
    counterparty_sn: scene.d,
    warehouse_model_inner_sn: scene.central,
    lines: [lotOf(scene.inflator, 'UNK88', { unit_codes: [code], quantity: '1', price: '145' })],
  })
  expect(reply.code).not.toBe(0)
  expect(JSON.stringify(reply)).toContain('缺少分隔符，有多种拆分方式')
})

it('Caps Lock is undone by the lots that there are', async () => {
  await shelve('CAPS1x')
  expect((await scanned(`01${di}10caps1X`)).parsed).toMatchObject({
    lot: 'CAPS1x',
    warnings: [expect.stringContaining('大写锁定')],
  })
  expect((await scanned(`01${di}10CAPS1x`)).parsed).toMatchObject({ lot: 'CAPS1x', warnings: [] })
})

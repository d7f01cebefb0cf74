import { toBuffer } from 'bwip-js/node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectMessage, lotOf, openScene, type Scene } from '#tests/support/fixture.ts'
import { uploadFile, uploadPicture } from '#tests/support/picture.ts'

/** 识别第一票: the number of the maker's invoice is read from its picture on the receipt. */
let scene: Scene
const picture = async (number: string): Promise<string> => {
  const text = `01,31,,${number},1130.00,20261120,,A1B2`
  const code = await toBuffer({ bcid: 'qrcode', text, scale: 4, padding: 20, backgroundcolor: 'ffffff' })
  return uploadFile(scene.hospital, 'first.png', code)
}
async function receipt(): Promise<string> {
  const { dealer, hospital, shop, inflator, h } = scene
  const lines = [{ specification_sn: inflator, lot_no: 'FI1', quantity: '2' }]
  const sn = await dealer.add('saleOdo', { counterparty_sn: h, warehouse_model_inner_sn: shop, lines })
  await dealer.pass('saleOdo', sn)
  return (await hospital.from('purchaseGrn', sn)).sn
}
async function edit(sn: string, line: object, header: object = {}): Promise<void> {
  const doc = await scene.hospital.info('purchaseGrn', sn)
  const kept = ['line_no', 'specification_sn', 'lot_no', 'quantity', 'source_sn', 'source_org_sn', 'source_line_no']
  const lines = doc.lines.map((each: Record<string, unknown>) => ({
    ...Object.fromEntries([...kept, 'upstream_invoice_no', 'upstream_invoice_files'].map(name => [name, each[name]])),
    ...line,
  }))
  const reply = await scene.hospital.client.post('/v1/business/purchaseGrn/edit', {
    sn,
    version: doc.version,
    ...header,
    lines,
  })
  expect(reply.msg).toBe('')
}
const read = (sn: string) => scene.hospital.do('purchaseGrn', 'readFirstInvoices', sn)

beforeAll(async () => {
  scene = await openScene()
  await scene.shelve(scene.dealer, scene.shop, [lotOf(scene.inflator, 'FI1', { quantity: '50' })])
})
afterAll(() => scene?.close())

test('the number comes from the picture of its line, or of the document; what somebody wrote stays', async () => {
  const sn = await receipt()
  expectMessage(await read(sn), '请先上传第一票图片，已填写号码的不再识别')
  await edit(sn, { upstream_invoice_files: [await uploadPicture(scene.hospital)] })
  expectMessage(await read(sn), '图片中没有识别到发票号码，请手工填写')
  await edit(sn, { upstream_invoice_files: [await picture('26312000000000900001')] })
  expect((await read(sn)).msg).toBe('')
  const doc = await scene.hospital.info('purchaseGrn', sn)
  expect(doc.lines[0].upstream_invoice_no).toBe('26312000000000900001')
  await edit(sn, { upstream_invoice_files: [await picture('26312000000000900002')] })
  await edit(sn, {}, { attachments: [await picture('26312000000000900003')] })
  expect((await read(sn)).msg).toBe('')
  const whole = await scene.hospital.info('purchaseGrn', sn)
  expect(whole).toMatchObject({ first_invoice_no: '26312000000000900003' })
  expect(whole.lines[0].upstream_invoice_no).toBe('26312000000000900001')
})

import { toBuffer } from 'bwip-js/node'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { readCode, readText, taxedPrice } from '#modules/checks/read-invoice.ts'
import type invoiceFile from '#modules/checks/invoice-file.server.ts'
import { readFile } from '#server/file-workers/pool.ts'
import { fileReader } from '#server/file-workers/reader.ts'
import { tester } from '../../tests/support/sheets.ts'
import { ofdOf, pdfOf, qrOf, type Sheet, xmlOf } from '../../deploy/einvoice/sheet.ts'

/** What an invoice says is read from its QR code, its text, its data: of a PDF, an OFD, an XML and a photo. */
const sheet: Sheet = {
  title: '电子发票（增值税专用发票）',
  number: '26312000000123456789',
  day: '2026-11-20',
  seller: '上海康达医疗器械有限公司',
  sellerTaxNo: '91310000MA1FL00012',
  buyer: '演示市人民医院',
  buyerTaxNo: '12310000MA1FL00009',
  lines: [
    {
      name: '*医疗仪器器械*一次性使用球囊充压装置',
      specification: 'BC-30',
      unit: '套',
      quantity: '10',
      price: '100',
      amount: '1000.00',
      rate: '13%',
      tax: '130.00',
    },
    {
      name: '*医疗仪器器械*导丝',
      specification: '0.035 150cm',
      unit: '根',
      quantity: '3',
      price: '113.27433628318584',
      amount: '339.82',
      rate: '13%',
      tax: '44.18',
    },
  ],
  untaxed: '1339.82',
  tax: '174.18',
  total: '1514.00',
  remark: '',
  drawer: '王会计',
  mark: '',
  isSpecial: true,
}
const reader = fileReader<typeof invoiceFile>(new URL('./invoice-file.server.ts', import.meta.url))
const said = (bytes: Uint8Array) => readFile(reader, Buffer.from(bytes), undefined, tester)
const read = async (bytes: Uint8Array) => (await said(bytes)).read

test('the code of a 数电发票 says its total with tax, that of an older one the amount without and its check code', () => {
  expect(readCode('01,31,,26312000000123456789,1514.00,20261120,,A1B2')).toMatchObject({
    invoice_type: 'e_special',
    invoice_code: null,
    invoice_no: '26312000000123456789',
    taxed_amount: '1514.00',
    untaxed_amount: null,
    invoice_date: '2026-11-20',
  })
  expect(readCode('01,10,033001900104,12345678,100.5,20190101,12345678901234567890,ABCD')).toMatchObject({
    invoice_type: 'normal',
    invoice_code: '033001900104',
    invoice_no: '12345678',
    untaxed_amount: '100.50',
    taxed_amount: null,
    check_code: '12345678901234567890',
  })
})

test('a code that is none of an invoice, or says nonsense, is none', () => {
  for (const text of [
    '',
    'https://example.cn',
    '01,31,,123,1.00,20261120,,A',
    '02,31,,26312000000123456789,1,20261120',
  ])
    expect(readCode(text)).toBeNull()
  expect(readCode('01,32,,26312000000123456789,x,20261399,,A')).toMatchObject({
    taxed_amount: null,
    invoice_date: null,
  })
})

test('a PDF gives code, parties and lines', { timeout: 30_000 }, async () => {
  const found = await read(pdfOf(sheet))
  expect(found).toMatchObject({
    invoice_type: 'e_special',
    invoice_no: sheet.number,
    invoice_date: '2026-11-20',
    taxed_amount: '1514.00',
    untaxed_amount: '1339.82',
    buyer_name: sheet.buyer,
    buyer_tax_no: sheet.buyerTaxNo,
    seller_name: sheet.seller,
    seller_tax_no: sheet.sellerTaxNo,
  })
  expect(found!.lines).toMatchObject([
    {
      item_name: '一次性使用球囊充压装置',
      quantity: '10',
      untaxed_amount: '1000.00',
      tax_rate: 13,
      tax_amount: '130.00',
    },
    { item_name: '导丝', quantity: '3', price: '113.27433628', untaxed_amount: '339.82', tax_amount: '44.18' },
  ])
  expect(taxedPrice(found!.lines[1]!)).toBe('128.0000')
})

test('an OFD and an XML give the same by their data', { timeout: 30_000 }, async () => {
  for (const bytes of [ofdOf(sheet), xmlOf(sheet)]) {
    const found = await read(bytes)
    expect(found).toMatchObject({ invoice_no: sheet.number, taxed_amount: '1514.00', seller_tax_no: sheet.sellerTaxNo })
    expect(found!.lines.map(line => [line.item_model, line.unit_name, line.quantity])).toEqual([
      ['BC-30', '套', '10'],
      ['0.035 150cm', '根', '3'],
    ])
  }
})

test('a photo of the sheet, turned and on grey, gives what its code says', { timeout: 30_000 }, async () => {
  const code = await toBuffer({ bcid: 'qrcode', text: qrOf(sheet), scale: 4, padding: 20, backgroundcolor: 'ffffff' })
  const photo = await sharp(code).rotate(8, { background: '#888' }).jpeg({ quality: 70 }).toBuffer()
  expect(await read(photo)).toMatchObject({ invoice_no: sheet.number, taxed_amount: '1514.00', lines: [] })
})

test('what is no invoice says nothing, and a broken file neither', async () => {
  const empty = await sharp({ create: { width: 40, height: 40, channels: 3, background: '#fff' } })
    .png()
    .toBuffer()
  expect(await read(empty)).toBeNull()
  await expect(said(Buffer.from('%PDF-1.4 broken'))).rejects.toThrow('文件无法识别或已损坏，请核对后重新上传')
  expect(await said(Buffer.from('x'))).toEqual({ read: null, other: '文本文件' })
}, 30_000)

test('a sheet whose words stand apart is read as far as they go', () => {
  const found = readText(
    '电子发票（普通发票） 发票号码： 25322000000563714767\n开票日期： 2025年11月27日\n合 计 ¥113.88 ¥14.80',
  )
  expect(found).toMatchObject({
    invoice_type: 'e_normal',
    invoice_no: '25322000000563714767',
    invoice_date: '2025-11-27',
    untaxed_amount: '113.88',
    lines: [],
  })
})

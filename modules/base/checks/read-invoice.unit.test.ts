import { toBuffer } from 'bwip-js/node'
import { strToU8, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import {
  numbersOf,
  readCode,
  readInvoice,
  readText,
  taxedPrice,
  typeOfCode,
} from '#modules/base/checks/read-invoice.ts'
import { readFile } from '#server/file-workers/pool.ts'
import { fileReader } from '#server/file-workers/reader.ts'
import { tester } from '#tests/support/sheets.ts'
import { ofdOf, pdfOf, qrOf, type Sheet, xmlOf } from '../../../deploy/einvoice/sheet.ts'
import sharp from 'sharp'
import type invoiceFile from '#modules/base/checks/invoice-file.server.ts'

/** Invoices are read from their QR code, text or data: in a PDF, an OFD, an XML and a photo. */
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

test('a PDF gives code, parties and lines', async () => {
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

test('an OFD and an XML give the same by their data', async () => {
  for (const bytes of [ofdOf(sheet), xmlOf(sheet)]) {
    const found = await read(bytes)
    expect(found).toMatchObject({ invoice_no: sheet.number, taxed_amount: '1514.00', seller_tax_no: sheet.sellerTaxNo })
    expect(found!.lines.map(line => [line.item_model, line.unit_name, line.quantity])).toEqual([
      ['BC-30', '套', '10'],
      ['0.035 150cm', '根', '3'],
    ])
  }
})

test('a photo of the sheet, turned and on grey, gives what its code says', async () => {
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
})

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

test.each([
  ['buyer first', '购买方 名称:甲院 统一社会信用代码/纳税人识别号:12310000MA1FL00009 销售方 名称:乙公司'],
  ['seller first', '销售方 名称:乙公司 购买方 名称:甲院 统一社会信用代码/纳税人识别号:12310000MA1FL00009'],
  ['both labels, then both names', '购买方信息 销售方信息 名称:甲院 名称:乙公司 纳税人识别号:12310000MA1FL00009'],
  ['labels in columns', '购\n买\n方\n信\n息\n名称：甲院 纳税人识别号：12310000MA1FL00009\n销\n售\n方\n名称：乙公司'],
])('parties are told by their labels: %s', (_order, text) => {
  expect(readText(`发票号码:26312000000123456789 ${text}`)).toMatchObject({
    buyer_name: '甲院',
    buyer_tax_no: '12310000MA1FL00009',
    seller_name: '乙公司',
    seller_tax_no: null,
  })
})

test('a sheet that is written otherwise is read as it is meant', () => {
  const found = readText(
    '发票号码：26312000000123456789 开票日期：2026-01-05\n购买方 名称：上海 康达 医院 纳税人识别号：12310000MA1FL00009 ' +
      '销售方 名称：ABC Medical Ltd\n*医疗仪器器械*导管 根 -1 100 -100.00 13% -13.00\n' +
      '合 计 -¥100.00 -¥13.00\n价税合计 （小写） -¥113.00',
  )
  expect(found).toMatchObject({
    invoice_date: '2026-01-05',
    buyer_name: '上海康达医院',
    seller_name: 'ABC Medical Ltd',
    untaxed_amount: '-100.00',
    taxed_amount: '-113.00',
    lines: [{ item_name: '导管', item_model: null, unit_name: '根', quantity: '-1' }],
  })
  // Days and names of an OFD whose tags are Chinese.
  const data = {
    发票号码: '12345678',
    开票日期: '2026年1月5日',
    购买方名称: '甲院',
    销售方名称: '乙公司',
    价税合计: '113',
  }
  expect(readInvoice({ texts: [], codes: [], xml: [{ whole: data, rows: [] }] })).toMatchObject({
    invoice_date: '2026-01-05',
    buyer_name: '甲院',
    seller_name: '乙公司',
    taxed_amount: '113.00',
  })
})

test('a party without a label is not known, and a buyer may have no number', () => {
  const found = readText('发票号码:26312000000123456789 名称:甲院 名称:乙公司 纳税人识别号:12310000MA1FL00009')
  expect(found).toMatchObject({ buyer_name: null, seller_name: null, buyer_tax_no: null, seller_tax_no: null })
})

test.each([
  ['033001900113', 'special'],
  ['033001900111', 'normal'],
  ['033001900104', 'normal'],
  ['3300191130', 'special'],
  ['3300191320', 'normal'],
  ['3300191920', null],
  [null, null],
])('an older invoice of code %s is %s', (code, type) => {
  expect(typeOfCode(code)).toBe(type)
})

const original = (number: string) =>
  '<eInvoice xmlns="http://www.edrm.org.cn/schema/e-invoice/2019"><InvoiceCode>033001900113</InvoiceCode>' +
  `<InvoiceNo>${number}</InvoiceNo><IssueDate>2026年11月20日</IssueDate><InvoiceCheckCode>1234 5678</InvoiceCheckCode>` +
  '<Seller><SellerName>乙公司</SellerName><SellerTaxID>91310000MA1FL00012</SellerTaxID></Seller>' +
  '<Buyer><BuyerName><![CDATA[甲院 & 分院]]></BuyerName></Buyer>' +
  '<TaxInclusiveTotalAmount>113.00</TaxInclusiveTotalAmount><TaxExclusiveTotalAmount>100.00</TaxExclusiveTotalAmount>' +
  '<GoodsInfos><GoodsInfo><Item>*医疗仪器器械*导丝</Item><Specification>&#x30;.035</Specification>' +
  '<MeasurementDimension>根</MeasurementDimension><Price>50</Price><Quantity>2</Quantity><Amount>100.00</Amount>' +
  '<TaxScheme>13%</TaxScheme><TaxAmount>13.00</TaxAmount></GoodsInfo></GoodsInfos></eInvoice>'
const said12 = {
  invoice_type: 'special',
  invoice_code: '033001900113',
  invoice_no: '12345678',
  invoice_date: '2026-11-20',
  taxed_amount: '113.00',
  untaxed_amount: '100.00',
  check_code: '12345678',
  buyer_name: '甲院 & 分院',
  buyer_tax_no: null,
  seller_name: '乙公司',
  lines: [
    { item_name: '导丝', item_model: '0.035', unit_name: '根', quantity: '2', tax_rate: 13, tax_amount: '13.00' },
  ],
}

test('an OFD holds the data of its invoice as original_invoice.xml', async () => {
  const ofd = zipSync({
    'OFD.xml': strToU8('<ofd:OFD xmlns:ofd="o"/>'),
    'Doc_0/Attachs/original_invoice.xml': strToU8(`<?xml version="1.0" encoding="UTF-8"?>${original('12345678')}`),
  })
  expect(await read(ofd)).toMatchObject(said12)
})

test('or in what it says of itself', async () => {
  const data = { 发票代码: '033001900111', 发票号码: '12345678', 合计金额: '100.00', 开票日期: '2026年11月20日' }
  const custom = Object.entries({ ...data, 购买方纳税人识别号: '12310000MA1FL00009' })
    .map(([name, value]) => `<ofd:CustomData Name="${name}">${value}</ofd:CustomData>`)
    .join('')
  const ofd = zipSync({
    'OFD.xml': strToU8(`<ofd:OFD xmlns:ofd="o"><ofd:CustomDatas>${custom}</ofd:CustomDatas></ofd:OFD>`),
  })
  expect(await read(ofd)).toMatchObject({
    invoice_type: 'normal',
    invoice_no: '12345678',
    invoice_date: '2026-11-20',
    untaxed_amount: '100.00',
    buyer_tax_no: '12310000MA1FL00009',
  })
})

const gbk = new Map<string, Uint8Array>()
for (let lead = 0x81; lead < 0xff; lead++)
  for (let trail = 0x40; trail < 0xff; trail++)
    gbk.set(new TextDecoder('gbk').decode(Uint8Array.of(lead, trail)), Uint8Array.of(lead, trail))
const inGbk = (text: string) => Buffer.concat([...text].map(each => gbk.get(each) ?? Buffer.from(each)))
const declared = (encoding: string) => `<?xml version="1.0" encoding="${encoding}"?>${original('12345678')}`

test.each([
  ['GBK, and says so', inGbk(declared('GBK'))],
  ['GBK, and says nothing', inGbk(original('12345678').replace('<eInvoice', '<?xml version="1.0"?><eInvoice'))],
  ['UTF-8, and still says GBK', Buffer.from(declared('GB2312'))],
  ['UTF-8 with its mark', Buffer.from(`\uFEFF${declared('UTF-8')}`)],
  ['UTF-16', Buffer.from(`\uFEFF${declared('UTF-16')}`, 'utf16le')],
])('an XML is read in its encoding: %s', async (_how, bytes) => {
  expect(await read(bytes)).toMatchObject(said12)
})

test('an OFD whose data are in GBK', async () => {
  const ofd = zipSync({
    'OFD.xml': strToU8('<ofd:OFD xmlns:ofd="o"/>'),
    'Doc_0/Attachs/original_invoice.xml': Uint8Array.from(inGbk(declared('GBK'))),
  })
  expect(await read(ofd)).toMatchObject(said12)
})

test.each([
  ['电子发票（普通发票） 备注:未开具增值税专用发票', 'e_normal'],
  ['电 子 发 票 (增值税专用发票) 备注:不是普通发票', 'e_special'],
  ['普通发票', 'e_normal'],
  ['专用发票 普通发票', null],
  ['', null],
])('the type of a sheet is by its title, and empty where nothing says it: %s', (words, type) => {
  expect(readText(`${words} 发票号码:26312000000123456789`)?.invoice_type).toBe(type)
})

test.each([
  ['01', 'e_special'],
  ['02', 'e_normal'],
  ['09', null],
])('the type of an XML is by its code %s where its name is missing', (code, type) => {
  const whole = { InvoiceNumber: '26312000000123456789', 'GeneralOrSpecialVAT/LabelCode': code }
  expect(readInvoice({ texts: [], codes: [], xml: [{ whole, rows: [] }] })?.invoice_type).toBe(type)
})

test('a red invoice has its own number, and a total with tax is none without', () => {
  const red = readText(
    '备注:被红冲蓝字数电发票号码:26312000000000000001\n发票号码:26312000000123456789 价税合计 ¥113.00',
  )
  expect(red).toMatchObject({ invoice_no: '26312000000123456789', untaxed_amount: null })
})

test('an amount with a decimal comma is none', () => {
  expect(readText('发票号码:12345678 合计 ¥1.234,50 小写 ¥1,234.50')).toMatchObject({
    untaxed_amount: null,
    taxed_amount: '1234.50',
  })
})

test('a file of several invoices is refused: one would stand for all', async () => {
  const codes = await Promise.all(
    ['26312000000123456789', '26312000000123456790'].map(number =>
      toBuffer({ bcid: 'qrcode', text: `01,31,,${number},1.00,20261120,,A`, scale: 4, padding: 20 }),
    ),
  )
  const width = 600
  const both = await sharp({ create: { width: 2 * width, height: width, channels: 3, background: '#fff' } })
    .composite(codes.map((input, at) => ({ input, left: at * width + 100, top: 100 })))
    .png()
    .toBuffer()
  await expect(said(both)).rejects.toThrow('文件里有2张发票')
  expect(numbersOf({ texts: ['发票号码:12345678', '发票号码:12345678'], codes: [] })).toEqual(['12345678'])
  expect(numbersOf({ texts: ['发票号码:12345678', '发票号码:12345679'], codes: [] })).toHaveLength(2)
})

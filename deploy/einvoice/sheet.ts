import bwipjs from 'bwip-js/node'
import { strToU8, zipSync } from 'fflate'
import type { Issued } from './books.ts'

/** 版式文件 of the stand-in: each says 模拟发票, 无效, and has the QR code and the text of a real one. */

type Row = Readonly<Record<string, unknown>>
const text = (value: unknown): string => (value === undefined || value === null ? '' : String(value))

export type SheetLine = {
  readonly name: string
  readonly specification: string
  readonly unit: string
  readonly quantity: string
  readonly price: string
  readonly amount: string
  readonly rate: string
  readonly tax: string
}
export type Sheet = {
  readonly title: string
  readonly number: string
  /** 2026-05-21. */
  readonly day: string
  readonly seller: string
  readonly sellerTaxNo: string
  readonly buyer: string
  readonly buyerTaxNo: string
  readonly lines: readonly SheetLine[]
  readonly untaxed: string
  readonly tax: string
  readonly total: string
  readonly remark: string
  readonly drawer: string
  readonly mark: string
  readonly isSpecial: boolean
}

const percentOf = (rate: string): string => {
  const [, whole = '0', part = ''] = /^(\d+)(?:\.(\d+))?$/.exec(rate) ?? []
  const digits = part.padEnd(4, '0')
  const percent = `${whole}${digits.slice(0, 2)}`.replace(/^0+(?=\d)/, '')
  const rest = digits.slice(2).replace(/0+$/, '')
  return `${percent}${rest === '' ? '' : `.${rest}`}%`
}

/** The sheet of an invoice that the stand-in issued. */
export function sheetOf(
  { number, at, order, untaxed, tax, total }: Issued,
  seller: { name: string; taxNo: string },
): Sheet {
  const isSpecial = text(order.invoiceTypeCode ?? order.originInvoiceType) === '01'
  const rows = (order.invoiceDetailsList ?? order.redConfirmDetailReqEntityList ?? []) as readonly Row[]
  return {
    title: `电子发票（${isSpecial ? '增值税专用发票' : '普通发票'}）`,
    number,
    day: at.replace(/^(....)(..)(..).*$/, '$1-$2-$3'),
    seller: seller.name,
    sellerTaxNo: seller.taxNo,
    buyer: text(order.buyerName ?? order.buyerTaxName),
    buyerTaxNo: text(order.buyerTaxNo),
    lines: rows.map(row => ({
      name: `*医疗器械*${text(row.goodsName)}`,
      specification: text(row.goodsSpecification),
      unit: text(row.goodsUnit),
      quantity: text(row.goodsQuantity),
      price: text(row.goodsPrice),
      amount: text(row.goodsTotalPrice),
      rate: percentOf(text(row.goodsTaxRate)),
      tax: text(row.goodsTotalTax),
    })),
    untaxed,
    tax,
    total,
    remark: text(order.remarks),
    drawer: text(order.drawer),
    mark: '模拟发票，无效',
    isSpecial,
  }
}

/** The QR code of a 数电发票: version, kind, no code, number, amount with tax, day, no check code, a check sum. */
export const qrOf = ({
  number,
  total,
  day,
  isSpecial,
}: Pick<Sheet, 'number' | 'total' | 'day' | 'isSpecial'>): string =>
  `01,${isSpecial ? '31' : '32'},,${number},${total},${day.replaceAll('-', '')},,A1B2`

const hex = (words: string): string =>
  `<${[...words].map(letter => (letter.codePointAt(0)! & 0xff_ff).toString(16).padStart(4, '0')).join('')}>`
const MM = 72 / 25.4
const at = (millimetres: number): string => (millimetres * MM).toFixed(2)

/** Filled squares of the QR code, `size` millimetres wide, its lower left corner at x and y. */
function qrSquares(words: string, x: number, y: number, size: number): string {
  const [code] = bwipjs.raw({ bcid: 'qrcode', text: words, eclevel: 'M' } as never) as unknown as [
    { pixs: readonly number[]; pixx: number; pixy: number },
  ]
  const step = size / code.pixx
  return code.pixs
    .flatMap((dark, place) => {
      const [column, row] = [place % code.pixx, Math.floor(place / code.pixx)]
      return dark ? [`${at(x + column * step)} ${at(y + size - (row + 1) * step)} ${at(step)} ${at(step)} re`] : []
    })
    .join('\n')
    .concat('\nf')
}

const HEIGHT = 140
const COLUMNS = [8, 62, 86, 98, 122, 148, 172, 186] as const

/** A PDF of one page, 210 × 140 mm, whose text can be read: the font is the reader's own (STSong, GB1). */
export function pdfOf(sheet: Sheet): Uint8Array {
  const written: string[] = []
  const say = (x: number, y: number, words: string, size = 8): void => {
    if (words !== '') written.push(`BT /F1 ${size} Tf ${at(x)} ${at(HEIGHT - y)} Td ${hex(words)} Tj ET`)
  }
  say(75, 14, sheet.title, 14)
  say(150, 12, `发票号码：${sheet.number}`)
  say(150, 18, `开票日期：${sheet.day.replace(/^(....)-(..)-(..)$/, '$1年$2月$3日')}`)
  say(8, 30, `购买方名称：${sheet.buyer}`)
  say(8, 36, `统一社会信用代码/纳税人识别号：${sheet.buyerTaxNo}`)
  say(110, 30, `销售方名称：${sheet.seller}`)
  say(110, 36, `统一社会信用代码/纳税人识别号：${sheet.sellerTaxNo}`)
  const titles = ['项目名称', '规格型号', '单位', '数量', '单价', '金额', '税率/征收率', '税额']
  for (const [place, title] of titles.entries()) say(COLUMNS[place]!, 46, title, 7)
  const step = Math.min(6, 50 / Math.max(1, sheet.lines.length))
  for (const [place, line] of sheet.lines.entries()) {
    const cells = [
      line.name,
      line.specification,
      line.unit,
      line.quantity,
      line.price,
      line.amount,
      line.rate,
      line.tax,
    ]
    for (const [column, cell] of cells.entries()) say(COLUMNS[column]!, 52 + place * step, cell, Math.min(7, step + 1))
  }
  say(8, 108, '合计')
  say(COLUMNS[5], 108, `¥${sheet.untaxed}`)
  say(COLUMNS[7], 108, `¥${sheet.tax}`)
  say(8, 115, `价税合计（小写）¥${sheet.total}`)
  say(8, 122, `备注：${sheet.remark}`)
  say(8, 132, `开票人：${sheet.drawer}`)
  if (sheet.mark !== '')
    written.push(`1 0 0 rg BT /F1 26 Tf ${at(60)} ${at(HEIGHT - 80)} Td ${hex(sheet.mark)} Tj ET 0 g`)
  written.push(qrSquares(qrOf(sheet), 8, HEIGHT - 24, 20))
  return assembled(written.join('\n'))
}

function assembled(content: string): Uint8Array {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${at(210)} ${at(HEIGHT)}] /Contents 4 0 R ` +
      '/Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type0 /BaseFont /STSong-Light /Encoding /UniGB-UCS2-H /DescendantFonts [6 0 R] >>',
    '<< /Type /Font /Subtype /CIDFontType0 /BaseFont /STSong-Light /DW 1000 /W [1 94 500] /FontDescriptor 7 0 R ' +
      '/CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) /Supplement 2 >> >>',
    '<< /Type /FontDescriptor /FontName /STSong-Light /Flags 6 /FontBBox [-25 -254 1000 880] /ItalicAngle 0 ' +
      '/Ascent 752 /Descent -271 /CapHeight 737 /StemV 58 >>',
  ]
  let body = '%PDF-1.4\n'
  const starts = objects.map((object, place) => {
    const start = body.length
    body += `${place + 1} 0 obj\n${object}\nendobj\n`
    return start
  })
  const table = starts.map(start => `${String(start).padStart(10, '0')} 00000 n \n`).join('')
  const count = objects.length + 1
  body += `xref\n0 ${count}\n0000000000 65535 f \n${table}trailer\n<< /Size ${count} /Root 1 0 R >>\n`
  return Buffer.from(`${body}startxref\n${body.lastIndexOf('xref\n0 ')}\n%%EOF\n`, 'latin1')
}

const escaped = (words: string): string =>
  words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** The invoice as data, under the names of the tax office's own XML. */
export function xmlOf(sheet: Sheet): Uint8Array {
  const tag = (name: string, words: string): string => `<${name}>${escaped(words)}</${name}>`
  const lines = sheet.lines
    .map(
      line =>
        `<IssuItemInformation>${tag('ItemName', line.name)}${tag('SpecMod', line.specification)}` +
        `${tag('MeaUnits', line.unit)}${tag('Quantity', line.quantity)}${tag('UnPrice', line.price)}` +
        `${tag('Amount', line.amount)}${tag('TaxRate', line.rate)}${tag('ComTaxAm', line.tax)}</IssuItemInformation>`,
    )
    .join('')
  return strToU8(
    '<?xml version="1.0" encoding="UTF-8"?><EInvoice><Header>' +
      `${tag('EIid', sheet.number)}${tag('EInvoiceTag', sheet.mark)}` +
      `</Header><EInvoiceData><SellerInformation>${tag('SellerIdNum', sheet.sellerTaxNo)}` +
      `${tag('SellerName', sheet.seller)}</SellerInformation><BuyerInformation>${tag('BuyerIdNum', sheet.buyerTaxNo)}` +
      `${tag('BuyerName', sheet.buyer)}</BuyerInformation><BasicInformation>` +
      `${tag('TotalAmWithoutTax', sheet.untaxed)}${tag('TotalTaxAm', sheet.tax)}` +
      `${tag('TotalTax-includedAmount', sheet.total)}${tag('Drawer', sheet.drawer)}` +
      `${tag('Remark', sheet.remark)}</BasicInformation>${lines}</EInvoiceData><TaxSupervisionInfo>` +
      `${tag('InvoiceNumber', sheet.number)}${tag('IssueTime', sheet.day)}</TaxSupervisionInfo></EInvoice>`,
  )
}

/** An OFD of one page: its text as text objects, and the invoice's data as an attachment. */
export function ofdOf(sheet: Sheet): Uint8Array {
  const ns = 'xmlns:ofd="http://www.ofdspec.org/2016"'
  let id = 10
  const say = (x: number, y: number, words: string): string =>
    words === ''
      ? ''
      : `<ofd:TextObject ID="${++id}" Boundary="${x} ${y} 120 5" Font="3" Size="3">` +
        `<ofd:TextCode X="0" Y="3">${escaped(words)}</ofd:TextCode></ofd:TextObject>`
  const body = [
    say(75, 10, sheet.title),
    say(150, 10, `发票号码：${sheet.number}`),
    say(150, 16, `开票日期：${sheet.day.replace(/^(....)-(..)-(..)$/, '$1年$2月$3日')}`),
    say(8, 28, `购买方名称：${sheet.buyer}`),
    say(110, 28, `销售方名称：${sheet.seller}`),
    say(8, 112, `价税合计（小写）¥${sheet.total}`),
    say(60, 70, sheet.mark),
  ].join('')
  const head = '<?xml version="1.0" encoding="UTF-8"?>'
  return zipSync({
    'OFD.xml': strToU8(
      `${head}<ofd:OFD ${ns} Version="1.0" DocType="OFD"><ofd:DocBody><ofd:DocInfo>` +
        `<ofd:DocID>${sheet.number}</ofd:DocID>` +
        `<ofd:CustomDatas><ofd:CustomData Name="发票号码">${sheet.number}</ofd:CustomData>` +
        `<ofd:CustomData Name="合计金额">${sheet.untaxed}</ofd:CustomData>` +
        `<ofd:CustomData Name="合计税额">${sheet.tax}</ofd:CustomData>` +
        `<ofd:CustomData Name="开票日期">${sheet.day}</ofd:CustomData></ofd:CustomDatas></ofd:DocInfo>` +
        '<ofd:DocRoot>Doc_0/Document.xml</ofd:DocRoot></ofd:DocBody></ofd:OFD>',
    ),
    'Doc_0/Document.xml': strToU8(
      `${head}<ofd:Document ${ns}><ofd:CommonData><ofd:MaxUnitID>${id + 1}</ofd:MaxUnitID><ofd:PageArea>` +
        '<ofd:PhysicalBox>0 0 210 140</ofd:PhysicalBox></ofd:PageArea><ofd:PublicRes>PublicRes.xml</ofd:PublicRes>' +
        '</ofd:CommonData><ofd:Pages><ofd:Page ID="1" BaseLoc="Pages/Page_0/Content.xml"/></ofd:Pages>' +
        '<ofd:Attachments>Attachs/Attachments.xml</ofd:Attachments></ofd:Document>',
    ),
    'Doc_0/PublicRes.xml': strToU8(
      `${head}<ofd:Res ${ns} BaseLoc="Res"><ofd:Fonts><ofd:Font ID="3" FontName="宋体"/></ofd:Fonts></ofd:Res>`,
    ),
    'Doc_0/Pages/Page_0/Content.xml': strToU8(
      `${head}<ofd:Page ${ns}><ofd:Content><ofd:Layer ID="2" Type="Body">${body}</ofd:Layer></ofd:Content></ofd:Page>`,
    ),
    'Doc_0/Attachs/Attachments.xml': strToU8(
      `${head}<ofd:Attachments ${ns}><ofd:Attachment ID="1" Name="original_invoice" Format="xml">` +
        '<ofd:FileLoc>original_invoice.xml</ofd:FileLoc></ofd:Attachment></ofd:Attachments>',
    ),
    'Doc_0/Attachs/original_invoice.xml': xmlOf(sheet),
  })
}

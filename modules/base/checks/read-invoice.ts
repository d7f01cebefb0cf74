import {
  add,
  compare,
  type Decimal,
  divide,
  isDecimal,
  isZero,
  multiply,
  plain,
  round,
} from '#kernel/values/decimal.ts'
import { writtenFigure } from '#kernel/values/written-figure.ts'
import { type Day, isDay } from '#kernel/values/date.ts'

/** A line of an invoice as it is printed; a value that was not found is null. */
export type ReadLine = {
  readonly item_name: string
  readonly item_model: string | null
  readonly unit_name: string | null
  readonly quantity: Decimal | null
  /** Without tax. */
  readonly price: Decimal | null
  readonly untaxed_amount: Decimal
  readonly tax_rate: number | null
  readonly tax_amount: Decimal
}

/** The values of an invoice, as far as its QR code, its text or its data could be read. */
export type ReadInvoice = {
  readonly invoice_type: 'e_special' | 'e_normal' | 'special' | 'normal' | null
  readonly invoice_code: string | null
  readonly invoice_no: string
  readonly invoice_date: Day | null
  readonly untaxed_amount: Decimal | null
  /** 价税合计. */
  readonly taxed_amount: Decimal | null
  readonly check_code: string | null
  readonly buyer_name: string | null
  readonly buyer_tax_no: string | null
  readonly seller_name: string | null
  readonly seller_tax_no: string | null
  readonly lines: readonly ReadLine[]
}

/** The elements of an invoice's data by name, and those of each line of it. */
type Entries = Readonly<Record<string, string>>
type Data = { readonly whole: Entries; readonly rows: readonly Entries[] }
type Content = { readonly texts: readonly string[]; readonly codes: readonly string[]; readonly xml: readonly Data[] }

/** The elements that a line of an invoice's data is: of a 数电发票, and of `original_invoice.xml` in an OFD. */
export const INVOICE_LINES = ['IssuItemInformation', 'GoodsInfo'] as const

/**
 * Kinds of invoices by the second part of their code. The code of a 数电发票 (31, 32) has the total with tax, that of an
 * older one (01, 04, 08, 10) the amount without.
 */
const kinds: Readonly<Record<string, { readonly type: ReadInvoice['invoice_type']; readonly withTax: boolean }>> = {
  '01': { type: 'special', withTax: false },
  '04': { type: 'normal', withTax: false },
  '08': { type: 'special', withTax: false },
  '10': { type: 'normal', withTax: false },
  '31': { type: 'e_special', withTax: true },
  '32': { type: 'e_normal', withTax: true },
}

const bare: Omit<ReadInvoice, 'invoice_no'> = {
  invoice_type: null,
  invoice_code: null,
  invoice_date: null,
  untaxed_amount: null,
  taxed_amount: null,
  check_code: null,
  buyer_name: null,
  buyer_tax_no: null,
  seller_name: null,
  seller_tax_no: null,
  lines: [],
}

const dayOf = (digits: string): Day | null => {
  const day = digits.replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3')
  return isDay(day) ? day : null
}
/** 2026年1月5日, 2026-01-05 10:00:00 or 20260105. */
function dayIn(text: string): Day | null {
  const [, year = '', month = '', day = ''] = /^\s*(\d{4})\s*[-/.年]\s*(\d{1,2})\s*[-/.月]\s*(\d{1,2})/.exec(text) ?? []
  return year === '' ? dayOf(text.trim().slice(0, 8)) : dayOf(year + month.padStart(2, '0') + day.padStart(2, '0'))
}
const amountOf = (text: string | undefined): Decimal | null => {
  const clean = writtenFigure((text ?? '').replaceAll(/[¥￥\s]/g, ''))
  return isDecimal(clean) ? round(clean, 2) : null
}

/** The code of a Chinese invoice: 01, kind, code, number, amount, day, check code, sum. Null for any other code. */
export function readCode(text: string): ReadInvoice | null {
  const [version, kind = '', code = '', number = '', amount, day = '', check = ''] = text.trim().split(',')
  const known = kinds[kind]
  if (version !== '01' || !known || !/^(\d{8}|\d{20})$/.test(number) || !/^(\d{10}|\d{12})?$/.test(code)) return null
  const money = amountOf(amount)
  return {
    ...bare,
    invoice_type: known.type,
    invoice_code: code || null,
    invoice_no: number,
    invoice_date: dayOf(day),
    untaxed_amount: known.withTax ? null : money,
    taxed_amount: known.withTax ? money : null,
    check_code: check || null,
  }
}

const isFigure = (text: string | undefined): text is string => text !== undefined && /^-?\d[\d,]*(\.\d+)?$/.test(text)
const isRate = (text: string): boolean => /^(\d{1,2}(\.\d{1,6})?%|免税|不征税|\*{3})$/.test(text)
/** Goods are named with the class of their tax between asterisks. */
const CLASS = /^\*[^*]{1,40}\*/
const withoutClass = (name: string): string => name.replace(CLASS, '')
const rates: ReadonlySet<number> = new Set([0, 1, 3, 6, 9, 13])

const figureOf = (text: string | undefined): Decimal | null => {
  const clean = writtenFigure(text ?? '')
  const [whole = '', part = ''] = clean.split('.')
  const short = part === '' ? whole : `${whole}.${part.slice(0, 8)}`
  return isDecimal(short) ? short : null
}
const rateOf = (text: string): number | null => {
  const found = [...rates].find(rate => `${rate}%` === text)
  return found ?? (/免税|不征税|\*/.test(text) ? 0 : null)
}

/** One row of the table of goods: name with its class between asterisks, model and unit, and the figures. */
function lineOf(text: string): ReadLine | null {
  // 数量 单价 金额 税率 税额 at the end of a line; quantity and price may be missing.
  const words = text.trim().split(/\s+/)
  const [amount = '', rate = '', tax = ''] = words.splice(-3)
  const hasPrice = words.length > 2 && words.slice(-2).every(isFigure)
  const [quantity, price] = hasPrice ? words.splice(-2) : []
  const untaxed = isFigure(amount) ? amountOf(amount) : null
  if (!CLASS.test(words[0] ?? '') || untaxed === null || !isRate(rate) || !(isFigure(tax) || tax === '***')) return null
  const [name = '', ...rest] = words
  // A single word is the unit if there is a quantity and the word looks like a unit.
  const isUnit = rest.length > 1 ? /^[\p{Script=Han}a-zA-Z]{1,4}$/u : hasPrice ? /^\p{Script=Han}{1,2}$/u : /^(?!)/
  const unit = isUnit.test(rest.at(-1) ?? '') ? rest.pop()! : null
  return {
    item_name: withoutClass(name),
    item_model: rest.join(' ') || null,
    unit_name: unit,
    quantity: figureOf(quantity),
    price: figureOf(price),
    untaxed_amount: untaxed,
    tax_rate: rateOf(rate),
    tax_amount: amountOf(tax) ?? '0.00',
  }
}

const first = (text: string, pattern: RegExp): string | null => pattern.exec(text)?.[1]?.trim() ?? null

/**
 * The kind of an older invoice by its code: of twelve digits the last two, of ten the eighth. Null if the code has
 * none.
 */
export function typeOfCode(code: string | null): 'special' | 'normal' | null {
  if (code?.length === 12) return code.endsWith('13') ? 'special' : /(04|05|06|07|11|12)$/.test(code) ? 'normal' : null
  if (code?.length !== 10) return null
  return '15'.includes(code[7]!) ? 'special' : '36'.includes(code[7]!) ? 'normal' : null
}

type Party = { readonly name: string | null; readonly taxNo: string | null }
const BUYER = /购\s{0,2}买\s{0,2}方|买\s{0,2}方|购\s{0,2}方/
const AFTER_NAME =
  '统一社会|纳税人|名\\s{0,8}称|购|销|买|卖|信\\s{0,2}息|地\\s{0,4}址|电\\s{0,4}话|开户|密\\s{0,4}码|项目'
const PARTY_WORDS = new RegExp(
  [
    String.raw`(购\s{0,2}买\s{0,2}方|买\s{0,2}方|购\s{0,2}方|销\s{0,2}售\s{0,2}方|卖\s{0,2}方|销\s{0,2}方)`,
    // A name may contain blanks: it ends with its line, or before the next label of the sheet.
    String.raw`名\s{0,8}称\s{0,4}:[^\S\n]{0,4}([^\n:]{1,80}?)(?=\s{0,4}(?:$|\n|:)|\s{1,8}(?:${AFTER_NAME}))`,
    String.raw`纳税人识别号\s{0,4}:\s{0,4}([0-9A-Z]{15,20})`,
  ].join('|'),
  'g',
)

const isHan = (letter: string | undefined): boolean => /^\p{Script=Han}/u.test(letter ?? '')
/** A name as it is written: blanks are kept between words of letters only. */
const nameOf = (text: string | undefined): string | null =>
  text
    ?.trim()
    .split(/\s+/)
    .reduce((name, word) => (isHan(name.at(-1)) && isHan(word) ? `${name}${word}` : `${name} ${word}`)) || null

/**
 * Finds buyer and seller by the labels before them, never only by their order: `购买方 名称:A 销售方 名称:B`, or both labels and
 * then both names. A name without a label is not used.
 */
function partiesIn(flat: string): { readonly buyer: Party; readonly seller: Party } {
  const found = { buyer: { name: null, taxNo: null } as Party, seller: { name: null, taxNo: null } as Party }
  /** The labels printed together before their names, in order. */
  let group: ('buyer' | 'seller')[] = []
  let isOpen = false
  const next = { name: 0, taxNo: 0 }
  for (const [, label, name, taxNo] of flat.matchAll(PARTY_WORDS)) {
    if (label !== undefined) {
      const party = BUYER.test(label) ? 'buyer' : 'seller'
      if (!isOpen) [group, next.name, next.taxNo] = [[], 0, 0]
      isOpen = true
      if (!group.includes(party)) group.push(party)
      continue
    }
    isOpen = false
    const kind = name === undefined ? 'taxNo' : 'name'
    const party = group[Math.min(next[kind], group.length - 1)]
    next[kind] += 1
    if (party !== undefined && next[kind] <= group.length)
      found[party] = { ...found[party], [kind]: found[party][kind] ?? nameOf(name) ?? taxNo ?? null }
  }
  return found
}

const flatOf = (text: string): string =>
  text.replaceAll(/[（(]/g, '（').replaceAll(/[）)]/g, '）').replaceAll('：', ':')
/** Words before the number of another invoice, to which a remark refers. */
const OTHER = /蓝字|红冲|红字|对应|原|数电/
/** The number of an invoice, and not that of another one. */
const numberIn = (flat: string): string | null =>
  [...flat.matchAll(/发票号码\s{0,40}:\s{0,40}(\d{20}|\d{8})\b/g)].find(
    ({ index }) => !OTHER.test(flat.slice(Math.max(0, index - 10), index)),
  )?.[1] ?? null

/** 专用 or 普通 by its title; a remark may name the other one, so that a bare word counts only where it is alone. */
function typeByTitle(flat: string): 'special' | 'normal' | null {
  const plain = flat.replaceAll(/\s/g, '')
  const [, title] = /(?:电子发票（(?:增值税)?|增值税(?:电子)?)(专用|普通)发票/.exec(plain) ?? []
  const words = title === undefined ? new Set(plain.match(/(?:专用|普通)发票/g)) : new Set([`${title}发票`])
  return words.size === 1 ? (words.has('专用发票') ? 'special' : 'normal') : null
}

/** 合计 is without tax, 价税合计 with it. */
const untaxedIn = (flat: string): string | undefined =>
  [...flat.matchAll(/合\s{0,40}计\s{0,40}((?:-\s{0,8})?[¥￥]\s{0,8}-?\d[\d,.]{0,40})/g)].find(
    ({ index }) =>
      !flat
        .slice(Math.max(0, index - 4), index)
        .trimEnd()
        .endsWith('税'),
  )?.[1]

/** Reads the text of a sheet; null if it has no invoice number. */
export function readText(text: string): ReadInvoice | null {
  const flat = flatOf(text)
  const number = numberIn(flat)
  if (number === null) return null
  const { buyer, seller } = partiesIn(flat)
  const code = first(flat, /发票代码\s*:\s*(\d{10}|\d{12})\b/)
  const type = typeOfCode(code) ?? typeByTitle(flat)
  return {
    ...bare,
    invoice_type: type === null || number.length !== 20 ? type : `e_${type}`,
    invoice_code: code,
    invoice_no: number,
    invoice_date: dayIn(first(flat, /开票日期\s*:\s*(\d{4}\s*[-/.年]\s*\d{1,2}\s*[-/.月]\s*\d{1,2})/) ?? ''),
    untaxed_amount: amountOf(untaxedIn(flat)),
    taxed_amount: amountOf(first(flat, /小写）?\s*((?:-\s*)?[¥￥]\s*-?\d[\d,.]*)/) ?? undefined),
    check_code: first(flat, /校\s*验\s*码\s*:\s*([\d ]{20,25})/)?.replaceAll(' ', '') ?? null,
    buyer_name: buyer.name,
    buyer_tax_no: buyer.taxNo,
    seller_name: seller.name,
    seller_tax_no: seller.taxNo,
    lines: text.split(/\r?\n/).flatMap(row => lineOf(row) ?? []),
  }
}

const saidIn = (record: Entries, ...names: readonly string[]): string | null => {
  for (const name of names) if (record[name]) return record[name]
  return null
}

/** 数电发票 by its label in the tax office's own XML; an older one by its code. */
function typeIn(whole: Entries, isDigital: boolean, code: string | null): ReadInvoice['invoice_type'] {
  if (!isDigital) return typeOfCode(code)
  const label = saidIn(whole, 'GeneralOrSpecialVAT/LabelName', 'EInvoiceType/LabelName', 'LabelName') ?? ''
  if (label.includes('专用发票')) return 'e_special'
  if (label.includes('普通发票')) return 'e_normal'
  const coded = whole['GeneralOrSpecialVAT/LabelCode']
  return coded === '01' ? 'e_special' : coded === '02' ? 'e_normal' : null
}

/** A rate as a share or in percent: 0.13, 13%, 13. */
function percentOf(rate: string): string {
  if (!isDecimal(rate)) return rate
  return `${plain(compare(rate, '1') < 0 ? multiply(rate, '100', 2) : rate)}%`
}

function lineIn(row: Entries): ReadLine[] {
  const untaxed = amountOf(row.Amount)
  if (untaxed === null) return []
  return [
    {
      item_name: withoutClass(saidIn(row, 'ItemName', 'Item') ?? ''),
      item_model: saidIn(row, 'SpecMod', 'Specification'),
      unit_name: saidIn(row, 'MeaUnits', 'MeasurementDimension'),
      quantity: figureOf(row.Quantity),
      price: figureOf(saidIn(row, 'UnPrice', 'Price') ?? undefined),
      untaxed_amount: untaxed,
      tax_rate: rateOf(percentOf(saidIn(row, 'TaxRate', 'TaxScheme') ?? '')),
      tax_amount: amountOf(saidIn(row, 'ComTaxAm', 'TaxAmount') ?? undefined) ?? ('0.00' as Decimal),
    },
  ]
}

/**
 * The data of an invoice: the tax office's own XML of a 数电发票, `original_invoice.xml` of an OFD, or an OFD's own
 * CustomData.
 */
function readData({ whole, rows }: Data): ReadInvoice | null {
  const number = saidIn(whole, 'InvoiceNumber', 'EIid', 'InvoiceNo', '发票号码')
  if (number === null || !/^(\d{8}|\d{20})$/.test(number)) return null
  const code = saidIn(whole, 'InvoiceCode', '发票代码')
  const day = saidIn(whole, 'IssueTime', 'RequestTime', 'IssueDate', '开票日期') ?? ''
  return {
    ...bare,
    invoice_type: typeIn(whole, number.length === 20, code),
    invoice_code: code,
    invoice_no: number,
    invoice_date: dayIn(day),
    untaxed_amount: amountOf(saidIn(whole, 'TotalAmWithoutTax', 'TaxExclusiveTotalAmount', '合计金额') ?? undefined),
    taxed_amount: amountOf(
      saidIn(whole, 'TotalTax-includedAmount', 'TaxInclusiveTotalAmount', '价税合计') ?? undefined,
    ),
    check_code: saidIn(whole, 'InvoiceCheckCode', '校验码')?.replaceAll(' ', '') ?? null,
    buyer_name: saidIn(whole, 'BuyerName', '购买方名称'),
    buyer_tax_no: saidIn(whole, 'BuyerIdNum', 'BuyerTaxID', '购买方纳税人识别号'),
    seller_name: saidIn(whole, 'SellerName', '销售方名称'),
    seller_tax_no: saidIn(whole, 'SellerIdNum', 'SellerTaxID', '销售方纳税人识别号'),
    lines: rows.flatMap(lineIn),
  }
}

/** Combines two readings of the same invoice; the first one wins where both have a value. */
function together(one: ReadInvoice, other: ReadInvoice): ReadInvoice {
  if (one.invoice_no !== other.invoice_no) return one
  const filled = Object.fromEntries(
    Object.entries(one).map(([name, value]) => [name, value ?? other[name as keyof ReadInvoice]]),
  ) as unknown as ReadInvoice
  return { ...filled, lines: one.lines.length > 0 ? one.lines : other.lines }
}

/** The numbers of the invoices in a file: by their codes, and by the pages of its text. */
export function numbersOf({ texts, codes }: Pick<Content, 'texts' | 'codes'>): readonly string[] {
  const coded = codes.flatMap(code => readCode(code)?.invoice_no ?? [])
  return [...new Set([...coded, ...texts.flatMap(text => numberIn(flatOf(text)) ?? [])])]
}

/**
 * Reads the invoice on a sheet: its data is believed before its code, and its code before its text. Null if no invoice
 * number was found.
 */
export function readInvoice({ texts, codes, xml }: Content): ReadInvoice | null {
  const text = readText(texts.join('\n'))
  const readings = [
    ...xml.flatMap(data => readData(data) ?? []),
    ...codes.flatMap(code => readCode(code) ?? []),
    ...(text ? [text] : []),
  ]
  return readings.length === 0 ? null : readings.reduce(together)
}

/** The price with tax of a line: its amount with tax divided by its quantity. */
export function taxedPrice({ untaxed_amount, tax_amount, quantity }: ReadLine): Decimal | null {
  if (quantity === null || isZero(quantity)) return null
  const price = divide(add(untaxed_amount, tax_amount, 2), quantity, 4)
  return compare(price, '0') < 0 ? null : price
}

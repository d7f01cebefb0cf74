import { utils, write } from '@e965/xlsx'
import { strToU8, zipSync } from 'fflate'
import { describe, expect, it, test } from 'vitest'
import { f } from '#kernel/definition/field.ts'
import { parseValue } from '#kernel/rules/parse-fields.ts'
import { legibleRows, readCell } from '#server/sheets/cell-values.ts'
import { readSheet } from '#server/sheets/read.ts'
import { tester } from '#tests/support/sheets.ts'

/** Sheets as Excel, WPS and people write them: read as they were meant, or refused with the place. */
const fields = {
  lot: f.lot('批号', { max: 40 }),
  codes: f.codes('院内码'),
  quantity: f.quantity('数量'),
  price: f.price('单价'),
  made: f.day('生产日期'),
  expiry: f.expiry('有效期至'),
  remark: f.text('备注', { max: 200 }),
  rate: f.taxRate('税率'),
  cold: f.flag('冷链'),
  amount: f.amount('金额'),
  at: f.instant('时间'),
}
const titles = Object.values(fields).map(({ label }) => label)
type Name = keyof typeof fields

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const inline = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`
const row = (cells: string, more = '') => `<row${more}>${cells}</row>`
const headings = (more: readonly string[] = []) => row([...titles, ...more].map(inline).join(''))

/** The formats that cells of style 0, 1, … have; none: a workbook without styles. */
const formats = [
  'General',
  '00000000',
  '"LOT"000',
  'yyyy-mm-dd',
  'yyyy"年"m"月"',
  '#,##0.00',
  '0.00',
  '"V2-"0"号"',
  '0',
  '# ??/??',
  '0%',
  'yyyy',
  'd-mmm',
  'm"月"d"日"',
  'h:mm',
  'yyyy-mm-dd hh:mm',
] as const
const stylesXml =
  `<styleSheet xmlns="${MAIN}"><numFmts>` +
  formats
    .map((code, at) => `<numFmt numFmtId="${200 + at}" formatCode="${code.replaceAll('"', '&quot;')}"/>`)
    .join('') +
  `</numFmts><cellXfs>${formats.map((_, at) => `<xf numFmtId="${200 + at}"/>`).join('')}</cellXfs></styleSheet>`

type Made = { readonly name?: string; readonly state?: string; readonly rows: string; readonly after?: string }
/** A workbook of the given sheets, as XML. */
function book(sheets: readonly Made[], styles: string | null = stylesXml): Buffer {
  const parts = {
    'xl/workbook.xml':
      `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>` +
      sheets
        .map(
          ({ state }, at) => `<sheet name="s${at}" sheetId="${at + 1}" state="${state ?? 'visible'}" r:id="r${at}"/>`,
        )
        .join('') +
      '</sheets></workbook>',
    'xl/_rels/workbook.xml.rels':
      '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">' +
      sheets.map((_, at) => `<Relationship Id="r${at}" Type="w" Target="worksheets/sheet${at}.xml"/>`).join('') +
      '</Relationships>',
    ...(styles === null ? {} : { 'xl/styles.xml': styles }),
    ...Object.fromEntries(
      sheets.map(({ rows, after = '' }, at) => [
        `xl/worksheets/sheet${at}.xml`,
        `<worksheet xmlns="${MAIN}"><sheetData>${rows}</sheetData>${after}</worksheet>`,
      ]),
    ),
  }
  return Buffer.from(zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)]))))
}

/** The result of one cell of a column: its value, or the sentence. */
async function said(file: Buffer, name: Name): Promise<unknown> {
  const sheet = await readSheet(file, tester, titles)
  const { rows, problems } = legibleRows(sheet.rows, new Map(Object.values(fields).map(field => [field.label, field])))
  if (problems.length > 0) return problems.map(({ column, msg }) => `${column}：${msg}`).join()
  const text = rows[0]!.cells.get(fields[name].label)!
  const read = readCell(fields[name], text, rows[0]!.notes?.get(fields[name].label))
  const parsed = 'msg' in read ? read : parseValue(fields[name], read.value)
  return 'msg' in parsed ? parsed.msg : parsed.value
}
const column = (name: Name) => titles.indexOf(fields[name].label)
const cellAt = (name: Name, attributes: string, inside: string) =>
  `<c r="${'ABCDEFGHIJK'[column(name)]}2" ${attributes}>${inside}</c>`
const ofNumber = (name: Name, value: string, style: number, styles?: string | null) =>
  book([{ rows: headings() + row(cellAt(name, `s="${style}"`, `<v>${value}</v>`)) }], styles)

const asText = '请把该列设为文本格式后重新填写'

describe('a cell of a workbook', () => {
  it.each([
    ['cold', '1', true],
    ['cold', '0', false],
    ['lot', '1', 'TRUE'],
    ['remark', '0', 'FALSE'],
    ['amount', '1', '【金额】应为数字'],
  ] as const)('%s: the yes or no of a workbook (%s) is %s', async (name, value, is) => {
    expect(await said(book([{ rows: headings() + row(cellAt(name, 't="b"', `<v>${value}</v>`)) }]), name)).toEqual(is)
  })

  it.each([
    [31, '2024-02-01'],
    [57, '2024-02-29'],
    [58, '没有写年份（02-01），请写明是哪一年'],
  ])('is a day in the format %s that Excel in Chinese names by its number: %s', async (format, is) => {
    const cell = cellAt('expiry', 's="0"', '<v>45323</v>')
    const styles = `<styleSheet xmlns="${MAIN}"><cellXfs><xf numFmtId="${format}"/></cellXfs></styleSheet>`
    expect(await said(book([{ rows: headings() + row(cell) }], styles), 'expiry')).toEqual(is)
  })

  it.each([
    ['lot', '123', 0, '123'],
    ['lot', '123', 1, '00000123'],
    ['lot', '7', 2, 'LOT007'],
    ['lot', '123456789012345', 0, '123456789012345'],
    ['lot', '2024051', 5, '2024051'],
    ['lot', '1234567890123456', 0, `批号：超过15位的数字，末位可能已被改为0，${asText}`],
    ['lot', '1.23E+21', 0, `批号：超过15位的数字，末位可能已被改为0，${asText}`],
    ['codes', '1234567890123456', 0, `院内码：超过15位的数字，末位可能已被改为0，${asText}`],
    ['lot', '45323', 3, `批号：是日期格式（2024-02-01），${asText}`],
    ['remark', '45323', 3, '2024-02-01'],
    ['quantity', '1234', 5, '1234.000'],
    ['made', '45323', 3, '2024-02-01'],
    ['made', '45323', 4, '只写到月（2024-02），请写明是哪一天'],
    ['expiry', '45323', 4, '2024-02-29'],
    ['expiry', '45323', 3, '2024-02-01'],
    ['lot', '1.1', 6, '1.10'],
    ['lot', '3', 6, '3.00'],
    ['lot', '3', 7, 'V2-3号'],
    ['lot', '123.456', 8, `批号：显示为“123”，实际是123.456，${asText}`],
    ['lot', '0.5', 9, `批号：显示为“1/2”，实际是0.5，${asText}`],
    ['quantity', '123.456', 8, '123.456'],
    ['rate', '0.13', 10, 13],
    ['rate', '1', 10, '【税率】只能是0、1、3、6、9、13'],
    ['quantity', '0.5', 10, '【数量】应为数字'],
    ['expiry', '2027.06', 0, '2027-06-30'],
    ['expiry', '2027.1', 0, '“2027.1”分不清是1月还是10月，请写明是哪一天'],
    ['expiry', '2027.1', 6, '2027-10-31'],
    ['made', '45323', 11, '只写到年（2024），请写明是哪一天'],
    ['expiry', '45323', 11, '只写到年（2024），请写明是哪一天'],
    ['expiry', '45323', 12, '没有写年份（02-01），请写明是哪一年'],
    ['made', '45323', 13, '没有写年份（02-01），请写明是哪一年'],
    ['at', '45323.5', 12, '没有写年份，请写明是哪一天'],
    ['at', '45323.5', 15, '2024-02-01T04:00:00.000Z'],
    ['amount', '1234567890123.4567', 0, `金额：超过15位的数字，末位可能已被改为0，${asText}`],
    ['amount', '12345678901234.57', 6, `金额：超过15位的数字，末位可能已被改为0，${asText}`],
    ['amount', '0.30000000000000004', 0, '0.30'],
    ['amount', '1234567890123.45', 0, '1234567890123.45'],
    ['price', '123456789012.1234', 0, `单价：超过15位的数字，末位可能已被改为0，${asText}`],
    ['remark', '12345678901234567', 0, `备注：超过15位的数字，末位可能已被改为0，${asText}`],
  ] as const)('%s: %s in the format %s is %s', async (name, value, style, is) => {
    expect(await said(ofNumber(name, value, style), name)).toEqual(is)
  })

  it('a day without styles is a number: asked about', async () => {
    expect(await said(ofNumber('made', '45323', 3, null), 'made')).toBe(
      '是数字45323而不是日期，请设为日期格式，或填写如2026-01-31',
    )
  })

  it('a day before the first and after the last is none, and not an empty cell', async () => {
    expect(await said(ofNumber('made', '-1', 3), 'made')).toBe('生产日期：是无效的日期（-1），请改正后再导入')
    expect(await said(ofNumber('made', '99999999', 3), 'made')).toContain('生产日期：是无效的日期')
  })

  it('a day in the notation of ISO is no lot, and characters written by their number are what they are', async () => {
    const iso = book([{ rows: headings() + row(cellAt('lot', 't="d"', '<v>2027-06-30T00:00:00</v>')) }])
    expect(await said(iso, 'lot')).toBe(`批号：是日期格式（2027-06-30），${asText}`)
    expect(await said(book([{ rows: headings() + row(inline('L_x0031__x000D_')) }]), 'lot')).toBe('L1')
    expect(await said(book([{ rows: headings() + row(inline('L_x005F_x0031_')) }]), 'lot')).toBe('L_x0031_')
  })

  it('an error, and a formula whose result the file does not have', async () => {
    const error = book([{ rows: headings() + row(cellAt('quantity', 't="e"', '<f>1/0</f><v>#DIV/0!</v>')) }])
    expect(await said(error, 'quantity')).toBe('数量：是错误值#DIV/0!，请改正公式或填写数值后再导入')
    const empty = book([{ rows: headings() + row(cellAt('quantity', '', '<f>A1+1</f>')) }])
    expect(await said(empty, 'quantity')).toBe(
      '数量：是公式，文件里没有它的结果，请用 Excel 打开保存一次，或粘贴为数值后再导入',
    )
    const emptied = book([{ rows: headings() + row(cellAt('quantity', '', '<f>A1+1</f><v></v>')) }])
    expect(await said(emptied, 'quantity')).toContain('数量：是公式')
    const nothing = book([{ rows: headings() + row(cellAt('lot', 't="str"', '<f>A1</f><v></v>')) + row(inline('L')) }])
    expect(await said(nothing, 'lot')).toBe('L')
    const known = book([{ rows: headings() + row(cellAt('quantity', '', '<f>A1+1</f><v>3</v>')) }])
    expect(await said(known, 'quantity')).toBe('3.000')
  })

  it.each(['xlsx', 'biff8', 'xlsb'] as const)('as %s too', async bookType => {
    const sheet = utils.aoa_to_sheet([titles, [{ t: 'n', v: 123, z: '00000000' }, '', { t: 'e', v: 0x2a, w: '#N/A' }]])
    const file = write({ Sheets: { a: sheet }, SheetNames: ['a'] }, { type: 'buffer', bookType }) as Buffer
    expect(await said(file, 'lot')).toContain('数量：是错误值#N/A')
    const clean = utils.aoa_to_sheet([titles, [{ t: 'n', v: 123, z: '00000000' }]])
    expect(
      await said(write({ Sheets: { a: clean }, SheetNames: ['a'] }, { type: 'buffer', bookType }) as Buffer, 'lot'),
    ).toBe('00000123')
  })
})

test('a cell of an OpenDocument sheet', async () => {
  const cell = (shown: string, value = '') => `<table:table-cell ${value}><text:p>${shown}</text:p></table:table-cell>`
  const number = 'office:value-type="float" office:value="123"'
  const day = 'office:value-type="date" office:date-value="2024-02-01"'
  const file = (cells: string) =>
    Buffer.from(
      '<?xml version="1.0"?><office:document xmlns:office="o" xmlns:table="t" xmlns:text="x"><table:table>' +
        `<table:table-row>${titles.map(title => cell(title)).join('')}</table:table-row>` +
        `<table:table-row>${cells}</table:table-row></table:table></office:document>`,
    )
  expect(await said(file(cell('00000123', number)), 'lot')).toBe('00000123')
  expect(await said(file(cell('123', number)), 'lot')).toBe('123')
  expect(await said(file(cell('1.2.2024', day)), 'lot')).toBe(`批号：是日期格式（2024-02-01），${asText}`)
  expect(await said(file(cell('L1') + cell('') + cell('#N/A')), 'lot')).toContain('数量：是错误值#N/A')
})

describe('a cell of a text file', () => {
  const codesInBrackets = ['(01)06901234567892 (21)S1', '(01)06901234567892 (21)S2']
  const csv = (name: Name, text: string) =>
    Buffer.from(`${titles.join(',')}\n${titles.map((_, at) => (at === column(name) ? `"${text}"` : '')).join(',')}\n`)
  it.each([
    ['lot', '2.02405E+15', `批号：是科学计数法（2.02405E+15），位数已丢失，${asText}`],
    ['lot', '5E3', '5E3'],
    ['lot', "'00123", '00123'],
    ['lot', "'Tis", "'Tis"],
    ['quantity', "'5", '5.000'],
    ['lot', '\u00a0A\u00a0B ', 'AB'],
    ['remark', '\u00a0A\u00a0\u00a0B ', 'A B'],
    ['quantity', '1,234', '1234.000'],
    ['quantity', '1,234,567.5', '1234567.500'],
    ['quantity', '１２．５', '12.500'],
    ['quantity', '1,5', '【数量】应为数字'],
    ['quantity', '10,00', '【数量】应为数字'],
    ['quantity', '0,500', '【数量】应为数字'],
    ['quantity', '1 5', '【数量】应为数字'],
    ['quantity', '1\u202f234', '1234.000'],
    ['quantity', '1 234,5', '【数量】应为数字'],
    ['price', '￥ 1 234.50', '1234.5000'],
    ['rate', '13 %', 13],
    ['rate', '0.13', 13],
    ['rate', '13.00%', 13],
    ['rate', '0.13%', '【税率】只能是'],
    ['codes', 'A1、A2；A3', ['A1', 'A2', 'A3']],
    ['codes', '(01)06901234567892 (21)S1 (01)06901234567892 (21)S2', codesInBrackets],
    ['price', '5,25', '【单价】应为数字'],
    ['price', '1.234,50', '【单价】应为数字'],
    ['price', '￥1,234.50', '1234.5000'],
    ['expiry', '2027-06', '2027-06-30'],
    ['expiry', '2028年2月', '2028-02-29'],
    ['expiry', '202712', '2027-12-31'],
    ['expiry', '２０２７－０６－０１', '2027-06-01'],
    ['made', '2027-06', '只写到月（2027-06），请写明是哪一天'],
  ] as const)('%s: %s is %s', async (name, text, is) => {
    const found = await said(csv(name, text), name)
    if (typeof is === 'string' && is.startsWith('【')) expect(found).toMatch(new RegExp(`^${is.slice(0, 4)}`))
    else expect(found).toEqual(is)
  })
})

test.each([
  ['below a line without any', '入库单，2026年1月\n批号;数量\nL1;1,5\n', 2],
  ['of pipes', '批号|数量\nL1|1,5\n', 1],
  ['that its first line states', 'sep=;\r\n批号;数量\r\nL1;1,5\r\n', 2],
  ['beside an inch in a heading', '规格(12")\t批号\t数量\nx\tL1\t1,5\n', 1],
  ['below empty lines', '\n\n批号;数量\nL1;1,5\n', 3],
])('a text file is cut by the delimiter %s', async (_what, text, head) => {
  const { rows } = await readSheet(Buffer.from(text), tester, titles)
  expect(rows.map(({ number, cells }) => [number, cells.get('批号'), cells.get('数量')])).toEqual([
    [head + 1, 'L1', '1,5'],
  ])
})

test('a row of a text file with more cells than there are headings is refused', async () => {
  const file = Buffer.from(`批号,数量,备注\nL1,1,234,x\n`)
  await expect(readSheet(file, tester, titles)).rejects.toThrow('第4列没有列名而有内容')
  const trailing = await readSheet(Buffer.from(`批号,数量\nL1,1,,\n`), tester, titles)
  expect(trailing.rows).toHaveLength(1)
})

describe('a sheet', () => {
  const line = row(inline('L1'))
  it('is the first that has the headings, whatever stands before and above them', async () => {
    const notes = row(inline('填写说明'))
    const file = book([
      { rows: notes },
      { rows: headings() + row(inline('HIDDEN')), state: 'hidden' },
      { rows: row(inline('入库单')) + row(inline('2026年1月')) + headings() + line, after: merges('A1:G1') },
    ])
    const sheet = await readSheet(file, tester, titles)
    expect(sheet.rows.map(({ number, cells }) => [number, cells.get('批号')])).toEqual([[4, 'L1']])
  })

  it('is not the one that lists the columns in words', async () => {
    const words = row(inline('列名') + inline('说明')) + row(inline('批号') + inline('必填'))
    const sheet = await readSheet(book([{ rows: words }, { rows: headings() + line }]), tester, titles)
    expect(sheet.rows.map(({ cells }) => cells.get('批号'))).toEqual(['L1'])
    const single = await readSheet(book([{ rows: row(inline('批号')) + line }]), tester, titles)
    expect(single.rows).toHaveLength(1)
  })

  const merges = (range: string) => `<mergeCells><mergeCell ref="${range}"/></mergeCells>`
  it.each([
    ['the same heading twice', { rows: headings(['批号']) + line }, '列【批号】出现了两次，请删除或改名其中一列'],
    [
      'hidden rows',
      { rows: headings() + line + row(inline('L2'), ' hidden="1"') + row(inline('L3'), ' hidden="1"') },
      '第3、4行被隐藏或筛掉，请取消隐藏和筛选，或删除这些行后再导入',
    ],
    [
      'merged cells',
      { rows: headings() + line + row(''), after: merges('A2:A3') },
      '第2至3行有合并单元格，请取消合并，逐格填写',
    ],
    ['merged headings', { rows: headings() + line, after: merges('A1:B1') }, '第1行有合并单元格，请取消合并，逐格填写'],
    [
      'a column without a heading',
      { rows: headings() + row(titles.map(inline).join('') + inline('x')) },
      '第12列没有列名而有内容，请补上列名或删除该列',
    ],
  ])('is refused for %s', async (_what, sheet, sentence) => {
    await expect(readSheet(book([sheet]), tester, titles)).rejects.toThrow(sentence)
  })

  test('a file with a password says so', async () => {
    const head = Buffer.alloc(1536)
    Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(head)
    Buffer.from('EncryptedPackage', 'utf16le').copy(head, 512)
    await expect(readSheet(head, tester, titles)).rejects.toThrow('这是一个加了密码的 Office 文件')
  })
})

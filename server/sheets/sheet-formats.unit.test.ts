import { type BookType, utils, type WorkSheet, write } from '@e965/xlsx'
import { strToU8, zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { readSheet } from '#server/sheets/read.ts'
import { tester } from '#tests/support/sheets.ts'

/** A workbook says the same in whatever format it is saved. */
const titles = ['批号', '数量', '备注']
const bookTypes = ['xlsx', 'xlsb', 'biff8', 'xlml', 'ods', 'fods'] as const satisfies readonly BookType[]

type Page = { readonly rows: readonly (readonly unknown[])[]; readonly merged?: string; readonly isHidden?: boolean }
const pageOf = ({ rows, merged }: Page): WorkSheet => {
  const sheet = utils.aoa_to_sheet(rows as unknown[][])
  return merged === undefined ? sheet : { ...sheet, '!merges': [utils.decode_range(merged)] }
}
const saved = (bookType: BookType, pages: readonly Page[]): Buffer =>
  write(
    {
      SheetNames: pages.map((_, at) => `表${at}`),
      Sheets: Object.fromEntries(pages.map((page, at) => [`表${at}`, pageOf(page)])),
      Workbook: { Sheets: pages.map(({ isHidden }) => ({ Hidden: isHidden ? 1 : 0 })) },
    },
    { type: 'buffer', bookType },
  ) as Buffer
const lotsOf = async (file: Buffer) =>
  (await readSheet(file, tester, titles)).rows.map(({ number, cells }) => [
    number,
    cells.get('批号'),
    cells.get('数量'),
  ])

describe.each(bookTypes)('as %s', bookType => {
  it('the sheet and the row are those that have the headings', async () => {
    const file = saved(bookType, [
      { rows: [['填写说明'], ['请勿改动']] },
      { rows: [['入库单', '2026年1月'], titles, ['L1', 2.5], [], ['L2', 30]] },
    ])
    expect(await lotsOf(file)).toEqual([
      [3, 'L1', '2.5'],
      [5, 'L2', '30'],
    ])
  })

  it('without any headings the first sheet is read', async () => {
    const sheet = await readSheet(saved(bookType, [{ rows: [['甲'], ['1']] }, { rows: [['乙'], ['2']] }]), tester)
    expect(sheet.headings).toEqual(['甲'])
  })

  it('merged cells are refused with their rows', async () => {
    const file = saved(bookType, [{ rows: [titles, ['L1', 1], ['', 2]], merged: 'A2:A3' }])
    await expect(readSheet(file, tester, titles)).rejects.toThrow('第2至3行有合并单元格')
  })

  it('long numbers are refused', async () => {
    const file = saved(bookType, [{ rows: [titles, [1234567890123456, 1]] }])
    const { rows } = await readSheet(file, tester, titles)
    expect(rows[0]?.notes?.get('批号')?.lost).toContain('超过15位的数字')
  })
})

describe.each(['xlsx', 'xlsb', 'biff8', 'xlml'] as const)('as %s', bookType => {
  it('a number keeps the zeros that its format shows', async () => {
    const file = saved(bookType, [{ rows: [titles, [{ t: 'n', v: 123, z: '00000000' }]] }])
    expect((await readSheet(file, tester, titles)).rows[0]?.notes?.get('批号')).toEqual({ shown: '00000123' })
  })

  it('a hidden sheet is not read', async () => {
    const file = saved(bookType, [{ rows: [titles, ['HIDDEN', 1]], isHidden: true }, { rows: [titles, ['L1', 1]] }])
    expect(await lotsOf(file)).toEqual([[2, 'L1', '1']])
  })
})

const xml = '<?xml version="1.0" encoding="UTF-8"?>'
const cells = (row: readonly string[], cell: (text: string) => string) => row.map(cell).join('')
describe('as LibreOffice writes them', () => {
  const cell = (text: string) => `<table:table-cell><text:p>${text}</text:p></table:table-cell>`
  const row = (texts: readonly string[], more = '') => `<table:table-row${more}>${cells(texts, cell)}</table:table-row>`
  const file = (tables: string) =>
    Buffer.from(
      `${xml}<office:document xmlns:office="o" xmlns:table="t" xmlns:text="x" xmlns:style="s">` +
        '<office:automatic-styles>' +
        '<style:style style:name="ta1"><style:table-properties table:display="true"/></style:style>' +
        '<style:style style:name="ta2"><style:table-properties table:display="false"/></style:style>' +
        `</office:automatic-styles><office:body><office:spreadsheet>${tables}</office:spreadsheet></office:body>` +
        '</office:document>',
    )
  const table = (style: string, rows: string) => `<table:table table:style-name="${style}">${rows}</table:table>`

  it('a hidden sheet is not read, and rows of the same repeated are each hidden', async () => {
    expect(
      await lotsOf(file(table('ta2', row(titles) + row(['X', '1'])) + table('ta1', row(titles) + row(['L1', '1'])))),
    ).toEqual([[2, 'L1', '1']])
    const repeated = ' table:number-rows-repeated="2" table:visibility="filter"'
    await expect(lotsOf(file(table('ta1', row(titles) + row(['L1', '1'], repeated))))).rejects.toThrow(
      '第2、3行被隐藏或筛掉',
    )
  })
})

describe('a cell as LibreOffice writes it', () => {
  const cell = (attributes: string, inside: string) => `<table:table-cell ${attributes}>${inside}</table:table-cell>`
  const printed = (text: string) => `<text:p>${text}</text:p>`
  const row = (cells: string) => `<table:table-row>${cells}</table:table-row>`
  const heads = row(titles.map(title => cell('', printed(title))).join(''))
  const lotOf = async (made: string) => {
    const text =
      `${xml}<office:document xmlns:office="o" xmlns:table="t" xmlns:text="x"><table:table>${heads}${row(made)}` +
      '</table:table></office:document>'
    const { rows } = await readSheet(Buffer.from(text), tester, titles)
    return [rows[0]?.cells.get('批号'), rows[0]?.notes?.get('批号')]
  }
  const number = (value: string) => `office:value-type="float" office:value="${value}"`
  const day = 'office:value-type="date" office:date-value="2027-06-01"'

  it.each([
    [
      'comment',
      cell('', `<office:annotation><dc:date>2026</dc:date>${printed('备注')}</office:annotation>${printed('L1')}`),
    ],
    ['drawing', cell('', `<draw:frame><draw:text-box>${printed('图')}</draw:text-box></draw:frame>${printed('L1')}`)],
    ['text that is not printed', cell('office:value-type="string" office:string-value="L1"', '')],
  ])('has a %s beside its text', async (_what, made) => {
    expect(await lotOf(made)).toEqual(['L1', undefined])
  })

  it('keeps its blanks and lines', async () => {
    const text = printed('A<text:s text:c="3"/>B<text:line-break/>C')
    expect(await lotOf(cell('', text))).toEqual(['A   B\nC', undefined])
  })

  it.each([
    [number('7'), 'LOT007', '7', { shown: 'LOT007' }],
    [number('3'), '3.0', '3', { shown: '3.0' }],
    [number('1234'), '1,234', '1234', undefined],
    [number('1.26'), '1.3', '1.26', { inexact: expect.stringContaining('显示为“1.3”，实际是1.26') }],
    ['office:value-type="percentage" office:value="0.13"', '13%', '13%', undefined],
    [day, '2027-06', '2027-06-01', { inexact: expect.any(String), only: 'month' }],
    [day, '06/27', '2027-06-01', { inexact: expect.any(String), only: 'month' }],
    [day, 'Jun 27', '2027-06-01', { inexact: expect.any(String), only: 'month' }],
    [day, '2027', '2027-06-01', { inexact: expect.any(String), only: 'year' }],
    [day, '01.06.27', '2027-06-01', { inexact: expect.any(String) }],
    [day, '2027年6月1日', '2027-06-01', { inexact: expect.any(String) }],
  ])('%s printed as %s is %s', async (attributes, text, is, note) => {
    expect(await lotOf(cell(attributes, printed(text)))).toEqual([is, note])
  })

  it('of a file with a password says so', async () => {
    const manifest = '<m:manifest xmlns:m="m"><m:file-entry><m:encryption-data/></m:file-entry></m:manifest>'
    const parts = { mimetype: 'x', 'content.xml': '\u0007', 'META-INF/manifest.xml': manifest }
    const zipped = (of: Record<string, string>) =>
      Buffer.from(zipSync(Object.fromEntries(Object.entries(of).map(([name, text]) => [name, strToU8(text)]))))
    await expect(readSheet(zipped(parts), tester, titles)).rejects.toThrow('文件加了密码')
    await expect(readSheet(zipped({ 'encrypted-package': 'x' }), tester, titles)).rejects.toThrow(
      '加了密码的 Office 文件',
    )
  })
})

describe('as a web page', () => {
  const page = (rows: string) =>
    Buffer.from(`<html><table><tr>${titles.map(title => `<th>${title}</th>`).join('')}</tr>${rows}</table></html>`)
  it('merged cells and hidden rows are refused with their rows', async () => {
    const merged = page('<tr><td rowspan=2>L1</td><td>1</td></tr><tr><td>2</td></tr>')
    await expect(readSheet(merged, tester, titles)).rejects.toThrow('第2至3行有合并单元格')
    const hidden = page('<tr><td>L1</td></tr><tr style="height:9pt; display: none"><td>L2</td></tr>')
    await expect(readSheet(hidden, tester, titles)).rejects.toThrow('第3行被隐藏或筛掉')
  })
})

describe('as Excel 2003 writes them in XML', () => {
  const data = (type: string, text: string) => `<Data ss:Type="${type}">${text}</Data>`
  const row = (inside: string) => `<Row>${inside}</Row>`
  const file = (rows: string) =>
    Buffer.from(
      `${xml}<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"` +
        ' xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet ss:Name="a"><Table>' +
        `${row(cells(titles, text => `<Cell>${data('String', text)}</Cell>`))}${rows}</Table></Worksheet></Workbook>`,
    )
  it.each([
    [`<Cell>${data('DateTime', '2024-02-01T00:00:00.000')}</Cell>`, { inexact: expect.stringContaining('2024-02-01') }],
    ['<Cell ss:Formula="=R[1]C"></Cell>', { wrong: expect.stringContaining('文件里没有它的结果') }],
  ])('%s is noted', async (cell, note) => {
    const { rows } = await readSheet(file(row(cell)), tester, titles)
    expect(rows[0]?.notes?.get('批号')).toEqual(note)
  })

  const styled = (format: string, rows: string, columns = '') =>
    Buffer.from(
      `${xml}<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"` +
        ' xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet">' +
        `<Styles><Style ss:ID="s1"><NumberFormat ss:Format="${format}"/></Style></Styles><Worksheet><Table>${columns}` +
        `${row(cells(titles, text => `<Cell>${data('String', text)}</Cell>`))}${rows}</Table></Worksheet></Workbook>`,
    )
  const lot = async (made: Buffer) => {
    const { rows } = await readSheet(made, tester, titles)
    return [rows[0]?.cells.get('批号'), rows[0]?.notes?.get('批号')]
  }
  it.each(['General Number', 'Fixed', 'Standard', 'Currency', 'Euro Currency', 'Scientific', 'Yes/No'])(
    'a number of the format %s is a number, and no day',
    async format => {
      const made = styled(format, row(`<Cell ss:StyleID="s1">${data('Number', '12.5')}</Cell>`))
      expect((await lot(made))[0]).toBe('12.5')
    },
  )
  it('a percentage, and a day by a name, are what a person sees', async () => {
    const made = (format: string, value: string) =>
      lot(styled(format, row(`<Cell ss:StyleID="s1">${data('Number', value)}</Cell>`)))
    expect((await made('Percent', '0.13'))[0]).toBe('13%')
    expect((await made('Short Date', '45323'))[0]).toBe('2024-02-01')
  })
  it.each([
    ['its column', '<Column/><Column ss:Index="1" ss:StyleID="s1" ss:Span="1"/>', '<Row>'],
    ['its row', '', '<Row ss:StyleID="s1">'],
  ])('a cell has the format of %s', async (_where, columns, open) => {
    const made = styled('00000000', `${open}<Cell>${data('Number', '123')}</Cell></Row>`, columns)
    expect(await lot(made)).toEqual(['123', { shown: '00000123' }])
  })
  it('a comment is no part of a cell', async () => {
    const comment = '<Comment ss:Author="x"><ss:Data xmlns="h"><B>x:</B>说明</ss:Data></Comment>'
    expect(await lot(file(row(`<Cell>${data('String', 'L1')}${comment}</Cell>`)))).toEqual(['L1', undefined])
  })
})

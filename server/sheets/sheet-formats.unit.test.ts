import { utils, write, type BookType, type WorkSheet } from '@e965/xlsx'
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

  it('long numbers are refused where they name something', async () => {
    const file = saved(bookType, [{ rows: [titles, [1234567890123456, 1]] }])
    const { rows } = await readSheet(file, tester, titles)
    expect(rows[0]?.notes?.get('批号')?.inexact).toContain('超过15位的数字')
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
})

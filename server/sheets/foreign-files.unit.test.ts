import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { read, utils } from '@e965/xlsx'
import { strToU8, unzipSync, zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { f } from '#kernel/definition/field.ts'
import { exportColumns } from '#server/sheets/export-columns.ts'
import { readSheet } from '#server/sheets/read.ts'
import { tester } from '#tests/support/sheets.ts'
import { streamWorkbook } from '#server/sheets/write.ts'
import os from 'node:os'
import path from 'node:path'
import readExcelFile from 'read-excel-file/node'
import xlsxPopulate from 'xlsx-populate'

/** Workbooks between this program and those of others, both ways. */
const HEAD = ['编码', '名称', '数量', '单价', '生产日期', '入库时间', '启用']
const GOODS = [
  ['00123', '导丝（加硬）', '2.5', '1234.5', '2026-01-31', '2026-01-31 08:30:15', 'TRUE'],
  ['00124', '支架\n二代', '3', '0.1', '2026-01-31', '2026-01-31 08:30:15', 'FALSE'],
]

describe('what we export', () => {
  const columns = exportColumns({
    code: f.text('编码'),
    name: f.text('名称'),
    quantity: f.quantity('数量'),
    price: f.price('单价'),
    made: f.day('生产日期'),
    at: f.instant('入库时间'),
    is_open: f.flag('启用'),
    remark: f.longText('备注'),
  })
  const rows = [
    {
      code: '00123',
      name: '导丝 <加硬> & "软"',
      quantity: '2.500',
      price: '1234.5000',
      made: '2026-01-31',
      at: '2026-01-31T00:30:15Z',
      is_open: true,
      remark: null,
    },
    {
      code: '00124',
      name: '一次性使用无菌血管内导管导引鞘组',
      quantity: '3.000',
      price: null,
      made: null,
      at: null,
      is_open: false,
      remark: '=1+1',
    },
  ]
  async function* batches() {
    yield rows.map(row => columns.map(column => column.cell(row)))
  }
  const exported = () => buffer(streamWorkbook('库存', columns, batches(), null, ['库存', '2026年1月']))
  const day = new Date(Date.UTC(2026, 0, 31))
  const moment = new Date(Date.UTC(2026, 0, 31, 8, 30, 15))

  it('is read the same by three readers of others: texts, figures, days and moments as dates, empty cells as none', async () => {
    const file = await exported()
    const titles = columns.map(({ title }) => title)
    const [sheet] = await readExcelFile(file)
    expect(sheet!.data.slice(2)).toEqual([
      titles,
      ['00123', '导丝 <加硬> & "软"', 2.5, 1234.5, day, moment, '是', null],
      ['00124', '一次性使用无菌血管内导管导引鞘组', 3, null, null, null, '否', '=1+1'],
    ])
    const populated = (await xlsxPopulate.fromDataAsync(file)).sheet(0)
    expect(populated.range('A3:H3').value()).toEqual([titles])
    expect(populated.cell('B5').value()).toBe('一次性使用无菌血管内导管导引鞘组')
    expect(populated.cell('H5').value()).toBe('=1+1')
    expect(populated.cell('H5').formula()).toBeUndefined()
    for (const [cell, is] of [
      ['E4', day],
      ['F4', moment],
    ] as const) {
      const read_ = xlsxPopulate.numberToDate(populated.cell(cell).value() as number)
      expect(Math.abs(read_.getTime() + read_.getTimezoneOffset() * -60_000 - is.getTime())).toBeLessThan(1000)
    }
    expect(populated.cell('F4').style('numberFormat')).toBe('yyyy-mm-dd hh:mm:ss')
    const book = read(file, { cellDates: false, cellNF: true })
    expect(utils.sheet_to_json(book.Sheets.库存!, { header: 1, raw: false, range: 2, defval: '' })).toEqual([
      titles,
      ['00123', '导丝 <加硬> & "软"', '2.500', '1,234.5000', '2026-01-31', '2026-01-31 08:30:15', '是', ''],
      ['00124', '一次性使用无菌血管内导管导引鞘组', '3.000', '', '', '', '否', '=1+1'],
    ])
  })

  it('has a filter over its rows, widths by its contents, and a header that stays', async () => {
    const { '!autofilter': filter, '!cols': widths } = read(await exported(), { cellStyles: true }).Sheets.库存!
    expect(filter).toEqual({ ref: 'A3:H5' })
    const [code, name, quantity] = widths!.map(column => column.width!)
    expect(name).toBeGreaterThan(30)
    expect(code).toBeLessThan(12)
    expect(quantity).toBeLessThan(14)
    const sheet = Buffer.from(unzipSync(await exported())['xl/worksheets/sheet1.xml']!).toString()
    expect(sheet).toContain('<pane ySplit="3" topLeftCell="A4"')
  })

  it.skipIf(!isInstalled('ssconvert'))('is read by Gnumeric', async () => {
    expect(
      converted(await exported(), (from, to) => execFileSync('ssconvert', [from, to], { stdio: 'ignore' })),
    ).toEqual([
      '库存,,,,,,,',
      '2026年1月,,,,,,,',
      '编码,名称,数量,单价,生产日期,入库时间,启用,备注',
      '00123,"导丝 <加硬> & ""软""",2.5,1234.5,2026/01/31,"2026/01/31 08:30:15",是,',
      '00124,一次性使用无菌血管内导管导引鞘组,3,,,,否,=1+1',
    ])
  })

  it.skipIf(!process.env.LIBREOFFICE)('is read by LibreOffice', { timeout: 120_000 }, async () => {
    const convert = (from: string, to: string) =>
      execFileSync('soffice', [
        '--headless',
        '--convert-to',
        'csv:Text - txt - csv (StarCalc):44,34,76',
        '--outdir',
        path.dirname(to),
        from,
      ])
    expect(converted(await exported(), convert).slice(2)).toEqual([
      '编码,名称,数量,单价,生产日期,入库时间,启用,备注',
      '00123,"导丝 <加硬> & ""软""",2.500,"1,234.5000",2026-01-31,2026-01-31 08:30:15,是,',
      '00124,一次性使用无菌血管内导管导引鞘组,3.000,,,,否,=1+1',
    ])
  })
})

describe('what others write', () => {
  const folder = path.join(import.meta.dirname, 'fixtures')
  const sheets = readdirSync(folder).filter(file => /\.xlsx?$/.test(file))
  const parsed = (file: Uint8Array) => readSheet(Buffer.from(file), tester)
  const cellsOf = async (file: Uint8Array) => {
    const { headings, rows } = await parsed(file)
    return [headings, ...rows.map(({ cells }) => headings.map(heading => cells.get(heading)))]
  }

  it('is there: six programs, and the old format', () => {
    expect(sheets.length).toBeGreaterThan(7)
  })

  it.each(sheets)('%s is read as it was meant', async file => {
    expect(await cellsOf(readFileSync(path.join(folder, file)))).toEqual([HEAD, ...GOODS])
  })

  it('is read without addresses, as texts in the cells, also where nothing is written in between', async () => {
    const row = (cells: readonly string[]) =>
      `<row>${cells.map(text => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('')}</row>`
    const rows = [HEAD, ...GOODS].map(row).join('')
    const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
    const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
    const book = {
      '[Content_Types].xml': '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
      'xl/workbook.xml':
        `<workbook xmlns="${main}" xmlns:r="${office}"><sheets>` +
        '<sheet name="a" sheetId="1" r:id="r1"/></sheets></workbook>',
      'xl/_rels/workbook.xml.rels':
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">' +
        `<Relationship Id="r1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
      'xl/worksheets/sheet1.xml': `<worksheet xmlns="${main}"><sheetData>${rows}</sheetData></worksheet>`,
    }
    const file = zipSync(Object.fromEntries(Object.entries(book).map(([name, text]) => [name, strToU8(text)])))
    expect(await cellsOf(file)).toEqual([HEAD, ...GOODS])
  })

  /** The same file with the sizes of its parts in further fields, as POI writes those that it makes row by row. */
  const zip64 = (file: Uint8Array): Buffer => {
    const [bytes, end] = [Buffer.from(file), Buffer.from(file).lastIndexOf('PK\u0005\u0006')]
    const [count, first] = [bytes.readUInt16LE(end + 10), bytes.readUInt32LE(end + 16)]
    const entries: Buffer[] = []
    for (let at = first; at < end; ) {
      const next = at + 46 + bytes.readUInt16LE(at + 28) + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
      const [entry, extra] = [Buffer.from(bytes.subarray(at, next)), Buffer.alloc(28)]
      extra.writeUInt16LE(1, 0)
      extra.writeUInt16LE(24, 2)
      for (const [place, from] of [24, 20, 42].entries())
        extra.writeBigUInt64LE(BigInt(entry.readUInt32LE(from)), 4 + place * 8)
      for (const from of [20, 24, 42]) entry.writeUInt32LE(0xff_ff_ff_ff, from)
      entry.writeUInt16LE(28, 30)
      entries.push(Buffer.concat([entry.subarray(0, 46 + entry.readUInt16LE(28)), extra]))
      at = next
    }
    const contents = Buffer.concat(entries)
    const tail = Buffer.alloc(56 + 20 + 22)
    tail.writeUInt32LE(0x06064b50, 0)
    tail.writeBigUInt64LE(BigInt(count), 32)
    tail.writeBigUInt64LE(BigInt(first), 48)
    tail.writeUInt32LE(0x07064b50, 56)
    tail.writeBigUInt64LE(BigInt(first + contents.length), 64)
    tail.writeUInt32LE(0x06054b50, 76)
    tail.writeUInt16LE(0xff_ff, 86)
    tail.writeUInt32LE(0xff_ff_ff_ff, 92)
    return Buffer.concat([bytes.subarray(0, first), contents, tail])
  }
  it('is refused as broken where it was cut off', async () => {
    const file = readFileSync(path.join(folder, 'openpyxl.xlsx'))
    await expect(parsed(file.subarray(0, file.length / 2))).rejects.toThrow(
      '这是一个不完整或已损坏的文件，这里要 Excel',
    )
  })
  it('is read with the sizes of a large zip file', async () => {
    const file = zip64(readFileSync(path.join(folder, 'openpyxl.xlsx')))
    expect(await cellsOf(file)).toEqual([HEAD, ...GOODS])
  })

  /** As Excel and WPS write a sheet as CSV: quoted where it must be. */
  const csv = (delimiter: string, end = '\r\n') =>
    [HEAD, ...GOODS].map(row => row.map(text => (/[\n",]/.test(text) ? `"${text}"` : text)).join(delimiter)).join(end) +
    end
  /** 编码 … 二代 in GBK, which Node does not write. */
  const gbk = (text: string) => {
    const bytes = new Map<string, Uint8Array>()
    for (let lead = 0x81; lead < 0xff; lead++)
      for (let trail = 0x40; trail < 0xff; trail++)
        bytes.set(new TextDecoder('gbk').decode(Uint8Array.of(lead, trail)), Uint8Array.of(lead, trail))
    return Buffer.concat([...text].map(each => (each.charCodeAt(0) < 0x80 ? Buffer.from(each) : bytes.get(each)!)))
  }
  it.each([
    ['in UTF-8', Buffer.from(csv(','))],
    ['in UTF-8 with its mark', Buffer.from(`\uFEFF${csv(',')}`)],
    ['in GBK', gbk(csv(','))],
    ['as Unicode text of Excel', Buffer.from(`\uFEFF${csv('\t')}`, 'utf16le')],
    ['with semicolons and line ends of Unix', Buffer.from(csv(';', '\n'))],
    ['without a last line end', Buffer.from(csv(',').trimEnd())],
  ])('is read as CSV %s', async (_how, file) => {
    expect(await cellsOf(file)).toEqual([HEAD, ...GOODS])
  })

  const xml = '<?xml version="1.0" encoding="UTF-8"?>'
  const sheet2003 = (rows: string) =>
    `${xml}<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" ` +
    `xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet><Table>${rows}</Table></Worksheet></Workbook>`
  const office = (rows: string) =>
    `${xml}<office:document xmlns:office="o" xmlns:table="t" xmlns:text="x"><office:body><office:spreadsheet>` +
    `<table:table>${rows}</table:table></office:spreadsheet></office:body></office:document>`
  const inRows = (row: string, cell: (text: string) => string) =>
    [HEAD, ...GOODS].map(cells => `<${row}>${cells.map(cell).join('')}</${row}>`).join('')
  const flat = office(
    inRows(
      'table:table-row',
      text => `<table:table-cell><text:p>${text.replace('\n', '</text:p><text:p>')}</text:p></table:table-cell>`,
    ),
  )
  it.each([
    [
      'a page that a bank calls .xls',
      `<html><head><style>td{}</style></head><table>${inRows('tr', text => `<td x:str>${text}</td>`)}</table></html>`,
    ],
    ['a page without a head, in GBK', gbk(`<table border=1>${inRows('TR', text => `<TD>${text}</TD>`)}</table>`)],
    [
      'a sheet that Excel 2003 saved as XML',
      sheet2003(inRows('Row', text => `<Cell><Data ss:Type="String">${text}</Data></Cell>`)),
    ],
    ['a flat sheet of OpenDocument', flat],
    ['a sheet of OpenDocument', zipSync({ mimetype: strToU8('x'), 'content.xml': strToU8(flat) })],
    ['a text that is called .xls', csv('\t')],
  ])('is read as what it is, whatever it is called: %s', async (_what, file) => {
    const joined = (rows: unknown) => JSON.parse(JSON.stringify(rows).replaceAll('\\n', ' ')) as unknown
    expect(joined(await cellsOf(Buffer.from(file)))).toEqual(joined([HEAD, ...GOODS]))
  })

  it.each([
    ['%PDF-1.7 x', '这是一个 PDF 文件，这里要 Excel 或 CSV 文件（.xlsx、.xls、.csv）'],
    ['\u0089PNG\r\n\u001a\n', '这是图片，这里要 Excel 或 CSV 文件（.xlsx、.xls、.csv）'],
    ['{\\rtf1 x', '这是一个 Word 文档，这里要 Excel 或 CSV 文件（.xlsx、.xls、.csv）'],
    ['<?xml version="1.0"?><a/>', '这是一个 XML 文件，这里要 Excel 或 CSV 文件（.xlsx、.xls、.csv）'],
  ])('is refused with what it is and what is wanted: %s', async (text, sentence) => {
    await expect(parsed(Buffer.from(text, 'latin1'))).rejects.toThrow(sentence)
  })

  it('keeps digits of CSV that Excel would have taken for a number, and quotes within quotes', async () => {
    expect(await cellsOf(Buffer.from('编码,名称\n="0690123",""\n06901234567892,"他说""好"",对"\n'))).toEqual([
      ['编码', '名称'],
      ['0690123', ''],
      ['06901234567892', '他说"好",对'],
    ])
  })

  it('is refused in one pass when it is no text, or never ends', async () => {
    const refused = '文件无法识别，请使用 .xls、.xlsx 或 .csv 格式'
    await expect(parsed(Buffer.from('编码,"'.repeat(200_001)))).rejects.toThrow(refused)
    await expect(parsed(Buffer.from([0x41, 0x00, 0xfe, 0xff, 0x80]))).rejects.toThrow(refused)
  })
})

function isInstalled(program: string): boolean {
  return (process.env.PATH ?? '').split(path.delimiter).some(folder => {
    try {
      return readdirSync(folder).includes(program)
    } catch {
      return false
    }
  })
}

/** The lines of a workbook as another program writes it as CSV. */
function converted(file: Buffer, convert: (from: string, to: string) => void): string[] {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'sheet-'))
  try {
    const [from, to] = [path.join(folder, 'a.xlsx'), path.join(folder, 'a.csv')]
    writeFileSync(from, file)
    convert(from, to)
    return readFileSync(to, 'utf8').trimEnd().split('\n')
  } finally {
    rmSync(folder, { recursive: true })
  }
}

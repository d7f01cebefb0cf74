import { CFB, utils, write } from '@e965/xlsx'
import { strToU8, zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { readSheet } from '#server/sheets/read.ts'
import { tester } from '#tests/support/sheets.ts'

/** Files with the name .xls: workbooks of every Excel since 1987, and files that are no workbooks at all. */
const titles = ['产品编码', '批号', '数量']
const rowsOf = async (file: Buffer) => {
  const { rows } = await readSheet(file, tester, titles)
  return rows.map(({ cells }) => titles.map(title => cells.get(title)))
}
const notesOf = async (file: Buffer) => {
  const { rows } = await readSheet(file, tester, titles)
  return rows.map(({ notes }) => Object.fromEntries(notes ?? []))
}

/** GBK as old programs write it; the headings here need no more letters. */
const gbk: Readonly<Record<string, string>> = {
  产品编码: 'b2fac6b7b1e0c2eb',
  批号: 'c5fabac5',
  数量: 'cafdc1bf',
  批2024: 'c5fa32303234',
}
const bytesOf = (text: string): Buffer => (gbk[text] ? Buffer.from(gbk[text], 'hex') : Buffer.from(text, 'latin1'))
const short = (...numbers: number[]): Buffer => {
  const bytes = Buffer.alloc(numbers.length * 2)
  for (const [at, number] of numbers.entries()) bytes.writeUInt16LE(number, at * 2)
  return bytes
}
const record = (type: number, ...data: Buffer[]): Buffer => {
  const all = Buffer.concat(data)
  return Buffer.concat([short(type, all.length), all])
}
const float = (value: number): Buffer => {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleLE(value)
  return bytes
}
type Version = 2 | 3 | 4 | 5
type Value = string | { readonly formula: number; readonly flags: number }

const texts: readonly (readonly Value[])[] = [titles, ['00123', '批2024', '2.5']]
function cell(version: Version, row: number, column: number, value: Value): Buffer {
  const place = version === 2 ? [short(row, column), Buffer.alloc(3)] : [short(row, column, 0)]
  if (typeof value !== 'string') {
    const type = version === 3 ? 0x206 : version === 4 ? 0x406 : 6
    const behind = version === 2 ? Buffer.from([value.flags, 0]) : Buffer.concat([short(value.flags), Buffer.alloc(6)])
    return record(type, ...place, float(value.formula), behind)
  }
  const text = bytesOf(value)
  return version === 2
    ? record(4, ...place, Buffer.from([text.length]), text)
    : record(0x204, ...place, short(text.length), text)
}
/** A workbook with one sheet; `page`: the code page that it names. */
function old(version: Version, rows: readonly (readonly Value[])[], page: number | null): Buffer {
  const named = page === null ? [] : [record(0x42, short(page))]
  const cells = rows.flatMap((row, at) => row.map((value, column) => cell(version, at, column, value)))
  const begin = { 2: record(9, short(0, 16)), 3: record(0x209, short(0, 16, 0)), 4: record(0x409, short(0, 16, 0)) }
  if (version !== 5) return Buffer.concat([begin[version], ...named, ...cells, record(10)])
  const start = record(0x809, short(0x500, 5, 0, 0))
  const before = start.length + Buffer.concat(named).length
  const name = Buffer.from([6, ...Buffer.from('Sheet1')])
  const at = before + 4 + 6 + name.length + 4
  const sheet = record(0x85, short(at & 0xffff, at >> 16, 0), name)
  const stream = Buffer.concat([
    start,
    ...named,
    sheet,
    record(10),
    record(0x809, short(0x500, 16, 0, 0)),
    ...cells,
    record(10),
  ])
  return compound('Book', stream)
}
function compound(name: string, stream: Buffer): Buffer {
  const file = CFB.utils.cfb_new()
  // Short streams stand in another place.
  CFB.utils.cfb_add(file, `/${name}`, Buffer.concat([stream, Buffer.alloc(4096)]))
  return Buffer.from(CFB.write(file, { type: 'buffer' }) as Uint8Array)
}

describe.each([2, 3, 4, 5] as const)('a workbook of Excel %i', version => {
  it.each([936, null])('has Chinese texts in the code page %s', async page => {
    expect(await rowsOf(old(version, texts, page))).toEqual([['00123', '批2024', '2.5']])
  })

  it('says of a formula without a result that it has none', async () => {
    const rows = [titles, ['A1', 'L1', { formula: 0, flags: 3 }], ['A1', 'L1', { formula: 0, flags: 0 }]]
    const notes = await notesOf(old(version, [...rows, ['A1', 'L1', { formula: 7, flags: 3 }]], 936))
    const open = { wrong: expect.stringContaining('文件里没有它的结果') as unknown }
    expect(notes).toEqual([{ 数量: open }, {}, {}])
  })
})

it('a text whose code page does not fit says so', async () => {
  const rows: Value[][] = [titles.map(String), ['00123', '\u00ff\u00ff', '1']]
  expect(await notesOf(old(5, rows, 936))).toEqual([
    { 批号: { wrong: expect.stringContaining('含有无法识别的字符') as unknown } },
  ])
})

/** A workbook of Excel 97 with one more formula: a program that does not calculate wrote it. */
function with97(result: Buffer, flags: number, tokens: readonly number[]): Buffer {
  const sheet = utils.aoa_to_sheet([titles, ['A1', 'L1', 1]])
  const file = write({ Sheets: { a: sheet }, SheetNames: ['a'] }, { type: 'buffer', bookType: 'biff8' }) as Buffer
  const stream = Buffer.from((CFB.find(CFB.read(file, { type: 'buffer' }), '/Workbook') as { content: Buffer }).content)
  const formula = record(6, short(1, 2, 0), result, short(flags, 0, 0, tokens.length), Buffer.from(tokens))
  const end = stream.lastIndexOf(record(10))
  return compound('Workbook', Buffer.concat([stream.subarray(0, end), formula, record(10)]))
}
const emptyText = Buffer.from([3, 0, 0, 0, 0, 0, 255, 255])

describe('a formula of an .xls', () => {
  const [ref, times, sum] = [[0x44, 0, 0, 0, 0], [0x05], [0x22, 1, 4, 0]]
  it.each([
    ['nought that is still to be calculated', float(0), 2, [...ref, ...ref, ...times]],
    ['an empty text of a product', emptyText, 0, [...ref, ...ref, ...times]],
    ['an empty text of a sum', emptyText, 0, [...ref, ...sum]],
  ])('without a result is told: %s', async (_, result, flags, tokens) => {
    expect((await notesOf(with97(result, flags, tokens)))[0]?.数量).toMatchObject({
      wrong: expect.stringContaining('文件里没有它的结果'),
    })
  })
  it.each([
    ['nought that was calculated', float(0), 0, [...ref, ...ref, ...times], '0'],
    ['a figure', float(2.5), 3, [...ref, ...ref, ...times], '2.5'],
  ])('with a result is read: %s', async (_, result, flags, tokens, figure) => {
    const file = with97(result, flags, tokens)
    expect(await rowsOf(file)).toEqual([['A1', 'L1', figure]])
    expect(await notesOf(file)).toEqual([{}])
  })
})

describe('a file that only has the name of a workbook', () => {
  const said = async (file: Buffer): Promise<string> => {
    try {
      await rowsOf(file)
    } catch (error) {
      return (error as Error).message
    }
    return ''
  }
  const sheet = { Sheets: { a: utils.aoa_to_sheet([titles, ['00123', 'L1', '2.5']]) }, SheetNames: ['a'] }
  const saved = (bookType: 'sylk' | 'dif') => Buffer.from(write(sheet, { type: 'buffer', bookType }) as Buffer)
  const dbf = Buffer.concat([
    Buffer.from([3, 124, 5, 20, 1, 0, 0, 0, 65, 0, 11, 0]),
    Buffer.alloc(20),
    Buffer.from('LOT\0\0\0\0\0\0\0\0C'),
    Buffer.alloc(20, 1),
    Buffer.from([13, 32]),
    Buffer.from('L1        '),
  ])
  it.each([
    ['SYLK', saved('sylk'), '这是一个 SYLK 表格（.slk）'],
    ['DIF', saved('dif'), '这是一个 DIF 表格（.dif）'],
    ['dBASE', dbf, '这是一个 dBASE 表格（.dbf）'],
    ['a web page in one file', Buffer.from('MIME-Version: 1.0\r\nContent-Type: multipart/related'), '单个文件网页'],
  ])('is named with the next step: %s', async (_, file, name) => {
    expect(await said(file)).toContain(name)
    expect(await said(file)).toContain('请用 Excel 或 WPS 打开后另存为 .xlsx 再上传')
  })
  it('is named where it is of another program', async () => {
    const numbers = Buffer.from(zipSync({ 'Index/Document.iwa': strToU8('x'), 'Metadata/x.plist': strToU8('x') }))
    expect(await said(numbers)).toContain('请用 Numbers 导出为 Excel 再上传')
  })
  it.each([
    ['tabs', Buffer.from(`${titles.join('\t')}\r\n00123\tL1\t2.5\r\n`)],
    ['Unicode text', Buffer.from(`\ufeff${titles.join('\t')}\r\n00123\tL1\t2.5\r\n`, 'utf16le')],
    [
      'GBK',
      Buffer.concat([
        titles.map(bytesOf).reduce((a, b) => Buffer.concat([a, Buffer.from('\t'), b])),
        Buffer.from('\r\n00123\tL1\t2.5'),
      ]),
    ],
    [
      'a web page',
      Buffer.from(
        `<html><table><tr>${titles.map(t => `<td>${t}</td>`).join('')}</tr><tr><td>00123<td>L1<td>2.5</table>`,
      ),
    ],
  ])('is read where it is a table: %s', async (_, file) => {
    expect(await rowsOf(file)).toEqual([['00123', 'L1', '2.5']])
  })
})

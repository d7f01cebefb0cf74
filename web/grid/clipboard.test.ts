import { describe, expect, it } from 'vitest'
import { readBlock, writeBlock } from '#web/grid/clipboard.ts'

describe('a block from Excel', () => {
  it('is rows of cells, and the last line end adds no row', () => {
    expect(readBlock('a\tb\r\n1\t2\r\n')).toEqual([
      ['a', 'b'],
      ['1', '2'],
    ])
  })

  it('keeps tabs, line ends and quotes inside quoted cells', () => {
    expect(readBlock('"a\tb"\t"say ""hi"""\n"two\nlines"\tx')).toEqual([
      ['a\tb', 'say "hi"'],
      ['two\nlines', 'x'],
    ])
  })

  it('keeps empty cells in place', () => {
    expect(readBlock('\t\n1\t')).toEqual([
      ['', ''],
      ['1', ''],
    ])
  })

  it('is read back as written', () => {
    const rows = [
      ['批号 "A"', '换\n行', ''],
      ['12.50', 'x\ty', '末'],
    ]
    expect(readBlock(writeBlock(rows))).toEqual(rows)
  })
})

import { describe, expect, it } from 'vitest'
import { definePrint } from '#kernel/print.ts'
import { layoutOf, pagesOf, watermarkOf } from '#web/print/paper.ts'

const lines = (count: number) => Array.from({ length: count }, (_, at) => at + 1)
const even = (count: number, each: number, room: number, closing: number) => ({
  room,
  closing,
  rows: lines(count).map(() => each),
})

describe('pages', () => {
  it('hold at most so many lines, and no more than fit', () => {
    expect(pagesOf(lines(20), 8, even(20, 1, 100, 1)).map(page => page.length)).toEqual([8, 8, 4])
    expect(pagesOf(lines(8), 8, even(8, 30, 100, 10)).map(page => page.length)).toEqual([3, 3, 2])
  })
  it('put totals and signatures on a page of their own when there is no room below the last line', () => {
    expect(pagesOf(lines(3), 8, even(3, 30, 100, 20)).map(page => page.length)).toEqual([3, 0])
  })
  it('lose nothing, however high a row is', () => {
    expect(pagesOf(lines(3), 8, even(3, 500, 100, 10)).flat()).toEqual([1, 2, 3])
    expect(pagesOf([], 8, even(0, 0, 100, 10))).toEqual([[]])
  })
})

describe('a template', () => {
  const sheet = definePrint({
    route: '/newprint/x',
    title: '单',
    kinds: { x: null },
    papers: [
      { paper: 'form140', lines: 8 },
      { paper: 'A4', lines: 25 },
    ],
    header: [],
    columns: [
      { name: 'lot_no', label: '批号', share: 1 },
      { name: 'price', label: '单价', share: 1, as: 'price' },
    ],
    signatures: ['制单人'],
    carrier: 'code128',
  })
  const none = {
    print_template_sn: '1',
    name: '模板',
    paper: null,
    lines_per_page: null,
    title: null,
    hidden_columns: null,
    signatures: null,
    note: null,
  }
  it('changes what it names and nothing else', () => {
    expect(layoutOf(sheet, { ...none, paper: 'A4', signatures: '甲、乙' }, true)).toMatchObject({
      paper: 'A4',
      lines: 25,
      signatures: ['甲', '乙'],
    })
    expect(layoutOf(sheet, { ...none, hidden_columns: '批号' }, true).columns.map(column => column.label)).toEqual([
      '单价',
    ])
  })
  it('prints no money for whoever is not told it', () => {
    expect(layoutOf(sheet, null, false).columns.map(column => column.label)).toEqual(['批号'])
  })
})

describe('a watermark', () => {
  it('says what the paper is not yet, or no more', () => {
    expect(['draft', 'submitted', 'cancelled', 'reversed', 'reviewed'].map(state => watermarkOf({ state }))).toEqual([
      '草稿',
      '未审核',
      '已作废',
      '已红冲',
      null,
    ])
  })
})

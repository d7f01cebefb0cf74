import { describe, expect, it } from 'vitest'
import { definePrint, type PrintTemplate } from '#kernel/print/print-definition.ts'
import { columnsInWords, namedColumns, stackedColumns } from '#kernel/print/print-layout.ts'
import { saleOrder } from '#modules/platform/prints/sheets/order-sheets.ts'
import { stockTake } from '#modules/platform/prints/sheets/store-sheets.ts'
import { inboundOrder, outboundOrder } from '#modules/platform/prints/sheets/stock-sheets.ts'
import { EACH_PART, partsOf } from '#web/print/print-options.ts'
import { codeRows, codesBelow } from '#web/print/document/unit-code-rows.ts'
import { fitted } from '#web/print/document/text-width.ts'
import {
  blanksFor,
  flow,
  inOrder,
  layoutOf,
  mergedLines,
  pagesOf,
  saidColumns,
  sealOf,
  signaturesOf,
  titleOf,
  watermarkOf,
} from '#web/print/document/page-layout.ts'

const lines = (count: number) => Array.from({ length: count }, (_, at) => at + 1)
const even = (count: number, each: number, room: number, closing: number) => ({
  room,
  closing,
  rows: lines(count).map(() => each),
})

describe('pages', () => {
  it('contain at most the set number of lines, and no more than fit', () => {
    expect(pagesOf(lines(20), 8, even(20, 1, 100, 1)).map(page => page.length)).toEqual([8, 8, 4])
    expect(pagesOf(lines(8), 8, even(8, 30, 100, 10)).map(page => page.length)).toEqual([3, 3, 2])
  })
  it('move the last line to a new page if totals and signatures do not fit below it', () => {
    expect(pagesOf(lines(3), 8, even(3, 30, 100, 20)).map(page => page.length)).toEqual([2, 1])
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
    column_layout: null,
    signatures: null,
    note: null,
  }
  it('changes what it names and nothing else', () => {
    expect(layoutOf(sheet, { ...none, paper: 'A4', signatures: '甲、乙' }, true)).toMatchObject({
      paper: 'A4',
      lines: 25,
      signatures: ['甲', '乙'],
    })
    expect(layoutOf(sheet, { ...none, column_layout: '单价' }, true).columns.map(column => column.label)).toEqual([
      '单价',
    ])
  })
  it('aligns columns as it says, and chooses head, sums, capitals and code', () => {
    const [lot, price] = layoutOf(sheet, { ...none, column_layout: '批号 30 中、单价 左' }, true).columns
    expect([lot!.side, lot!.share, price!.side]).toEqual(['center', 30, 'left'])
    const words = '批号 30 中、单价 左'
    expect(columnsInWords(namedColumns(words))).toBe(words)
    const chosen = { ...none, head_layout: '发货日期、出库单号', carrier: 'datamatrix' } as const
    const layout = layoutOf(outboundOrder, { ...chosen, total_items: '合计件数(箱)', has_capitals: false }, true)
    expect(layout.head.map(([label]) => label)).toEqual(['发货日期', '出库单号'])
    expect([layout.closings, layout.hasCapitals, layout.carrier]).toEqual([['packages'], false, 'datamatrix'])
    expect(layoutOf(outboundOrder, none, true).closings).toEqual(['page', 'quantity', 'packages', 'amount'])
  })
  it('prints no money without the price permission', () => {
    const indoors = { ...sheet, indoors: { kinds: ['grantOdo'], leaves: [sheet.columns[0]!.name] } }
    const named = (kind: string) => layoutOf(indoors, null, true, null, kind).columns.map(column => column.name)
    expect(named('saleOdo')).toContain(sheet.columns[0]!.name)
    expect(named('grantOdo')).not.toContain(sheet.columns[0]!.name)
    expect(layoutOf(sheet, null, false).columns.map(column => column.label)).toEqual(['批号'])
  })
})

describe('a watermark', () => {
  it('shows that the document is not yet, or no longer, in effect', () => {
    expect(['draft', 'submitted', 'cancelled', 'reversed', 'reviewed'].map(state => watermarkOf({ state }))).toEqual([
      '草稿',
      '未审核',
      '已作废',
      '已红冲',
      null,
    ])
  })
})

describe('equal lines', () => {
  const columns = [
    { name: 'product_name', label: '产品名称', share: 10 },
    { name: 'lot_no', label: '批号', share: 10 },
    { name: 'quantity', label: '数量', share: 5, as: 'quantity' },
    { name: 'price', label: '单价', share: 5, as: 'price' },
    { name: 'taxed_amount', label: '金额', share: 5, as: 'amount' },
  ] as const
  const line = (lot_no: string, quantity: string, taxed_amount: string, price = '2.0000') => ({
    product_name: '支架',
    lot_no,
    quantity,
    price,
    taxed_amount,
  })
  it('are merged into one with their sum; another lot or price is a separate line', () => {
    const lines = [
      line('A', '1.000', '2.00'),
      line('B', '1.000', '2.00'),
      line('A', '2.500', '5.01'),
      line('A', '1', '3', '3.0000'),
    ]
    expect(mergedLines(columns, lines).map(each => [each.lot_no, each.quantity, each.taxed_amount])).toEqual([
      ['A', '3.500', '7.01'],
      ['B', '1.000', '2.00'],
      ['A', '1.000', '3.00'],
    ])
  })
})

describe('the seal', () => {
  const sealed = { seal: '出库专用章' } as Parameters<typeof sealOf>[0]
  it('is only on documents in effect', () => {
    expect(['draft', 'submitted', 'reviewed', 'completed'].map(state => sealOf(sealed, { state }))).toEqual([
      null,
      null,
      '出库专用章',
      '出库专用章',
    ])
    expect(sealOf({} as typeof sealed, { state: 'reviewed' })).toBeNull()
  })
})

describe('a count sheet', () => {
  const places = [{ at: 'B-02' }, { at: 'A-10' }, { at: 'A-01' }]
  it('is in location order, and each area starts a page', () => {
    const ordered = inOrder(places, 'at')
    expect(ordered.map(line => line.at)).toEqual(['A-01', 'A-10', 'B-02'])
    const area = (line: { at?: unknown }) => String(line.at)[0]
    expect(pagesOf(ordered, 8, even(3, 1, 100, 1), area, true).map(page => page.length)).toEqual([2, 1])
  })
  it('omits a column that is empty in every line', () => {
    const columns = [
      { name: 'pack', label: '包装', share: 1, optional: true },
      { name: 'lot_no', label: '批号', share: 1 },
    ] as const
    expect(saidColumns(columns, [{ pack: null }]).map(column => column.name)).toEqual(['lot_no'])
    expect(saidColumns(columns, [{ pack: '1盒=10支' }])).toHaveLength(2)
  })
  it('has the mark of its kind', () => {
    expect(watermarkOf({ state: 'draft' }, { draft: '盘点中' })).toBe('盘点中')
    expect(watermarkOf({ state: 'reviewed' }, { draft: '盘点中' })).toBeNull()
  })
})

it('a contract flows: table titles repeat, a heading stays with its text, the signatures stay whole', () => {
  const row = { height: 10, inTable: true }
  const blocks = [{ height: 30 }, row, row, row, { height: 5, keeps: true }, { height: 10 }, { height: 40 }]
  // 30 + titles 5 + two rows = 55; the third row starts a page with its titles: 15, the heading and its text 30, no
  // space for 40.
  expect(flow(blocks, 60, 5)).toEqual([[0, 1, 2], [3, 4, 5], [6]])
  expect(flow([{ height: 50 }, { height: 5, keeps: true }, { height: 10 }], 60, 5)).toEqual([[0], [1, 2]])
  expect(flow([{ height: 90 }, { height: 5 }], 60, 5)).toEqual([[0], [1]])
  // The last article stays with the seals; a group higher than a page is split.
  const end = [{ height: 5, keeps: true }, { height: 10, keeps: true }, { height: 40 }]
  expect(flow([{ height: 20 }, ...end], 60, 5)).toEqual([[0], [1, 2, 3]])
  expect(flow([{ height: 20 }, { height: 30, keeps: true }, { height: 40 }], 60, 5)).toEqual([[0, 1], [2]])
})

describe('入库单', () => {
  const info = { kind: 'purchaseGrn', title: '采购入库单', state: 'reviewed' }
  it('is named by its kind, 红冲入库单 if red; the last line comes first', () => {
    expect(titleOf(inboundOrder, null, info)).toBe('采购入库单')
    expect(titleOf(inboundOrder, null, { ...info, red: true })).toBe('红冲入库单')
    expect(titleOf(inboundOrder, '本院入库', { ...info, red: true })).toBe('红冲本院入库')
    const rows = [{ line_no: 2 }, { line_no: 10 }, { line_no: 1 }]
    expect(inOrder(rows, 'line_no', true).map(row => row.line_no)).toEqual([10, 2, 1])
  })
  it("has two inspectors' signatures for goods of class III or cold-chain goods", () => {
    const names = inboundOrder.signatures
    expect(signaturesOf(inboundOrder, names, { ...info, lines: [{ needs_two: false }] })).toEqual(names)
    const two = signaturesOf(inboundOrder, names, { ...info, lines: [{ needs_two: false }, { needs_two: true }] })
    expect(two.slice(2, 4)).toEqual(['验收员', '第二验收员'])
  })
  it('fills its last page with empty rows, and has no price for the ward', () => {
    expect(blanksFor(3, 8, lines(11), { room: 400, rows: lines(11).map(() => 26), closing: 40 })).toEqual({
      count: 5,
      height: 30,
    })
    expect(blanksFor(8, 8, lines(8), even(8, 26, 400, 40))).toBeNull()
    expect(blanksFor(7, 8, lines(7), even(7, 50, 400, 40))).toBeNull()
    const ward = layoutOf(inboundOrder, null, true, inboundOrder.copies![0])
    expect(ward.columns.map(({ label }) => label)).not.toContain('金额')
    expect(inboundOrder.unpriced).toEqual(['wardReceipt'])
  })
})

describe('随货同行单', () => {
  const names = outboundOrder.signatures
  it('has three parts: all on carbon sets, one each on plain sheets, none on internal copies', () => {
    expect(partsOf(outboundOrder, 'saleOdo', 'form140', EACH_PART)).toEqual(['白联 存根　红联 客户　黄联 财务/回单'])
    expect(partsOf(outboundOrder, 'saleOdo', 'A4L', EACH_PART)).toEqual(['白联 存根', '红联 客户', '黄联 财务/回单'])
    expect(partsOf(outboundOrder, 'saleOdo', 'A4L', 1)).toEqual(['红联 客户'])
    expect(partsOf(outboundOrder, 'loss', 'A4L', EACH_PART)).toEqual([null])
  })
  it('is a draft without the seal until reviewed', () => {
    expect(watermarkOf({ state: 'submitted' }, outboundOrder.marks)).toBe('草稿')
    expect(signaturesOf(outboundOrder, names, { state: 'submitted' })[3]).toBe('发货人')
    expect(signaturesOf(outboundOrder, names, { state: 'reviewed' })[3]).toBe('发货人(出库专用章位置)')
  })
  it('prints serial codes below their line, at most the first six, and all on a list', () => {
    const line = { unit_codes: lines(14).map(at => `C${at}`), lot_no: 'L' }
    expect(codesBelow(line, 6)).toMatchObject({ shown: ['C1', 'C2', 'C3', 'C4', 'C5', 'C6'], rest: 8 })
    expect(codeRows([{ unit_codes: ['A'] }, line], 6)).toMatchObject([
      { line_at: 2, lot_no: 'L', codes: expect.stringMatching(/^C1　C2　.*C12$/) },
      { line_at: 2, codes: 'C13　C14' },
    ])
  })
  it('has two lines per row: values below another, and text is shrunk before a third line', () => {
    const { columns, isStacked } = layoutOf(outboundOrder, null, true, null, 'saleOdo')
    expect(isStacked).toBe(true)
    const maker = stackedColumns(columns, false).find(({ name }) => name === 'manufacturer_name')!
    expect([maker.second!.label, maker.share]).toEqual(['生产许可证号/备案号', 48])
    // If the column above is not printed, it is printed on its own.
    expect(
      stackedColumns(
        columns.filter(({ name }) => name !== 'manufacturer_name'),
        false,
      ),
    ).toContainEqual(expect.objectContaining({ name: 'manufacturer_licence_no' }))
    expect(fitted('国药监械生产许', 40, 2.7, 1)).toBe(1)
    expect(fitted('广东省深圳迈瑞生物医疗电子股份有限公司', 40, 2.7, 1)).toBeCloseTo(0.77, 1)
    expect(fitted('长'.repeat(80), 40, 2.7, 1)).toBe(0.72)
  })
})

describe('销售订单, 盘点表', () => {
  it('has a picking copy on A4 or on the perforated form, by location and without money', () => {
    const copies = saleOrder.copies!.map(copy => layoutOf(saleOrder, null, true, copy, 'salesOrder'))
    expect(copies.map(({ paper, lines: most, sortBy, title }) => [paper, most, sortBy, title])).toEqual([
      ['A4', 22, 'location', '销售订单（拣货联）'],
      ['form140', 8, 'location', '销售订单（拣货联）'],
    ])
    for (const { columns } of copies) {
      expect(columns.map(({ label }) => label)).toEqual(expect.arrayContaining(['货位', '建议批号', '未出库数量']))
      expect(columns.filter(({ as }) => as === 'price' || as === 'amount')).toEqual([])
    }
  })
  it('a blind count omits book stock and money; a template with location bar codes prints them', () => {
    const labels = (columns: ReturnType<typeof layoutOf>['columns']) => columns.map(({ label }) => label)
    const usual = layoutOf(stockTake, null, true).columns
    expect(labels(usual)).not.toContain('货位条码')
    const blind = saidColumns(usual, [{ location: 'A-01', book_quantity: null, price: null, difference: null }])
    for (const gone of ['账面数量', '成本单价', '盈亏数量', '盈亏金额']) expect(labels(blind)).not.toContain(gone)
    expect(labels(blind)).toContain('实盘数量')
    const template = { column_layout: '货位、货位条码 40、批号、实盘数量' } as PrintTemplate
    expect(layoutOf(stockTake, template, true).columns.find(({ as }) => as === 'bars')).toMatchObject({
      name: 'location',
      share: 40,
    })
  })
})

import { describe, expect, test } from 'vitest'
import { digitalLink, gs1Bracketed } from '#kernel/codes/encode.ts'
import type { Label } from '#kernel/print/label-data.ts'
import { fitCode, textRoom } from '#web/print/labels/fit-barcode.ts'
import { type LabelLine, labelText, LEAST_LETTER_MM } from '#web/print/labels/label-text.ts'
import { lineProblem, type LabelSize as Listed, labelSheets } from '#kernel/print/label-formats.ts'

type LabelSize = Pick<Listed, 'width' | 'height'>

const parts = [
  { ai: '01', value: '06901234567892' },
  { ai: '17', value: '281231' },
  { ai: '10', value: 'LOT-2026/A' },
  { ai: '21', value: 'H01-26112200001' },
]
const piece: Label = {
  key: '1',
  type: 'piece',
  code: 'H01-26112200001',
  gs1: gs1Bracketed(parts),
  link: digitalLink(parts, 'https://spd.example.cn'),
  ean: '6901234567892',
  org_name: '澄岚附院',
  product_name: '药物洗脱冠状动脉支架系统（一次性使用无菌型）',
  specification_name: '3.0×18 mm',
  quantity: '1支',
  manufacturer_name: '澄岚演示医疗器械（苏州）股份有限公司',
  registration_no: '国械注准20203130001',
  lot_no: 'LOT-2026/A',
  production_date: '2026-01-01',
  expiry_date: '2028-12-31',
  supplier_name: '澄岚演示医疗供应链有限公司',
  charge_code: '330400001',
  ownership: '寄售',
  store_name: '介入科二级库',
  department_name: '介入科',
  marks: ['寄', '高', '冷'],
  times: 0,
  printed_on: '2026-11-22',
}
const place = {
  ...piece,
  type: 'place',
  code: 'A-01-02-03-04',
  gs1: null,
  link: null,
  ean: null,
  facts: [
    ['仓库', '医用耗材中心库'],
    ['库区', '合格品区（常温）'],
    ['存放', '一次性使用静脉留置针 24G'],
  ],
} satisfies Label

const sizes = labelSheets.flatMap(sheet => sheet.sizes.flatMap(size => sheet.codes.map(code => ({ size, code }))))
const created = (label: Label, code: (typeof sizes)[number]['code'], size: LabelSize) => {
  const fitted = fitCode(label, code, size, 'M')
  const room = textRoom(fitted, size)
  return { fitted, room, ...labelText(label, 'as' in fitted ? fitted.text : label.code, room) }
}
const high: Readonly<Record<LabelLine['face'], number>> = {
  plain: 1,
  name: 1.14,
  day: 1,
  code: 1,
  sign: 1.25,
  place: 1.8,
}
const said = (lines: readonly LabelLine[], name: string) => lines.find(line => line.name === name)

describe('the text of a label', () => {
  test.each(sizes)(
    '$size.width×$size.height, $code.label: code and last day whole, nothing runs over',
    ({ size, code }) => {
      for (const label of [piece, place] as Label[]) {
        const { fitted, letter, lines, room } = created(label, code, size)
        if ('problem' in fitted) continue
        expect(letter).toBeGreaterThanOrEqual(LEAST_LETTER_MM)
        expect(lines.reduce((sum, { rows, face }) => sum + rows * letter * high[face] * 1.25, 0)).toBeLessThanOrEqual(
          room.height + 0.01,
        )
        expect(said(lines, 'code')?.text).toBe(label.code)
        if (label === piece) expect(said(lines, 'expiry')).toMatchObject({ text: '有效期至 2028-12-31', face: 'day' })
      }
    },
  )

  test('every usual size has space for the code of a piece and of a location', () => {
    for (const { size, code } of sizes)
      if (size.height > 20 || code.holds === 'code')
        for (const label of [piece, place] as Label[]) expect(created(label, code, size).fitted).toHaveProperty('as')
  })

  test('of a location 40×30 shows warehouse, area and what is stored there', () => {
    for (const { size, code } of sizes.filter(one => one.size.width === 40))
      expect(created(place, code, size).lines.map(line => line.name)).toEqual(['code', '仓库', '库区', '存放'])
  })

  test('larger type breaks no code: the code of an area stays in one row where possible', () => {
    const area = { ...place, type: 'area', code: 'H01-W01-A', facts: [['仓库', '中心库']] } satisfies Label
    for (const { size, code } of sizes.filter(one => one.size.width >= 40))
      expect(said(created(area, code, size).lines, 'code')?.rows).toBe(1)
  })

  test('the least important line goes first; a large label shows all of them, in larger type', () => {
    const [bars] = labelSheets
    const small = created(piece, bars!.codes[0]!, bars!.sizes[2]!)
    const names = small.lines.map(line => line.name)
    expect(names).toEqual(expect.arrayContaining(['code', 'name', 'specification', 'lot', 'expiry', 'maker']))
    expect(names).not.toContain('org')
    const large = created(piece, bars!.codes[0]!, { width: 100, height: 70 })
    expect(large.letter).toBeGreaterThan(LEAST_LETTER_MM)
    expect(large.lines.map(line => line.name).join(' ')).toBe(
      'code name specification lot expiry department store quantity production maker registration supplier ' +
        'charge ownership held org',
    )
    expect(said(large.lines, 'held')?.text).toBe(piece.gs1)
  })

  test('a manufacturer’s code shows as its serial, so that the smallest label also names the goods', () => {
    const own = { ...piece, code: '(01)06901234567892(21)26021500101001' }
    const { lines } = created(own, labelSheets[1]!.codes[0]!, { width: 30, height: 20 })
    expect(said(lines, 'code')?.text).toBe('26021500101001')
    expect(lines.map(line => line.name)).toEqual(expect.arrayContaining(['name', 'expiry']))
    const wide = created(own, labelSheets[1]!.codes[0]!, { width: 60, height: 40 })
    expect(said(wide.lines, 'code')?.text).toBe('序列号 26021500101001')
    const lot = created({ ...piece, type: 'lot', code: 'LOT-2026/A' }, labelSheets[1]!.codes[0]!, {
      width: 60,
      height: 40,
    })
    expect([said(lot.lines, 'code')?.text, said(lot.lines, 'lot')]).toEqual(['批号 LOT-2026/A', undefined])
  })

  test('a template sets label lines and order; code and expiry stay, prices only with 含价', () => {
    const lines = '收费编码、产品名称、含价：销售价、有效期至、编码'
    expect(lineProblem(lines)).toBe(null)
    expect(lineProblem('产品名称、编码')).toBe('标签上的编码和有效期不能移除：有效期至')
    expect(lineProblem(`${lines}、颜色`)).toMatch(/^标签上没有【颜色】，可选：编码、产品名称/)
    expect(lineProblem(`${lines}、编码`)).toBe('【编码】重复')
    const priced = { ...piece, cost_price: '12.50元/支', sale_price: '15.00元/支' }
    const [bars] = labelSheets
    const fitted = fitCode(priced, bars!.codes[0]!, { width: 60, height: 40 }, 'M')
    const room = textRoom(fitted, { width: 60, height: 40 })
    const names = (template: string | null, at = room) =>
      labelText(priced, piece.gs1!, at, template).lines.map(line => line.name)
    expect(names(lines)).toEqual(['charge', 'name', 'sale', 'expiry', 'code'])
    expect(names(null)).not.toEqual(expect.arrayContaining(['sale']))
    expect(labelText(priced, piece.gs1!, { width: 90, height: 90 }).lines.map(line => line.name)).not.toContain('cost')
    // The lines that the organisation listed first are dropped last.
    expect(names(lines, { width: room.width, height: 12 })).toEqual(
      expect.arrayContaining(['charge', 'expiry', 'code']),
    )
    expect(names(lines, { width: room.width, height: 12 })).not.toContain('sale')
  })

  test('a long name takes at most two rows', () => {
    const long = { ...piece, product_name: '一'.repeat(80) }
    for (const { size, code } of sizes)
      expect(said(created(long, code, size).lines, 'name')?.rows ?? 2).toBeLessThanOrEqual(2)
  })
})

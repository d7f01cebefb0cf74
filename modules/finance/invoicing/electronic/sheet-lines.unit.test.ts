import { expect, test } from 'vitest'
import { type BilledLine, sheetLines } from '#modules/finance/invoicing/electronic/sheet-lines.ts'
import { splitLines } from '#modules/finance/invoicing/electronic/split-lines.ts'

/** How lines of a document become lines of an invoice, and of several. */
const line = (line_no: number, more: Partial<BilledLine> = {}): BilledLine => ({
  line_no,
  item_name: '导丝',
  tax_code: '1090245030000000000',
  class_name: '医疗器械',
  item_model: 'A',
  unit_name: '根',
  quantity: '2.000',
  price: '113.0000',
  untaxed_amount: '200.00',
  tax_rate: 13,
  tax_amount: '26.00',
  discount: '0.00',
  ...more,
})

test('one by one, each line is itself, at its price without tax', () => {
  expect(sheetLines([line(1), line(2)], 'none')).toMatchObject([
    { line_no: 1, quantity: '2.000', price: '100', untaxed_amount: '200.00', tax_amount: '26.00' },
    { line_no: 2, quantity: '2.000' },
  ])
})

test('a discount stands on a line of its own behind what it was taken off; together they are the document’s', () => {
  // 226 before, 33.90 off: 30.00 and its tax of 3.90.
  const [whole, off, next, ...rest] = sheetLines(
    [line(1, { untaxed_amount: '170.00', tax_amount: '22.10', discount: '33.90' }), line(2)],
    'none',
  )
  expect(rest).toEqual([])
  expect(whole).toMatchObject({
    line_no: 1,
    nature: 'discounted',
    quantity: '2.000',
    price: '100',
    untaxed_amount: '200.00',
    tax_amount: '26.00',
  })
  expect(off).toEqual({
    line_no: 2,
    nature: 'discount',
    item_name: '导丝',
    tax_code: '1090245030000000000',
    tax_rate: 13,
    item_model: null,
    unit_name: null,
    quantity: null,
    price: null,
    untaxed_amount: '-30.00',
    tax_amount: '-3.90',
  })
  expect(next).toMatchObject({ line_no: 3, nature: 'normal' })
})

test('同规格合并: the same goods at the same price are one line; another price, model or rate is another', () => {
  const lines = [
    line(1),
    line(2),
    line(3, { price: '120.0000' }),
    line(4, { item_model: 'B' }),
    line(5, { tax_rate: 9 }),
  ]
  const sheet = sheetLines(lines, 'same')
  expect(sheet.map(({ quantity }) => quantity)).toEqual(['4.000', '2.000', '2.000', '2.000'])
  expect(sheet[0]).toMatchObject({ untaxed_amount: '400.00', tax_amount: '52.00' })
})

test('同类合并: a tax class at a rate is one line without quantity and price', () => {
  const sheet = sheetLines(
    [line(1), line(2, { item_name: '球囊', item_model: 'B' }), line(3, { tax_rate: 9, tax_amount: '18.00' })],
    'kind',
  )
  expect(sheet).toMatchObject([
    {
      item_name: '医疗器械',
      quantity: null,
      price: null,
      item_model: null,
      untaxed_amount: '400.00',
      tax_amount: '52.00',
    },
    { tax_rate: 9, untaxed_amount: '200.00', tax_amount: '18.00' },
  ])
})

test('lines whose cents of tax would add up to more than 0.06 are not merged', () => {
  const off = (line_no: number) => line(line_no, { tax_amount: '26.03' })
  expect(sheetLines([off(1), off(2), off(3)], 'same').map(({ tax_amount }) => tax_amount)).toEqual(['52.06', '26.03'])
})

const goods = (line_no: number, quantity: string, price: string, taxed_amount: string) => ({
  line_no,
  quantity,
  price,
  taxed_amount,
})
const shape = (parts: ReturnType<typeof splitLines>) =>
  parts?.map(invoice => invoice.map(part => `${part.line_no}:${part.quantity}`))

test('an invoice is cut by lines first, then by whole pieces of a line', () => {
  const lines = [
    goods(1, '4.000', '100', '400.00'),
    goods(2, '7.000', '100', '700.00'),
    goods(3, '25.000', '100', '2500.00'),
  ]
  expect(shape(splitLines(lines, '1000.00', 100))).toEqual([
    ['1:4.000'],
    ['2:7.000', '3:3.000'],
    ['3:10.000'],
    ['3:10.000'],
    ['3:2.000'],
  ])
  expect(shape(splitLines(lines, '0', 2))).toEqual([['1:4.000', '2:7.000'], ['3:25.000']])
  expect(shape(splitLines(lines, '0', 100))).toEqual([['1:4.000', '2:7.000', '3:25.000']])
  expect(splitLines([goods(1, '1.000', '1500', '1500.00')], '1000.00', 100)).toBeNull()
})

import { expect, test } from 'vitest'
import type { ReadInvoice } from '#modules/base/checks/read-invoice.ts'
import { uncheckedOf } from '#modules/finance/invoicing/reading/unchecked.ts'

const [own, supplier] = [
  { name: '示例医院', taxNo: '12310000000000000X' },
  { name: '甲公司', taxNo: '91310000000000000A' },
]
const whole: ReadInvoice = {
  invoice_type: 'normal',
  invoice_code: '031002600104',
  invoice_no: '12345678',
  invoice_date: '2026-11-26',
  untaxed_amount: '100.00',
  taxed_amount: '113.00',
  check_code: '12345678901234567890',
  buyer_name: own.name,
  buyer_tax_no: own.taxNo,
  seller_name: supplier.name,
  seller_tax_no: supplier.taxNo,
  lines: [
    {
      item_name: '支架',
      item_model: null,
      unit_name: null,
      quantity: '1',
      price: '100',
      untaxed_amount: '100.00',
      tax_rate: 13,
      tax_amount: '13.00',
    },
  ],
}
const said = (more: Partial<ReadInvoice>) => uncheckedOf({ ...whole, ...more }, own, supplier)

test('an invoice that says everything leaves nothing unchecked', () => {
  expect(said({})).toEqual([])
})

test('a buyer without a tax number, or without a name, is said not to be checked', () => {
  expect(said({ buyer_tax_no: null })).toEqual(['发票上没有购买方税号，购买方只核对了名称，请填写购买方税号'])
  expect(said({ buyer_tax_no: null, buyer_name: '别的医院' })).toEqual([
    '发票上没有购买方税号，名称【别的医院】与本机构名称不同，请核对购买方',
  ])
  expect(said({ buyer_tax_no: null, buyer_name: null })).toEqual([
    '发票上没有读到购买方，未核对购买方，请填写购买方名称和税号',
  ])
  expect(uncheckedOf(whole, { ...own, taxNo: null }, { ...supplier, taxNo: null })).toEqual([
    '本机构没有登记统一社会信用代码，未核对购买方税号',
    '供应商【甲公司】没有登记统一社会信用代码，未核对销售方税号',
  ])
})

test.each([
  ['seller_tax_no', /未核对销售方【甲公司】/],
  ['taxed_amount', /未核对金额，请填写发票价税合计/],
  ['invoice_date', /没有读到开票日期，请填写/],
  ['invoice_type', /没有读到发票类型，请选择/],
  ['check_code', /没有读到校验码，请填写/],
] as const)('what was not found is asked for: %s', (name, sentence) => {
  expect(said({ [name]: null })).toEqual([expect.stringMatching(sentence)])
})

import { describe, expect, it } from 'vitest'
import { addDays, today } from '#kernel/values/date.ts'
import {
  addsUp,
  codesMatchQuantity,
  differ,
  everyLineHasLot,
  expiredIsUnqualified,
  fitToLeave,
  hasLines,
  invoiceDifference,
  invoiceNumber,
  largestLine,
  needsWhen,
  notExpired,
  notInFuture,
  positiveQuantity,
  reasoned,
  reasonedWhenLess,
  within,
} from '#modules/base/vocabulary/validators.ts'

const line = {
  line_no: 1,
  quantity: '2.000',
  base_quantity: '2.000',
  taxed_amount: '10.00',
  unit_codes: [],
  lot_no: 'L1',
  expiry_date: null,
  production_date: null,
  product_name: '支架',
  quality_state: null,
}
// oxlint-disable-next-line typescript/no-explicit-any -- each condition asks for other fields
const doc = (header: object, ...lines: object[]): any => ({
  business_date: '2026-06-01',
  ...header,
  lines: lines.map((given, at) => ({ ...line, line_no: at + 1, ...given })),
})

describe('conditions', () => {
  it('name the failing line, and only the first', () => {
    expect(hasLines(doc({}))).toBe('请至少添加一行明细')
    expect(positiveQuantity(doc({}, {}, { quantity: '0.000' }, { quantity: '-1.000' }))).toBe('第2行：数量必须大于0')
    expect(everyLineHasLot(doc({}, { lot_no: null }))).toBe('第1行【支架】请选择批号')
  })

  it('count codes: as many as pieces, none twice in the document', () => {
    expect(codesMatchQuantity(doc({}, { unit_codes: ['A'] }))).toBe('第1行【支架】数量2与院内码数量1不一致')
    expect(codesMatchQuantity(doc({}, { unit_codes: ['A', 'B'] }, { unit_codes: ['C', 'A'] }))).toBe(
      '院内码A在本单中重复',
    )
    expect(codesMatchQuantity(doc({}, { unit_codes: ['A', 'B'] }, {}))).toBe(true)
  })

  it('check dates by the business day or today, the later: the last valid day is still valid', () => {
    const ahead = { business_date: '2099-06-01' }
    expect(notExpired(doc(ahead, { expiry_date: '2099-06-01' }))).toBe(true)
    expect(notExpired(doc(ahead, { expiry_date: '2099-05-31' }))).toBe(
      '第1行：产品已过有效期，不能入库：【支架】批号L1',
    )
    expect(notExpired(doc({}, { expiry_date: today() }))).toBe(true)
    expect(notExpired(doc({}, { expiry_date: addDays(today(), -1) }))).toMatch(/已过有效期，不能入库/)
    expect(expiredIsUnqualified(doc({}, { expiry_date: '2026-05-31', quality_state: 'unqualified' }))).toBe(true)
    expect(expiredIsUnqualified(doc({}, { expiry_date: '2026-05-31' }))).toBe(
      '第1行：批号L1已过有效期，质量状态只能为不合格',
    )
    expect(notInFuture('invoice_date', '晚')(doc({ invoice_date: today() }))).toBe(true)
    expect(notInFuture('invoice_date', '晚')(doc({ invoice_date: addDays(today(), 1) }))).toBe('晚')
  })

  it('let nothing expired or unqualified leave', () => {
    const fit = fitToLeave((lot, why) => `批号${lot}不可销售（${why}）`)
    expect(fit(doc({}, { quality_state: 'frozen' }))).toBe('第1行：批号L1不可销售（冻结）')
    expect(fit(doc({}, { expiry_date: '2026-05-31' }))).toBe('第1行：批号L1不可销售（已过期）')
    expect(fit(doc({}, { quality_state: 'qualified' }, {}))).toBe(true)
  })

  it('compare figures as decimals, and ignore empty ones', () => {
    const approved = within('approved', 'applied', '多')
    expect(approved(doc({}, { approved: '10.000', applied: '9.000' }))).toBe('第1行：多')
    expect(approved(doc({}, { approved: '-1.000', applied: '9.000' }))).toBe('第1行：多')
    expect(approved(doc({}, { applied: '9.000' }, { approved: '9.000', applied: '9.0' }, { approved: '5.000' }))).toBe(
      true,
    )
    expect(addsUp('good', 'bad', '和')(doc({}, { good: '1.500', bad: '0.5' }, { good: '1.000' }))).toBe(true)
    expect(addsUp('good', 'bad', '和')(doc({}, { good: '1.500', bad: '1' }))).toBe('第1行：和')
    expect(reasoned('bad', 'why', '因')(doc({}, { bad: '0.000' }, { bad: '1.000', why: '破' }))).toBe(true)
    expect(reasoned('bad', 'why', '因')(doc({}, { bad: '1.000' }))).toBe('第1行：因')
    expect(
      reasonedWhenLess('before', 'why', '因')(doc({}, {}, { before: '2.000' }, { before: '3.000', why: '少' })),
    ).toBe(true)
    expect(reasonedWhenLess('before', 'why', '因')(doc({}, { before: '3.000' }))).toBe('第1行：因')
  })

  it('require a second field if the first demands it', () => {
    const urgent = needsWhen('is_urgent', true, 'urgent_reason', '请填写加急原因')
    expect(urgent(doc({ is_urgent: true }))).toBe('请填写加急原因')
    expect([urgent(doc({ is_urgent: false })), urgent(doc({ is_urgent: true, urgent_reason: '手术' }))]).toEqual([
      true,
      true,
    ])
    expect(differ('a', 'b', '同')(doc({ a: '1', b: '1' }))).toBe('同')
    expect([differ('a', 'b', '同')(doc({})), differ('a', 'b', '同')(doc({ a: '1', b: '2' }))]).toEqual([true, true])
  })

  it('validate invoice numbers: 20 digits alone, or 8 with a code of 10 or 12', () => {
    const good = [
      { invoice_no: '2'.repeat(20) },
      { invoice_code: '1'.repeat(10), invoice_no: '12345678' },
      { invoice_code: '1'.repeat(12), invoice_no: '12345678' },
      {},
    ]
    const bad = [
      { invoice_no: '12345678' },
      { invoice_no: '2'.repeat(19) },
      { invoice_code: '1'.repeat(11), invoice_no: '12345678' },
      { invoice_code: '1'.repeat(10), invoice_no: '2'.repeat(20) },
    ]
    for (const header of good) expect(invoiceNumber(doc(header)), JSON.stringify(header)).toBe(true)
    for (const header of bad) expect(invoiceNumber(doc(header)), JSON.stringify(header)).toMatch(/^发票号码格式错误/)
  })

  it('find the 尾差 and the line that carries it', () => {
    const invoice = doc(
      { taxed_amount: '15599.97', invoice_amount: '15600.00' },
      { taxed_amount: '99.97' },
      { taxed_amount: '15500.00' },
    )
    expect([invoiceDifference(invoice), largestLine(invoice)]).toEqual(['0.03', 2])
    expect(invoiceDifference(doc({ taxed_amount: '10.00', invoice_amount: null }))).toBe('0.00')
  })
})

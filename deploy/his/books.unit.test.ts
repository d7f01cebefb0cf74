import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { type Books, openBooks } from './books.ts'
import { hospitalFacts } from './hospital.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'his-books-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const opened = (change: (facts: Books) => void = () => {}): Books => {
  const facts = hospitalFacts('H01') as Books
  change(facts)
  return openBooks(facts, folder)
}

it('what was booked is there after a restart, whatever has become of the visit and the item since', () => {
  const books = opened()
  const visit = books.visits.find(each => each.is_account_open)!
  const { patient_no, visit_no } = visit
  const line = { line_no: 1, item_code: 'F310101', quantity: '3', price: '2', amount: '6.00' }
  const order = {
    sn: 'SY1',
    patient_no,
    visit_no,
    surgery_no: null,
    department_code: null,
    staff_no: null,
    used_at: '2026-11-26T02:00:00.000Z',
    lines: [{ ...line, unit_code: null, udi_di: null, lot_no: null }],
  }
  const [charge] = books.charge('charge', order)
  const refund = { sn: 'SY1', reason: '退', staff_no: null }
  books.refund('refund', { ...refund, lines: [{ line_no: 1, charge_no: charge!.charge_no, quantity: '1' }] })
  const receipt = books.book('book', {
    receipt_kind: 'purchase',
    sn: 'RK1',
    supplier_code: null,
    supplier_name: null,
    warehouse_code: 'W',
    department_code: null,
    reviewed_at: '2026-11-26T02:00:00.000Z',
    amount: '6.00',
    lines: [],
  })
  books.reverse('reverse', { receipt_no: receipt.receipt_no, sn: 'RK1', reason: '反审核' })

  const again = opened(facts => {
    facts.items.length = 0
    facts.visits.length = 0
  })
  expect(again.charges).toEqual(books.charges)
  expect(again.charges.map(each => each.charge_kind)).toEqual(['charge', 'refund'])
  expect(again.receipts).toEqual(books.receipts)
  expect(again.receipts.map(each => [each.is_reversed, each.amount])).toEqual([
    [true, '6.00'],
    [true, '-6.00'],
  ])
  expect(again.charge('charge', order)).toEqual([charge])
  expect(() => again.charge('other', order)).toThrow('没有该就诊号')
})

import { expect, test } from 'vitest'
import { otherOdo } from '#modules/hospital/issues/other-odo.doc.ts'
import { stockTake } from '#modules/goods/counts/stock-take.doc.ts'
import { isAsked } from '#web/fields/field-visibility.ts'

test('a returned gift asks for neither recipient nor return date; lent goods do', () => {
  const { return_due, counterparty_sn, purpose_note } = otherOdo.header
  for (const field of [return_due, counterparty_sn]) {
    expect(isAsked(field, { odo_type: 'gift_back' }, otherOdo.header)).toBe(false)
    expect(isAsked(field, { odo_type: 'loan' }, otherOdo.header)).toBe(true)
    // A new document has no value yet: its default type counts.
    expect(isAsked(field, {}, otherOdo.header)).toBe(true)
  }
  expect(isAsked(purpose_note, { odo_type: 'gift_back' }, otherOdo.header)).toBe(true)
})

test('a count asks what to count before it starts, and a start date only when counting moved goods', () => {
  const { scope_area, take_type, moved_since, counter_inner_sn } = stockTake.header
  for (const field of [scope_area, take_type]) {
    expect(isAsked(field, {}, stockTake.header)).toBe(true)
    expect(isAsked(field, { count_state: '2' }, stockTake.header)).toBe(false)
  }
  expect(isAsked(moved_since, { take_type: 'full' }, stockTake.header)).toBe(false)
  expect(isAsked(moved_since, { take_type: 'moving' }, stockTake.header)).toBe(true)
  expect(isAsked(counter_inner_sn, { count_state: '2' }, stockTake.header)).toBe(true)
})

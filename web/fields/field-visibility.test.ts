import { expect, test } from 'vitest'
import { otherOdo } from '#modules/issues/other-odo.doc.ts'
import { stockTake } from '#modules/counts/stock-take.doc.ts'
import { isAsked } from '#web/fields/field-visibility.ts'

test('a gift that goes home asks neither who takes it nor when it comes back; goods that are lent do', () => {
  const { return_due, counterparty_sn, purpose_note } = otherOdo.header
  for (const field of [return_due, counterparty_sn]) {
    expect(isAsked(field, { odo_type: 'gift_back' }, otherOdo.header)).toBe(false)
    expect(isAsked(field, { odo_type: 'loan' }, otherOdo.header)).toBe(true)
    // A new paper says nothing yet: its usual type counts.
    expect(isAsked(field, {}, otherOdo.header)).toBe(true)
  }
  expect(isAsked(purpose_note, { odo_type: 'gift_back' }, otherOdo.header)).toBe(true)
})

test('a count asks what is to be counted before it begins, and from which day on only where goods that moved are counted', () => {
  const { scope_area, take_type, moved_since, counter_inner_sn } = stockTake.header
  for (const field of [scope_area, take_type]) {
    expect(isAsked(field, {}, stockTake.header)).toBe(true)
    expect(isAsked(field, { count_state: '2' }, stockTake.header)).toBe(false)
  }
  expect(isAsked(moved_since, { take_type: 'full' }, stockTake.header)).toBe(false)
  expect(isAsked(moved_since, { take_type: 'moving' }, stockTake.header)).toBe(true)
  expect(isAsked(counter_inner_sn, { count_state: '2' }, stockTake.header)).toBe(true)
})

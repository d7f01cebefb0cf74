import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sum } from '#kernel/values/decimal.ts'
import type { GridColumn } from '#web/grid/grid-column.ts'
import { createLines } from '#web/grid/lines.ts'
import { createTotals } from '#web/grid/totals.ts'

const column = { name: 'amount', summed: true } as GridColumn
const cents = fc.integer({ min: -1_000_000, max: 1_000_000 }).map(value => (value / 100).toFixed(2))

describe('running totals', () => {
  it('are the exact sum after any edits, additions and removals', () => {
    const change = fc.oneof(
      fc.record({ do: fc.constant('edit' as const), at: fc.nat(20), amount: cents }),
      fc.record({ do: fc.constant('add' as const), at: fc.nat(20), amount: cents }),
      fc.record({ do: fc.constant('remove' as const), at: fc.nat(20), amount: cents }),
    )
    fc.assert(
      fc.property(fc.array(cents, { maxLength: 10 }), fc.array(change, { maxLength: 20 }), (start, changes) => {
        const lines = createLines(
          start.map(amount => ({ amount })),
          values => values,
        )
        const sumUp = createTotals()
        for (const each of changes) {
          if (each.do === 'edit') lines.edit([{ at: each.at, values: { amount: each.amount } }])
          else if (each.do === 'add') lines.insert(each.at, [{ amount: each.amount }])
          else lines.remove(each.at, 1)
          const written = lines.all().flatMap(line => (line.values.amount ? [String(line.values.amount)] : []))
          expect(sumUp(lines.all(), [column]).amount).toBe(sum(written, 4))
        }
      }),
    )
  })

  it('ignore non-numeric values', () => {
    const lines = createLines([{ amount: 'many' }, { amount: '1.50' }], values => values)
    expect(createTotals()(lines.all(), [column]).amount).toBe('1.5000')
  })
})

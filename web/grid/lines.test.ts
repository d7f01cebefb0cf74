import { parseInteger } from '#kernel/values/integer.ts'
import { describe, expect, it } from 'vitest'
import { createLines, isBlank } from '#web/grid/lines.ts'

const doubled = (values: Readonly<Record<string, unknown>>) => ({
  ...values,
  twice: parseInteger(values.quantity ?? 0) * 2,
})
const quantities = (lines: ReturnType<typeof createLines>) => lines.all().map(line => line.values.quantity)

describe('the lines of a document', () => {
  it('recalculates what depends on the edit, in the changed line only', () => {
    const lines = createLines([{ quantity: 1 }, { quantity: 2 }], doubled)
    const [first] = lines.all()
    lines.edit([{ at: 1, values: { quantity: 5 } }])
    expect(lines.all()[1]?.values.twice).toBe(10)
    expect(lines.all()[0]).toBe(first)
  })

  it('creates new lines for edits beyond the end', () => {
    const lines = createLines([], doubled)
    lines.edit([{ at: 2, values: { quantity: 3 } }])
    expect(quantities(lines)).toEqual([undefined, undefined, 3])
    expect(lines.all().map(isBlank)).toEqual([true, true, false])
  })

  it('undoes and redoes step by step, and is unchanged again at the start', () => {
    const lines = createLines([{ quantity: 1 }], doubled)
    lines.edit([{ at: 0, values: { quantity: 2 } }])
    lines.insert(1, [{ quantity: 9 }])
    lines.undo()
    expect(quantities(lines)).toEqual([2])
    lines.undo()
    expect(lines.isChanged()).toBe(false)
    lines.redo()
    lines.redo()
    expect(quantities(lines)).toEqual([2, 9])
    expect(lines.isChanged()).toBe(true)
  })

  it('marks what was refused by row, and editing the cell clears the mark', () => {
    const lines = createLines(
      [
        { line_no: 7, quantity: 1 },
        { line_no: 9, quantity: 1 },
      ],
      doubled,
    )
    lines.mark([{ at: 1, field: 'quantity', msg: '库存不足' }])
    expect(lines.all()[1]?.problems).toEqual({ quantity: '库存不足' })
    expect(lines.isChanged()).toBe(false)
    lines.edit([{ at: 1, values: { quantity: 2 } }])
    expect(lines.all()[1]?.problems).toEqual({})
  })
})

import { describe, expect, it } from 'vitest'
import { f } from '#kernel/definition/field.ts'
import type { Column } from '#web/list/table/column.ts'
import { arrange } from '#web/list/table/saved-columns.ts'

const column = (name: string): Column => ({
  name,
  field: f.text(name),
  title: name,
  width: 100,
  pin: null,
  hidden: false,
  sortable: true,
})
const standard = ['a', 'b', 'c', 'd'].map(column)
const names = (columns: readonly Column[]) => columns.map(each => each.name).join('')

describe('a saved column layout', () => {
  it('restores columns with order, width, pin and visibility', () => {
    const kept = [
      { field: 'c', title: 'c', width: 60, fixedLeft: true },
      { field: 'a', title: 'a', hidden: true },
      { field: 'b', title: 'b' },
      { field: 'd', title: 'd' },
    ]
    const [first, second] = arrange(standard, kept)
    expect(names(arrange(standard, kept))).toBe('cabd')
    expect(first).toMatchObject({ width: 60, pin: 'left' })
    expect(second).toMatchObject({ hidden: true, width: 100 })
  })

  it('drops columns that are gone and shows new ones beside their neighbour', () => {
    const kept = [
      { field: 'gone', title: '' },
      { field: 'd', title: '' },
      { field: 'a', title: '' },
      { field: 'c', title: '' },
    ]
    expect(names(arrange(standard, kept))).toBe('dabc')
  })

  it('is the standard one if nothing is saved', () => {
    expect(arrange(standard, [])).toBe(standard)
  })
})

import { describe, expect, it } from 'vitest'
import { branches, foldedAtFirst } from '#web/records/tree.ts'

const rows = [
  { sn: '1', parent: null },
  { sn: '2', parent: '1' },
  { sn: '3', parent: '2' },
  { sn: '4', parent: null },
  { sn: '5', parent: 'elsewhere' },
]
const shape = (folded: readonly string[]) =>
  branches(rows, 'sn', 'parent', new Set(folded)).map(
    ({ row, depth, opens }) => `${row.sn}@${depth}${opens ? '+' : ''}`,
  )

describe('a tree of rows', () => {
  it('shows children under their parents, and orphans at the top', () => {
    expect(shape([])).toEqual(['1@0+', '2@1+', '3@2', '4@0', '5@0'])
  })

  it('omits collapsed branches', () => {
    expect(shape(['2'])).toEqual(['1@0+', '2@1+', '4@0', '5@0'])
  })

  it('starts with its first level if large, complete if small', () => {
    const large = Array.from({ length: 300 }, (_, at) => ({ sn: `${at}`, parent: at < 3 ? null : `${at % 3}` }))
    expect(branches(large, 'sn', 'parent', foldedAtFirst(large, 'parent'))).toHaveLength(3)
    expect(foldedAtFirst(rows, 'parent').size).toBe(0)
  })
})

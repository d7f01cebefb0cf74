import { describe, expect, it } from 'vitest'
import { branches } from '#web/records/tree.ts'

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
  it('shows children under their parents, and strays at the top', () => {
    expect(shape([])).toEqual(['1@0+', '2@1+', '3@2', '4@0', '5@0'])
  })

  it('leaves folded branches out', () => {
    expect(shape(['2'])).toEqual(['1@0+', '2@1+', '4@0', '5@0'])
  })
})

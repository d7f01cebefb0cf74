import { expect, it } from 'vitest'
import { composePacks, type Part } from '#modules/goods/packs/compose.ts'

const part = (specification_id: string, quantity: string, more: Partial<Part> = {}): Part => ({
  specification_id,
  name: specification_id,
  quantity,
  required: true,
  instead: [],
  ...more,
})
const row = (specification_id: string, lot: string, free: string) => ({ specification_id, lot, free })
const shown = (parts: readonly Part[], rows: readonly ReturnType<typeof row>[], wanted: number) => {
  const { batches, short } = composePacks(parts, rows, wanted)
  return [
    batches.map(({ packs, picks }) => [packs, picks.map(pick => `${pick.row.lot}×${pick.quantity}`).join(' ')]),
    short?.name ?? null,
  ]
}

it('takes the first lots, and begins another batch where a lot runs out within a pack', () => {
  const rows = [row('a', 'A1', '5'), row('a', 'A2', '9'), row('b', 'B1', '10')]
  expect(shown([part('a', '2'), part('b', '1')], rows, 4)).toEqual([
    [
      [2, 'A1×2.000 B1×1.000'],
      [1, 'A1×1.000 A2×1.000 B1×1.000'],
      [1, 'A2×2.000 B1×1.000'],
    ],
    null,
  ])
})

it('names the product that runs out; one may stand in for another, and an optional one may be missing', () => {
  const rows = [row('a', 'A1', '3'), row('x', 'X1', '2')]
  expect(shown([part('a', '2'), part('b', '1')], rows, 1)).toEqual([[], 'b'])
  const parts = [part('a', '2', { instead: ['x'] }), part('b', '1', { required: false })]
  expect(shown(parts, rows, 3)).toEqual([
    [
      [1, 'A1×2.000'],
      [1, 'X1×2.000'],
    ],
    'a',
  ])
})

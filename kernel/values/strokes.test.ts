import { describe, expect, it } from 'vitest'
import { isWritten, parseStrokes, pathOf, type Stroke } from '#kernel/values/strokes.ts'

const line = (from: number, to: number, points: number): Stroke =>
  Array.from(
    { length: points },
    (_, at) => [from + Math.round(((to - from) * at) / (points - 1)), 100, at * 8] as const,
  )

describe('a drawn signature', () => {
  it('is strokes of points on the pad, and nothing else', () => {
    expect(parseStrokes([line(0, 300, 20)])).toHaveLength(1)
    for (const wrong of [
      null,
      'M0 0',
      [],
      [[]],
      [[[0, 0]]],
      [[[0, 0, 0, 0]]],
      [[[-1, 0, 0]]],
      [[[1001, 0, 0]]],
      [[[0, 361, 0]]],
      [[[0.5, 0, 0]]],
      [[['0', '0', '0']]],
      [[[0, 0, 700_000]]],
      Array.from({ length: 121 }, () => line(0, 10, 2)),
      [Array.from({ length: 4001 }, () => [1, 1, 1])],
    ])
      expect(parseStrokes(wrong), JSON.stringify(wrong)?.slice(0, 60)).toBeNull()
  })

  it('is more than a dot or a short line', () => {
    expect(isWritten([line(0, 300, 20)])).toBe(true)
    expect(isWritten([line(0, 40, 20)])).toBe(false)
    expect(isWritten([line(0, 300, 5)])).toBe(false)
  })

  it('is drawn as a path; a dot is a short one', () => {
    expect(
      pathOf([
        [
          [1, 2, 0],
          [3, 4, 8],
        ],
        [[5, 6, 20]],
      ]),
    ).toBe('M1 2L3 4M5 6h1')
  })
})

/** A point of a stroke; the glyph's box extends from 0 to 1 both ways, y downwards. */
export type Point = readonly [x: number, y: number]
export type Stroke = readonly Point[]

const line = (...points: Point[]): Stroke => points

/** Part of an ellipse as many short steps; angles in quarter turns, clockwise from the right. */
function arc(centre: Point, radii: Point, from: number, to: number): Stroke {
  const steps = Math.max(6, Math.ceil(Math.abs(to - from) * 8))
  return Array.from({ length: steps + 1 }, (_, step): Point => {
    const angle = ((from + ((to - from) * step) / steps) * Math.PI) / 2
    return [centre[0] + radii[0] * Math.cos(angle), centre[1] + radii[1] * Math.sin(angle)]
  })
}

/**
 * The characters of the picture as pen strokes: no font is needed, and only pixels leave the server.
 * Characters that are easily confused are left out: 0 O D Q, 1 I L, 2 Z, 5 S, 8 B, V beside W.
 */
export const glyphs: Readonly<Record<string, readonly Stroke[]>> = {
  3: [arc([0.48, 0.27], [0.4, 0.27], -1.75, 1), arc([0.46, 0.74], [0.44, 0.26], -1, 1.8)],
  4: [line([0.7, 1], [0.7, 0], [0.02, 0.68], [1, 0.68])],
  6: [arc([0.5, 0.7], [0.44, 0.3], 0, 4), line([0.78, 0.02], [0.3, 0.32], [0.07, 0.68])],
  7: [line([0.02, 0.02], [0.96, 0.02], [0.38, 1])],
  9: [arc([0.5, 0.3], [0.44, 0.3], 0, 4), line([0.93, 0.32], [0.7, 0.7], [0.24, 0.99])],
  A: [line([0, 1], [0.5, 0], [1, 1]), line([0.2, 0.64], [0.8, 0.64])],
  C: [arc([0.55, 0.5], [0.5, 0.5], -0.6, -3.4)],
  E: [line([0.92, 0.02], [0.06, 0.02], [0.06, 0.98], [0.94, 0.98]), line([0.06, 0.48], [0.78, 0.48])],
  F: [line([0.94, 0.02], [0.06, 0.02], [0.06, 1]), line([0.06, 0.48], [0.78, 0.48])],
  H: [line([0.05, 0], [0.05, 1]), line([0.95, 0], [0.95, 1]), line([0.05, 0.5], [0.95, 0.5])],
  J: [line([0.4, 0.02], [0.96, 0.02]), line([0.74, 0.02], [0.74, 0.72]), arc([0.4, 0.72], [0.34, 0.28], 0, 1.9)],
  K: [line([0.06, 0], [0.06, 1]), line([0.94, 0.02], [0.08, 0.56]), line([0.36, 0.4], [0.98, 1])],
  M: [line([0, 1], [0.08, 0], [0.5, 0.66], [0.92, 0], [1, 1])],
  N: [line([0.06, 1], [0.06, 0], [0.94, 1], [0.94, 0])],
  P: [
    line([0.08, 1], [0.08, 0.02], [0.5, 0.02]),
    arc([0.5, 0.28], [0.44, 0.26], -1, 1),
    line([0.5, 0.54], [0.08, 0.54]),
  ],
  R: [
    line([0.08, 1], [0.08, 0.02], [0.5, 0.02]),
    arc([0.5, 0.27], [0.42, 0.25], -1, 1),
    line([0.5, 0.52], [0.08, 0.52]),
    line([0.48, 0.52], [0.98, 1]),
  ],
  T: [line([0, 0.03], [1, 0.03]), line([0.5, 0.03], [0.5, 1])],
  U: [line([0.05, 0], [0.05, 0.62]), arc([0.5, 0.62], [0.45, 0.38], 2, 0), line([0.95, 0.62], [0.95, 0])],
  W: [line([0, 0], [0.24, 1], [0.5, 0.34], [0.76, 1], [1, 0])],
  X: [line([0.02, 0], [0.98, 1]), line([0.98, 0], [0.02, 1])],
  Y: [line([0, 0], [0.5, 0.5], [1, 0]), line([0.5, 0.5], [0.5, 1])],
}

export const alphabet: readonly string[] = Object.keys(glyphs)

/** The pad on which signatures are drawn, in its own units: strokes look the same on every screen. */
export const PAD = { width: 1000, height: 360 } as const

/** One stroke of a pen: where it was, and when, in milliseconds since the signature began. */
export type Stroke = readonly (readonly [x: number, y: number, ms: number])[]

const MOST_STROKES = 120
const MOST_POINTS = 4000
/** A dot or a line by accident is no signature: so far a signature reaches at least, and of so many points it is. */
const LEAST_WIDTH = 80
const LEAST_POINTS = 12

const isWithin = (value: unknown, most: number): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= most

/** Ten minutes: nobody signs longer. */
const LONGEST_MS = 600_000

const isPoint = (point: unknown): point is Stroke[number] =>
  Array.isArray(point) &&
  point.length === 3 &&
  isWithin(point[0], PAD.width) &&
  isWithin(point[1], PAD.height) &&
  isWithin(point[2], LONGEST_MS)

/** The strokes of a signature. Null for anything else: other values, too many strokes, or strokes outside the pad. */
export function parseStrokes(raw: unknown): readonly Stroke[] | null {
  if (!Array.isArray(raw) || raw.length === 0 || raw.length > MOST_STROKES) return null
  const strokes = raw as readonly unknown[]
  if (!strokes.every((stroke): stroke is Stroke => Array.isArray(stroke) && stroke.length > 0 && stroke.every(isPoint)))
    return null
  return strokes.reduce((points, stroke) => points + stroke.length, 0) > MOST_POINTS ? null : strokes
}

/** True if enough was drawn to be a name. */
export function isWritten(strokes: readonly Stroke[]): boolean {
  const across = strokes.flat().map(([x]) => x)
  return across.length >= LEAST_POINTS && Math.max(...across) - Math.min(...across) >= LEAST_WIDTH
}

/** The strokes as the path of an SVG whose view box is the pad. */
export const pathOf = (strokes: readonly Stroke[]): string =>
  strokes.map(stroke => `M${stroke.map(([x, y]) => `${x} ${y}`).join('L')}${stroke.length === 1 ? 'h1' : ''}`).join('')

/** A signature on a document, as its page and its sheet show it. */
export type GivenSignature = {
  /** As whom somebody signed. */
  readonly role: string
  readonly name: string
  /** When, ISO 8601 with zone. */
  readonly at: string
  /** Null where it was given by badge or password. */
  readonly strokes: readonly Stroke[] | null
  readonly withdrawn_at: string | null
}

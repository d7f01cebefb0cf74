type Step = readonly [milliseconds: number, x: number, y: number]
/** The drag of the piece; no track where only a position was given. */
export type Drag = { readonly x: number; readonly track: readonly Step[] | null }

/** Permitted error in pixels. */
const TOLERANCE = 5
const LONGEST_TRACK = 2000
/** No one drags faster, or takes longer than the captcha is valid. */
const [FASTEST_MS, SLOWEST_MS] = [120, 300_000]
/** A human drag never skips more of the way between two moments. */
const WIDEST_STEP = 0.6

/** Reads `{"x":123,"track":[[ms,x,y],…]}` or a bare number; null for anything else. */
export function readDrag(text: string): Drag | null {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return null
  }
  if (typeof value === 'number') return Number.isFinite(value) ? { x: value, track: null } : null
  if (typeof value !== 'object' || value === null || !('x' in value) || !('track' in value)) return null
  const { x, track } = value
  if (typeof x !== 'number' || !Array.isArray(track) || track.length > LONGEST_TRACK) return null
  const isStep = (step: unknown): step is Step =>
    Array.isArray(step) && step.length === 3 && step.every(part => typeof part === 'number' && Number.isFinite(part))
  return track.every(isStep) ? { x, track } : null
}

/** True if a human dragged the piece to `target`. A position without a track only counts in tests. */
export function isDragged(drag: Drag | null, target: number, isTest: boolean): boolean {
  if (!drag || Math.abs(drag.x - target) > TOLERANCE) return false
  return drag.track === null ? isTest : isHand(drag.track, drag.x)
}

/**
 * A human drag takes time, makes many small moves, ends at the piece's position, and is never regular in both time
 * and distance.
 */
function isHand(track: readonly Step[], end: number): boolean {
  const [first, last] = [track[0], track.at(-1)]
  if (!first || !last || track.length < 5) return false
  const took = last[0] - first[0]
  if (took < FASTEST_MS || took > SLOWEST_MS) return false
  const way = Math.abs(last[1] - first[1])
  if (Math.abs(last[1] - first[1] - end) > TOLERANCE && Math.abs(last[1] - end) > TOLERANCE) return false
  const moves = track.slice(1).map((step, at) => {
    const before = track[at] as Step
    return { time: step[0] - before[0], x: step[1] - before[1], y: step[2] - before[2] }
  })
  if (moves.some(move => move.time < 0 || Math.abs(move.x) > way * WIDEST_STEP)) return false
  const spread = (part: 'time' | 'x' | 'y') => {
    const values = moves.map(move => move[part])
    return Math.max(...values) - Math.min(...values)
  }
  return spread('time') > 1 || spread('x') > 1 || spread('y') > 0
}

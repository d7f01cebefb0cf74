/** A point of the piece's movement: milliseconds since it was picked up, and its position. */
export type TrackPoint = readonly [ms: number, x: number, y: number]

/** Enough points to show human movement, and few enough to send. */
const MOST_POINTS = 200

/** Thins a long track evenly; the first and the last point are always kept. */
export function thinned(track: readonly TrackPoint[]): readonly TrackPoint[] {
  if (track.length <= MOST_POINTS) return track
  const step = (track.length - 1) / (MOST_POINTS - 1)
  return Array.from({ length: MOST_POINTS }, (_, at) => track[Math.round(at * step)] as TrackPoint)
}

/** A puzzle answer in wire format. */
export const puzzleAnswer = (x: number, track: readonly TrackPoint[]): string =>
  JSON.stringify({ x: Math.round(x), track: thinned(track) })

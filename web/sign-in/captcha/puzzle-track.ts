/** How the piece travelled: milliseconds since it was taken, and where it was then. */
export type TrackPoint = readonly [ms: number, x: number, y: number]

/** Enough points to show a hand at work, and few enough to travel. */
const MOST_POINTS = 200

/** Thins a long track evenly; the first and the last point always stay. */
export function thinned(track: readonly TrackPoint[]): readonly TrackPoint[] {
  if (track.length <= MOST_POINTS) return track
  const step = (track.length - 1) / (MOST_POINTS - 1)
  return Array.from({ length: MOST_POINTS }, (_, at) => track[Math.round(at * step)] as TrackPoint)
}

/** The answer to a puzzle as it travels. */
export const puzzleAnswer = (x: number, track: readonly TrackPoint[]): string =>
  JSON.stringify({ x: Math.round(x), track: thinned(track) })

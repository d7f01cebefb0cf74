import { isOutside, type TemperatureBounds } from '#modules/vocabulary/storage-conditions.ts'
import type { Reading } from '#modules/transport/cold-chain/recorder-file.ts'

/** A point of a drawn curve: moment and degrees Celsius. */
export type CurvePoint = readonly [at: string, celsius: number]

/** A curve is drawn, and sent to the customer, with no more points. */
export const MOST_POINTS = 240

/** The lowest and the highest of each stretch of time, in their order: no excursion is lost in between. */
export function curveOf(readings: readonly Reading[]): readonly CurvePoint[] {
  const point = ({ at, celsius }: Reading): CurvePoint => [at, celsius]
  if (readings.length <= MOST_POINTS) return readings.map(point)
  const stretch = Math.ceil(readings.length / (MOST_POINTS / 2))
  const points: CurvePoint[] = []
  for (let from = 0; from < readings.length; from += stretch) {
    const part = readings.slice(from, from + stretch)
    const low = part.reduce((least, each) => (each.celsius < least.celsius ? each : least))
    const high = part.reduce((most, each) => (each.celsius > most.celsius ? each : most))
    points.push(...[low, high].toSorted((a, b) => (a.at < b.at ? -1 : 1)).map(point))
  }
  return points
}

/** A recorder that is silent this much longer than usual has missed something. */
const SILENCE = 3
const SHORTEST_GAP_MS = 10 * 60_000

/** The stretches, in milliseconds, in which a recorder measured nothing although it should have. */
export function gapsIn(readings: readonly Reading[]): readonly number[] {
  const moments = [...new Set(readings.map(({ at }) => Date.parse(at)))].toSorted((a, b) => a - b)
  const steps = moments.slice(1).map((at, index) => at - moments[index]!)
  const usual = steps.toSorted((a, b) => a - b)[Math.floor(steps.length / 2)] ?? 0
  return steps.filter(step => step > Math.max(usual * SILENCE, SHORTEST_GAP_MS))
}

/** What is narrower of several goods that travel together; null: none of them says anything. */
export function commonBounds(all: readonly (TemperatureBounds | null)[]): TemperatureBounds | null {
  const known = all.filter(bounds => bounds !== null)
  if (known.length === 0) return null
  const of = (values: readonly (number | null)[], narrow: (...of: number[]) => number) => {
    const said = values.filter(value => value !== null)
    return said.length === 0 ? null : narrow(...said)
  }
  return {
    min: of(
      known.map(({ min }) => min),
      Math.max,
    ),
    max: of(
      known.map(({ max }) => max),
      Math.min,
    ),
  }
}

const bound = (value: number | null, otherwise: string) => (value === null ? otherwise : String(value))
/** 2～8℃ */
export const boundsText = ({ min, max }: TemperatureBounds): string => `${bound(min, '')}～${bound(max, '')}℃`

/** What a journey's readings amount to: lowest, highest, and those outside the bounds. */
export function judged(readings: readonly Reading[], bounds: TemperatureBounds | null) {
  const outside = bounds === null ? [] : readings.filter(({ celsius }) => isOutside(bounds, celsius))
  return {
    low: Math.min(...readings.map(({ celsius }) => celsius)),
    high: Math.max(...readings.map(({ celsius }) => celsius)),
    outside,
  }
}

import { isOutside, type TemperatureBounds } from '#modules/base/vocabulary/storage-conditions.ts'
import type { Reading } from '#modules/trade/transport/cold-chain/recorder-file.ts'

/** A point of a drawn curve: moment and degrees Celsius, and the probe where there are several. */
export type CurvePoint = readonly [at: string, celsius: number, probe?: string]

/** A curve is drawn, and sent to the customer, with no more points. */
export const MOST_POINTS = 240

/** The readings of each probe. */
const byProbe = (readings: readonly Reading[]): readonly (readonly Reading[])[] => [
  ...Map.groupBy(readings, ({ probe }) => probe).values(),
]

/** The lowest and the highest of each stretch of time, in their order: no excursion is lost in between. */
function thinned(readings: readonly Reading[], most: number): readonly Reading[] {
  if (readings.length <= most) return readings
  const stretch = Math.ceil(readings.length / (most / 2))
  const points: Reading[] = []
  for (let from = 0; from < readings.length; from += stretch) {
    const part = readings.slice(from, from + stretch)
    const low = part.reduce((least, each) => (each.celsius < least.celsius ? each : least))
    const high = part.reduce((most, each) => (each.celsius > most.celsius ? each : most))
    points.push(...[low, high].toSorted((a, b) => (a.at < b.at ? -1 : 1)))
  }
  return points
}

/** The points of the chart of a journey: a line for each probe. */
export function curveOf(readings: readonly Reading[]): readonly CurvePoint[] {
  const probes = byProbe(readings)
  const most = Math.max(2, Math.floor(MOST_POINTS / Math.max(1, probes.length)))
  return probes
    .flatMap(each => thinned(each, most))
    .toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
    .map(({ at, celsius, probe }): CurvePoint => (probe === null ? [at, celsius] : [at, celsius, probe]))
}

/** A recorder that is silent this much longer than usual has missed something. */
const SILENCE = 3
const SHORTEST_GAP_MS = 10 * 60_000

/** A journey, in milliseconds, in all of which a recorder should have measured; infinite: that end is not known. */
export type Journey = { readonly from: number; readonly to: number }

/** The stretches, in milliseconds, in which a probe measured nothing although it should have. */
export const gapsIn = (readings: readonly Reading[], journey?: Journey): readonly number[] =>
  byProbe(readings).flatMap(each => silences(each, journey))

function silences(readings: readonly Reading[], journey?: Journey): readonly number[] {
  const moments = [...new Set(readings.map(({ at }) => Date.parse(at)))].toSorted((a, b) => a - b)
  const steps = moments.slice(1).map((at, index) => at - moments[index]!)
  const usual = steps.toSorted((a, b) => a - b)[Math.floor(steps.length / 2)] ?? 0
  const ends = journey ? [moments[0]! - journey.from, journey.to - moments.at(-1)!] : []
  return [...steps, ...ends.filter(Number.isFinite)].filter(step => step > Math.max(usual * SILENCE, SHORTEST_GAP_MS))
}

/** The narrowest bounds of several goods that travel together; null: none of them has bounds. */
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

/** The summary of a journey's readings: lowest, highest, and those outside the bounds. */
export function judged(readings: readonly Reading[], bounds: TemperatureBounds | null) {
  const outside = bounds === null ? [] : readings.filter(({ celsius }) => isOutside(bounds, celsius))
  return {
    low: readings.reduce((least, { celsius }) => Math.min(least, celsius), Infinity),
    high: readings.reduce((most, { celsius }) => Math.max(most, celsius), -Infinity),
    outside,
  }
}

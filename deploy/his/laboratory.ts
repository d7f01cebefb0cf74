import { instant } from '#kernel/values/date.ts'
import type { LisBottle } from '#server/outbound/lis.ts'
import type { Answer, Asked } from './server.ts'

/** A count as it was written by hand: what a laboratory's system answers, right or wrong. */
export type WrittenCount = { readonly code: string; readonly tests: unknown }

/** The laboratory does one test on each bottle that runs in so many minutes, and stops at so many. */
const MINUTES_A_TEST = 15
const MS_OF_A_MINUTE = 60_000
const MOST_TESTS = 400

const json = (status: number, value: object): Answer => ({
  status,
  type: 'application/json; charset=utf-8',
  body: JSON.stringify(value),
})

/** The number of tests run on a bottle since it was loaded. A bottle that is on no analyser is unknown here. */
function counted({ code, analyser, loaded_at, unloaded_at }: LisBottle): readonly WrittenCount[] {
  if (!analyser || !loaded_at) return []
  const until = Date.parse(unloaded_at ?? instant())
  const tests = Math.floor((until - Date.parse(loaded_at)) / MS_OF_A_MINUTE / MINUTES_A_TEST)
  return [{ code, tests: Math.min(MOST_TESTS, Math.max(0, tests)) }]
}

/**
 * The laboratory's system: `POST /lis/reagent-tests` with the bottles that run is answered with their counts. Counts
 * written by hand (`POST /control/tests`) are answered unchanged, also for bottles that nobody asked about.
 */
export function answerLaboratory(written: readonly WrittenCount[], { method, path, body }: Asked): Answer {
  if (method !== 'POST' || path !== 'reagent-tests') return json(404, { msg: '没有这个地址' })
  const { bottles } = JSON.parse(body) as { bottles?: readonly LisBottle[] }
  if (!Array.isArray(bottles)) return json(400, { msg: '缺少bottles' })
  const known = new Set(written.map(({ code }) => code))
  const run = (bottles as readonly LisBottle[]).filter(({ code }) => !known.has(code)).flatMap(counted)
  return json(200, { counts: [...written, ...run] })
}

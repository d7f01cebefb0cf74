import { parseInteger } from '#kernel/values/integer.ts'
import type { Bench } from './bench.ts'
import type { BenchClient } from './client.ts'
import { type Lines, openCounter, type Setting, submitted } from './posting.ts'
import { hold, p50, timed } from './stopwatch.ts'

const CLIENTS = 16
const DOCUMENTS = 64

/** The same hundred lots in every receipt, so that all clients compete for the same balances. */
const sameLines = (where: Setting): Lines =>
  Array.from({ length: 100 }, (_, at) => ({
    specification_sn: where.specifications[at % where.specifications.length],
    lot_no: `HOT-${at}`,
    production_date: '2026-06-01',
    expiry_date: '2029-05-31',
    quantity: '10',
    price: '0.01',
    tax_rate: 13,
  }))

/** Sixteen clients posting to the same hundred balances at once, compared with one client alone. */
export async function benchContention(bench: Bench): Promise<() => Promise<void>> {
  const { where, client } = await openCounter(bench)
  return () => contend(bench, where, client)
}

async function contend(bench: Bench, where: Setting, client: BenchClient): Promise<void> {
  const docs: { sn: string; version: number }[] = []
  for (let doc = 0; doc < DOCUMENTS * 2; doc++) docs.push(await submitted(client, where, sameLines(where)))
  const deadlocks = async () =>
    parseInteger(
      (await bench.one<{ n: string }>('select deadlocks as n from pg_stat_database where datname = current_database()'))
        .n,
    )
  const before = await deadlocks()
  const review = async () => client.post('/v1/business/purchaseGrn/review', docs.shift()!)
  const started = performance.now()
  await timed(DOCUMENTS, review)
  const alone = DOCUMENTS / (performance.now() - started)
  const times: number[] = []
  const from = performance.now()
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      for (let doc = 0; doc < DOCUMENTS / CLIENTS; doc++) times.push(...(await timed(1, review)))
    }),
  )
  const together = DOCUMENTS / (performance.now() - from)
  const [gain, spread, dead] = [together / alone, Math.max(...times) / p50(times), (await deadlocks()) - before]
  const title = `${CLIENTS} clients on the same 100 balances`
  console.log(
    `${title.padEnd(52)} ${(together * 1000).toFixed(1)}/s, alone ${(alone * 1000).toFixed(1)}/s: ` +
      `${gain.toFixed(2)}x (goal ${hold(title, gain, { least: 0.7 })}) · slowest/p50 ${spread.toFixed(2)}x ` +
      `(goal ${hold(`${title}, the slowest`, spread, { most: 3 })}) · ${dead} deadlocks`,
  )
  if (dead > 0) throw new Error(`${title}: ${dead} deadlocks`)
}

import { parseInteger } from '#kernel/values/integer.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ChildServer, openChildServer } from '../support/child-server.ts'
import { openStage } from '../support/story.ts'
import { isThorough } from '../support/thorough.ts'
import { attackOn, isChange, keep, stockUp, wrongs } from './cases/attack.ts'
import { chanceOf } from './cases/random.ts'
import { type Market, openMarket } from './cases/fuzz-world.ts'
import type { Click } from './cases/moves.ts'

/**
 * The attack while the server and PostgreSQL are killed: after each recovery the ledgers agree and pending messages
 * arrive. ATTACK_SEED chooses the clicks and the kills, CRASH_SECONDS how long: `npm run attack` gives it a share of
 * its minutes. In `npm test` the server dies in crash.test.ts alone.
 */
const SEED = parseInteger(process.env.ATTACK_SEED ?? 20_261_122)
const SECONDS = parseInteger(process.env.CRASH_SECONDS ?? 12)
/** Minimum number of kills of each. */
const DEATHS = 2

let server: ChildServer
let market: Market
beforeAll(async () => {
  server = await openChildServer()
  market = await openMarket(await openStage(server))
  await stockUp(market)
})
afterAll(() => server?.close())

test.skipIf(!isThorough && !process.env.CRASH_SECONDS)(
  `seed ${SEED}: kill -9 of the server and of PostgreSQL amid the clicks of eight people leaves the ledgers whole`,
  async () => {
    const chance = chanceOf(SEED)
    const clicks: Click[] = []
    const attack = attackOn(market, chance, clicks)
    const deaths = { server: 0, database: 0 }
    const until = Date.now() + SECONDS * 1000
    for (let round = 0; Date.now() < until || Math.min(deaths.server, deaths.database) < DEATHS; round++) {
      const from = clicks.length
      const everybody = attack.round()
      const victim = round % 3 === 2 ? null : round % 2 === 0 ? 'server' : 'database'
      // During the round: after some of its clicks were answered, and before all were.
      const after = from + chance.between(4, 40)
      if (victim !== null) {
        await Promise.race([everybody, untilClicks(clicks, after)])
        await (victim === 'server' ? server.killServer() : server.killDatabase())
        deaths[victim] += 1
      }
      await everybody
      await recovered()
      const found = await wrongs(market, clicks.slice(from))
      if (found.length > 0)
        expect(
          found,
          `seed ${SEED}, round ${round} (${victim}), whole log in ${await keep(market, `crash-${SEED}`, clicks)}`,
        ).toEqual([])
    }
    const done = clicks.filter(click => isChange(click) && click.reply.code === 0).length
    const lost = clicks.filter(click => click.reply.status === 0 || click.reply.status === 503).length
    console.log(
      `seed ${SEED}: ${clicks.length} calls, ${done} changes, ${lost} unanswered; the server died ` +
        `${deaths.server} times, PostgreSQL ${deaths.database}`,
    )
    expect(done).toBeGreaterThan(5)
  },
  (SECONDS + 240) * 1000,
)

async function untilClicks(clicks: readonly Click[], count: number): Promise<void> {
  while (clicks.length < count) await new Promise(resolve => setTimeout(resolve, 2))
}

/** Both are up again. */
const recovered = () =>
  expect
    .poll(
      async () => {
        await server.database.owner`select 1`.catch(() => null)
        await server.database.app`select 1`.catch(() => null)
        return (await server.outsider.get('/readyz')).status
      },
      { timeout: 30_000, interval: 50 },
    )
    .toBe(200)

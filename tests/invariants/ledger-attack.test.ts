import { parseInteger } from '#kernel/values/integer.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { attackOn, isChange, keep, stockUp, summary, wrongs } from './cases/attack.ts'
import { chanceOf } from './cases/random.ts'
import { type Market, openMarket } from './cases/fuzz-world.ts'
import { type Click, handsOf, targets } from './cases/moves.ts'

/**
 * Random clicks of eight users of four organisations at once on a real database, plus actions of the long list. The
 * ledgers agree after every round and no one gets a server error. ATTACK_SEED chooses the clicks, ATTACK_SECONDS how
 * long: `npm run attack`. A plain test run always uses the same seed.
 */
const SEED = parseInteger(process.env.ATTACK_SEED ?? 20_261_120)
const SECONDS = parseInteger(process.env.ATTACK_SECONDS ?? 15)
/** The books are checked after every so many rounds, and after the last: their findings name the documents. */
const BOOKS_EVERY = 3
/** Extra seconds allowed until every target has taken effect at least once. */
const MORE = 180

let market: Market
beforeAll(async () => {
  market = await openMarket()
  await stockUp(market)
})
afterAll(() => market?.close())

/** True if a document of the kind was approved at that organisation. */
const isReached = (clicks: readonly Click[], [server, kind, by = 'review']: (typeof targets)[number]): boolean =>
  clicks.some(click => click.server === server && click.path.endsWith(`/${kind}/${by}`) && click.reply.code === 0)

test(
  `seed ${SEED}: ${SECONDS} seconds of legal clicks leave the ledgers whole`,
  async () => {
    const chance = chanceOf(SEED)
    const clicks: Click[] = []
    const attack = attackOn(market, chance, clicks)
    const until = Date.now() + SECONDS * 1000
    const isDone = () => targets.every(target => isReached(clicks, target))
    for (let round = 0; Date.now() < until || (Date.now() < until + MORE * 1000 && !isDone()); round++) {
      const from = clicks.length
      await attack.round()
      const waiting = targets.filter(target => !isReached(clicks, target))
      const [server, kind] = waiting[round % Math.max(1, waiting.length)] ?? []
      // A return to a supplier starts at its customer.
      if (kind === 'saleReturn') await handsOf(market, chance, 'H01', clicks).aim('purchaseReturn')
      if (server && kind) await handsOf(market, chance, server, clicks).aim(kind)
      const isLast = Date.now() >= until && isDone()
      const found = await wrongs(market, clicks.slice(from), isLast || round % BOOKS_EVERY === 0)
      if (found.length > 0)
        expect(
          found,
          `seed ${SEED}, round ${round}, whole log in ${await keep(market, `attack-${SEED}`, clicks)}`,
        ).toEqual([])
    }
    const done = clicks.filter(click => isChange(click) && click.reply.code === 0)
    console.log(`seed ${SEED}: ${clicks.length} calls, ${done.length} changes`)
    if (process.env.ATTACK_TELL) console.log(summary(clicks))
    expect(done.length).toBeGreaterThan(50)
    expect(
      targets.filter(target => !isReached(clicks, target)),
      'kinds that never came into force',
    ).toEqual([])
  },
  (SECONDS + MORE + 120) * 1000,
)

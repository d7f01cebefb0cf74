import { parseInteger } from '#kernel/values/integer.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestServer } from '../support/test-server.ts'
import { openStage } from '../support/story.ts'
import { keep, summary, wrongs } from './cases/attack.ts'
import { chanceOf } from './cases/random.ts'
import { everyAction, nameOf, triesOf } from './cases/every-action.ts'
import { type Market, openMarket } from './cases/fuzz-world.ts'
import type { Click } from './cases/moves.ts'

/**
 * Every action of every kind of document is run on the demo's documents, which cover nearly every state, by several
 * users at once and in a seeded order. Whatever the server replies, there is no error and the ledgers agree
 * afterwards. ATTACK_SEED is the seed, ACTION_ROUNDS the number of rounds: `npm run attack`.
 */
const SEED = parseInteger(process.env.ATTACK_SEED ?? 20_261_123)
const ROUNDS = parseInteger(process.env.ACTION_ROUNDS ?? 1)
const HANDS = 4
/** The share of actions that must find a document; the others are reported. */
const MOST = 0.95

let market: Market
beforeAll(async () => {
  market = await openMarket(await openStage(await openTestServer({}, { demo: true })))
})
afterAll(() => market?.close())

test(
  `seed ${SEED}: every action of every kind, run on documents of half a year, leaves the ledgers whole`,
  async () => {
    const chance = chanceOf(SEED)
    const names = new Set(everyAction.map(nameOf))
    const tried = new Set<string>()
    for (let round = 0; round < ROUNDS; round++) {
      const clicks: Click[] = []
      const queue = chance.all(everyAction)
      const hand = async () => {
        const tries = triesOf(market, chanceOf(chance.below(2 ** 31)), clicks, tried)
        for (let action = queue.pop(); action; action = queue.pop()) await tries(action)
      }
      await Promise.all(Array.from({ length: HANDS }, hand))
      const found = await wrongs(market, clicks)
      if (process.env.ATTACK_TELL) console.log(summary(clicks))
      if (found.length > 0)
        expect(found, `seed ${SEED}, whole log in ${await keep(market, `actions-${SEED}`, clicks)}`).toEqual([])
    }
    const never = [...names].filter(name => !tried.has(name))
    console.log(`seed ${SEED}: ${tried.size} of ${names.size} actions found a document; none: ${never.join(' ')}`)
    expect(tried.size / names.size).toBeGreaterThan(MOST)
  },
  600_000 * ROUNDS,
)

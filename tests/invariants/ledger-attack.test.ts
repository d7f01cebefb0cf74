import { writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deliverWaiting } from '#server/engine/deliver.ts'
import { checkLedgers } from '#server/ledger/check.ts'
import { chanceOf } from './chance.ts'
import { bring, grant, make, type Market, newCodes, openMarket } from './market.ts'
import { type Click, type House, handsOf, targets } from './moves.ts'

/**
 * Random clicks of several people in three organisations at once, on a real database. Whatever they do, the ledgers agree
 * after every round and nobody sees a defect. ATTACK_SEED chooses the clicks, ATTACK_SECONDS how long: `npm run attack`. A
 * plain test run always takes the same.
 */
const SEED = Number(process.env.ATTACK_SEED ?? 20_261_120)
const SECONDS = Number(process.env.ATTACK_SECONDS ?? 35)
/** How long it may go on beyond that until every target came into force at least once. */
const MORE = 180
const HANDS = 6
const STEPS = 3

let market: Market
beforeAll(async () => {
  market = await openMarket()
  for (const lot of ['ATK-A', 'ATK-B']) {
    await make(
      market,
      { specification: market.plain, lot, quantity: 30, price: '33.33' },
      { specification: market.coded, lot, quantity: 6, codes: newCodes(6) },
    )
    await bring(market, { specification: market.plain, lot: `${lot}-H`, quantity: 12 }, 'purchased')
    await bring(market, { specification: market.coded, lot: `${lot}-H`, quantity: 6, codes: newCodes(6) }, 'consigned')
  }
  // What a ward may give back.
  for (const quantity of ['1', '2'])
    await grant(market, [{ specification_sn: market.plain, lot_no: 'ATK-A-H', quantity }])
}, 120_000)
afterAll(() => market?.close())

const tell = (click: Click) =>
  `${click.house} ${click.path} ${JSON.stringify(click.body)} → ${click.reply.status} ${click.reply.code} ${click.reply.msg ?? ''} ${JSON.stringify(click.reply.info ?? '').slice(0, 80)}`
const BOOKS = [
  'document',
  'document_line',
  'line_progress',
  'account_entry',
  'stock_move',
  'hand_over',
  'document_history',
]

/** Everything that was clicked and what the books say then, for whoever looks for the cause. */
async function keep(clicks: readonly Click[]): Promise<string> {
  const { owner } = market.stage.house.database
  const books: Record<string, unknown> = {}
  for (const table of BOOKS) books[table] = await owner`select * from ${owner(table)}`
  writeFileSync(path.join(os.tmpdir(), `medtrace-attack-${SEED}.json`), JSON.stringify(books))
  const file = path.join(os.tmpdir(), `medtrace-attack-${SEED}.log`)
  writeFileSync(
    file,
    `${clicks
      .filter(click => !/\/(list|info|sources)$/.test(click.path))
      .map(tell)
      .join('\n')}\n`,
  )
  return file
}

/** How often each button worked, and why it did not. */
function summary(clicks: readonly Click[]): string {
  const counts = new Map<string, number>()
  for (const click of clicks) {
    const name = click.path.replace('/v1/business/', '')
    if (!isChange(click)) continue
    const key =
      click.reply.code === 0
        ? `${name} ok`
        : `${name} ${click.reply.code} ${click.reply.msg.replace(/[\dA-Z]{6,}/g, '…')}`
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return [...counts]
    .sort()
    .map(([key, count]) => `${key} ×${count}`)
    .join('\n')
}
const isChange = (click: Click) => !/\/(list|info|sources)$/.test(click.path)
/** Whether a paper of the kind was signed in that house. */
const isReached = (clicks: readonly Click[], [house, kind]: (typeof targets)[number]): boolean =>
  clicks.some(click => click.house === house && click.path.endsWith(`/${kind}/review`) && click.reply.code === 0)
const isDefect = ({ reply }: Click) => reply.status >= 500 || reply.code === 9999

/** What waited for the other side has arrived; what cannot arrive is told. */
async function settle(): Promise<string[]> {
  const { app, owner } = market.stage.house.database
  for (let round = 0; round < 5; round++) {
    await owner`update hand_over set next_at = now() where delivered_at is null`
    await deliverWaiting(app, owner)
    const stuck = await owner<
      { error: string }[]
    >`select concat_ws(' ', h.message, h.payload->>'kind', h.payload->>'sn', h.last_error) as error from hand_over h where h.delivered_at is null`
    if (stuck.length === 0) return []
    if (round === 4) return stuck.map(row => row.error)
  }
  return []
}

/** What is wrong after a round: a defect that somebody saw, a message that cannot arrive, a book that does not agree. */
async function wrongs(clicks: readonly Click[]): Promise<string[]> {
  const stuck = await settle()
  const findings = await checkLedgers(market.stage.house.database.owner)
  return [...clicks.filter(isDefect).map(tell), ...stuck, ...findings.map(finding => finding.msg)]
}

test(
  `seed ${SEED}: ${SECONDS} seconds of legal clicks leave the ledgers whole`,
  async () => {
    const chance = chanceOf(SEED)
    const clicks: Click[] = []
    const houses: readonly House[] = ['V01', 'D01', 'D01', 'H01', 'H01', 'H01']
    const until = Date.now() + SECONDS * 1000
    const isDone = () => targets.every(target => isReached(clicks, target))
    for (let round = 0; Date.now() < until || (Date.now() < until + MORE * 1000 && !isDone()); round++) {
      const from = clicks.length
      const hands = Array.from({ length: HANDS }, () =>
        handsOf(market, chanceOf(chance.below(2 ** 31)), chance.one(houses), clicks),
      )
      await Promise.all(
        hands.map(async ({ move }) => {
          for (let step = 0; step < STEPS; step++) await move()
        }),
      )
      const waiting = targets.filter(target => !isReached(clicks, target))
      const [house, kind] = waiting[round % Math.max(1, waiting.length)] ?? []
      if (house && kind) await handsOf(market, chance, house, clicks).aim(kind)
      const found = await wrongs(clicks.slice(from))
      if (found.length > 0)
        expect(found, `seed ${SEED}, round ${round}, whole log in ${await keep(clicks)}`).toEqual([])
    }
    const done = clicks.filter(click => isChange(click) && click.reply.code === 0).length
    console.log(`seed ${SEED}: ${clicks.length} calls, ${done} changes`)
    if (process.env.ATTACK_TELL) console.log(summary(clicks))
    expect(done).toBeGreaterThan(50)
    expect(
      targets.filter(target => !isReached(clicks, target)),
      'kinds that never came into force',
    ).toEqual([])
  },
  (SECONDS + MORE + 120) * 1000,
)

import { writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { deliverPending } from '#server/documents/intercompany/deliver.ts'
import { checkLedgers } from '#server/ledger/check/check.ts'
import type { Sql } from '#server/plugins/database.ts'
import { feeClasses } from '#modules/base/vocabulary/fee-classes.ts'
import { day } from '../../support/story.ts'
import { type Chance, chanceOf } from './random.ts'
import { everyAction, triesOf } from './every-action.ts'
import { bring, grant, make, type Market, newCodes, useOf } from './fuzz-world.ts'
import { type Click, type TestServer, handsOf } from './moves.ts'

/** Who works where: eight users of four organisations. */
export const seats: readonly (readonly [TestServer, isSecond: boolean])[] = [
  ['V01', false],
  ['V01', true],
  ['D01', false],
  ['D01', true],
  ['D02', false],
  ['D02', true],
  ['H01', false],
  ['H01', true],
]
const STEPS = 3
/** Actions of the long list per round. */
const ACTIONS = 4

/** Stocks every warehouse, so that there is something to compete for. */
export async function stockUp(market: Market): Promise<void> {
  for (const lot of ['ATK-A', 'ATK-B']) {
    await make(
      market,
      { specification: market.plain, lot, quantity: 30, price: '33.33' },
      { specification: market.coded, lot, quantity: 6, codes: newCodes(6) },
    )
    await bring(market, { specification: market.plain, lot: `${lot}-H`, quantity: 12 }, 'purchased')
    await bring(market, { specification: market.coded, lot: `${lot}-H`, quantity: 6, codes: newCodes(6) }, 'consigned')
  }
  // What suppliers are charged on their settlements, reviewed.
  const { client } = market.hospital
  for (const supplier_sn of [market.org.D01, market.org.D02])
    for (const fee_class of Object.keys(feeClasses)) {
      const body = { supplier_sn, fee_class, fee_base: 'settled', valid_from: day(-60), rate: '0.02' }
      const { info } = await client.post('/v1/business/supplierRate/add', body)
      await client.post('/v1/business/supplierRate/review', { sn: (info as { sn: string }).sn, version: 1 })
    }
  await settledOnce(market)
  // What a ward can return.
  for (const quantity of ['1', '2'])
    await grant(market, [{ specification_sn: market.plain, lot_no: 'ATK-A-H', quantity }])
}

/** Consigned goods that were used, settled and agreed to: a fee may be charged on them. */
async function settledOnce(market: Market): Promise<void> {
  const { hospital, dealer, org } = market
  await bring(market, { specification: market.plain, lot: 'ATK-F', quantity: 3 }, 'consigned')
  const line = { specification_sn: market.plain, lot_no: 'ATK-F', quantity: '3' }
  const use = { ...useOf(market, [line]), warehouse_model_inner_sn: market.shelf.H01 }
  await hospital.pass('departmentUse', await hospital.add('departmentUse', use))
  const period = { counterparty_sn: org.D01, begin_date: day(-30), end_date: day() }
  const { info } = await hospital.client.post('/v1/business/settlement/generate', period)
  const { sn } = info as { sn: string }
  await hospital.done('settlement', 'submit', sn)
  await dealer.done('settlement', 'confirm', sn)
  await hospital.done('settlement', 'review', sn)
}

/** Rounds of an attack: everyone clicks at once, and some actions of the long list are tried as well. */
export function attackOn(market: Market, chance: Chance, clicks: Click[]) {
  const tries = triesOf(market, chanceOf(chance.below(2 ** 31)), clicks)
  const round = async (): Promise<void> => {
    const people = seats.map(([server, isSecond]) =>
      handsOf(market, chanceOf(chance.below(2 ** 31)), server, clicks, isSecond),
    )
    const actions = Array.from({ length: ACTIONS }, () => chance.one(everyAction))
    await Promise.all([
      ...people.map(async ({ move }) => {
        for (let step = 0; step < STEPS; step++) await move()
      }),
      (async () => {
        for (const action of actions) await tries(action)
      })(),
    ])
  }
  return { round }
}

export const notify = (click: Click) =>
  `${click.server} ${click.path} ${JSON.stringify(click.body)} → ${click.reply.status} ${click.reply.code} ` +
  `${click.reply.msg ?? ''} ${JSON.stringify(click.reply.info ?? '').slice(0, 80)}`
export const isChange = (click: Click) => !/\/(list|info|sources)$/.test(click.path)
export const isDefect = ({ reply }: Click) =>
  (reply.status >= 500 && reply.status !== 503) || (reply.code === 9999 && reply.status !== 503)

/** Waits until all intercompany messages have arrived; returns those that cannot be delivered. */
async function settle(app: Sql, owner: Sql): Promise<string[]> {
  for (let round = 0; round < 5; round++) {
    await owner`update intercompany_message set next_at = now() where delivered_at is null`
    await deliverPending(app, owner)
    const stuck = await owner<
      { error: string }[]
    >`select concat_ws(' ', h.message, h.payload->>'kind', h.payload->>'sn', h.last_error) as error
      from intercompany_message h where h.delivered_at is null`
    if (stuck.length === 0) return []
    if (round === 4) return stuck.map(row => row.error)
  }
  return []
}

/** What is wrong after a round: an error a user got, an undeliverable message, a ledger that does not agree. */
export async function wrongs(market: Market, clicks: readonly Click[], withBooks = true): Promise<string[]> {
  const { app, owner } = market.stage.server.database
  const stuck = await settle(app, owner)
  const findings = withBooks ? await checkLedgers(owner) : []
  return [...clicks.filter(isDefect).map(notify), ...stuck, ...findings.map(finding => finding.msg)]
}

const BOOKS = [
  'document',
  'document_line',
  'line_progress',
  'account_entry',
  'stock_move',
  'intercompany_message',
  'document_history',
]

/** Saves all clicks and the resulting ledger state, for finding the cause. */
export async function keep(market: Market, name: string, clicks: readonly Click[]): Promise<string> {
  const { owner } = market.stage.server.database
  const books: Record<string, unknown> = {}
  for (const table of BOOKS) books[table] = await owner`select * from ${owner(table)}`
  writeFileSync(path.join(os.tmpdir(), `medtrace-${name}.json`), JSON.stringify(books))
  const file = path.join(os.tmpdir(), `medtrace-${name}.log`)
  writeFileSync(file, `${clicks.filter(isChange).map(notify).join('\n')}\n`)
  return file
}

/** How often each button worked, and why it did not. */
export function summary(clicks: readonly Click[]): string {
  const counts = new Map<string, number>()
  for (const click of clicks.filter(isChange)) {
    const { code, msg } = click.reply
    const name = click.path.replace('/v1/business/', '')
    const key = code === 0 ? `${name} ok` : `${name} ${code} ${(msg ?? '').replace(/[\dA-Z]{6,}/g, '…')}`
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return [...counts]
    .sort()
    .map(([key, count]) => `${key} ×${count}`)
    .join('\n')
}

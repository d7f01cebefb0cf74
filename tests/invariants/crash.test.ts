import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkLedgers } from '#server/ledger/check/check.ts'
import { type Database, openDatabase } from '#server/plugins/database.ts'
import { type FreshDatabase, freshDatabase } from '../support/database.ts'
import { md5 } from '../support/test-server.ts'
import { type Machine, startMachine } from '../support/machines.ts'
import { day } from '../support/story.ts'

/**
 * The server is killed while it posts. Everything answered is kept, everything unanswered is complete or absent, and
 * after a restart all pending messages arrive.
 */
let fresh: FreshDatabase
let database: Database
let machine: Machine
let sid: string

beforeAll(async () => {
  fresh = await freshDatabase({ masters: true })
  database = await openDatabase(fresh.config)
})
afterAll(async () => {
  await machine?.kill()
  await database?.close()
  await fresh?.drop()
})

async function start(): Promise<void> {
  machine = await startMachine(fresh.config, fresh.config.dataDir)
  const reply = await fetch(`${machine.url}/v1/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ userName: 'vendor', password: md5('Spd@2026') }),
  })
  sid = reply.headers.getSetCookie()[0]!.split(';')[0]!
}

// oxlint-disable-next-line typescript/no-explicit-any -- replies of all kinds
async function call(kind: string, action: string, body: object, request?: string): Promise<any> {
  const headers = { cookie: sid, 'content-type': 'application/json', ...(request ? { 'x-request-id': request } : {}) }
  const reply = await fetch(`${machine.url}/v1/business/${kind}/${action}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  return reply.json()
}

type Click = {
  readonly kind: string
  readonly sn: string
  readonly version: number
  readonly request: string
  reply?: string
}

/** Receipts and deliveries waiting only for review. */
async function waiting(round: number, count: number): Promise<Click[]> {
  const id = async (text: string) => (await database.owner.unsafe(text))[0]!.id as string
  const shelf = await id(
    `select w.id from warehouse w join organisation o on o.id = w.org_id where o.code = 'V01'
      and w.model = 'central' order by w.id limit 1`,
  )
  const goods = await id("select id from specification where code = 'P009-01'")
  const buyer = await id("select id from organisation where code = 'D01'")
  const line = (lot: string, quantity: number) => ({ specification_sn: goods, lot_no: lot, quantity: String(quantity) })
  const dated = { production_date: day(-30), expiry_date: day(700), price: '33.33' }
  const ready = async (kind: string, body: object): Promise<Click> => {
    const { info, msg } = await call(kind, 'add', { warehouse_model_inner_sn: shelf, ...body })
    expect(msg).toBe('')
    const submitted = await call(kind, 'submit', { sn: info.sn, version: info.version })
    expect(submitted.msg).toBe('')
    return { kind, sn: info.sn, version: submitted.info.version, request: randomUUID() }
  }
  const lot = `CRASH-${round}`
  const stock = await ready('otherGrn', { lines: [{ ...line(lot, count), ...dated }] })
  expect((await call('otherGrn', 'review', { sn: stock.sn, version: stock.version })).code).toBe(0)
  const clicks: Click[] = []
  for (let at = 0; at < count; at++) {
    clicks.push(
      await ready('otherGrn', {
        lines: [
          { ...line(lot, 2), ...dated },
          { ...line(`${lot}-${at}`, 3), ...dated },
        ],
      }),
    )
    clicks.push(await ready('saleOdo', { counterparty_sn: buyer, lines: [line(lot, 1)] }))
  }
  return clicks
}

const click = (one: Click) =>
  call(one.kind, 'review', { sn: one.sn, version: one.version }, one.request).then(reply => {
    one.reply = JSON.stringify(reply)
  })

async function delivered(): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const [row] = await database.owner<
      { open: number }[]
    >`select count(*)::int as open from intercompany_message where delivered_at is null`
    if (row!.open === 0) return
    await new Promise(resolve => setTimeout(resolve, 200))
  }
  throw new Error('hand-overs still wait')
}

test('kill -9 in the middle of many reviews loses nothing answered and leaves nothing half done', async () => {
  await start()
  for (const [round, after] of [3, 20].entries()) {
    const clicks = await waiting(round, 16)
    const all = clicks.map(one => click(one).catch(() => undefined))
    while (clicks.filter(one => one.reply).length < after) await new Promise(resolve => setTimeout(resolve, 1))
    await machine.kill()
    await Promise.all(all)
    const answered = clicks.filter(one => one.reply)
    expect(answered.length).toBeGreaterThanOrEqual(after)
    expect(answered.length).toBeLessThan(clicks.length)
    const states = await database.owner<
      { sn: string; state: string }[]
    >`select sn, state from document where role = 'own' and sn = any(${clicks.map(one => one.sn)})
      and org_id = (select id from organisation where code = 'V01')`
    const stateOf = new Map(states.map(row => [row.sn, row.state]))
    for (const one of answered) expect([JSON.parse(one.reply!).code, stateOf.get(one.sn)]).toEqual([0, 'reviewed'])
    for (const one of clicks) expect(['submitted', 'reviewed']).toContain(stateOf.get(one.sn))
    expect(await checkLedgers(database.owner)).toEqual([])
    await start()
    await delivered()
    expect(await checkLedgers(database.owner)).toEqual([])
    const first = new Map(answered.map(one => [one.sn, one.reply]))
    await Promise.all(clicks.map(click))
    for (const one of clicks) {
      expect(JSON.parse(one.reply!).code, one.reply).toBe(0)
      if (first.has(one.sn)) expect(one.reply).toBe(first.get(one.sn))
    }
    await delivered()
    expect(await checkLedgers(database.owner)).toEqual([])
  }
  await machine.kill()
})

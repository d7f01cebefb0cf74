import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkLedgers } from '#server/ledger/check/check.ts'
import { type Database, openDatabase } from '#server/plugins/database.ts'
import { migrate } from '#app/schema.ts'
import { type FreshDatabase, freshDatabase } from '../support/database.ts'
import { md5 } from '../support/test-server.ts'
import { type Machine, startMachine } from '../support/machines.ts'
import { day } from '../support/story.ts'

/**
 * A multi-process installation is upgraded one process at a time: an older version (the checkout in OLD_PROGRAM)
 * keeps working on the database this version has migrated, and each continues with what the other wrote. Run by `npm
 * run rolling`.
 */
let fresh: FreshDatabase
let database: Database
let old: Machine
let young: Machine
beforeAll(async () => {
  fresh = await freshDatabase()
  database = await openDatabase(fresh.config)
  const { owner } = database
  await owner.unsafe('drop schema public cascade; create schema public')
  // The old version creates the database with its own schema and demo.
  old = await startMachine(fresh.config, fresh.config.dataDir, { DEMO: '1' }, process.env.OLD_PROGRAM)
})
afterAll(async () => {
  await old?.kill()
  await young?.kill()
  await database?.close()
  await fresh?.drop()
})

type Window = (
  address: string,
  body?: object,
) => Promise<{ code: number; msg: string; info: Record<string, never>; list: never[] }>

/** A user's session on a machine; both machines know it. */
function windowOn(machine: Machine, sid: string): Window {
  return async (address, body) => {
    const headers = { cookie: sid, ...(body ? { 'content-type': 'application/json' } : {}) }
    const reply = await fetch(
      machine.url + address,
      body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers },
    )
    return reply.json() as ReturnType<Window>
  }
}
async function signIn(machine: Machine, userName: string): Promise<string> {
  const reply = await fetch(`${machine.url}/v1/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ userName, password: md5('Spd@2026') }),
  })
  expect(((await reply.json()) as { code: number }).code).toBe(0)
  return reply.headers.getSetCookie()[0]!.split(';')[0]!
}
const idOf = async (text: string) => (await database.owner.unsafe(text))[0]!.id as string

/** Creates a receipt on one machine and posts it on the other. */
async function receives(writes: Window, books: Window, lot: string): Promise<void> {
  const shelf = await idOf(
    `select w.id from warehouse w join organisation o on o.id = w.org_id where o.code = 'V01'
      and w.model = 'central' order by w.id limit 1`,
  )
  const goods = await idOf("select id from specification where code = 'P009-01'")
  const dates = { production_date: day(-30), expiry_date: day(700) }
  const line = { specification_sn: goods, lot_no: lot, quantity: '2', price: '33.33', ...dates }
  const written = await writes('/v1/business/otherGrn/add', { warehouse_model_inner_sn: shelf, lines: [line] })
  expect(written.msg).toBe('')
  const { sn, version } = written.info
  const submitted = await books('/v1/business/otherGrn/submit', { sn, version })
  expect(submitted.msg).toBe('')
  expect((await writes('/v1/business/otherGrn/review', { sn, version: submitted.info.version })).msg).toBe('')
  expect((await books(`/v1/business/otherGrn/info?sn=${String(sn)}`)).info).toMatchObject({ state: 'reviewed' })
}

test('the previous version keeps working beside this one, on the database migrated by this one', async () => {
  const sid = await signIn(old, 'vendor')
  await receives(windowOn(old, sid), windowOn(old, sid), 'ROLL-OLD')
  const applied = await migrate(database.owner)
  console.log(`applied: ${applied.join(', ') || 'nothing'}`)
  young = await startMachine(fresh.config, fresh.config.dataDir)
  // Signed in at the old one, valid at the new one, and vice versa.
  await receives(windowOn(old, sid), windowOn(young, sid), 'ROLL-1')
  await receives(windowOn(young, sid), windowOn(old, sid), 'ROLL-2')
  // A lot in small letters, which a version before 1740 keeps in capitals: the other one finds it.
  await receives(windowOn(young, sid), windowOn(old, sid), 'roll-3a')
  await receives(windowOn(young, sid), windowOn(young, sid), 'roll-3a')
  await receives(windowOn(young, sid), windowOn(young, sid), 'roll-4a')
  await receives(windowOn(old, sid), windowOn(old, sid), 'roll-4a')
  const late = await signIn(young, 'dealer')
  for (const machine of [old, young])
    for (const address of [
      '/v1/business/saleOdo/list',
      '/v1/business/stockBalance/list',
      '/v1/report/stockByProduct',
      '/v1/business/message/list',
      '/v1/business/purchaseReturn/list',
    ])
      expect((await windowOn(machine, late)(address)).code, `${machine.url}${address}`).toBe(0)
  expect(await checkLedgers(database.owner)).toEqual([])
}, 300_000)

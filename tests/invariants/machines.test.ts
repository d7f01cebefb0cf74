import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import WebSocket from 'ws'
import { sendMessage } from '#server/messages/messages.ts'
import { inOrganisation } from '#server/database/transaction.ts'
import { checkLedgers } from '#server/ledger/check/check.ts'
import { type Database, openDatabase } from '#server/plugins/database.ts'
import { type Bucket, openBucket } from '../support/bucket.ts'
import { type FreshDatabase, freshDatabase } from '../support/database.ts'
import { md5 } from '../support/test-server.ts'
import { type Machine, startMachine } from '../support/machines.ts'
import { openNginx } from '../support/nginx.ts'
import { day } from '../support/story.ts'

/**
 * Three machines on one database and one bucket. If one is killed, users stay signed in, receive messages, find
 * their files, and each click is done once. With BEHIND_NGINX=1 behind the shipped nginx configuration (npm run
 * machines); otherwise callers alternate and skip a machine that does not answer, as nginx does.
 */
const SECRET = 'a secret of the bucket'
let fresh: FreshDatabase
let database: Database
let bucket: Bucket
let folder: string
let machines: Machine[]
let nginx: { url: string; close(): Promise<void> } | null = null
let turn = 0
let sid = ''

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'medtrace-machines-'))
  fresh = await freshDatabase({ masters: true })
  database = await openDatabase(fresh.config)
  bucket = await openBucket(SECRET)
  machines = await Promise.all([1, 2, 3].map(start))
  if (process.env.BEHIND_NGINX) nginx = await openNginx(machines.map(machine => machine.url))
})
afterAll(async () => {
  await nginx?.close()
  await Promise.all((machines ?? []).map(machine => machine.kill()))
  await bucket?.close()
  await database?.close()
  await fresh?.drop()
  rmSync(folder, { recursive: true, force: true })
})

const start = (number: number): Promise<Machine> =>
  startMachine(fresh.config, path.join(folder, String(number)), {
    FILE_STORE: bucket.address,
    FILE_STORE_KEY_ID: 'id',
    FILE_STORE_SECRET: SECRET,
    DEVICE_KEY: 'the same key on every one of the machines',
  })

/** Calls the installation, not one machine. A call without an answer is repeated, as the page does. */
async function ask(address: string, init: RequestInit = {}): Promise<Response> {
  for (let tries = 0; ; tries++) {
    const base = nginx?.url ?? machines[turn++ % machines.length]!.url
    const reply = await fetch(base + address, { ...init, headers: { cookie: sid, ...init.headers } }).catch(() => null)
    if (reply && reply.status !== 502 && reply.status !== 504) return reply
    if (tries > 20) throw new Error(`nobody answers ${address}`)
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}
// oxlint-disable-next-line typescript/no-explicit-any -- replies of all kinds
async function call(address: string, body?: object, request: string = randomUUID()): Promise<any> {
  const headers = { 'content-type': 'application/json', 'x-request-id': request }
  const reply = await ask(address, body ? { method: 'POST', headers, body: JSON.stringify(body) } : {})
  return reply.json()
}

const idOf = async (text: string) => (await database.owner.unsafe(text))[0]!.id as string
const answers = async (machine: Machine) =>
  /request_duration_seconds_count\{method="GET",route="\/v1\/business\/message\/list"/.test(
    await (await fetch(`${machine.url}/metrics`)).text(),
  )

/** A receipt waiting for review. */
async function waitingReceipt(lot: string): Promise<{ sn: string; version: number }> {
  const shelf = await idOf(
    `select w.id from warehouse w join organisation o on o.id = w.org_id where o.code = 'V01'
      and w.model = 'central' order by w.id limit 1`,
  )
  const goods = await idOf("select id from specification where code = 'P009-01'")
  const dates = { production_date: day(-30), expiry_date: day(700) }
  const line = { specification_sn: goods, lot_no: lot, quantity: '2', price: '33.33', ...dates }
  const { info, msg } = await call('/v1/business/otherGrn/add', { warehouse_model_inner_sn: shelf, lines: [line] })
  expect(msg).toBe('')
  const { sn, version } = info
  return (await call('/v1/business/otherGrn/submit', { sn, version })).info
}

async function upload(text: string): Promise<string> {
  const form = new FormData()
  form.append('file', new Blob([`%PDF-1.7 ${text}`]), '合格证.pdf')
  const reply = (await (await ask('/v1/file/upload', { method: 'POST', body: form })).json()) as {
    info: { name: string }
  }
  return reply.info.name
}

/** A realtime connection that reconnects when it breaks, as the page does. */
function listen(token: string): { words: string[]; close(): void } {
  const words: string[] = []
  let closed = false
  let socket: WebSocket
  const open = () => {
    const base = nginx?.url ?? machines[turn++ % machines.length]!.url
    socket = new WebSocket(`${base.replace('http', 'ws')}/ws?token=${encodeURIComponent(token)}`)
    socket.on('message', data => words.push((JSON.parse(String(data)) as { title?: string }).title ?? ''))
    socket.on('error', () => {})
    socket.on('close', () => closed || setTimeout(open, 100))
  }
  open()
  return { words, close: () => ((closed = true), socket.terminate()) }
}

async function receives(received: { words: string[] }, title: string): Promise<void> {
  const org = await idOf("select id from organisation where code = 'V01'")
  const said = { title, body: '', uri: 'otherGrn', objectId: '', kind: null }
  await vi.waitFor(async () => {
    // A page that is reconnecting misses a message and would then read the inbox. Here the message is resent until
    // it is received.
    await inOrganisation(database.app, org, '0', tx => sendMessage(tx, org, said))
    await vi.waitFor(() => expect(received.words).toContain(title), { timeout: 500 })
  }, 20_000)
}

test('two of three machines may die: sign-in, messages, files, intercompany and repeated clicks go on', async () => {
  const login = await ask('/v1/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ userName: 'vendor', password: md5('Spd@2026') }),
  })
  sid = login.headers.getSetCookie()[0]!.split(';')[0]!
  const { info } = (await login.json()) as { info: { r_id: string } }
  const received = listen(info.r_id)
  // Signed in at one machine, valid on all of them.
  await vi.waitFor(async () => {
    const lists = await Promise.all(Array.from({ length: 9 }, () => call('/v1/business/message/list')))
    expect(lists.every(list => list.code === 0)).toBe(true)
    expect(await Promise.all(machines.map(answers))).toEqual([true, true, true])
  }, 20_000)
  await receives(received, '三台都在')

  const file = await upload('first')
  for (const [round, victim] of machines.slice(1).entries()) {
    const doc = await waitingReceipt(`MACHINE-${round}`)
    const click = randomUUID()
    const review = () => call('/v1/business/otherGrn/review', { sn: doc.sn, version: doc.version }, click)
    const clicks = [review(), review(), review(), review()]
    await victim.kill()
    const replies = await Promise.all(clicks)
    for (const reply of replies) expect(reply).toEqual(replies[0])
    expect(replies[0].code).toBe(0)
    // Also from a machine that never got the click.
    expect(await review()).toEqual(replies[0])
    expect((await call('/v1/business/message/list')).code).toBe(0)
    expect(await (await ask(`/file/${file}`)).text()).toBe('%PDF-1.7 first')
    await receives(received, `${round + 1} 台不在了`)
  }
  received.close()
  expect(await checkLedgers(database.owner)).toEqual([])
})

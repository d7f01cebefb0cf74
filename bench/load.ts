import { parseInteger } from '#kernel/values/integer.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import WebSocket from 'ws'
import { readConfig } from '#server/config.ts'
import { seedDemoOnce } from '#demo/once.ts'
import { type Database, openDatabase } from '#server/plugins/database.ts'
import { migrate } from '#app/schema.ts'
import { type Machine, startMachine } from '#tests/support/machines.ts'
import { BenchClient } from './client.ts'
import { hold, checked, p50, p95, report } from './stopwatch.ts'
import { NO_PACE } from '#tests/support/pace.ts'

export type Load = {
  readonly socket: { folder: string; user: string; password: string; database: string }
  readonly minutes: number
  readonly users: number
}

/** Average seconds between two clicks of one user. */
const THINK_S = 4
/** Maximum ratio of resident memory at the end to that after 30 % of the time. */
const MOST_GROWTH = 1.1
/** Number of reports running at once while posting is measured, compared with posting without them. */
const REPORTS = 20
const MOST_SLOWER = 2

/**
 * Load test: the given number of users, each signed in with a realtime connection, do mixed work over HTTP on the
 * demo's half year, then post beside many reports. Prints latencies and memory; throws on a failed response or when
 * memory grows.
 */
export async function load({ socket, minutes, users }: Load): Promise<void> {
  const config = {
    ...readConfig({ MAX_CHANGES: NO_PACE, ...process.env, PORT: '0', DEMO: '1' }),
    databaseUrl: null,
    socket,
  }
  const folder = mkdtempSync(path.join(os.tmpdir(), 'medtrace-load-'))
  const database = await openDatabase(config)
  await migrate(database.owner)
  await seedDemoOnce(database)
  const machine = await startMachine(config, folder, { DEMO: '0' })
  try {
    // Signs in one after another: the sign-in endpoint refuses bursts.
    const crew: Person[] = []
    for (let at = 0; at < users; at++) crew.push(await newcomer(database, machine, at))
    await prepare(database)
    console.log(`${users} people are signed in, each with a realtime window`)
    await work(machine, crew, minutes)
    const failed = await checked(() => postBesideReports(database, crew[0]!))
    if (failed.length > 0) throw new Error(failed.join('\n'))
  } finally {
    await machine.kill()
    await database.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

type Person = { readonly client: BenchClient; readonly org: string; readonly window: WebSocket; answered: number }
const ORGANISATIONS = ['H01', 'D01', 'V01'] as const

/** A new user with administrator rights and a listening realtime connection. */
async function newcomer(database: Database, machine: Machine, at: number): Promise<Person> {
  const org = ORGANISATIONS[at % ORGANISATIONS.length]!
  const login = `load${at}`
  await database.owner`
    insert into app_user (org_id, login, password_hash, name, is_administrator)
    select (select id from organisation where code = ${org}), ${login}, password_hash, ${`压测${at}`}, true from app_user
      where login = 'hospital' on conflict do nothing`
  await database.owner`
    insert into setting (org_id, name, value) select id, 'allow_self_review', 'true' from organisation
      where code = ${org} on conflict do nothing`
  const client = await BenchClient.signIn(machine.url, login)
  const window = new WebSocket(
    `${machine.url.replace('http', 'ws')}/ws?token=${encodeURIComponent(client.realtimeToken)}`,
  )
  const person: Person = { client, org, window, answered: 0 }
  window.on('message', () => person.answered++)
  await new Promise((resolve, reject) => window.once('open', resolve).once('error', reject))
  return person
}

type Click = {
  readonly name: string
  readonly often: number
  readonly do: (person: Person, turn: number) => Promise<unknown>
}
const list = (kind: string) => (person: Person, turn: number) =>
  person.client.get(`/v1/business/${kind}/list?pageSize=20&pageNum=${1 + (turn % 3)}`)
const clicks: readonly Click[] = [
  { name: 'list of documents', often: 30, do: list('otherGrn') },
  { name: 'stock', often: 15, do: list('stockBalance') },
  { name: 'messages', often: 15, do: list('message') },
  {
    name: 'trace of a code',
    often: 15,
    do: ({ client, org }, turn) => {
      const { codes } = goods.get(org)!
      return client.get(`/v1/trace?code=${encodeURIComponent(codes[turn % codes.length]!)}`)
    },
  },
  {
    name: 'report of a month',
    often: 10,
    do: ({ client }) =>
      client.get(`/v1/report/stockFinance?period=${new Date().toISOString().slice(0, 7)}&pageSize=50`),
  },
  { name: 'posting of a receipt', often: 15, do: post },
]
const goods = new Map<string, { store: string; specification: string; codes: string[] }>()
let lots = 0

/** Create, submit and post: three calls. */
async function post({ client, org }: Person): Promise<void> {
  const { store, specification } = goods.get(org)!
  const line = {
    specification_sn: specification,
    lot_no: `LOAD${lots++}`,
    production_date: '2026-01-01',
    expiry_date: '2029-01-01',
    quantity: '1',
    price: '10',
  }
  const add = await client.post('/v1/business/otherGrn/add', { warehouse_model_inner_sn: store, lines: [line] })
  const submit = await client.post('/v1/business/otherGrn/submit', { sn: add.info.sn, version: add.info.version })
  await client.post('/v1/business/otherGrn/review', { sn: add.info.sn, version: submit.info.version })
}

async function prepare(database: Database): Promise<void> {
  const { owner } = database
  for (const org of ORGANISATIONS) {
    const [row] = await owner<{ store: string; specification: string }[]>`
      select w.id as store, (select min(s.id) from specification s where s.code = 'P009-01') as specification
        from warehouse w join organisation o on o.id = w.org_id where o.code = ${org} and w.model = 'central'
          order by w.id limit 1`
    const codes = await owner<{ bare: string }[]>`
      select c.bare from unit_code c join unit u on u.lot_id = c.lot_id and u.id = c.unit_id
        join organisation o on o.id = u.holder_org_id
       where o.code = ${org} order by c.code limit 300`
    goods.set(org, { ...row!, codes: codes.map(code => code.bare) })
  }
}

async function work(machine: Machine, crew: readonly Person[], minutes: number): Promise<void> {
  const times = new Map(clicks.map(click => [click, [] as number[]]))
  const failures: string[] = []
  const end = Date.now() + minutes * 60_000
  const deck = clicks.flatMap(click => Array.from({ length: click.often }, () => click))
  const person = async (each: Person, at: number) => {
    await pause(Math.random() * THINK_S * 1000)
    for (let turn = at; Date.now() < end; turn += 7) {
      const click = deck[(turn * 31) % deck.length]!
      each.window.send(PING)
      const start = performance.now()
      await click.do(each, turn).then(
        () => times.get(click)!.push(performance.now() - start),
        (error: unknown) => failures.push(`${click.name}: ${String(error)}`),
      )
      await pause(Math.random() * THINK_S * 2000)
    }
  }
  const memory = watchMemory(machine, minutes)
  await Promise.all(crew.map(person))
  const [settled, last] = await memory
  for (const [{ name }, each] of times) report(`${name} (${each.length} times)`, each, null)
  const gone = crew.filter(each => each.window.readyState !== WebSocket.OPEN || each.answered === 0).length
  if (gone > 0) failures.push(`${gone} realtime windows are gone`)
  console.log(`memory ${mb(settled)} after three tenths, ${mb(last)} at the end: ${(last / settled).toFixed(2)}x`)
  if (failures.length > 0)
    throw new Error(`${failures.length} failures:\n${[...new Set(failures)].slice(0, 10).join('\n')}`)
  if (last > settled * MOST_GROWTH) throw new Error('memory grows')
}

const PING = JSON.stringify({ type: 'heart_beat', msg: 'ping' })
const mb = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(0)} MB`

/** Resident bytes after 30 % of the time and shortly before the end; each the largest of a few samples. */
async function watchMemory(machine: Machine, minutes: number): Promise<readonly [number, number]> {
  const look = async () => {
    const sizes: number[] = []
    for (let time = 0; time < 5; time++) {
      const text = await (await fetch(`${machine.url}/metrics`)).text()
      sizes.push(parseInteger(/^process_resident_memory_bytes (\d+)/m.exec(text)?.[1]))
      await pause(minutes * 600)
    }
    return Math.max(...sizes)
  }
  await pause(minutes * 15_000)
  const settled = await look()
  await pause(minutes * 36_000)
  return [settled, await look()]
}

async function postBesideReports(database: Database, person: Person): Promise<void> {
  const posting = async () => {
    const times: number[] = []
    for (let time = 0; time < 60; time++) {
      const start = performance.now()
      await post(person)
      times.push(performance.now() - start)
    }
    return times
  }
  const alone = await posting()
  let running = true
  const reports = Array.from({ length: REPORTS }, async (_, at) => {
    const day = new Date(Date.now() - at * 86_400_000).toISOString().slice(0, 10)
    while (running) await person.client.get(`/v1/report/stockAsOf?end_date=${day}&pageSize=500`)
  })
  const beside = await posting()
  running = false
  await Promise.all(reports)
  report('posting of a receipt, alone', alone, null)
  const title = `… beside ${REPORTS} reports that run all the time`
  report(title, beside, alone)
  const slower = p95(beside) / p95(alone)
  console.log(
    `p50 ${(p50(beside) / p50(alone)).toFixed(2)}x, p95 ${slower.toFixed(2)}x (goal ` +
      `${hold(title, slower, { most: MOST_SLOWER })})`,
  )
  const [open] = await database.owner<
    { count: number }[]
  >`select count(*)::int as count from pg_stat_activity where state = 'idle in transaction'`
  if (open!.count > 0) throw new Error(`${open!.count} transactions were left open`)
}

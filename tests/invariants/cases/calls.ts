import type { KnownCall } from '#server/plugins/call-table.ts'
import type { Schema } from '#server/api/openapi/describe.ts'
import type { Client, TestServer } from '../../support/test-server.ts'
import { inputsOf } from '../../support/openapi.ts'
import { sampled } from '../../support/thorough.ts'
import type { Chance } from './random.ts'

/** An API call with its possible inputs: the names of its query or body fields in OpenAPI. */
export type CallShape = KnownCall & { readonly fields: Readonly<Record<string, Schema>> }

/** Routes without user input: web app files, and the socket, which has its own test. */
const notOurs = /^\/(ws|assets|static|media|index\.html|favicon|\*|$)/

/** Every call the server answers, once, with its fields; a call unknown to OpenAPI has none. */
export function allCalls(server: TestServer): CallShape[] {
  return server.app.callTable
    .filter(call => !notOurs.test(call.url) && !call.url.includes('*'))
    .map(call => ({ ...call, fields: inputsOf(call.method, call.url) }))
}

/** The number of a row in the address of a call that takes one. */
export const rowAsked = ({ asks }: CallShape): Record<string, string> =>
  asks !== 'declared' && asks.includes('sn') ? { sn: '1' } : {}

/** Values seen under a name, so that generated requests get past the first refusal. */
export class Seen {
  readonly #byName = new Map<string, Set<string>>()
  readonly #whole = new Map<string, Readonly<Record<string, unknown>>[]>()
  readonly #rows = new Map<string, { sn: string; version: unknown }[]>()

  /** Remembers everything in a reply. */
  learn(value: unknown, name = ''): void {
    if (Array.isArray(value)) for (const each of value) this.learn(each, name)
    else if (typeof value === 'object' && value !== null)
      for (const [key, part] of Object.entries(value)) this.learn(part, key)
    else if (typeof value === 'string' && value !== '' && value.length < 80) {
      const known = this.#byName.get(name) ?? new Set()
      this.#byName.set(name, known)
      if (known.size < 60) known.add(value)
    }
  }
  rows(kind: string): readonly { sn: string; version: unknown }[] {
    return this.#rows.get(kind) ?? []
  }
  row(kind: string, sn: string, version: unknown): void {
    const rows = this.#rows.get(kind) ?? []
    this.#rows.set(kind, rows)
    rows.push({ sn, version })
  }
  /** Complete documents and records of a kind, as opened by their pages. */
  whole(kind: string): readonly Readonly<Record<string, unknown>>[] {
    return this.#whole.get(kind) ?? []
  }
  keep(kind: string, info: Readonly<Record<string, unknown>>): void {
    this.#whole.set(kind, [...this.whole(kind), info])
    this.learn(info)
  }
  one(chance: Chance, name: string): string | null {
    const known = this.#byName.get(name)
    return known ? chance.one([...known]) : null
  }
}

/** Reads every list as one user, and reports, whose rows name the same, and remembers the contents. */
export async function lookAround(calls: readonly CallShape[], who: Client, seen: Seen): Promise<void> {
  const asked = (of: RegExp) => calls.filter(({ method, url }) => method === 'GET' && of.test(url))
  for (const { url } of [...asked(/\/list$/), ...sampled(asked(/^\/v1\/report\/\w+$/), 4)]) {
    const reply = await who.get(url, { pageNum: '1', pageSize: '12' })
    if (reply.code !== 0) continue
    seen.learn(reply.list)
    const kind = url.split('/')[3] ?? ''
    for (const row of reply.list ?? []) {
      const sn = row.sn ?? Object.entries(row).find(([name]) => name.endsWith('_sn'))?.[1]
      if (typeof sn === 'string') seen.row(kind, sn, row.version)
    }
    const known = calls.some(call => call.url === `/v1/business/${kind}/edit`)
    for (const { sn } of known ? seen.rows(kind).slice(-2) : []) {
      const opened = await who.get(`/v1/business/${kind}/info`, { sn })
      if (opened.code === 0) seen.keep(kind, opened.info)
    }
  }
}

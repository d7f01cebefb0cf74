import type { SigningProof } from './signing.ts'
import type { Client, TestServer, Reply } from './test-server.ts'
import { openTestServer } from './test-server.ts'

/** A line or a document as a test reads it. */
// oxlint-disable-next-line typescript/no-explicit-any -- a story knows what it asked for
type Row = any

/** A user of one organisation, working on documents the way the pages do. */
export interface Person {
  readonly client: Client
  /** Adds a draft and returns its sn; a refusal fails the test. */
  add(kind: string, body: Row): Promise<string>
  /**
   * Runs an action with the last known version, or the current one after reopening the document; questions are
   * answered with yes.
   */
  do(kind: string, action: string, sn: string, extra?: Row): Promise<Reply>
  /** The same, and requires success. */
  done(kind: string, action: string, sn: string, extra?: Row): Promise<Row>
  /**
   * Draws a signature for the next action on a document, with the proof of whoever is not signed in; returns the key
   * that the action names.
   */
  sign(kind: string, sn: string, proof?: SigningProof): Promise<string>
  /** Submits and reviews. */
  pass(kind: string, sn: string): Promise<void>
  info(kind: string, sn: string): Promise<Row>
  /** The newest document of a kind created from a source. */
  from(kind: string, sourceSn: string): Promise<Row>
  list(kind: string, query?: Record<string, string>): Promise<Row[]>
  trace(code: string, query?: Record<string, string>): Promise<Reply>
}

export interface Stage {
  readonly server: TestServer
  person(login: string): Promise<Person>
  /** Ids by the demo's codes. */
  org(code: string): Promise<string>
  specification(code: string): Promise<string>
  warehouse(code: string): Promise<string>
  /** The first warehouse of a model at an organisation. */
  store(org: string, model: string): Promise<string>
  one(text: string, ...values: unknown[]): Promise<Row>
  close(): Promise<void>
}

/** A line across the pad, in twenty points. */
export const SIGNATURE = [Array.from({ length: 20 }, (_, at) => [100 + at * 30, 100 + (at % 5) * 20, at * 16])]

/** A date relative to today, in document format. */
export const day = (offset = 0): string =>
  new Date(Date.now() + offset * 86_400_000 + 8 * 3_600_000).toISOString().slice(0, 10)

/** Sets up the stage: the demo's organisations, users and goods, no documents. `opened`: on an existing server. */
export async function openStage(opened?: TestServer): Promise<Stage> {
  const server = opened ?? (await openTestServer())
  const { owner } = server.database
  const one = async (text: string, ...values: unknown[]): Promise<Row> =>
    (await owner.unsafe(text, values as never[]))[0]
  return {
    server,
    one,
    person: async login => personOf(await server.as(login)),
    org: async code => (await one('select id from organisation where code = $1', code)).id,
    specification: async code => (await one('select id from specification where code = $1', code)).id,
    warehouse: async code => (await one('select id from warehouse where code = $1', code)).id,
    store: async (org, model) =>
      (
        await one(
          `select w.id from warehouse w join organisation o on o.id = w.org_id where o.code = $1
            and w.model = $2 order by w.id limit 1`,
          org,
          model,
        )
      ).id,
    close: () => server.close(),
  }
}

/** The reply code for an outdated version. */
const STALE = 2100
const ASKED = 2200

function personOf(client: Client): Person {
  /** Versions from earlier replies, by kind and number, so that a document just saved is not reopened. */
  const known = new Map<string, unknown>()
  const path = (kind: string, call: string) => `/v1/business/${kind}/${call}`
  const success = (what: string, reply: Reply): Reply => {
    if (reply.code !== 0) throw new Error(`${what}: ${reply.code} ${reply.msg} ${JSON.stringify(reply.errors ?? '')}`)
    return reply
  }
  const person: Person = {
    client,
    add: async (kind, body) => {
      const { sn, version } = success(`${kind}/add`, await client.post(path(kind, 'add'), body)).info
      known.set(`${kind} ${sn}`, version)
      return sn
    },
    info: async (kind, sn) => success(`${kind}/info`, await client.get(path(kind, 'info'), { sn })).info,
    do: async (kind, action, sn, extra = {}) => {
      const key = `${kind} ${sn}`
      const attempt = async (version: unknown) => {
        known.set(key, version)
        const body = { sn, version, ...extra }
        const reply = await client.post(path(kind, action), body)
        return reply.code === ASKED ? client.post(path(kind, action), { ...body, confirm: reply.info.token }) : reply
      }
      const notified = known.get(key)
      let reply = notified === undefined ? null : await attempt(notified)
      if (reply === null || reply.code === STALE) reply = await attempt((await person.info(kind, sn)).version)
      if (reply.code === 0) known.set(key, reply.info?.sn === sn ? reply.info.version : undefined)
      return reply
    },
    done: async (kind, action, sn, extra) =>
      success(`${kind}/${action} ${sn}`, await person.do(kind, action, sn, extra)).info,
    sign: async (kind, sn, proof) => {
      const drawn = { kind, sn, method: 'drawn', strokes: SIGNATURE, ...proof }
      return success('signature', await client.post('/v1/business/signature/capture', drawn)).info.signature_sn
    },
    pass: async (kind, sn) => {
      await person.done(kind, 'submit', sn)
      await person.done(kind, 'review', sn)
    },
    list: async (kind, query = {}) => success(`${kind}/list`, await client.get(path(kind, 'list'), query)).list,
    from: async (kind, sourceSn) => {
      const [found] = await person.list(kind, { source_sn: sourceSn })
      if (!found) throw new Error(`no ${kind} was made from ${sourceSn}`)
      return found
    },
    trace: (code, query = {}) => client.get('/v1/trace', { code, ...query }),
  }
  return person
}

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Fields } from '#kernel/definition/field.ts'
import type { OrgType } from '#kernel/values/organisation-type.ts'
import { BusinessError, replyCodes } from '#kernel/rules/errors.ts'
import { documents, entities, reports } from '#app/modules.ts'
import type { Session } from '#server/access/session.ts'
import { findExport } from '#server/api/documents/exports.ts'
import { inOrganisation } from '#server/database/transaction.ts'
import { handedOver, type ListExport } from '#server/exports/export-stream.ts'
import { sessionNow } from '#server/identity/sessions.ts'
import { day } from '../support/story.ts'
import { openTestServer, type TestServer } from '../support/test-server.ts'
import { sampled } from '../support/thorough.ts'

/** Every list that can be exported is exported in more batches than one, by an organisation that has rows of it. */
let server: TestServer
const sessions = new Map<OrgType, Session>()
const logins: Readonly<Record<OrgType, string>> = { H: 'hospital', D: 'dealer', V: 'vendor', P: 'platform' }
beforeAll(async () => {
  server = await openTestServer({}, { demo: true })
  for (const [type, login] of Object.entries(logins) as [OrgType, string][]) {
    const [user] = await server.database.owner<{ id: string; org_id: string }[]>`
      select id, org_id from app_user where login = ${login}`
    sessions.set(type, (await sessionNow(server.database.app, { userId: user!.id, orgId: user!.org_id, agent: '' }))!)
  }
  const [batch] = await server.database.owner<{ sn: string }[]>`
    select sn from document where org_id = ${sessions.get('H')!.org.id} and kind = 'paymentBatch' and role = 'own'`
  VALUES.batch_no = batch!.sn
})
afterAll(() => server?.close())

const paths = [
  ...[...documents, ...entities].map(one => `/v1/business/${one.kind}/export`),
  ...reports.map(one => `/v1/report/${one.kind}/export`),
]
const VALUES: Record<string, string> = { begin_date: day(-365), end_date: day(), period: day().slice(0, 7) }
/** What a report asks for: its days, its month, a batch of payments, and a partner where it is about one. */
const queryOf = (session: Session, path: string): Record<string, string> => {
  const asked: Fields = reports.find(({ kind }) => path === `/v1/report/${kind}/export`)?.parameters ?? {}
  const partner = sessions.get(session.org.type === 'H' ? 'D' : 'H')!.org.id
  return {
    ...Object.fromEntries(Object.keys(asked).flatMap(name => (VALUES[name] ? [[name, VALUES[name]]] : []))),
    ...(asked.counterparty_sn?.required ? { counterparty_sn: partner } : {}),
  }
}

/** Null: not for this organisation. */
function exportOf(session: Session, path: string): ListExport | null {
  try {
    return findExport(session, path, queryOf(session, path))
  } catch (error) {
    if (error instanceof BusinessError && error.code === REFUSED) return null
    throw error
  }
}
const [REFUSED] = replyCodes.forbidden

/** At most this many rows of a list are read: more than two batches are enough. */
const MOST_ROWS = 200
/** A connection stands idle in its transaction this long, while the program waits for it: it waits for ever. */
const IDLE_MS = 10_000

/**
 * Throws when the connection of an export stands idle. However slow a machine is, a statement that runs is not a
 * statement that nobody sent; one that runs too long is ended by the database.
 */
async function standsStill(title: string, isDone: () => boolean): Promise<never> {
  for (let idle = 0; !isDone() && idle < IDLE_MS; ) {
    await new Promise(next => setTimeout(next, 500).unref())
    const [row] = await server.database.owner<{ idle: number }[]>`
      select min(case state when 'idle in transaction' then extract(epoch from clock_timestamp() - state_change) else 0
        end)::float8 * 1000 as idle
        from pg_stat_activity where datname = current_database() and application_name = 'medtrace exports'
          and state <> 'idle'`
    idle = row?.idle ?? 0
  }
  if (!isDone()) throw new Error(`${title} hangs`)
  return new Promise(() => undefined)
}

/** The numbers of rows of the first batches; refuses to wait for a batch that never comes. */
async function batchesOf(session: Session, exported: ListExport): Promise<number[]> {
  let isDone = false
  const read = inOrganisation(server.database.exports, session.org.id, session.userId, async tx => {
    const total = Math.min(await exported.count(tx), MOST_ROWS)
    const sizes: number[] = []
    // Three batches, the last of them short.
    const size = Math.max(1, Math.ceil(total / 3 + 0.1))
    for await (const batch of exported.batches(tx, size)) {
      sizes.push(batch.length)
      if (sizes.length === 3) break
    }
    return sizes
  }).finally(() => {
    isDone = true
  })
  return Promise.race([read, standsStill(exported.title, () => isDone)])
}

test('every kind is exported in several batches', {
  timeout: 600_000,
}, async () => {
  const wrong: string[] = []
  const exportedOnce = new Set<string>()
  const tried = sampled(paths, 2)
  for (const path of tried)
    for (const [type, session] of sessions) {
      const exported = exportOf(session, path)
      if (exported === null) continue
      exportedOnce.add(path)
      const sizes = await batchesOf(session, exported).catch(error => void wrong.push(`${type} ${path}: ${error}`))
      // Whoever has rows stands for the others: the path is the same.
      if (sizes && sizes.length > 1) break
    }
  expect(wrong).toEqual([])
  expect(tried.filter(path => !exportedOnce.has(path))).toEqual([])
})

test('单位标签 and whatever else is completed by further queries arrives whole, beside a second export', async () => {
  const session = sessions.get('H')!
  const path = '/v1/business/unitLabel/export'
  const whole = async () => {
    const exported = exportOf(session, path)!
    let rows = 0
    await inOrganisation(server.database.exports, session.org.id, session.userId, async tx => {
      for await (const batch of exported.batches(tx)) rows += batch.length
    })
    return rows
  }
  const rows = await inOrganisation(server.database.app, session.org.id, session.userId, tx =>
    exportOf(session, path)!.count(tx),
  )
  expect(rows).toBeGreaterThan(1000)
  expect(await Promise.all([whole(), whole(), whole()])).toEqual([rows, rows, rows])
})

test('a reader who stands still, or takes too long, ends his export and frees its connection', async () => {
  const wrote: number[] = []
  const endless = (limits: { piece: number; all: number }) =>
    new Promise<string>(resolve => {
      const pieces = handedOver<number>(async take => {
        try {
          for (let piece = 0; ; piece++) {
            await take(piece)
            wrote.push(piece)
          }
        } catch (error) {
          resolve((error as Error).message)
          throw error
        }
      }, limits)
      // Reads two pieces a moment, for ever if it may.
      void (async () => {
        const reader = pieces[Symbol.asyncIterator]()
        try {
          for (;;) {
            await reader.next()
            await new Promise(next => setTimeout(next, limits.piece === STILL ? 60_000 : 20).unref())
          }
        } catch {
          // told to whoever writes
        }
      })()
    })
  const STILL = 50
  expect(await endless({ piece: STILL, all: 60_000 })).toBe('the reader stood still')
  expect(await endless({ piece: 10_000, all: 200 })).toBe('the reader stood still')
  expect(wrote.length).toBeGreaterThan(3)
})

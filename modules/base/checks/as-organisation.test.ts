import { afterAll, beforeAll, expect, test } from 'vitest'
import { asOrganisation } from '#modules/base/checks/as-organisation.server.ts'
import { inAction, type Tx } from '#server/database/transaction.ts'
import { type Database, openDatabase } from '#server/plugins/database.ts'
import type { Session } from '#server/access/session.ts'
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts'

let fresh: FreshDatabase
let database: Database
beforeAll(async () => {
  fresh = await freshDatabase()
  database = await openDatabase(fresh.config)
})
afterAll(async () => {
  await database?.close()
  await fresh?.drop()
})

const session = { org: { id: '1' }, userId: '2' } as Session
const who = async (tx: Tx) => {
  const [row] = await tx`select current_setting('app.org_id') as org, current_setting('app.user_id') as "user"`
  return row
}
const act = <Answer>(work: (tx: Tx) => Promise<Answer>) => inAction(database.app, '1', '2', work)

test('a read as another organisation is followed by work as our own, also after a refusal', async () => {
  const seen = await act(async tx => {
    const there = await asOrganisation(tx, session, '7', () => who(tx))
    const refused = asOrganisation(tx, session, '7', () => Promise.reject(new Error('refused')))
    await expect(refused).rejects.toThrow('refused')
    return [there, await who(tx)]
  })
  expect(seen).toEqual([
    { org: '7', user: '0' },
    { org: '1', user: '2' },
  ])
})

test('an error of the database in a read as another organisation keeps its own message', async () => {
  const failing = act(tx => asOrganisation(tx, session, '7', () => tx`select 1 / 0`))
  await expect(failing).rejects.toThrow('division by zero')
})

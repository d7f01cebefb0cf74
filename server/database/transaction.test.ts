import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { inAction, inOrganisation, sendUnawaited, type Tx } from '#server/database/transaction.ts'
import { type Database, openDatabase } from '#server/plugins/database.ts'
import { appRoleOf } from '#server/plugins/app-role.ts'
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts'

/** One connection: state left on it would be seen by the next transaction. */
let fresh: FreshDatabase
let database: Database
beforeAll(async () => {
  fresh = await freshDatabase({ env: { DB_POOL: '1' } })
  database = await openDatabase(fresh.config)
  await database.owner`create table noted (n int primary key)`
  await database.owner`grant all on noted to ${database.owner(appRoleOf(database.databaseName))}`
})
beforeEach(() => database.owner`delete from noted`)
afterAll(async () => {
  await database?.close()
  await fresh?.drop()
})

const action = <T>(work: (tx: Tx) => Promise<T>) => inAction(database.app, '1', '2', work)
const insert = (tx: Tx, n: number) => tx`insert into noted values (${n})`
const note = async (tx: Tx, n: number) => void (await insert(tx, n))
const noted = async () => (await database.owner<{ n: number }[]>`select n from noted order by n`).map(row => row.n)

test("work is committed under its user's name, and the answer is returned", async () => {
  const who = await action(async tx => {
    await note(tx, 1)
    const [row] = await tx`select current_setting('app.org_id') as org, current_setting('app.user_id') as "user"`
    return row
  })
  expect(who).toEqual({ org: '1', user: '2' })
  expect(await noted()).toEqual([1])
})

test('failed work is rolled back completely, and the next finds a clean connection', async () => {
  const failing = action(async tx => {
    await note(tx, 1)
    throw new Error('refused')
  })
  await expect(failing).rejects.toThrow('refused')
  expect(await noted()).toEqual([])
  const left = await inOrganisation(
    database.app,
    '1',
    '2',
    tx => tx`select current_setting('plan_cache_mode') as plans`,
  )
  expect(left[0]!.plans).not.toBe('')
  const [outside] = await database.app`select current_setting('app.org_id', true) as org`
  expect(outside!.org ?? '').toBe('')
})

test('an unawaited statement that fails makes the whole fail, with its own message', async () => {
  const failing = action(async tx => {
    await note(tx, 1)
    await sendUnawaited(tx, [insert(tx, 1)])
    return 'done'
  })
  await expect(failing).rejects.toMatchObject({ code: '23505' })
  expect(await noted()).toEqual([])
})

test('a swallowed failure does not count as success', async () => {
  const failing = action(async tx => {
    await note(tx, 1)
    await note(tx, 1).catch(() => null)
  })
  await expect(failing).rejects.toMatchObject({ code: '23505' })
  expect(await noted()).toEqual([])
})

test('a savepoint is rolled back by itself', async () => {
  await action(async tx => {
    await note(tx, 1)
    const part = (n: number) => tx.savepoint(inner => note(inner, n))
    await part(2)
    await expect(part(2)).rejects.toMatchObject({ code: '23505' })
    await tx.savepoint(inner => inner.savepoint(innermost => note(innermost, 3)))
  })
  expect(await noted()).toEqual([1, 2, 3])
})

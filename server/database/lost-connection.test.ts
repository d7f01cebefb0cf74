import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { inBatches } from '#server/database/batches.ts'
import { inOrganisation, sendUnawaited, type Tx } from '#server/database/transaction.ts'
import { type Database, openDatabase } from '#server/plugins/database.ts'
import { appRoleOf } from '#server/plugins/app-role.ts'
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts'

/**
 * A connection that is ended from outside ends its transaction and nothing else: the process goes on, everything that
 * waits is answered, nothing of it is kept, and the next call finds a working connection.
 */
let fresh: FreshDatabase
let database: Database
const uncaught: unknown[] = []
const note = (error: unknown) => void uncaught.push(error)
beforeAll(async () => {
  fresh = await freshDatabase({ env: { DB_POOL: '1' } })
  database = await openDatabase(fresh.config)
  await database.owner`create table noted (n int primary key)`
  await database.owner`grant all on noted to ${database.owner(appRoleOf(database.databaseName))}`
  process.on('uncaughtException', note)
})
beforeEach(async () => {
  uncaught.length = 0
  await database.owner`delete from noted`
})
/** After every case the process has no uncaught error, and the pool still serves. */
afterEach(async () => {
  await pause()
  const [row] = await inTime(database.app`select 1 as n`)
  expect(row).toEqual({ n: 1 })
  expect(await database.owner`select n from noted`).toEqual([])
  expect(uncaught).toEqual([])
})
afterAll(async () => {
  process.off('uncaughtException', note)
  await database?.close()
  await fresh?.drop()
})

const PATIENCE_MS = 10_000
const pause = (ms = 100) => new Promise(resolve => setTimeout(resolve, ms))
const inTime = <T>(work: PromiseLike<T>): Promise<T> =>
  Promise.race([work, pause(PATIENCE_MS).then(() => Promise.reject(new Error('never answered')))]) as Promise<T>
const insert = (tx: Tx, n: number) => tx`insert into noted values (${n})`

/** Ends the transaction's connection and waits until the server process is gone. */
async function endConnection(tx: Tx): Promise<void> {
  const [row] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`
  await database.owner`select pg_terminate_backend(${row!.pid}, 5000)`
}
const transaction = (work: (tx: Tx) => Promise<unknown>) => inTime(inOrganisation(database.app, '1', '2', work))
const LOST = { code: expect.stringMatching(/^(CONNECTION_CLOSED|57P01|EPIPE|ECONNRESET)$/) }

test('idle in its transaction: the next statement is refused', async () => {
  const work = transaction(async tx => {
    await insert(tx, 1)
    await endConnection(tx)
    await pause()
    await insert(tx, 2)
  })
  await expect(work).rejects.toMatchObject(LOST)
})

test('a statement sent at the same moment is refused', async () => {
  const work = transaction(async tx => {
    await insert(tx, 1)
    await endConnection(tx)
    await insert(tx, 2)
  })
  await expect(work).rejects.toMatchObject(LOST)
})

test('in the middle of a statement, with others waiting: all are refused', async () => {
  const answers: PromiseSettledResult<unknown>[] = []
  const work = transaction(async tx => {
    const [row] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`
    const sent = [tx`select pg_sleep(30)`, ...Array.from({ length: 5 }, (_, at) => insert(tx, at))]
    const settled = Promise.allSettled(sent.map(each => each.execute()))
    await pause()
    await database.owner`select pg_terminate_backend(${row!.pid}, 5000)`
    answers.push(...(await settled))
  })
  await expect(work).rejects.toMatchObject(LOST)
  await expect.poll(() => answers.map(({ status }) => status)).toEqual(Array(6).fill('rejected'))
})

test('statements that nobody waits for are refused with the transaction', async () => {
  const work = transaction(async tx => {
    await endConnection(tx)
    await sendUnawaited(tx, [insert(tx, 1), insert(tx, 2)])
    await pause()
  })
  await expect(work).rejects.toMatchObject(LOST)
})

test('within a savepoint, and work that catches the error and goes on', async () => {
  const work = transaction(async tx => {
    await insert(tx, 1)
    await tx
      .savepoint(async inner => {
        await endConnection(inner)
        await pause()
        await insert(inner, 2)
      })
      .catch(() => undefined)
    await insert(tx, 3)
    return 'done'
  })
  await expect(work).rejects.toMatchObject(LOST)
})

test('work that goes on after the loss never writes on the connection of the next transaction', async () => {
  let goOn = () => {}
  const waiting = new Promise<void>(resolve => {
    goOn = resolve
  })
  const late: unknown[] = []
  const work = transaction(async tx => {
    await endConnection(tx)
    await waiting
    late.push(await insert(tx, 1).catch(error => error.code))
  })
  await expect(work).rejects.toMatchObject(LOST)
  await transaction(async tx => {
    goOn()
    await pause()
    await tx`select 1`
  })
  await expect.poll(() => late).toEqual(['CONNECTION_CLOSED'])
})

test('between two batches of an export: it ends with an error, not early as if it were whole', async () => {
  const work = transaction(async tx => {
    const rows: unknown[] = []
    for await (const batch of inBatches(tx, tx<{ n: number }[]>`select generate_series(1, 100) as n`, 10)) {
      rows.push(...batch)
      if (rows.length === 30) await endConnection(tx)
      await pause(5)
    }
    return rows
  })
  await expect(work).rejects.toMatchObject(LOST)
})

test('idle too long: ended by the database itself, and the next call is not given the reason', async () => {
  const work = transaction(async tx => {
    await tx`set local idle_in_transaction_session_timeout = 100`
    await pause(600)
    await insert(tx, 1)
  })
  await expect(work).rejects.toMatchObject({ code: expect.stringMatching(/^(25P03|CONNECTION_CLOSED)$/) })
})

test('idle in the pool: the next call finds a new one', async () => {
  const [row] = await database.app<{ pid: number }[]>`select pg_backend_pid() as pid`
  await database.owner`select pg_terminate_backend(${row!.pid}, 5000)`
  await pause()
  expect(await inTime(database.app`select 2 as n`)).toEqual([{ n: 2 }])
})

test('many at once, again and again: every call is answered', async () => {
  for (let round = 0; round < 5; round++) {
    const calls = Array.from({ length: 8 }, (_, at) =>
      transaction(async tx => {
        await insert(tx, at)
        if (at % 2 === 0) await endConnection(tx)
        await insert(tx, at + 100)
        throw new Error('rolled back')
      }),
    )
    for (const settled of await Promise.allSettled(calls)) expect(settled.status).toBe('rejected')
  }
})

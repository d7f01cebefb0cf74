import { clock } from '#kernel/values/date.ts'
import type { PendingQuery, Row, Sql, TransactionSql } from 'postgres'

/** One transaction in which every tenant row belongs to one organisation. */
export type Tx = TransactionSql

/** Runs `work` as an organisation and a user: row-level security shows and accepts that organisation's rows alone. */
export const inOrganisation = <T>(sql: Sql, org: string, user: string, work: (tx: Tx) => Promise<T>): Promise<T> =>
  begun(sql, tx => tx`select act_as(${org}, ${user})`, work)

/**
 * The same for one deed on one paper. Its statements go by keys, so their plans hold for any values; to weigh them anew for the values at
 * hand would take longer than to run them.
 */
export const inAction = <T>(sql: Sql, org: string, user: string, work: (tx: Tx) => Promise<T>): Promise<T> =>
  begun(sql, tx => tx`select act_with_generic_plans_as(${org}, ${user})`, work)

/** What is sent last and what was sent behind are not waited for one after the other: the end follows them down the line, and fails with them. */
async function begun<T>(sql: Sql, actAs: (tx: Tx) => PendingQuery<Row[]>, work: (tx: Tx) => Promise<T>): Promise<T> {
  const unwaited: Promise<unknown>[] = []
  const done = await sql.begin(async tx => {
    behind.set(tx, unwaited)
    // Sent now, not when it is awaited: everything else comes after it.
    const acted = actAs(tx).execute()
    if (clock.at) await pipelined([acted, tx.unsafe(`set local app.now = '${clock.at.toISOString()}'`)])
    return valuesOf(await Promise.allSettled([acted, work(tx)]))[1]
  })
  // Of a transaction in which a statement failed the server says at its end that it was taken back, and not that it failed.
  await pipelined(unwaited)
  return done as T
}

/** What transactions sent without waiting for it. */
const behind = new WeakMap<Tx, Promise<unknown>[]>()

/** A statement that was written and not sent yet. */
export type Statement = { execute(): Promise<unknown> }

/**
 * Sends what nobody needs the answer of before the end: the transaction fails with it. Within a savepoint, which must know whether it held,
 * it is waited for.
 */
export async function sendUnawaited(tx: Tx, statements: readonly Statement[]): Promise<void> {
  const sent = statements.map(each => each.execute())
  const unwaited = behind.get(tx)
  if (!unwaited) return void (await pipelined(sent))
  for (const each of sent) {
    each.catch(() => undefined)
    unwaited.push(each)
  }
}

/** What every statement says after one before it has failed. */
const ABORTED = '25P02'

/**
 * Statements that need not know of each other, sent without waiting in between. Nothing of it
 * still runs when this returns or throws, and what it throws is the cause, not what followed from it.
 */
export async function pipelined<const Works extends readonly unknown[]>(
  works: Works,
): Promise<{ -readonly [At in keyof Works]: Awaited<Works[At]> }> {
  return valuesOf(await Promise.allSettled(works)) as never
}

function valuesOf(settled: readonly PromiseSettledResult<unknown>[]): unknown[] {
  const failed = settled.flatMap(each => (each.status === 'rejected' ? [each.reason as { code?: string }] : []))
  if (failed.length > 0) throw failed.find(reason => reason?.code !== ABORTED) ?? failed[0]
  return settled.map(each => (each as PromiseFulfilledResult<unknown>).value)
}

const remembered = new WeakMap<Tx, Map<string, Promise<unknown>>>()

/** Reads a fact once a transaction, however many ask for it; `key` says which. */
export function cachedInTx<T>(tx: Tx, key: string, read: () => Promise<T>): Promise<T> {
  const before = remembered.get(tx) ?? new Map<string, Promise<unknown>>()
  remembered.set(tx, before)
  const found = before.get(key) ?? read()
  before.set(key, found)
  return found as Promise<T>
}

const RETRYABLE = new Set(['40001', '40P01'])

/** Repeats a transaction that lost against another one: deadlocks between nodes reach the client and are nobody's fault. */
export async function withRetry<T>(work: () => Promise<T>, tries = 4): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      const code = (error as { code?: string }).code
      if (!code || !RETRYABLE.has(code) || attempt === tries) throw error
      await new Promise(resolve => setTimeout(resolve, 5 * attempt + Math.random() * 20 * attempt))
    }
  }
}

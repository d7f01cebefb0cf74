import { clock } from '#kernel/values/date.ts'
import { askingBetween } from '#server/database/in-transaction.ts'
import type { PendingQuery, Row, Sql, TransactionSql } from 'postgres'

/** One transaction, limited to the tenant rows of one organisation. */
export type Tx = TransactionSql

/** Runs `work` as an organisation and a user: row-level security shows and accepts only that organisation's rows. */
export const inOrganisation = <T>(sql: Sql, org: string, user: string, work: (tx: Tx) => Promise<T>): Promise<T> =>
  begun(sql, tx => tx`select act_as(${org}, ${user})`, work)

/**
 * The same for one action on one document. Its statements use keys, so generic plans fit any values; planning them
 * again for each value would take longer than running them.
 */
export const inAction = <T>(sql: Sql, org: string, user: string, work: (tx: Tx) => Promise<T>): Promise<T> =>
  begun(sql, tx => tx`select act_with_generic_plans_as(${org}, ${user})`, work)

/**
 * Statements sent unawaited are not waited for one after the other: the commit follows them on the connection, and
 * fails with them.
 */
const begun = <T>(sql: Sql, actAs: (tx: Tx) => PendingQuery<Row[]>, work: (tx: Tx) => Promise<T>): Promise<T> =>
  askingBetween(() => begunOnce(sql, actAs, work))

async function begunOnce<T>(
  sql: Sql,
  actAs: (tx: Tx) => PendingQuery<Row[]>,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const unwaited: Promise<unknown>[] = []
  const done = await sql.begin(async tx => {
    behind.set(tx, unwaited)
    // Sent now, not when awaited: everything else comes after it.
    const acted = actAs(tx).execute()
    if (clock.at) await pipelined([acted, tx.unsafe(`set local app.now = '${clock.at.toISOString()}'`)])
    return valuesOf(await Promise.allSettled([acted, work(tx)]))[1]
  })
  // At the end of a transaction with a failed statement the server reports a rollback, not a failure.
  await pipelined(unwaited)
  return done as T
}

/** Statements that transactions sent without waiting. */
const behind = new WeakMap<Tx, Promise<unknown>[]>()

/** A statement that was built and not sent yet. */
export type Statement = { execute(): Promise<unknown> }

/**
 * Sends statements whose answer is not needed before the end: the transaction fails with them. Within a savepoint,
 * which must know whether it succeeded, they are awaited.
 */
export async function sendUnawaited(tx: Tx, statements: readonly Statement[]): Promise<void> {
  const sent = statements.map(each => each.execute())
  const unwaited = behind.get(tx)
  if (!unwaited) return void (await pipelined(sent))
  for (const each of sent) {
    // Awaited at the end of the transaction; until then Node would call its failure unhandled.
    each.catch(() => undefined)
    unwaited.push(each)
  }
}

/** The error of every statement after one has failed. */
const ABORTED = '25P02'

/**
 * Independent statements, sent without waiting in between. None of them still runs when this returns or throws, and
 * it throws the cause, not its consequences.
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

/** Reads a fact once per transaction, however many callers need it; `key` identifies it. */
export function cachedInTx<T>(tx: Tx, key: string, read: () => Promise<T>): Promise<T> {
  const before = remembered.get(tx) ?? new Map<string, Promise<unknown>>()
  remembered.set(tx, before)
  const found = before.get(key) ?? read()
  before.set(key, found)
  return found as Promise<T>
}

const RETRYABLE = new Set(['40001', '40P01'])

/**
 * Retries a transaction that lost against another one: deadlocks between nodes reach the client and are no one's
 * fault.
 */
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

import { clock } from '#kernel/day.ts'
import type { Sql, TransactionSql } from 'postgres'

/** One transaction in which every tenant row belongs to one organisation. */
export type Tx = TransactionSql

/** Runs `work` as an organisation and a user: row-level security shows and accepts that organisation's rows alone. */
export function inOrg<T>(sql: Sql, org: string, user: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  return sql.begin(async tx => {
    await tx`select act_as(${org}, ${user})`
    if (clock.at) await tx.unsafe(`set local app.now = '${clock.at.toISOString()}'`)
    return work(tx)
  }) as Promise<T>
}

const RETRYABLE = new Set(['40001', '40P01'])

/** Repeats a transaction that lost against another one: deadlocks between nodes reach the client and are nobody's fault. */
export async function retrying<T>(work: () => Promise<T>, tries = 4): Promise<T> {
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

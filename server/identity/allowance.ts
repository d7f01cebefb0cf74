import type { Sql } from 'postgres'
import { hashOf } from '#server/identity/sessions.ts'
import type { Tx } from '#server/database/transaction.ts'

/**
 * Counts one more use of something limited within a time window, and returns whether it was permitted and, if not,
 * in how many seconds it will be. The count is one statement, shared by concurrent processes.
 */
export async function useAllowance(
  sql: Sql | Tx,
  limit: { readonly name: string; readonly most: number; readonly seconds: number },
): Promise<{ readonly isAllowed: boolean; readonly wait: number }> {
  const [row] = await (sql as Tx)<{ used: number; wait: number }[]>`
    insert into allowance as a (token_hash, used, ends_at)
    values (${hashOf(limit.name)}, 1, now() + make_interval(secs => ${limit.seconds}))
    on conflict (token_hash) do update set
      used = case when a.ends_at <= excluded.ends_at - make_interval(secs => ${limit.seconds}) then 1
      else a.used + 1 end,
      ends_at = case when a.ends_at <= excluded.ends_at - make_interval(secs => ${limit.seconds}) then
      excluded.ends_at else a.ends_at end
    returning used, greatest(1, ceil(extract(epoch from ends_at - now())))::int as wait`
  return { isAllowed: (row?.used ?? 0) <= limit.most, wait: row?.wait ?? limit.seconds }
}

/** Takes one use back: what was limited is the wrong attempt, and this one was right. */
export const giveBackAllowance = async (sql: Sql | Tx, name: string): Promise<void> =>
  void (await (sql as Tx)`update allowance set used = greatest(used - 1, 0) where token_hash = ${hashOf(name)}`)

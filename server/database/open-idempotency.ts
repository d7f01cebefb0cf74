import { setTimeout as pause } from 'node:timers/promises'
import type { Sql } from 'postgres'
import type { Tx } from '#server/database/transaction.ts'
import { BusinessError } from '#kernel/rules/errors.ts'

const LOOK_AGAIN_MS = 100
const PATIENCE_MS = 10_000
/** After this, the call of a process that crashed is released. */
const DEAD_SECONDS = 60

/**
 * The same token does the work once and gets the first reply again, for 24 hours. A repetition that comes while the
 * first still runs waits for it; the same token with another call is refused (2107). A refused call may be tried again.
 */
export async function runOnceOpen<Reply>(
  sql: Sql,
  token: string,
  fingerprint: string,
  work: () => Promise<Reply>,
): Promise<Reply> {
  const asked = <Row>(ask: (tx: Tx) => Promise<readonly Row[]>) => forRequest(sql, token, ask)
  for (const end = Date.now() + PATIENCE_MS; ; ) {
    const [mine] = await asked(
      tx => tx`
      insert into open_request as r (token_hash, fingerprint) values (${token}, ${fingerprint})
      on conflict (token_hash) do update set fingerprint = excluded.fingerprint, reply = null, at = now()
       where r.at < now() - interval '24 hours'
         or (r.reply is null and r.at < now() - make_interval(secs => ${DEAD_SECONDS}))
      returning token_hash`,
    )
    if (mine) return doAndKeep(sql, token, work)
    const [first] = await asked(
      tx => tx<{ fingerprint: string; reply: string | null }[]>`
      select fingerprint, reply from open_request where token_hash = ${token}`,
    )
    if (first && first.fingerprint !== fingerprint) throw new BusinessError('requestReused')
    if (first?.reply) return JSON.parse(first.reply) as Reply
    if (Date.now() > end) throw new BusinessError('rule', '相同的请求正在处理，请稍后再试')
    await pause(LOOK_AGAIN_MS)
  }
}

/** Statements about one request: the row policy shows no other. */
const forRequest = <Row>(sql: Sql, token: string, ask: (tx: Tx) => Promise<readonly Row[]>) =>
  sql.begin(async tx => {
    await tx`select act_for_request(${token})`
    return ask(tx)
  })

async function doAndKeep<Reply>(sql: Sql, token: string, work: () => Promise<Reply>): Promise<Reply> {
  try {
    const reply = await work()
    await forRequest(
      sql,
      token,
      tx => tx`update open_request set reply = ${JSON.stringify(reply)} where token_hash = ${token}`,
    )
    return reply
  } catch (error) {
    await forRequest(sql, token, tx => tx`delete from open_request where token_hash = ${token}`)
    throw error
  }
}

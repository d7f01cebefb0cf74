import { createHash } from 'node:crypto'
import { BusinessError } from '#kernel/rules/errors.ts'
import { type Session, stillHas, type UsedRights, usedRights } from '#server/access/session.ts'
import { sendUnawaited, type Statement, type Tx } from '#server/database/transaction.ts'

/** Identifies a call: path and body. Bodies with the same words in another order are different. */
export const fingerprintOf = (path: string, body: unknown): string =>
  createHash('sha256')
    .update(path)
    .update('\n')
    .update(JSON.stringify(body) ?? '')
    .digest('base64url')

/**
 * Runs `work` once per `requestId` and 24 hours: the reply is stored inside the transaction of the work, so both are
 * committed together. A repetition gets the first reply; one that comes while the first still runs waits for it. The
 * same id with another call is refused (2107), and so is a caller who no longer has the rights that the first call
 * used. Without an id the work simply runs. A refused call stores nothing. `ahead` is a first, read-only part of the
 * work, sent right after the query whether the call is new. `beside` is sent once with the fresh reply, while that is
 * being stored.
 */
export async function runIdempotent<Reply, Opened = void>(
  tx: Tx,
  session: Session,
  requestId: string | null,
  fingerprint: string,
  work: (opened: Opened) => Promise<Reply>,
  { ahead = async () => undefined as Opened, beside = () => [] }: Around<Reply, Opened> = {},
): Promise<Reply> {
  if (requestId === null) {
    const reply = await work(await ahead())
    await sendUnawaited(tx, beside(reply))
    return reply
  }
  const [org, user] = [session.org.id, session.userId]
  const asked = tx`
    insert into request as r (org_id, user_id, request_id, fingerprint)
    values (${org}, ${user}, ${requestId}, ${fingerprint})
    on conflict (org_id, user_id, request_id) do update set fingerprint = excluded.fingerprint, reply = null,
      at = excluded.at
     where r.at < excluded.at - interval '24 hours'
    returning request_id`.execute()
  const [answered, opened] = await Promise.allSettled([asked, ahead()])
  if (answered.status === 'rejected') throw answered.reason
  if (answered.value.length === 0) return firstReply<Reply>(tx, session, requestId, fingerprint)
  if (opened.status === 'rejected') throw opened.reason
  const reply = await work(opened.value)
  // As text: a jsonb object would come back with its keys in another order.
  const kept = tx`
    update request set reply = to_jsonb(${JSON.stringify(reply)}::text), rights = ${tx.json(usedRights(session))}
     where org_id = ${org} and user_id = ${user}
      and request_id = ${requestId}`
  await sendUnawaited(tx, [kept, ...beside(reply)])
  return reply
}

type Around<Reply, Opened> = {
  readonly ahead?: () => Promise<Opened>
  readonly beside?: (reply: Reply) => readonly Statement[]
}

async function firstReply<Reply>(tx: Tx, session: Session, requestId: string, fingerprint: string): Promise<Reply> {
  const [first] = await tx<{ fingerprint: string; reply: string; rights: UsedRights | null }[]>`
    select fingerprint, reply #>> '{}' as reply, rights from request
     where org_id = ${session.org.id} and user_id = ${session.userId} and request_id = ${requestId}`
  if (!first || first.fingerprint !== fingerprint) throw new BusinessError('requestReused')
  if (first.rights !== null && !stillHas(session, first.rights))
    throw new BusinessError('forbidden', '您的权限已变更，不能再查看该次提交的结果，请刷新页面后重试')
  return JSON.parse(first.reply) as Reply
}

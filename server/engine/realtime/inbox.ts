import { Refusal } from '#kernel/refusal.ts'
import { kindsOf } from '#server/engine/realtime/audience.ts'
import type { Session } from '#server/engine/session.ts'
import type { Tx } from '#server/engine/transaction.ts'

/** Days that a message is kept in the inbox. */
export const keptDays = 180

/** A message as the message centre shows it. */
export type Message = {
  readonly message_sn: string
  readonly title: string
  readonly body: string
  readonly uri: string
  readonly object_id: string | null
  readonly extra: Readonly<Record<string, unknown>>
  readonly kind: string | null
  readonly at: string
  readonly read_at: string | null
}

/** Messages of the organisation that this person may see. */
const mine = (tx: Tx, session: Pick<Session, 'org' | 'userId' | 'flags'>) => tx`
  m.org_id = ${session.org.id} and (m.user_id is null or m.user_id = ${session.userId})
  and (m.kind is null or m.kind = any(${[...kindsOf(session)]}::text[]))
  and m.extra->>'by' is distinct from ${session.userId}
  and m.at > now() - make_interval(days => ${keptDays})`
const read = (tx: Tx, session: Session) => tx`
  left join message_read r on r.org_id = ${session.org.id} and r.user_id = ${session.userId} and r.message_id = m.id`

/** Unread ones, counted to 100: the bell shows 99+. */
export async function unreadCount(tx: Tx, session: Session): Promise<number> {
  const [row] = await tx<{ n: number }[]>`
    select count(*)::int as n from (
      select 1 from message m ${read(tx, session)} where ${mine(tx, session)} and r.message_id is null limit 100) counted`
  return row?.n ?? 0
}

export type Asked = {
  readonly page: number
  readonly size: number
  /** Only those that were read, or were not. */
  readonly state: 'read' | 'unread' | null
  readonly pattern: string | null
}

/** A page of the inbox, newest first. */
export async function listMessages(
  tx: Tx,
  session: Session,
  asked: Asked,
): Promise<{ list: readonly Message[]; total: number }> {
  const found = () => tx`
    from message m ${read(tx, session)}
     where ${mine(tx, session)} ${asked.state === null ? tx`` : asked.state === 'unread' ? tx`and r.message_id is null` : tx`and r.message_id is not null`}
       ${asked.pattern === null ? tx`` : tx`and (m.title ilike ${asked.pattern} or m.body ilike ${asked.pattern})`}`
  const list = await tx<Message[]>`
    select m.id as message_sn, m.title, m.body, m.uri, m.object_id, m.extra, m.kind, m.at, r.at as read_at ${found()}
     order by m.id desc limit ${asked.size} offset ${(asked.page - 1) * asked.size}`
  const [counted] = await tx<{ n: number }[]>`select count(*)::int as n from (select 1 ${found()} limit 10001) counted`
  return { list, total: counted?.n ?? 0 }
}

/** Marks one message read, for this person alone. Reading it again changes nothing. */
export async function readMessage(tx: Tx, session: Session, id: string): Promise<void> {
  const [found] = /^\d{1,18}$/.test(id)
    ? await tx`select 1 from message m where m.id = ${id} and ${mine(tx, session)}`
    : []
  if (!found) throw new Refusal('notFound', '消息不存在或已被删除')
  await tx`
    insert into message_read (org_id, user_id, message_id) values (${session.org.id}, ${session.userId}, ${id})
    on conflict (org_id, user_id, message_id) do nothing`
}

/** Marks everything read that this person may see now. */
export async function readAll(tx: Tx, session: Session): Promise<number> {
  const rows = await tx`
    insert into message_read (org_id, user_id, message_id)
    select ${session.org.id}, ${session.userId}, m.id from message m ${read(tx, session)}
     where ${mine(tx, session)} and r.message_id is null
    on conflict (org_id, user_id, message_id) do nothing returning message_id`
  return rows.length
}

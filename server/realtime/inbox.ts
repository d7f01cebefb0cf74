import { today } from '#kernel/values/date.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { type MessageType, messageTypes } from '#server/messages/messages.ts'
import { kindsOf } from '#server/realtime/audience.ts'
import type { Origin } from '#server/realtime/receipts.ts'
import type { Session } from '#server/access/session.ts'
import { inBatches } from '#server/database/batches.ts'
import type { Tx } from '#server/database/transaction.ts'

/** Days that a message is kept in the inbox. */
export const keptDays = 180

/** A message as shown in the message centre. */
export type Message = {
  readonly message_sn: string
  readonly message_type: MessageType
  readonly title: string
  readonly body: string
  readonly uri: string
  readonly object_id: string | null
  readonly extra: Readonly<Record<string, unknown>>
  readonly from_org_name: string | null
  readonly kind: string | null
  readonly at: string
  readonly read_at: string | null
  readonly needs_confirm: boolean
  readonly confirmed_at: string | null
  readonly confirmed_by: string | null
}

type Reader = Pick<Session, 'org' | 'userId' | 'flags' | 'warehouses' | 'departments'>

/** The word by which a user names a message type among the wanted ones. */
const wordOf = (tx: Tx) => tx`(${tx.json(messageTypes)}::jsonb ->> m.message_type)`

/** Messages of the organisation that this user may see, except those hidden, or taken back before being read. */
const mine = (tx: Tx, session: Reader) => tx`
  m.org_id = ${session.org.id} and (m.user_id is null or m.user_id = ${session.userId})
  and (m.kind is null or m.kind = any(${[...kindsOf(session)]}::text[]))
  and m.extra->>'by' is distinct from ${session.userId}
  and (m.user_id is not null or m.needs_confirm or exists (
        select 1 from app_user u
          where u.id = ${session.userId} and (u.message_types = '{}' or ${wordOf(tx)} = any(u.message_types))))
  and (m.at > now() - make_interval(days => ${keptDays}) or m.needs_confirm)
    and (m.valid_to is null or m.valid_to >= ${today()})
  ${session.warehouses === 'all' ? tx`` : tx`and (m.stores = '{}' or m.stores && ${[...session.warehouses]}::bigint[])`}
  ${
    session.departments === 'all'
      ? tx``
      : tx`and (m.department_id is null
    or m.department_id = any(${[...session.departments]}::bigint[]))`
  }`
const read = (tx: Tx, session: Reader) => tx`
  left join message_read r on r.org_id = ${session.org.id} and r.user_id = ${session.userId} and r.message_id = m.id`
const isThere = (tx: Tx) => tx`r.hidden_at is null and (m.recalled_at is null or r.message_id is not null)`

/** Unread messages, counted to 100: the bell shows 99+. */
export async function unreadCount(tx: Tx, session: Session): Promise<number> {
  const [row] = await tx<{ n: number }[]>`
    select count(*)::int as n from (
      select 1 from message m ${read(tx, session)} where ${mine(tx, session)} and ${isThere(tx)}
        and r.message_id is null limit 100) counted`
  return row?.n ?? 0
}

/** The filters of the inbox; null where not filtered. */
export type Wanted = {
  /** Only read ones, or only unread ones. */
  readonly state: 'read' | 'unread' | null
  readonly pattern: string | null
  readonly type: MessageType | null
  readonly from: string | null
  readonly begin: string | null
  readonly end: string | null
  /** Those waiting for confirmation, or confirmed. */
  readonly confirmed: 'waiting' | 'confirmed' | null
}
export type Asked = Wanted & { readonly page: number; readonly size: number }

const found = (tx: Tx, session: Session, asked: Wanted) => tx`
  from message m ${read(tx, session)}
  left join organisation o
    on o.id = coalesce(m.from_org_id, case when m.extra->>'org_sn' ~ '^[0-9]{1,18}$'
    then (m.extra->>'org_sn')::bigint end)
   where ${mine(tx, session)} and ${isThere(tx)}
     ${
       asked.state === null
         ? tx``
         : asked.state === 'unread'
           ? tx`and r.message_id is null`
           : tx`and r.message_id is
       not null`
     }
     ${asked.pattern === null ? tx`` : tx`and (m.title ilike ${asked.pattern} or m.body ilike ${asked.pattern})`}
     ${asked.type === null ? tx`` : tx`and m.message_type = ${asked.type}`}
     ${asked.from === null ? tx`` : tx`and coalesce(o.name, m.extra->>'org_name') ilike ${asked.from}`}
     ${asked.begin === null ? tx`` : tx`and m.at >= (${asked.begin}::date)::timestamp at time zone 'Asia/Shanghai'`}
     ${asked.end === null ? tx`` : tx`and m.at < (${asked.end}::date + 1)::timestamp at time zone 'Asia/Shanghai'`}
     ${
       asked.confirmed === null
         ? tx``
         : tx`and m.needs_confirm
       and (m.confirmed_at is null) = ${asked.confirmed === 'waiting'}`
     }`

const shown = (tx: Tx) => tx`
  m.id as message_sn, m.message_type, m.title, m.body, m.uri, m.object_id, m.extra,
    coalesce(o.name, m.extra->>'org_name') as from_org_name, m.kind, m.at, r.at as read_at,
  m.needs_confirm, m.confirmed_at, m.confirmed_by`
/** Messages waiting for confirmation stay on top; then the newest first. */
const ordered = (tx: Tx) => tx`order by (m.needs_confirm and m.confirmed_at is null) desc, m.id desc`

/** A page of the inbox. */
export async function listMessages(
  tx: Tx,
  session: Session,
  asked: Asked,
): Promise<{ list: readonly Message[]; total: number }> {
  const list = await tx<Message[]>`
    select ${shown(tx)} ${found(tx, session, asked)} ${ordered(tx)}
      limit ${asked.size} offset ${(asked.page - 1) * asked.size}`
  const [counted] = await tx<{ n: number }[]>`
    select count(*)::int as n from (select 1 ${found(tx, session, asked)} limit 10001) counted`
  return { list, total: counted?.n ?? 0 }
}

/** The whole filtered inbox in batches. */
export const allMessages = (tx: Tx, session: Session, asked: Wanted, size?: number): AsyncIterable<Message[]> =>
  inBatches(tx, tx<Message[]>`select ${shown(tx)} ${found(tx, session, asked)} ${ordered(tx)}`, size)

type Found = { id: string; from_org_id: string | null; from_kind: string | null; from_id: string | null }
const originOf = (row: Found): Origin[] =>
  row.from_org_id && row.from_kind && row.from_id
    ? [{ org: row.from_org_id, kind: row.from_kind, id: row.from_id }]
    : []

async function mustSee(
  tx: Tx,
  session: Session,
  id: string,
): Promise<Found & { needs_confirm: boolean; is_confirmed: boolean }> {
  const [row] = /^\d{1,18}$/.test(id)
    ? await tx<(Found & { needs_confirm: boolean; is_confirmed: boolean })[]>`
        select m.id, m.from_org_id, m.from_kind, m.from_id, m.needs_confirm, m.confirmed_at is not null as is_confirmed
          from message m ${read(tx, session)} where m.id = ${id} and ${mine(tx, session)} and ${isThere(tx)}`
    : []
  if (!row) throw new BusinessError('notFound', '消息不存在或已被删除')
  return row
}

/** Marks one message read, for this user only. Repeating it changes nothing. Returns the sender who wants to know. */
export async function readMessage(tx: Tx, session: Session, id: string): Promise<readonly Origin[]> {
  const row = await mustSee(tx, session, id)
  const fresh = await tx`
    insert into message_read (org_id, user_id, message_id) values (${session.org.id}, ${session.userId}, ${id})
    on conflict (org_id, user_id, message_id) do nothing returning message_id`
  return fresh.length === 0 ? [] : originOf(row)
}

/** Marks everything read that this user may see now. */
export async function readAll(tx: Tx, session: Session): Promise<{ count: number; origins: readonly Origin[] }> {
  const rows = await tx<Found[]>`
    with unread as (
      select m.id, m.from_org_id, m.from_kind, m.from_id from message m ${read(tx, session)}
       where ${mine(tx, session)} and ${isThere(tx)} and r.message_id is null),
    done as (
      insert into message_read (org_id, user_id, message_id) select ${session.org.id}, ${session.userId}, id from unread
      on conflict (org_id, user_id, message_id) do nothing returning message_id)
    select unread.* from unread join done on done.message_id = unread.id`
  return { count: rows.length, origins: rows.flatMap(originOf) }
}

/** Confirms a message for the organisation; the confirming user has read it. */
export async function confirmMessage(tx: Tx, session: Session, id: string): Promise<readonly Origin[]> {
  const row = await mustSee(tx, session, id)
  if (!row.needs_confirm) throw new BusinessError('rule', '该消息不需要确认')
  if (row.is_confirmed) throw new BusinessError('wrongState', '该消息已确认')
  await tx`
    update message set confirmed_at = now(), confirmed_by = ${session.userName}
      where org_id = ${session.org.id} and id = ${id}`
  await readMessage(tx, session, id)
  return originOf(row)
}

/** Hides a message from this user only; others keep it. */
export async function hideMessage(tx: Tx, session: Session, id: string): Promise<readonly Origin[]> {
  const row = await mustSee(tx, session, id)
  if (row.needs_confirm && !row.is_confirmed) throw new BusinessError('rule', '该消息要求确认，请先确认收到再删除')
  const origins = await readMessage(tx, session, id)
  await tx`
    update message_read set hidden_at = now() where org_id = ${session.org.id} and user_id = ${session.userId}
      and message_id = ${id}`
  return origins
}

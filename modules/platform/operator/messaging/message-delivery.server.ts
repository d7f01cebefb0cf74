import type { Sql } from 'postgres'
import { askSms } from '#server/public/accounts.ts'
import { sendMessage, type MessageType, recallMessages } from '#server/public/notifications.ts'
import { inOrganisation, type Tx } from '#server/public/database.ts'

/** Two kinds of content go into message centres: notices of every organisation, and messages of the platform. */
type Source = {
  readonly kind: 'notice' | 'sentMessage'
  readonly table: string
  readonly deliveries: string
  readonly key: string
  readonly live: string
  readonly gone: string
}
export const notices: Source = {
  kind: 'notice',
  table: 'notice',
  deliveries: 'notice_delivery',
  key: 'notice_id',
  live: 'published',
  gone: 'withdrawn',
}
export const sentMessages: Source = {
  kind: 'sentMessage',
  table: 'sent_message',
  deliveries: 'sent_delivery',
  key: 'sent_message_id',
  live: 'sent',
  gone: 'recalled',
}

type Waiting = {
  org_id: string
  id: string
  to_org_id: string
  to_user_id: string
  sender: string
  row: Readonly<Record<string, unknown>>
}

const waitingOf = (tx: Sql | Tx, source: Source, which: 'deliver' | 'recall', org: string | null) => tx<Waiting[]>`
  select x.org_id, n.id, x.to_org_id, x.to_user_id, to_jsonb(n) as row, o.name as sender from ${tx(source.deliveries)} x
    join ${tx(source.table)} n on n.org_id = x.org_id and n.id = ${tx(`x.${source.key}`)}
      join organisation o on o.id = x.org_id
   where ${org === null ? tx`true` : tx`x.org_id = ${org}`}
     and ${
       which === 'deliver'
         ? tx`x.delivered_at is null
       and n.state = ${source.live}`
         : tx`x.delivered_at is not null and x.recalled_at is null
       and n.state = ${source.gone}`
     }
   order by x.org_id, n.id, x.to_org_id, x.to_user_id limit 5000`

/**
 * Delivers what waits to each receiver's message centre, and removes what was withdrawn: each in a transaction of
 * the receiver.
 */
export async function handOut(sql: Sql, source: Source, org: string): Promise<void> {
  const [created, recalled] = await inOrganisation(sql, org, '0', async tx => [
    await waitingOf(tx, source, 'deliver', org),
    await waitingOf(tx, source, 'recall', org),
  ])
  for (const row of created!) await createOne(sql, source, row)
  for (const row of recalled!) await recallOne(sql, source, row)
}

/** The same for all organisations, every hour: finishes the work of interrupted processes. */
export async function handOutAll(owner: Sql): Promise<number> {
  let count = 0
  for (const source of [notices, sentMessages]) {
    const created = await waitingOf(owner, source, 'deliver', null)
    const recalled = await waitingOf(owner, source, 'recall', null)
    for (const row of created) await createOne(owner, source, row)
    for (const row of recalled) await recallOne(owner, source, row)
    count += created.length + recalled.length
  }
  return count
}

async function createOne(sql: Sql, source: Source, waiting: Waiting): Promise<void> {
  const { to_org_id: to, to_user_id: user } = waiting
  await inOrganisation(sql, to, '0', async tx => {
    const before = await tx`
      select 1 from message where org_id = ${to} and from_org_id = ${waiting.org_id} and from_kind = ${source.kind}
        and from_id = ${waiting.id}
         and coalesce(user_id, 0) = ${user} limit 1`
    if (before.length === 0) await leave(tx, source, waiting, '')
  })
  await inOrganisation(sql, waiting.org_id, '0', async tx => {
    const marked = await markIn(tx, source, waiting, 'delivered_at')
    if (marked.length > 0 && waiting.row.by_sms === true) await alsoBySms(tx, waiting)
  })
}

async function recallOne(sql: Sql, source: Source, waiting: Waiting): Promise<void> {
  const origin = { org: waiting.org_id, kind: source.kind, id: waiting.id }
  await inOrganisation(sql, waiting.to_org_id, '0', tx => recallMessages(tx, waiting.to_org_id, origin))
  await mark(sql, source, waiting, 'recalled_at')
}

/**
 * An SMS to receivers with a phone number, requested together with the delivery mark: once, and retried until it
 * goes out.
 */
async function alsoBySms(tx: Tx, waiting: Waiting): Promise<void> {
  const people = await tx<{ phone: string }[]>`
    select distinct phone from app_user where org_id = ${waiting.to_org_id} and status = 'enabled'
      and phone ~ '^1[0-9]{10}$'
       and (${waiting.to_user_id} = '0' or id::text = ${waiting.to_user_id}) order by phone`
  const said = `${String(waiting.row.title)}，请登录系统查看`
  for (const { phone } of people)
    await askSms(tx, waiting.org_id, { phone, template: 'announcement', text: said }, waiting.id)
}

const mark = (sql: Sql, source: Source, waiting: Waiting, column: string) =>
  inOrganisation(sql, waiting.org_id, '0', tx => markIn(tx, source, waiting, column))

const markIn = (
  tx: Tx,
  source: Source,
  { org_id: org, id, to_org_id: to, to_user_id: user }: Waiting,
  column: string,
) => tx`
  update ${tx(source.deliveries)} set ${tx(column)} = now()
   where org_id = ${org} and ${tx(source.key)} = ${id} and to_org_id = ${to} and to_user_id = ${user}
     and ${tx(column)} is null returning to_org_id`

const text = (value: unknown): string | null => (value === null || value === undefined ? null : String(value))

function leave(tx: Tx, source: Source, { row, sender, ...waiting }: Waiting, before: string): Promise<void> {
  const isNotice = source.kind === 'notice'
  const said = text(row.extra) === null ? {} : (JSON.parse(String(row.extra)) as Record<string, unknown>)
  return sendMessage(tx, waiting.to_org_id, {
    title: `${before}${String(row.title)}`,
    body: text(row.body) ?? '',
    uri: isNotice ? 'notice' : (text(row.uri) ?? ''),
    objectId: isNotice ? waiting.id : (text(row.object_id) ?? ''),
    kind: null,
    type: isNotice ? 'notice' : (String(row.message_type) as MessageType),
    validTo: text(row.valid_to),
    needsConfirm: row.needs_confirm === true,
    from: { org: waiting.org_id, kind: source.kind, id: waiting.id },
    extra: { ...said, org_sn: waiting.org_id, org_name: said.org_name ?? sender },
    ...(waiting.to_user_id === '0' ? {} : { userId: waiting.to_user_id }),
  })
}

/** Receivers of a notice who have not read or confirmed it as required, and were not reminded today. */
export const idleReceivers = (tx: Tx, org: string, notice: string, day: string) => tx<Waiting[]>`
  select x.org_id, n.id, x.to_org_id, x.to_user_id, to_jsonb(n) as row, o.name as sender from notice_delivery x
    join notice n on n.org_id = x.org_id and n.id = x.notice_id join organisation o on o.id = x.org_id
   where x.org_id = ${org} and x.notice_id = ${notice} and x.delivered_at is not null and x.reminded_on is distinct
     from ${day}::date
     and not exists (
       select 1 from message_receipt m where m.org_id = x.org_id and m.of_kind = 'notice' and m.of_id = x.notice_id
         and m.to_org_id = x.to_org_id
          and (x.to_user_id = 0 or m.user_id = x.to_user_id) and (not n.needs_confirm or m.confirmed_at is not null))
   order by x.to_org_id, x.to_user_id`

/** 催办: reminds those who have not responded, at most once a day. */
export async function remindReceivers(sql: Sql, org: string, notice: string, day: string): Promise<void> {
  const idle = await inOrganisation(sql, org, '0', tx => idleReceivers(tx, org, notice, day))
  for (const waiting of idle) {
    await inOrganisation(sql, waiting.to_org_id, '0', tx =>
      leave(tx, notices, { ...waiting, row: { ...waiting.row, needs_confirm: false } }, '催办：'),
    )
    await inOrganisation(
      sql,
      org,
      '0',
      tx => tx`
      update notice_delivery set reminded_on = ${day}
       where org_id = ${org} and notice_id = ${notice} and to_org_id = ${waiting.to_org_id}
         and to_user_id = ${waiting.to_user_id}`,
    )
  }
}

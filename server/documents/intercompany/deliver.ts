import type { Sql } from 'postgres'
import type { Message } from '#server/documents/intercompany/outbox.ts'
import { documentOf } from '#kernel/registry.ts'
import { handleMessage } from '#server/documents/intercompany/inbox.ts'
import { recordIncident } from '#server/audit/incidents.ts'
import { systemSessionOf } from '#server/organisations/organisations.ts'
import { inOrganisation, type Tx, withRetry } from '#server/database/transaction.ts'

type Waiting = {
  org_id: string
  id: string
  to_org_id: string
  payload: Message
  document_id: string
  attempts: number
  /** Messages that must be delivered before this one. */
  before: readonly string[]
  /** An update of a document that was withdrawn since: there is no copy that it could reach. */
  is_moot: boolean
}
const BATCH = 50
/** After this many failures in a row a user is asked to look. */
const NOTIFY_AFTER = 5

/**
 * Undelivered messages, each with those that it may not overtake: the earlier ones to the same receiver that come from
 * the same document, or are about the same document there. An update is moot when the document was withdrawn between
 * its sending and its delivery; what was sent again afterwards contains it.
 */
const waitingRows = (tx: Sql | Tx) => tx`
  select h.org_id, h.id, h.to_org_id, h.payload, h.document_id, h.attempts, earlier.ids as before,
    h.message in ('notification', 'stopped') and not exists (
      select 1 from intercompany_message sent
       where sent.org_id = h.org_id and sent.document_id = h.document_id and sent.to_org_id = h.to_org_id
         and sent.message = 'document' and sent.taken_back_at is null and sent.id < h.id) as is_moot
    from intercompany_message h
    cross join lateral (
      select coalesce(array_agg(e.id::text), '{}') as ids, coalesce(bool_or(e.next_at > now()), false) as are_resting
        from intercompany_message e
       where e.org_id = h.org_id and e.to_org_id = h.to_org_id and e.delivered_at is null and e.id < h.id
         and (e.document_id = h.document_id
           or (e.payload->>'kind' = h.payload->>'kind' and e.payload->>'sn' = h.payload->>'sn'))) earlier`

/**
 * Delivers one message exactly once: the row `intercompany_message_received` is written in the receiver's transaction,
 * so a second delivery finds it and does nothing; the sender's `delivered_at` is a third, repeatable step.
 */
async function deliverMessage(sql: Sql, waiting: Waiting): Promise<void> {
  if (!waiting.is_moot) await handToReceiver(sql, waiting)
  await inOrganisation(
    sql,
    waiting.org_id,
    '0',
    tx => tx`
    update intercompany_message set delivered_at = now(), attempts = attempts + 1, last_error = null
      where org_id = ${waiting.org_id} and id = ${waiting.id} and delivered_at is null`,
  )
  // Automatic answers of the receiver are back before the sender's reply is read.
  if (waiting.payload.message === 'stopped' || mayBeRefused(waiting.payload))
    await deliverDocument(sql, waiting.to_org_id, waiting.payload.sn)
  if (waiting.attempts >= NOTIFY_AFTER) await settleIncident(sql, waiting)
}

/** True if the receiver may answer by itself that it cannot book the document. */
const mayBeRefused = (message: Message): boolean =>
  message.message === 'document' &&
  documentOf(message.kind)?.intercompany.copies?.[message.send]?.refusedBy !== undefined

async function handToReceiver(sql: Sql, waiting: Waiting): Promise<void> {
  const receiver = await systemSessionOf(sql, waiting.to_org_id)
  const sender = await systemSessionOf(sql, waiting.org_id)
  await withRetry(() =>
    inOrganisation(sql, waiting.to_org_id, '0', async tx => {
      const taken = await tx`
      insert into intercompany_message_received (org_id, from_org_id, intercompany_message_id)
        values (${waiting.to_org_id}, ${waiting.org_id}, ${waiting.id})
      on conflict do nothing returning intercompany_message_id`
      if (taken.length === 0) return
      await handleMessage(tx, receiver, { org: sender.org.id, name: sender.org.name }, waiting.payload)
      await tx`select pg_notify('medtrace', ${JSON.stringify({ org: waiting.to_org_id, about: waiting.payload.kind })})`
    }),
  )
}

/**
 * Messages of one document, in order, right after its commit: the other side sees them before the sender's reply is
 * read.
 */
export async function deliverDocument(sql: Sql, org: string, sn: string): Promise<void> {
  const rows = await inOrganisation(
    sql,
    org,
    '0',
    tx => tx<Waiting[]>`
    ${waitingRows(tx)}
      join document d on d.org_id = h.org_id and d.id = h.document_id
     where h.org_id = ${org} and d.sn = ${sn} and h.delivered_at is null order by h.id`,
  )
  await deliverInOrder(sql, rows)
}

/** Tries each message unless an earlier one has just failed; returns how many were delivered. */
async function deliverInOrder(sql: Sql, rows: readonly Waiting[]): Promise<number> {
  const done = new Set<string>()
  for (const row of rows) if (row.before.every(id => done.has(id)) && (await attempt(sql, row))) done.add(row.id)
  return done.size
}

/** A failed delivery waits longer each time and is retried until it succeeds. */
async function attempt(sql: Sql, row: Waiting): Promise<boolean> {
  try {
    await deliverMessage(sql, row)
    return true
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    await inOrganisation(
      sql,
      row.org_id,
      '0',
      tx => tx`
      update intercompany_message set attempts = attempts + 1, last_error = ${text.slice(0, 500)},
        next_at = now() + make_interval(secs => least(300, power(2, attempts)))
       where org_id = ${row.org_id} and id = ${row.id} and delivered_at is null`,
    )
    if (row.attempts + 1 === NOTIFY_AFTER) await notifyOfIncident(sql, row, text)
    return false
  }
}

/** The document does not arrive: it is listed among the sender's incidents until it does. */
async function notifyOfIncident(sql: Sql, row: Waiting, text: string): Promise<void> {
  const sender = await systemSessionOf(sql, row.org_id)
  await inOrganisation(sql, row.org_id, '0', async tx => {
    const [doc] = await tx<
      { sn: string }[]
    >`select sn from document where org_id = ${row.org_id} and id = ${row.document_id}`
    const sn = doc?.sn ?? row.document_id
    await recordIncident(tx, sender, {
      kind: 'push',
      source: '单据推送',
      description: text.slice(0, 500),
      object: sn,
      objectNo: sn,
      handOver: row.id,
    })
  })
}

const settleIncident = (sql: Sql, row: Waiting) =>
  inOrganisation(
    sql,
    row.org_id,
    '0',
    tx => tx`
    update error_record set state = 'done', note = '已自动送达', handled_by = coalesce(handled_by, '系统'),
      handled_at = now(), version = version + 1
     where org_id = ${row.org_id} and intercompany_message_id = ${row.id} and state in ('waiting', 'working')`,
  )

/**
 * One round over all waiting messages, except those behind one that rests after a failure. Reads without locks; the
 * receiver decides which delivery wins.
 */
export async function deliverPending(sql: Sql, owner: Sql): Promise<number> {
  const rows = await owner<Waiting[]>`
    ${waitingRows(owner)}
     where h.delivered_at is null and h.next_at <= now() and not earlier.are_resting order by h.id limit ${BATCH}`
  return deliverInOrder(sql, rows)
}

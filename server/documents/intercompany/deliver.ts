import type { Sql } from 'postgres'
import type { Message } from '#server/documents/intercompany/outbox.ts'
import { handleMessage } from '#server/documents/intercompany/inbox.ts'
import { recordIncident } from '#server/audit/incidents.ts'
import { systemSessionOf } from '#server/organisations/organisations.ts'
import { inOrganisation, withRetry } from '#server/database/transaction.ts'

type Waiting = {
  org_id: string
  id: string
  to_org_id: string
  payload: Message
  document_id: string
  attempts: number
}
const BATCH = 50
/** After this many failures in a row a user is asked to look. */
const NOTIFY_AFTER = 5

/**
 * Delivers one hand-over exactly once: the row `intercompany_message_received` stands in the receiver's transaction,
 * so a second delivery finds it and does nothing; the sender's `delivered_at` is a third, repeatable step.
 */
export async function deliverMessage(sql: Sql, waiting: Waiting): Promise<void> {
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
  await inOrganisation(
    sql,
    waiting.org_id,
    '0',
    tx => tx`
    update intercompany_message set delivered_at = now(), attempts = attempts + 1, last_error = null
      where org_id = ${waiting.org_id} and id = ${waiting.id} and delivered_at is null`,
  )
  // Automatic answers of the receiver are back before the sender's reply is read.
  if (waiting.payload.message === 'stopped') await deliverDocument(sql, waiting.to_org_id, waiting.payload.sn)
  if (waiting.attempts >= NOTIFY_AFTER) await settleIncident(sql, waiting)
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
    select h.org_id, h.id, h.to_org_id, h.payload, h.document_id, h.attempts from intercompany_message h
      join document d on d.org_id = h.org_id and d.id = h.document_id
     where h.org_id = ${org} and d.sn = ${sn} and h.delivered_at is null order by h.created_at, h.id`,
  )
  for (const row of rows) await attempt(sql, row)
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
       where org_id = ${row.org_id} and id = ${row.id}`,
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

/** One round over all waiting messages. Reads without locks; the receiver decides which delivery wins. */
export async function deliverPending(sql: Sql, owner: Sql): Promise<number> {
  const rows = await owner<Waiting[]>`
    select org_id, id, to_org_id, payload, document_id, attempts from intercompany_message
      where delivered_at is null and next_at <= now() order by created_at, id limit ${BATCH}`
  let done = 0
  for (const row of rows) if (await attempt(sql, row)) done++
  return done
}

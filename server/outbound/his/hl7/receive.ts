import type { Sql } from 'postgres'
import { instant } from '#kernel/values/date.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { reportError } from '#server/audit/reported-errors.ts'
import { inOrganisation, type Tx } from '#server/database/transaction.ts'
import {
  acknowledgement,
  decodeMessage,
  type Hl7Message,
  parseMessage,
  UnreadableMessage,
} from '#server/outbound/his/hl7/message.ts'
import { isTakenIn, readMessage } from '#server/outbound/his/hl7/read-message.ts'
import { hooks } from '#server/registry/hooks.ts'

/** What a message did, or why it did nothing; never what it says of a patient. */
type Noted = { readonly state: 'done' | 'failed' | 'rejected'; readonly error: string | null }

/**
 * Takes one message in and answers it: AA once it is stored, AE where it cannot be used as it is, AR where such
 * messages are not taken at all. Its control id (MSH-10) is kept: sent again after it was accepted, it does nothing.
 */
export async function receiveMessage(sql: Sql, org: string, bytes: Buffer): Promise<string> {
  let message: Hl7Message | null = null
  try {
    message = parseMessage(decodeMessage(bytes))
    if (!isTakenIn(message)) return await refused(sql, org, message, `不接收${message.type}^${message.event}`)
    await takenIn(sql, org, message)
    return acknowledgement(message, 'AA', '', instant())
  } catch (error) {
    const isReadable = error instanceof UnreadableMessage || error instanceof BusinessError
    if (!isReadable) reportError('HL7 message', error)
    const reason = isReadable ? error.message : '服务错误，请稍后重发'
    if (message) await note(sql, org, message, { state: 'failed', error: reason })
    return acknowledgement(message, message ? 'AE' : 'AR', reason, instant())
  }
}

async function refused(sql: Sql, org: string, message: Hl7Message, reason: string): Promise<string> {
  await note(sql, org, message, { state: 'rejected', error: reason })
  return acknowledgement(message, 'AR', reason, instant())
}

const takenIn = (sql: Sql, org: string, message: Hl7Message): Promise<void> =>
  inOrganisation(sql, org, '0', async tx => {
    if (!(await isNew(tx, org, message))) return
    const received = readMessage(message)
    for (const take of hooks().hisReceived) await take(tx, org, received)
  })

/** Holds the message's row until the end, so that the same one at once waits and does nothing. */
async function isNew(tx: Tx, org: string, { sender, controlId, type, event }: Hl7Message): Promise<boolean> {
  const written = await tx`
    insert into his_message as m (org_id, sender, control_id, message_type, state)
    values (${org}, ${sender}, ${controlId}, ${`${type}^${event}`}, 'done')
    on conflict (org_id, sender, control_id) do update set state = 'done', error = null, received_at = now()
      where m.state <> 'done' returning m.control_id`
  return written.length > 0
}

const note = (sql: Sql, org: string, { sender, controlId, type, event }: Hl7Message, { state, error }: Noted) =>
  inOrganisation(
    sql,
    org,
    '0',
    tx => tx`
      insert into his_message as m (org_id, sender, control_id, message_type, state, error)
      values (${org}, ${sender}, ${controlId}, ${`${type}^${event}`}, ${state}, ${error})
      on conflict (org_id, sender, control_id) do update set state = excluded.state, error = excluded.error,
        received_at = now() where m.state <> 'done'`,
  ).catch(failure => reportError('HL7 message', failure))

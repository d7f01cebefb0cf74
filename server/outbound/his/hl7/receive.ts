import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { Sql } from 'postgres'
import { instant } from '#kernel/values/date.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { recordIncident } from '#server/audit/incidents.ts'
import { reportError } from '#server/audit/reported-errors.ts'
import { inOrganisation, type Tx } from '#server/database/transaction.ts'
import {
  acknowledgement,
  decodeMessage,
  type Hl7Message,
  isAcknowledgement,
  messagesIn,
  namedIn,
  parseMessage,
  UnreadableMessage,
} from '#server/outbound/his/hl7/message.ts'
import { type Answering, LONGEST_FRAME } from '#server/outbound/his/hl7/mllp.ts'
import { isTakenIn, readMessage } from '#server/outbound/his/hl7/read-message.ts'
import { systemSessionOf } from '#server/organisations/organisations.ts'
import { hooks } from '#server/registry/hooks.ts'

/** The result of a message, or why it did nothing; it contains nothing of a patient. */
type Noted = { readonly state: 'done' | 'failed' | 'rejected'; readonly error: string | null }

/** So many messages one frame may hold; each has its answer. */
const MOST_MESSAGES = 5000

/**
 * Takes in what one frame holds: a message, several, or a batch. Each is answered; acknowledgements are not, for their
 * answers would be answered in turn.
 */
export async function receiveFrame(sql: Sql, org: string, bytes: Buffer): Promise<readonly string[]> {
  try {
    const { text, encoding } = decodeMessage(bytes)
    const messages = messagesIn(text)
    if (messages.length === 0) return [await unread(sql, org, bytes, '报文没有MSH段')]
    if (messages.length > MOST_MESSAGES)
      return [await unread(sql, org, bytes, `一帧最多${MOST_MESSAGES}条报文，请分批发送`)]
    const answers: string[] = []
    for (const one of messages) {
      // Other work has its turn between two messages, also when they cannot be read.
      await setImmediate()
      answers.push(...(await receiveText(sql, org, one, encoding)))
    }
    return answers
  } catch (error) {
    if (!(error instanceof UnreadableMessage)) reportError('HL7 message', error)
    return [await unread(sql, org, bytes, error instanceof UnreadableMessage ? error.message : '服务错误，请稍后重发')]
  }
}

/** Why bytes that arrived are no frame that is read. */
const refusals = {
  tooLong: `报文超过${LONGEST_FRAME / 1000}KB，请分批发送`,
  unframed: '报文没有MLLP帧：每条报文前应有字节0B，后应有字节1C和0D，连接已关闭',
} as const

/** What a hospital's port answers. */
export const answeringOf = (sql: Sql, org: string): Answering => ({
  answer: frame => receiveFrame(sql, org, frame),
  refuse: (head, why) => unread(sql, org, head, refusals[why]),
})

/**
 * The answer to what could not be read. Nothing of it is kept among the messages, for nobody knows which one it was: it
 * is an incident of the hospital, which names its sender and no patient.
 */
async function unread(sql: Sql, org: string, bytes: Buffer, reason: string): Promise<string> {
  const named = namedIn(bytes)
  const object = [named.sender, named.controlId].map(legible).filter(Boolean).join(' ') || '发送方不明'
  await inOrganisation(sql, org, '0', async tx =>
    recordIncident(tx, await systemSessionOf(tx, org), {
      kind: 'interface',
      source: 'HL7',
      description: reason,
      object,
    }),
  ).catch(failure => reportError('HL7 message', failure))
  return acknowledgement(named, 'AR', reason, instant())
}

/** What a header says of itself, without what nobody could read. */
const legible = (text: string): string =>
  text
    .replace(/[^\x20-\x7e]/g, '')
    .replace(/^\|$/, '')
    .slice(0, 80)

/**
 * Takes one message in and answers it: AA once it is stored, AE where it cannot be used as it is, AR where such
 * messages are not taken at all. Its control id (MSH-10) is kept: sent again after it was accepted, it does nothing;
 * another message under it is an error.
 */
async function receiveText(sql: Sql, org: string, text: string, encoding: string): Promise<readonly string[]> {
  let message: Hl7Message | null = null
  try {
    message = parseMessage(text, encoding)
    if (!isTakenIn(message))
      return isAcknowledgement(message)
        ? []
        : [await refused(sql, org, message, `不接收${message.type}^${message.event}`)]
    await takenIn(sql, org, message, createHash('sha256').update(text).digest('hex'))
    return [acknowledgement(message, 'AA', '', instant())]
  } catch (error) {
    const isReadable = error instanceof UnreadableMessage || error instanceof BusinessError
    if (!isReadable) reportError('HL7 message', error)
    const reason = isReadable ? error.message : '服务错误，请稍后重发'
    if (message === null) return [await unread(sql, org, Buffer.from(text), reason)]
    await note(sql, org, message, { state: 'failed', error: reason })
    return [acknowledgement(message, 'AE', reason, instant())]
  }
}

async function refused(sql: Sql, org: string, message: Hl7Message, reason: string): Promise<string> {
  await note(sql, org, message, { state: 'rejected', error: reason })
  return acknowledgement(message, 'AR', reason, instant())
}

const takenIn = (sql: Sql, org: string, message: Hl7Message, digest: string): Promise<void> =>
  inOrganisation(sql, org, '0', async tx => {
    if (!(await isNew(tx, org, message, digest))) return
    const received = readMessage(message)
    for (const take of hooks().hisReceived) await take(tx, org, received)
  })

/**
 * Holds the message's row until the end, so that the same one at once waits and does nothing. Refuses another message
 * under the control id of one that was accepted.
 */
async function isNew(
  tx: Tx,
  org: string,
  { sender, controlId, type, event }: Hl7Message,
  digest: string,
): Promise<boolean> {
  const written = await tx`
    insert into his_message as m (org_id, sender, control_id, message_type, state, digest)
    values (${org}, ${sender}, ${controlId}, ${`${type}^${event}`}, 'done', ${digest})
    on conflict (org_id, sender, control_id) do update set state = 'done', error = null, received_at = now(),
        digest = excluded.digest
      where m.state <> 'done' returning m.control_id`
  if (written.length > 0) return true
  const [other] = await tx`
    select from his_message
     where org_id = ${org} and sender = ${sender} and control_id = ${controlId} and digest <> ${digest}`
  if (other) throw new UnreadableMessage(`控制号${controlId}已用于另一报文，请用新的控制号重发`)
  return false
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

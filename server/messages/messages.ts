import { deliveryOf } from '#server/messages/delivery.ts'
import type { Tx } from '#server/database/transaction.ts'

/** The subject of a message, as filtered in the inbox. */
export const messageTypes = {
  document: '业务单据',
  notice: '通知公告',
  audit: '审核结果',
  announcement: '平台公告',
  maintenance: '系统维护',
  training: '培训通知',
  system: '系统消息',
} as const
export type MessageType = keyof typeof messageTypes

/** A message to an organisation's users. */
export type NewMessage = {
  readonly title: string
  readonly body: string
  /** The target of a click: a word of the specification (voucher, registration …), or the kind of a document. */
  readonly uri: string
  readonly objectId: string
  /** The definition it is about: users who may open that may read it. Null: all users. */
  readonly kind: string | null
  readonly extra?: Readonly<Record<string, unknown>>
  /** The acting user, who is not notified of their own action. */
  readonly by?: string
  /** For one user only. */
  readonly userId?: string
  /** Default: document when it has a kind, else a system message. */
  readonly type?: MessageType
  /** Stores it concerns: users bound to others are not notified. None: all users. */
  readonly stores?: readonly (string | null | undefined)[]
  /** The department it concerns, likewise. */
  readonly departmentId?: string | null
  readonly validTo?: string | null
  /** The organisation must confirm it; until then it stays on top. */
  readonly needsConfirm?: boolean
  /** The sender and its row, where the sender wants to know who read it. */
  readonly from?: { readonly org: string; readonly kind: string; readonly id: string }
}

/**
 * Stores a message and wakes the server processes, which show it to connected users once the transaction is
 * committed.
 */
export async function sendMessage(tx: Tx, org: string, message: NewMessage): Promise<void> {
  const { from } = message
  const stores = (message.stores ?? []).filter(store => store !== null && store !== undefined)
  const type = message.type ?? (message.kind === null ? 'system' : 'document')
  const [row] = await tx<{ id: string }[]>`
    insert into message (org_id, user_id, title, body, uri, object_id, kind, extra, message_type, stores,
      department_id, valid_to, needs_confirm, from_org_id, from_kind, from_id, delivery)
    values (${org}, ${message.userId ?? null}, ${message.title}, ${message.body}, ${message.uri}, ${message.objectId},
      ${message.kind},
            ${tx.json({ ...message.extra, ...(message.by ? { by: message.by } : {}) })},
            ${type}, ${stores}::bigint[], ${message.departmentId ?? null}, ${message.validTo ?? null},
              ${message.needsConfirm ?? false},
            ${from?.org ?? null}, ${from?.kind ?? null}, ${from?.id ?? null},
            ${deliveryOf(org, [message.userId, message.title, message.body, message.objectId])})
    on conflict (org_id, delivery) where delivery is not null do nothing
    returning id`
  if (!row) return
  await tx`select pg_notify('medtrace', ${JSON.stringify({ org, message: row.id })})`
}

/** Takes a message back from users who have not read it yet. Those who have read it keep it. */
export const recallMessages = (tx: Tx, org: string, from: { org: string; kind: string; id: string }) => tx`
  update message set recalled_at = now()
   where org_id = ${org} and from_org_id = ${from.org} and from_kind = ${from.kind} and from_id = ${from.id}
     and recalled_at is null`

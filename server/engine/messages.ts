import type { JSONValue } from 'postgres'
import type { Tx } from '#server/engine/transaction.ts'

/** Something that an organisation's people are told. */
export type NewMessage = {
  readonly title: string
  readonly body: string
  /** Where a click leads: a word of the specification (voucher, registration …), or the kind of a paper. */
  readonly uri: string
  readonly objectId: string
  /** The definition it tells of: whoever may open that may read it. Null: everybody. */
  readonly kind: string | null
  readonly extra?: Readonly<Record<string, unknown>>
  /** Who did it: nobody is told of his own deed. */
  readonly by?: string
  /** For one person alone. */
  readonly userId?: string
}

/** Lays a message down and wakes the server processes, which show it to whoever is connected once the transaction stands. */
export async function leaveMessage(tx: Tx, org: string, message: NewMessage): Promise<void> {
  const [row] = await tx<{ id: string }[]>`
    insert into message (org_id, user_id, title, body, uri, object_id, kind, extra)
    values (${org}, ${message.userId ?? null}, ${message.title}, ${message.body}, ${message.uri}, ${message.objectId}, ${message.kind},
            ${tx.json({ ...message.extra, ...(message.by ? { by: message.by } : {}) } as JSONValue)})
    returning id`
  await tx`select pg_notify('medtrace', ${JSON.stringify({ org, message: row?.id })})`
}

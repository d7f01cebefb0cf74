import type { Book } from '#kernel/definition/document.ts'
import { type Decimal, isNegative, negate, sum } from '#kernel/values/decimal.ts'
import { orgTypeOf } from '#kernel/values/organisation-type.ts'
import type { Place, Posting } from '#kernel/ledger/posting.ts'
import { documentOf } from '#kernel/registry.ts'
import type { Message, DocumentMessage, ProgressMessage } from '#server/documents/intercompany/outbox.ts'
import { loadDocument } from '#server/documents/repository/load.ts'
import type { StoredLine } from '#server/documents/repository/document.ts'
import type { UpdateMessage } from '#server/documents/intercompany/respond.ts'
import type { Tx } from '#server/database/transaction.ts'

/**
 * The changes that undelivered intercompany messages will make at their receivers, so that both sides can be compared
 * today.
 */
export type Pending = {
  readonly consigned: readonly { org: string; customer: string; lot: string; quantity: Decimal }[]
  /** Goods of others that will be, or will no longer be, on the shelves of an organisation. */
  readonly kept: readonly { org: string; lot: string; owner: string; quantity: Decimal }[]
  readonly transit: readonly { org: string; under: string; lot: string; owner: string; quantity: Decimal }[]
  /** Progress on the receiver's own documents, by sn. */
  readonly progress: readonly {
    org: string
    kind: string
    sn: string
    line_no: number
    purpose: string
    quantity: Decimal
  }[]
  /** Documents with undelivered messages, by sender and sn. */
  readonly documents: readonly { org: string; to: string; sn: string }[]
}
type Waiting = { org_id: string; to_org_id: string; system_type: number; sn: string; payload: Message }
type Collected = { -readonly [K in keyof Pending]: Pending[K][number][] }

/** Reads the waiting messages: a crash or a broken connection leaves a handful, never a ledger. */
export async function pendingEffects(tx: Tx): Promise<Pending> {
  const rows = await tx<Waiting[]>`
    select h.org_id, h.to_org_id, o.system_type, d.sn, h.payload from intercompany_message h
      join organisation o on o.id = h.to_org_id
      join document d on d.org_id = h.org_id and d.id = h.document_id
     where h.delivered_at is null
       and not exists (select 1 from intercompany_message_received t
         where t.org_id = h.to_org_id and t.from_org_id = h.org_id and t.intercompany_message_id = h.id)
     order by h.id`
  const pending: Collected = { consigned: [], kept: [], transit: [], progress: [], documents: [] }
  for (const row of rows) {
    pending.documents.push({ org: row.org_id, to: row.to_org_id, sn: row.sn })
    if (row.payload.message === 'document') arriving(pending, row, row.payload)
    if (row.payload.message === 'progress') await answered(tx, pending, row, row.payload)
    if (row.payload.message === 'notification') await confirmed(tx, pending, row, row.payload)
  }
  return pending
}

const bookOf = (row: Waiting): Book => ({ org: row.to_org_id, type: orgTypeOf(row.system_type) })

function arriving(pending: Collected, row: Waiting, message: DocumentMessage): void {
  const arrives = documentOf(message.kind)?.intercompany.copies?.[message.send]?.receiverPosts
  if (!arrives) return
  const lines = message.lines as unknown as readonly StoredLine[]
  collect(
    pending,
    row.to_org_id,
    arrives({ ...message.header, sn: message.sn, counterparty_sn: row.org_id, lines }, bookOf(row)),
    lines,
    false,
  )
}

/** A review that its receivers have not heard of: what they will book once the copy is in force. */
async function confirmed(tx: Tx, pending: Collected, row: Waiting, message: UpdateMessage): Promise<void> {
  const definition = documentOf(message.kind)
  const rule = definition?.intercompany.copies?.[message.reviewed ?? -1]?.reviewed
  if (!definition || !rule) return
  const [sent] = await tx<{ payload: DocumentMessage }[]>`
    select payload from intercompany_message
     where org_id = ${row.org_id} and to_org_id = ${row.to_org_id} and message = 'document'
       and payload->>'kind' = ${message.kind} and payload->>'sn' = ${message.sn} and withdrawn_at is null
     order by id desc limit 1`
  if (!sent) return
  const lines = sent.payload.lines as unknown as readonly StoredLine[]
  const copy = { ...sent.payload.header, sn: message.sn, counterparty_sn: row.org_id, lines }
  collect(pending, row.to_org_id, rule.posts(copy as never, bookOf(row)), lines, message.unreviewed ?? false)
}

async function answered(tx: Tx, pending: Collected, row: Waiting, message: ProgressMessage): Promise<void> {
  for (const line of message.lines)
    pending.progress.push({
      org: row.to_org_id,
      kind: message.kind,
      sn: message.sn,
      line_no: line.line_no,
      purpose: message.purpose,
      quantity: line.quantity,
    })
  const definition = documentOf(message.kind)
  const books = definition?.intercompany.onProgress?.[message.purpose]
  if (!definition || !books) return
  const back = message.lines.some(line => isNegative(line.quantity))
  const doc = await loadDocument(tx, row.to_org_id, definition, message.sn)
  const lines = doc.lines.flatMap(line => {
    const parts = message.lines.filter(item => item.line_no === line.line_no)
    const quantity = sum(
      parts.map(part => (back ? negate(part.quantity) : part.quantity)),
      3,
    )
    return parts.length > 0 ? [{ ...line, base_quantity: quantity }] : []
  })
  collect(pending, row.to_org_id, books({ ...doc, lines }, bookOf(row)), lines, back)
}

/** The parts of a posting that another organisation's rows are compared with. */
function collect(pending: Collected, org: string, posting: Posting, lines: readonly StoredLine[], back: boolean): void {
  for (const move of posting.moves ?? []) {
    const lot = lines.find(line => line.line_no === move.line_no)?.lot_id
    if (!lot) continue
    const end = (place: Place, arriving: boolean) => {
      const quantity = arriving !== back ? move.quantity : negate(move.quantity)
      // A hospital's store for goods on loan counts as what it keeps of others, as what is on its way to them does.
      if (place.at === 'loan') pending.kept.push({ org, lot, owner: move.owner ?? org, quantity })
      if (place.at === 'consigned') pending.consigned.push({ org, customer: place.customer, lot, quantity })
      if (place.at === 'transit')
        pending.transit.push({ org, under: place.under, lot, owner: move.owner ?? org, quantity })
    }
    end(move.from, false)
    end(move.to, true)
  }
}

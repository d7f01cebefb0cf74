import type { CopyRule } from '#kernel/definition/document-links.ts'
import type { AnyDocument } from '#kernel/definition/document.ts'
import type { Purpose } from '#kernel/definition/progress.ts'
import type { Decimal } from '#kernel/values/decimal.ts'
import type { State } from '#kernel/definition/document-state.ts'
import { derived, documentOf, documents } from '#kernel/registry.ts'
import { recipientsOf } from '#server/documents/intercompany/recipients.ts'
import type { UpdateLine, UpdateMessage } from '#server/documents/intercompany/respond.ts'
import type { ProgressEntry } from '#server/documents/progress/progress.ts'
import {
  byName,
  headerColumns,
  lineColumns,
  type StoredDocument,
  type StoredLine,
} from '#server/documents/repository/document.ts'
import { filesToSend, type SentFile } from '#server/files/sent.ts'
import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'

/** A copy of the fields meant for the receiver, and what is to be created there. */
export type DocumentMessage = {
  readonly message: 'document'
  readonly kind: string
  readonly sn: string
  readonly state: string
  readonly header: Readonly<Record<string, unknown>>
  readonly lines: readonly (Readonly<Record<string, unknown>> & {
    readonly order_sn: string | null
    readonly order_line_no: number | null
    /** The receiver's own delivery that the goods came with, where the receiver sent them. */
    readonly home_sn: string | null
    readonly home_line_no: number | null
    readonly from_sn: string | null
    readonly from_org: string | null
    readonly from_line_no: number | null
  })[]
  readonly send: number
  /** Files that the receiver may open from then on. */
  readonly files?: readonly SentFile[]
  /** Nobody at the receiver is notified of it. */
  readonly silent?: boolean
  /** For a report of a reversal: the report that it reduces. */
  readonly red_of?: string
}
/** Progress on the receiver's own document. Negative quantities take it back. */
export type ProgressMessage = {
  readonly message: 'progress'
  readonly kind: string
  readonly sn: string
  readonly purpose: Purpose
  readonly lines: readonly {
    readonly line_no: number
    readonly quantity: Decimal
    readonly unit_codes: readonly string[]
    readonly lot_id: string | null
  }[]
  /** True where the message follows from stopping the document, and not from an action of a user at the other side. */
  readonly stopped?: true
}
/** An action of the other side on its copy, to be applied to the original. */
export type ActionMessage = {
  readonly message: 'act'
  readonly kind: string
  readonly sn: string
  readonly action: string
  readonly label: string
  readonly reason: string | null
  readonly actor: string
  /** Header fields then set on the original, where the action of its kind does not set them. */
  readonly sets?: Readonly<Record<string, string | null>>
  /** Own line fields then set on the original's lines. */
  readonly lines?: readonly UpdateLine[]
  /** The original's new state, if it is still in the state where the action starts. */
  readonly to?: State
  /** Lines of the original that will not be executed any further. */
  readonly stops?: readonly number[]
}
/** The sender stops what it sent: no more documents can be made from the copy, or from these lines of it. */
export type StopMessage = {
  readonly message: 'stopped'
  readonly kind: string
  readonly sn: string
  readonly reason: string | null
  readonly lines?: readonly number[]
}
/** The sender took back what it had reviewed: the copy is gone, and what it booked with it. */
export type WithdrawalMessage = {
  readonly message: 'withdrawn'
  readonly kind: string
  readonly sn: string
  readonly label: string
}
export type Message =
  | DocumentMessage
  | ProgressMessage
  | ActionMessage
  | StopMessage
  | UpdateMessage
  | WithdrawalMessage

export async function enqueueMessage(
  tx: Tx,
  session: Session,
  to: string,
  document: string,
  message: Message,
): Promise<void> {
  await tx`
    insert into intercompany_message (org_id, to_org_id, message, document_id, payload)
    select d.org_id, ${to}::bigint, ${message.message}, d.id, ${tx.json(message)}
      from document d where d.org_id = ${session.org.id} and d.id = ${document}
    returning id`
}

const privateHeader = new Set([
  'counterparty_sn',
  'warehouse_model_inner_sn',
  'to_warehouse_model_inner_sn',
  'department_inner_sn',
  'handler_inner_sn',
  'source_type',
  'source_sn',
  'source_org_sn',
  'attachments',
])
const privateLine = new Set([
  'location',
  'owner_org_sn',
  'order_document_id',
  'order_line_no',
  'delivery_document_id',
  'delivery_line_no',
  'source_document_id',
  'source_sn',
  'source_org_sn',
  'source_line_no',
])
const prices = new Set(['price', 'tax_rate', 'untaxed_amount', 'tax_amount', 'taxed_amount'])

/** The receiver's own order lines behind ours: the name of a chain order on its side. */
async function ordersAt(
  tx: Tx,
  org: string,
  doc: StoredDocument,
  receiver: string,
): Promise<Map<number, { sn: string; line_no: number }>> {
  if (documentOf(doc.kind)?.sourcing.isOrder) return new Map()
  const rows = await tx<{ line_no: number; sn: string; source_line_no: number }[]>`
    select l.line_no, coalesce(o.source_sn, s.source_sn) as sn,
      coalesce(o.source_line_no, s.source_line_no) as source_line_no
      from document_line l
      left join document_line o on o.org_id = l.org_id and o.document_id = l.order_document_id
        and o.line_no = l.order_line_no and o.source_org_id = ${receiver}
      left join document_line s on s.org_id = l.org_id and s.document_id = l.document_id and s.line_no = l.line_no
        and s.source_org_id = ${receiver}
     where l.org_id = ${org} and l.document_id = ${doc.id}`
  return new Map(rows.filter(row => row.sn).map(row => [row.line_no, { sn: row.sn, line_no: row.source_line_no }]))
}

type Named = ReadonlyMap<number, { sn: string; line_no: number }>

/** The receiver's own deliveries behind our lines: returned goods came with them. */
async function homesAt(tx: Tx, org: string, doc: StoredDocument, receiver: string): Promise<Named> {
  const ids = doc.lines.flatMap(line => (line.delivery_document_id ? [line.delivery_document_id] : []))
  if (ids.length === 0) return new Map()
  const copies = await tx<{ id: string; sn: string }[]>`
    select id, split_part(sn, '/', 1) as sn from document
     where org_id = ${org} and id = any(${[...new Set(ids)]}::bigint[]) and from_org_id = ${receiver}
       and role = 'counterparty'`
  const sns = new Map(copies.map(copy => [copy.id, copy.sn]))
  return new Map(
    doc.lines.flatMap(line => {
      const sn = sns.get(line.delivery_document_id ?? '')
      return sn && line.delivery_line_no !== null ? [[line.line_no, { sn, line_no: line.delivery_line_no }]] : []
    }),
  )
}

type Behind = { readonly orders: Named; readonly homes: Named; readonly theirs: Named }

/** Kinds whose copies report to the receiver what was done with the receiver's goods. */
const reportingKinds = derived(() =>
  documents().flatMap(({ kind, intercompany }) => (intercompany.copies?.some(send => send.reports) ? [kind] : [])),
)

/**
 * The receiver's own documents behind our documents that lines were made from: a red invoice names the return that the
 * receiver sent. A use was reported to the receiver, so it is named itself.
 */
async function documentsOf(tx: Tx, org: string, doc: StoredDocument, receiver: string): Promise<Named> {
  const rows = await tx<{ line_no: number; sn: string; source_line_no: number }[]>`
    select l.line_no, s.source_sn as sn, s.source_line_no from document_line l
      join document d on d.org_id = l.org_id and d.id = l.source_document_id and d.role = 'own'
        and d.kind <> all(${reportingKinds()})
      join document_line s on s.org_id = l.org_id and s.document_id = l.source_document_id
        and s.line_no = l.source_line_no
     where l.org_id = ${org} and l.document_id = ${doc.id} and s.source_org_id = ${receiver}`
  return new Map(rows.map(row => [row.line_no, { sn: row.sn, line_no: row.source_line_no }]))
}

function copyOf(
  definition: AnyDocument,
  doc: StoredDocument,
  send: CopyRule<never>,
  lines: readonly StoredLine[],
  { orders, homes, theirs }: Behind,
  receiver: string,
  index: number,
): DocumentMessage {
  const header: Record<string, unknown> = {}
  const bare = send.toOwners || send.reports || send.withoutRemarks
  for (const name of Object.keys(headerColumns))
    if (!privateHeader.has(name) && !(bare && name === 'remark')) header[name] = doc[name as keyof StoredDocument]
  for (const name of send.header ?? []) if (!definition.header[name]?.patient) header[name] = byName(doc)[name]
  const meant = (send.lines ?? []).filter(name => !definition.lines[name]?.patient)
  return {
    message: 'document',
    kind: doc.kind,
    sn: doc.sn,
    state: send.informational ? 'completed' : send.on === 'submit' ? 'submitted' : 'reviewed',
    header,
    send: index,
    lines: lines.map(line => {
      const copied: Record<string, unknown> = {}
      for (const name of Object.keys(lineColumns))
        if ((!privateLine.has(name) || (send.reports && name === 'owner_org_sn')) && !(bare && name === 'remark'))
          copied[name] = send.hidePrices && prices.has(name) ? '0' : byName(line)[name]
      // Goods owned by the sender are the receiver's from there on.
      if (send.keepsOwnership && line.owner_org_sn !== doc.org_sn) copied.owner_org_sn = line.owner_org_sn
      for (const name of meant) copied[name] = byName(line)[name]
      const [order, own] = [orders.get(line.line_no), theirs.get(line.line_no)]
      return {
        ...copied,
        order_sn: order?.sn ?? null,
        order_line_no: order?.line_no ?? null,
        home_sn: homes.get(line.line_no)?.sn ?? null,
        home_line_no: homes.get(line.line_no)?.line_no ?? null,
        from_sn: own?.sn ?? line.source_sn,
        from_org: own ? receiver : line.source_org_sn,
        from_line_no: own?.line_no ?? line.source_line_no,
      }
    }),
  }
}

/** Pictures and scans attached to the document are attached to the copy as well. */
const withFiles = async (
  tx: Tx,
  session: Session,
  doc: StoredDocument,
  copy: DocumentMessage,
): Promise<DocumentMessage> => ({
  ...copy,
  header: { ...copy.header, attachments: doc.attachments },
  files: await filesToSend(tx, session.org.id, doc.attachments),
})

/**
 * Writes the intercompany messages required at this point. Organisations without their own row here are not
 * receivers.
 */
export async function sendCopies(
  tx: Tx,
  session: Session,
  definition: AnyDocument,
  doc: StoredDocument,
  at: 'submit' | 'review',
  only: ReadonlySet<string> | null = null,
): Promise<string[]> {
  const receivers: string[] = []
  for (const [index, send] of (definition.intercompany.copies ?? []).entries()) {
    if (send.on !== at) continue
    for (const { receiver, lines, header, silent } of await recipientsOf(
      tx,
      session,
      definition,
      doc,
      send as CopyRule<never>,
    )) {
      if (only && !only.has(receiver)) continue
      if (!(await hasAccount(tx, receiver))) continue
      const behind = {
        orders: await ordersAt(tx, session.org.id, doc, receiver),
        homes: await homesAt(tx, session.org.id, doc, receiver),
        theirs: await documentsOf(tx, session.org.id, doc, receiver),
      }
      const meant = { ...doc, ...header }
      const copy = {
        ...copyOf(definition, meant, send as CopyRule<never>, lines, behind, receiver, index),
        ...(silent ? { silent } : {}),
      }
      await enqueueMessage(
        tx,
        session,
        receiver,
        doc.id,
        send.attachments ? await withFiles(tx, session, doc, copy) : copy,
      )
      receivers.push(receiver)
    }
  }
  return receivers
}

/** Everyone who was sent a document that was not withdrawn since. */
export async function holdersOf(tx: Tx, org: string, document: string): Promise<string[]> {
  const rows = await tx<{ to_org_id: string }[]>`
    select distinct to_org_id from intercompany_message where org_id = ${org} and document_id = ${document}
      and message = 'document' and withdrawn_at is null order by to_org_id`
  return rows.map(row => row.to_org_id)
}

/** Notifies everyone with a copy that the rest will not be executed, of all lines or of some. */
export async function sendStop(
  tx: Tx,
  session: Session,
  doc: StoredDocument,
  reason: string | null,
  lines?: readonly number[],
): Promise<void> {
  for (const receiver of await holdersOf(tx, session.org.id, doc.id))
    await enqueueMessage(tx, session, receiver, doc.id, {
      message: 'stopped',
      kind: doc.kind,
      sn: doc.sn,
      reason,
      ...(lines ? { lines } : {}),
    })
}

/**
 * Organisations without an account, and those on file only as a partner, cannot answer: nothing is sent to them, and
 * their answer is booked at once.
 */
export async function hasAccount(tx: Tx, org: string): Promise<boolean> {
  const rows = await tx`
    select 1 from organisation_in_use u join organisation o on o.id = u.org_id where u.org_id = ${org} and u.has_enabled
      and o.uses_system`
  return rows.length > 0
}

/** True if this organisation was sent a copy of the document that was not withdrawn since. */
export async function isSentTo(tx: Tx, org: string, document: string, receiver: string): Promise<boolean> {
  const rows = await tx`
    select 1 from intercompany_message where org_id = ${org} and document_id = ${document} and to_org_id = ${receiver}
      and message = 'document' and withdrawn_at is null limit 1`
  return rows.length > 0
}

/** Notifies the owners of the copies that this document advanced. */
export async function sendProgress(
  tx: Tx,
  session: Session,
  doc: StoredDocument,
  all: readonly ProgressEntry[],
  said: Pick<ProgressMessage, 'stopped'> = {},
): Promise<void> {
  const advances = all.filter(item => !item.quiet)
  const ids = [...new Set(advances.map(item => item.document_id))]
  if (ids.length === 0) return
  const copies = await tx<{ id: string; kind: string; sn: string; from_org_id: string }[]>`
    select id, kind, sn, from_org_id from document where org_id = ${session.org.id} and id = any(${ids}::bigint[])
      and role = 'counterparty'`
  for (const copy of copies) {
    const mine = advances.filter(item => item.document_id === copy.id)
    for (const [purpose, items] of Map.groupBy(mine, item => item.purpose)) {
      const lines = items.map(item => {
        const line = doc.lines.find(
          candidate =>
            (candidate.source_document_id === copy.id && candidate.source_line_no === item.line_no) ||
            (candidate.delivery_document_id === copy.id && candidate.delivery_line_no === item.line_no),
        )
        return {
          line_no: item.line_no,
          quantity: item.quantity,
          unit_codes: line?.unit_codes ?? [],
          lot_id: line?.lot_id ?? null,
        }
      })
      await enqueueMessage(tx, session, copy.from_org_id, doc.id, {
        message: 'progress',
        kind: copy.kind,
        sn: copy.sn,
        purpose,
        lines,
        ...said,
      })
    }
  }
}

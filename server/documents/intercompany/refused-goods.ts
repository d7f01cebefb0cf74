import { isCount, isPositive, multiply, negate, subtract } from '#kernel/values/decimal.ts'
import type { AnyDocument } from '#kernel/definition/document.ts'
import type { Purpose } from '#kernel/definition/progress.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import type { ActionContext } from '#server/documents/action/context.ts'
import { packUnits } from '#server/documents/lines/units-of-measure.ts'
import { sendProgress } from '#server/documents/intercompany/outbox.ts'
import { loadDocuments } from '#server/documents/repository/load.ts'
import { type ProgressEntry, recordProgress } from '#server/documents/progress/progress.ts'
import { definitionOf } from '#server/documents/sources/open-source.ts'
import type { StoredDocument, StoredLine } from '#server/documents/repository/document.ts'
import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'

/** The purposes by which the other side is notified that its goods were refused. */
export const refusalPurposes: readonly Purpose[] = ['refuse', 'reject']

type RefusedPart = {
  readonly line: StoredLine
  readonly copy: StoredDocument
  readonly from: StoredLine
  readonly step: ProgressEntry
}

/** The other side's documents that lines came with: a line's source, or the delivery behind it. */
async function copiesBehind(tx: Tx, org: string, lines: readonly StoredLine[]): Promise<Map<string, StoredDocument>> {
  const ids = lines.flatMap(line => [line.source_document_id, line.delivery_document_id].filter(id => id !== null))
  const found = ids.length === 0 ? [] : await loadDocuments(tx, org, [...new Set(ids)])
  return new Map(found.filter(doc => doc.role === 'counterparty').map(doc => [doc.id, doc]))
}

/**
 * The refused quantities of each line, counted on the document with which the goods came. Goods that came without
 * another organisation's document notify no one.
 */
export async function refusedLines(
  tx: Tx,
  org: string,
  definition: AnyDocument,
  doc: StoredDocument,
): Promise<RefusedPart[]> {
  const parts = doc.lines.flatMap(line => {
    const part = definition.lineRules.rejected?.(line)
    return part && isPositive(part.quantity) ? [{ line, ...part }] : []
  })
  if (parts.length === 0) return []
  const copies = await copiesBehind(
    tx,
    org,
    parts.map(part => part.line),
  )
  const packs = await packUnits(
    tx,
    parts.flatMap(({ line }) => (line.unit_inner_sn ? [line.unit_inner_sn] : [])),
  )
  return parts.flatMap(({ line, purpose, quantity: entered }): RefusedPart[] => {
    const quantity = multiply(entered, String(packs.get(line.unit_inner_sn ?? '')?.base_measure ?? 1), 3)
    const ends = [
      [line.source_document_id, line.source_line_no],
      [line.delivery_document_id, line.delivery_line_no],
    ] as const
    const [id, no] = ends.find(([document]) => document !== null && copies.has(document)) ?? [null, null]
    const copy = id === null ? undefined : copies.get(id)
    const from = copy?.lines.find(candidate => candidate.line_no === no)
    if (!copy || !from) return []
    return [
      {
        line,
        copy,
        from,
        step: { document_id: copy.id, line_no: from.line_no, purpose, quantity, measure: 'quantity' },
      },
    ]
  })
}

/**
 * Refused pieces: those of the delivery that the line does not name, where their number equals the refused quantity.
 */
function piecesAway({ line, from, step }: RefusedPart): readonly string[] {
  const away = from.unit_codes.filter(code => !line.unit_codes.includes(code))
  return isCount(step.quantity, away.length) ? away : []
}

/** The arrival progress of our own orders, with the refused goods counted back. */
const ordersWithout = (parts: readonly RefusedPart[]): ProgressEntry[] =>
  parts.flatMap(({ copy, from, step }): ProgressEntry[] => {
    const purpose = definitionOf(copy.kind).intercompany.copies?.find(send => send.countsAs)?.countsAs
    return purpose && from.order_document_id && from.order_line_no !== null
      ? [
          {
            document_id: from.order_document_id,
            line_no: from.order_line_no,
            purpose,
            quantity: negate(step.quantity),
            measure: 'quantity',
          },
        ]
      : []
  })

/** Counts refused goods on their source, and notifies its owner; our own order waits for them again. */
export async function recordRefusedGoods(ctx: ActionContext): Promise<void> {
  const { tx, session, definition, doc } = ctx
  const parts = await refusedLines(tx, session.org.id, definition, doc)
  if (parts.length === 0) return
  await recordProgress(tx, session, [...parts.map(part => part.step), ...ordersWithout(parts)], doc.id)
  await notifyRefused(tx, session, doc, parts)
}

async function notifyRefused(
  tx: Tx,
  session: Session,
  doc: StoredDocument,
  parts: readonly RefusedPart[],
): Promise<void> {
  for (const part of parts) {
    const notified = {
      ...doc,
      lines: [
        {
          ...part.line,
          unit_codes: piecesAway(part),
          source_document_id: part.copy.id,
          source_line_no: part.from.line_no,
        },
      ],
    }
    await sendProgress(tx, session, notified, [part.step])
  }
}

/** Notifies the owner again of what is still refused. */
export async function resendRefusal(
  tx: Tx,
  session: Session,
  definition: AnyDocument,
  doc: StoredDocument,
): Promise<void> {
  await notifyRefused(tx, session, doc, await refusedLines(tx, session.org.id, definition, doc))
}

/** 撤销拒收, once the owner released the goods: the refusal is cancelled, here and on our order. */
export async function cancelRefusedGoods({ tx, session, definition, doc, spec }: ActionContext): Promise<void> {
  const parts = await refusedLines(tx, session.org.id, definition, doc)
  if (parts.length === 0) throw new BusinessError('rule', `该${definition.title}没有拒收的货物，不能${spec.label}`)
  const back = [...parts.map(part => part.step), ...ordersWithout(parts)]
  await recordProgress(
    tx,
    session,
    back.map(step => ({ ...step, quantity: negate(step.quantity) })),
  )
  await tx`
    update intercompany_message set taken_back_at = posting_now()
     where org_id = ${session.org.id} and document_id = ${doc.id} and message = 'unrefuse' and withdrawn_at is not null
       and taken_back_at is null`
}

/** The other side was notified to take back the refused goods: the document that reports them cannot be taken back. */
export async function checkRefusalNotSent({ tx, session, definition, doc, spec }: ActionContext): Promise<void> {
  if (!definition.lineRules.rejected) return
  const parts = await refusedLines(tx, session.org.id, definition, doc)
  if (parts.length > 0)
    throw new BusinessError(
      'blocked',
      `拒收数量已通知对方，不能${spec.label}${definition.actions.unrefuse ? '，请先撤销拒收' : ''}`,
    )
}

/** The part of a line closed by the document itself at review is not due to a follow-up. */
export function withoutClosed<R extends { line_no: number; purpose: string; taken: string }>(
  definition: AnyDocument,
  doc: StoredDocument,
  rows: readonly R[],
): R[] {
  if (!definition.lineRules.selfClosed) return [...rows]
  return rows.map(row => {
    const line = doc.lines.find(candidate => candidate.line_no === row.line_no)
    const part = line ? definition.lineRules.selfClosed!(line) : null
    return part?.purpose === row.purpose ? { ...row, taken: subtract(row.taken, part.quantity, 3) } : row
  })
}

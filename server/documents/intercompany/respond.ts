import type { State } from '#kernel/definition/document-state.ts'
import type { ActionContext } from '#server/documents/action/context.ts'
import { enqueueMessage } from '#server/documents/intercompany/outbox.ts'
import { writeHistory } from '#server/documents/repository/history.ts'
import type { StoredDocument } from '#server/documents/repository/document.ts'
import type { Tx } from '#server/database/transaction.ts'

type Update = Readonly<Record<string, unknown>>
export type UpdateLine = { readonly line_no: number; readonly fields: Update }
/**
 * An update from a document's owner to those with a copy: own fields then set there, also on drafts made from it,
 * and sealed terms that were opened.
 */
export type UpdateMessage = {
  readonly message: 'notification'
  readonly kind: string
  readonly sn: string
  readonly label: string
  readonly text: string | null
  readonly sets: Readonly<Record<string, unknown>>
  /** The owner reviewed the document: the copy that was sent by this rule is in force. */
  readonly reviewed?: number
  /** The same taken back: the copy waits again. */
  readonly unreviewed?: true
  /** The owner's state, where the kind shares it (`sharesState`). */
  readonly state?: State
  readonly lines?: readonly (UpdateLine & { readonly terms?: Readonly<Record<string, unknown>> })[]
  /** The owner's terms also apply to documents made from the copy, as far as they are not executed. */
  readonly binds?: true
}

const pick = (row: object, names: readonly string[]): Update =>
  Object.fromEntries(names.map(name => [name, (row as Update)[name] ?? null]))

/**
 * The other side's answer: written on its copy, sent back and applied to the original as its action. Quiet actions
 * stay on the copy. `move` sets the copy's state and stamp.
 */
export async function respond(
  ctx: ActionContext,
  move: (state: State) => Promise<{ version: number }>,
): Promise<{ sn: string; version: number; state: State }> {
  const { tx, session, doc, action, reason, spec, dialogValues: answers } = ctx
  const sets = { ...spec.sets, ...pick(doc, spec.shares ?? []) }
  const lines = spec.sharesLines
    ? doc.lines.map(line => ({ line_no: line.line_no, fields: pick(line, spec.sharesLines!) }))
    : []
  if (!spec.localOnly)
    await enqueueMessage(tx, session, doc.from_org_id, doc.id, {
      message: 'act',
      kind: doc.kind,
      sn: doc.sn.split('/')[0]!,
      action,
      label: spec.label,
      reason,
      actor: session.userName,
      sets: sets as Readonly<Record<string, string | null>>,
      lines,
      ...(spec.to ? { to: spec.to } : {}),
    })
  await applyResponse(tx, session.org.id, doc, { ...answers, ...sets }, reason, lines)
  const state = spec.to ?? (doc.state as State)
  const { version } = await move(state)
  await writeHistory(tx, session, doc.id, { action, label: spec.label, from: doc.state, to: state, reason })
  return { sn: doc.sn, version, state }
}

/** Values set by the other side's action are written to both rows of the document. */
export async function applyResponse(
  tx: Tx,
  org: string,
  doc: StoredDocument,
  sets: Update,
  reason: string | null,
  lines: readonly UpdateLine[] = [],
): Promise<void> {
  const value = { ...sets, ...(reason ? { answer_reason: reason } : {}) }
  await tx`update document set fields = fields || ${tx.json(value)}
    where org_id = ${org} and id = ${doc.id}`
  if (lines.length > 0)
    await tx`
      update document_line l set fields = l.fields || k.fields
        from jsonb_to_recordset(${tx.json(lines)}) as k(line_no int, fields jsonb)
       where l.org_id = ${org} and l.document_id = ${doc.id} and l.line_no = k.line_no`
}

import type { State } from '#kernel/state.ts'
import type { Acting } from '#server/engine/documents/acting.ts'
import { handOver } from '#server/engine/documents/hand-over.ts'
import { writeHistory } from '#server/engine/documents/history.ts'
import type { StoredDoc } from '#server/engine/documents/stored.ts'
import type { Tx } from '#server/engine/transaction.ts'
import type { JSONValue } from 'postgres'

type Told = Readonly<Record<string, unknown>>
export type ToldLine = { readonly line_no: number; readonly fields: Told }
/** What a paper's owner says of it to those who have a copy: own fields that then stand there, on what was laid from it as well, and terms that were sealed. */
export type ToldMessage = {
  readonly message: 'notification'
  readonly kind: string
  readonly sn: string
  readonly label: string
  readonly text: string | null
  readonly sets: Readonly<Record<string, unknown>>
  readonly lines?: readonly (ToldLine & { readonly terms?: Readonly<Record<string, unknown>> })[]
  /** Terms of the owner's that hold for what was made of the copy as well, as far as it is not carried out. */
  readonly binds?: true
}

const pick = (row: object, names: readonly string[]): Told =>
  Object.fromEntries(names.map(name => [name, (row as Told)[name] ?? null]))

/**
 * The other side's answer: written on its copy, carried back and done on the original as its act. What is quiet stays on the copy.
 * `move` gives the copy its state and stamp.
 */
export async function answer(
  acting: Acting,
  move: (state: State) => Promise<{ version: number }>,
): Promise<{ sn: string; version: number; state: State }> {
  const { tx, session, doc, action, reason, spec, answers } = acting
  const sets = { ...spec.sets, ...pick(doc, spec.tells ?? []) }
  const lines = spec.tellsLines
    ? doc.lines.map(line => ({ line_no: line.line_no, fields: pick(line, spec.tellsLines!) }))
    : []
  if (!spec.quiet)
    await handOver(tx, session, doc.from_org_id, doc.id, {
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
  await applyAnswer(tx, session.org.id, doc, { ...answers, ...sets }, reason, lines)
  const state = spec.to ?? (doc.state as State)
  const { version } = await move(state)
  await writeHistory(tx, session, doc.id, { action, label: spec.label, from: doc.state, to: state, reason })
  return { sn: doc.sn, version, state }
}

/** What the other side's act sets stands on both rows of the paper. */
export async function applyAnswer(
  tx: Tx,
  org: string,
  doc: StoredDoc,
  sets: Told,
  reason: string | null,
  lines: readonly ToldLine[] = [],
): Promise<void> {
  const value = { ...sets, ...(reason ? { answer_reason: reason } : {}) }
  await tx`update document set fields = fields || ${tx.json(value as JSONValue)} where org_id = ${org} and id = ${doc.id}`
  if (lines.length > 0)
    await tx`
      update document_line l set fields = l.fields || k.fields
        from jsonb_to_recordset(${tx.json(lines as unknown as JSONValue)}) as k(line_no int, fields jsonb)
       where l.org_id = ${org} and l.document_id = ${doc.id} and l.line_no = k.line_no`
}

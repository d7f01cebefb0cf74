import type { AnyDocument } from '#kernel/definition/document.ts'
import { isPositive, negate } from '#kernel/values/decimal.ts'
import type { ActionContext } from '#server/documents/action/context.ts'
import { buildDraft, saveDraft } from '#server/documents/draft/draft.ts'
import { writeHistory } from '#server/documents/repository/history.ts'
import { type ProgressEntry, recordProgress, sourceRuleFor } from '#server/documents/progress/progress.ts'
import { defaultWarehouse } from '#server/documents/draft/default-warehouse.ts'
import { definitionOf, hasRemainder, openSources } from '#server/documents/sources/open-source.ts'
import type { StoredDocument } from '#server/documents/repository/document.ts'
import { type Session, unbound } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'

/** Follow-up documents of the same organisation, created by the system as a user would create them. */
export async function createFollowUps(
  { tx, session, definition, settings }: ActionContext,
  doc: StoredDocument,
  at: 'submit' | 'review',
): Promise<void> {
  const isOn = (name: string) => (({ ...settings }) as Readonly<Record<string, unknown>>)[name] === true
  const making = (definition.sourcing.followUps ?? []).filter(
    make => make.on === at && (make.when === undefined || isOn(make.when)),
  )
  if (making.length === 0) return
  // The source must already have its new state: follow-ups are only made from reviewed documents.
  await tx`update document set state = ${at === 'review' ? 'reviewed' : 'submitted'}
    where org_id = ${session.org.id} and id = ${doc.id}`
  const system: Session = { ...unbound(session), userId: '0', userName: '系统', flags: 'all' }
  for (const make of making) {
    const target = definitionOf(make.kind)
    const take = sourceRuleFor(target, definition.kind)
    if (!take) throw new Error(`${make.kind} cannot be made from ${definition.kind}`)
    if (!(await hasRest(tx, session, target, doc))) continue
    const store = 'warehouse_model_inner_sn' in definition.header ? null : await defaultWarehouse(tx, session, doc)
    const header = {
      source_sn: doc.sn,
      source_type: take.sourceType,
      ...(store ? { warehouse_model_inner_sn: store } : {}),
    }
    const draft = await buildDraft(tx, system, target, header, null)
    await saveDraft(tx, system, target, draft, make.state)
  }
}

/** True if anything is left for a follow-up: goods refused or returned in full leave nothing to inspect or receive. */
async function hasRest(tx: Tx, session: Session, target: AnyDocument, doc: StoredDocument): Promise<boolean> {
  const sources = await openSources(tx, session, target, [{ sn: doc.sn, org: session.org.id }])
  return sources.some(source => source.lines.some(hasRemainder))
}

/** Untouched documents that the system made from this one are cancelled with it. */
export async function cancelUntouchedFollowUps({ tx, session, doc, spec }: ActionContext): Promise<void> {
  const dropped = await tx<{ id: string; state: string }[]>`
    update document d set state = 'cancelled', version = version + 1
     where d.org_id = ${session.org.id} and d.source_document_id = ${doc.id} and d.role = 'own'
       and d.state in ('draft', 'submitted') and not d.touched and d.created_by = 0
    returning d.id, d.state`
  for (const document of dropped)
    await writeHistory(tx, session, document.id, {
      action: 'cancel',
      label: '作废',
      from: null,
      to: 'cancelled',
      reason: `来源单${doc.sn}${spec.label}`,
    })
}

function closedParts(definition: AnyDocument, doc: StoredDocument): ProgressEntry[] {
  if (!definition.lineRules.selfClosed) return []
  return doc.lines.flatMap(line => {
    const part = definition.lineRules.selfClosed!(line)
    return part && isPositive(part.quantity)
      ? [
          {
            document_id: doc.id,
            line_no: line.line_no,
            purpose: part.purpose,
            quantity: part.quantity,
            measure: 'quantity' as const,
          },
        ]
      : []
  })
}

/** The part of each line that no follow-up will take is counted as taken from the start. */
export const countClosed = (tx: Tx, session: Session, definition: AnyDocument, doc: StoredDocument): Promise<void> =>
  recordProgress(tx, session, closedParts(definition, doc))
export const uncountClosed = (tx: Tx, session: Session, definition: AnyDocument, doc: StoredDocument): Promise<void> =>
  recordProgress(
    tx,
    session,
    closedParts(definition, doc).map(part => ({ ...part, quantity: negate(part.quantity) })),
  )

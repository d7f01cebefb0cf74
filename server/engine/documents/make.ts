import type { AnyDocument } from '#kernel/document.ts'
import { isPositive, negate } from '#kernel/decimal.ts'
import type { Acting } from '#server/engine/documents/acting.ts'
import { composeDraft, storeDraft } from '#server/engine/documents/draft.ts'
import { writeHistory } from '#server/engine/documents/history.ts'
import { type Advance, advance, takeFrom } from '#server/engine/documents/progress.ts'
import { storeFor } from '#server/engine/documents/store-for.ts'
import { definitionOf, isOpen, openSources } from '#server/engine/documents/source-lines.ts'
import type { StoredDoc } from '#server/engine/documents/stored.ts'
import type { Session } from '#server/engine/session.ts'
import type { Tx } from '#server/engine/transaction.ts'

/** Papers of the same house that come into being from this one, made as a person would make them, by the system. */
export async function makePapers(
  { tx, session, definition, settings }: Acting,
  doc: StoredDoc,
  at: 'submit' | 'review',
): Promise<void> {
  const isOn = (name: string) => (({ ...settings }) as Readonly<Record<string, unknown>>)[name] === true
  const making = (definition.makes ?? []).filter(make => make.on === at && (make.when === undefined || isOn(make.when)))
  if (making.length === 0) return
  // The source must already stand as what it becomes: follow-ups are made from reviewed papers alone.
  await tx`update document set state = ${at === 'review' ? 'reviewed' : 'submitted'} where org_id = ${session.org.id} and id = ${doc.id}`
  const system: Session = {
    ...session,
    userId: '0',
    userName: '系统',
    flags: 'all',
    warehouses: 'all',
    departments: 'all',
    ownOnly: false,
  }
  for (const make of making) {
    const target = definitionOf(make.kind)
    const take = takeFrom(target, definition.kind)
    if (!take) throw new Error(`${make.kind} cannot be made from ${definition.kind}`)
    if (!(await hasRest(tx, session, target, doc))) continue
    const store = 'warehouse_model_inner_sn' in definition.header ? null : await storeFor(tx, session, doc)
    const header = {
      source_sn: doc.sn,
      source_type: take.sourceType,
      ...(store ? { warehouse_model_inner_sn: store } : {}),
    }
    const draft = await composeDraft(tx, system, target, header, null)
    await storeDraft(tx, system, target, draft, make.state)
  }
}

/** Whether anything is left to be made of: goods refused or sent back whole leave nothing to inspect or receive. */
async function hasRest(tx: Tx, session: Session, target: AnyDocument, doc: StoredDoc): Promise<boolean> {
  const sources = await openSources(tx, session, target, [{ sn: doc.sn, org: session.org.id }])
  return sources.some(source => source.lines.some(isOpen))
}

/** Untouched papers that the system made of this one go with it. */
export async function dropMade({ tx, session, doc, spec }: Acting): Promise<void> {
  const dropped = await tx<{ id: string; state: string }[]>`
    update document d set state = 'cancelled', version = version + 1
     where d.org_id = ${session.org.id} and d.source_document_id = ${doc.id} and d.role = 'own' and d.state in ('draft', 'submitted') and not d.touched and d.created_by = 0
    returning d.id, d.state`
  for (const paper of dropped)
    await writeHistory(tx, session, paper.id, {
      action: 'cancel',
      label: '作废',
      from: null,
      to: 'cancelled',
      reason: `来源单${doc.sn}${spec.label}`,
    })
}

function closedParts(definition: AnyDocument, doc: StoredDoc): Advance[] {
  if (!definition.closes) return []
  return doc.lines.flatMap(line => {
    const part = definition.closes!(line as never)
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

/** The part of each line that no follow-up will take counts as taken from the start. */
export const closeRest = (tx: Tx, session: Session, definition: AnyDocument, doc: StoredDoc): Promise<void> =>
  advance(tx, session, closedParts(definition, doc))
export const reopenRest = (tx: Tx, session: Session, definition: AnyDocument, doc: StoredDoc): Promise<void> =>
  advance(
    tx,
    session,
    closedParts(definition, doc).map(part => ({ ...part, quantity: negate(part.quantity) })),
  )

import { checkScope } from '#server/access/data-scope.ts'
import type { AnyDocument } from '#kernel/definition/document.ts'
import type { Fields } from '#kernel/definition/field.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import type { DocumentInput } from '#server/documents/draft/input.ts'
import { buildDraft, saveDraft } from '#server/documents/draft/draft.ts'
import { loadDocument, requireInScope } from '#server/documents/repository/load.ts'
import { writableHeaderFields, writableLineFields } from '#server/documents/repository/document.ts'
import { refuseOtherNames } from '#server/access/untrusted-input.ts'
import { requirePermission, type Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'

/** Data of one occasion only: the pieces that moved, their locations, what was left of a source, what was decided. */
const ofThatDay = new Set([
  'lot_no',
  'production_date',
  'expiry_date',
  'unit_codes',
  'owner_org_sn',
  'quality_state',
  'location',
  'untaxed_amount',
  'tax_amount',
  'business_date',
])
const ofTheSource = (name: string): boolean => name.startsWith('source_')
const ofAnOccasion = new Set<Fields[string]['as']>(['day', 'instant', 'files', 'codes'])

function again(fields: Fields, values: Readonly<Record<string, unknown>>, alsoNot: readonly string[] = []) {
  return Object.fromEntries(
    Object.entries(fields)
      .filter(
        ([name, { as, patient, byReviewer }]) =>
          !patient &&
          !byReviewer &&
          !ofThatDay.has(name) &&
          !ofTheSource(name) &&
          !ofAnOccasion.has(as) &&
          !alsoNot.includes(name),
      )
      .map(([name]) => [name, values[name] ?? null]),
  )
}

/**
 * `copy`: a new draft with the partners, goods, quantities and prices of an earlier document. Days, lots, codes,
 * files, sources and patients belong to the earlier occasion and are not copied; lots are proposed again for outgoing
 * goods.
 * Reply: sn of the draft.
 */
export async function copyDocument(
  tx: Tx,
  session: Session,
  definition: AnyDocument,
  body: DocumentInput,
): Promise<{ sn: string; version: number }> {
  requirePermission(session, `${definition.kind}.add`)
  if (definition.ownerTypes !== '' && !definition.ownerTypes.includes(session.org.type))
    throw new BusinessError('forbidden')
  refuseOtherNames(body, ['sn', 'version'])
  const doc = requireInScope(
    session,
    definition,
    await loadDocument(tx, session.org.id, definition, String(body.sn ?? '')),
  )
  if (doc.red_of_id !== null) throw new BusinessError('rule', `${doc.sn}是红冲单，不能复制`)
  // The amount of goods follows from price and quantity; a money line has nothing but its amount.
  const computed = definition.lineRules.basis === 'amount' ? [] : ['taxed_amount']
  const lines = doc.lines.map(line => again(writableLineFields(definition), line, computed))
  const draft = await buildDraft(tx, session, definition, again(writableHeaderFields(definition), doc), lines)
  checkScope(session, definition, draft.header, draft.lines)
  return { sn: await saveDraft(tx, session, definition, draft, 'draft', `复制自${doc.sn}`), version: 1 }
}

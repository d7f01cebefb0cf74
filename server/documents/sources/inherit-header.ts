import { byName, customHeaderFields, type StoredDocument } from '#server/documents/repository/document.ts'
import type { AnyDocument } from '#kernel/definition/document.ts'
import type { Source } from '#server/documents/sources/open-source.ts'

/**
 * True if a draft was made from this source before: it has inherited, and fields empty now were cleared by the user.
 */
const standsOn = (standing: StoredDocument | null, { doc }: Source): boolean =>
  standing !== null &&
  (standing.source_document_id === doc.id || standing.lines.some(line => line.source_document_id === doc.id))

/** Fields a user may leave empty though the source has a value: neither requested nor decided by the source. */
function emptied(definition: AnyDocument, header: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(definition.header)
      .filter(
        ([name, field]) =>
          (header[name] === null || header[name] === undefined) &&
          !field.required &&
          !field.readOnly &&
          name !== 'counterparty_sn' &&
          name !== 'regime',
      )
      .map(([name]) => [name, null]),
  )
}

/** The header fields inherited from the first source: all at first; fields cleared since then stay empty. */
export function inheritHeader(
  definition: AnyDocument,
  source: Source,
  header: Record<string, unknown>,
  standing: StoredDocument | null,
): Record<string, unknown> {
  const { doc, take } = source
  const own = byName(doc)
  const inherited: Record<string, unknown> = {}
  for (const name of [
    'counterparty_sn',
    'warehouse_model_inner_sn',
    'to_warehouse_model_inner_sn',
    'department_inner_sn',
    'regime',
  ] as const)
    if (doc[name] !== null && (name in definition.header || name === 'counterparty_sn' || name === 'regime'))
      inherited[name] = doc[name]
  for (const name of Object.keys(customHeaderFields(definition)))
    if (own[name] !== undefined && !(name in inherited)) inherited[name] = own[name]
  for (const [name, theirs] of Object.entries(take.headerMap ?? {}))
    inherited[name] = theirs === '' ? null : own[theirs]
  const written = Object.fromEntries(
    Object.entries(header).filter(([, value]) => value !== null && value !== undefined),
  )
  return {
    ...inherited,
    ...(standsOn(standing, source) ? emptied(definition, header) : {}),
    ...take.headerDefaults,
    ...written,
    source_type: take.sourceType,
    source_sn: doc.sn,
    source_org_sn: doc.from_org_id,
    source_document_id: doc.id,
  }
}

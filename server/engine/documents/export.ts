import type { AnyDocument } from '#kernel/document.ts'
import { commonFields, headerField } from '#kernel/common-fields.ts'
import { derivedField } from '#kernel/derived.ts'
import { f, type Fields } from '#kernel/field.ts'
import { allDocuments, listDocuments } from '#server/engine/documents/list.ts'
import type { CarryOut } from '#server/engine/exports/carry-out.ts'
import { seesPatients } from '#server/engine/patients.ts'
import { readableFields } from '#server/engine/prices.ts'
import { exportColumns } from '#server/engine/sheet-columns.ts'
import { mustBeAllowed, type Session } from '#server/engine/session.ts'

/** The filtered list of papers, as it leaves the house. */
export function documentsCarriedOut(
  session: Session,
  definition: AnyDocument,
  raw: Readonly<Record<string, unknown>>,
): CarryOut {
  mustBeAllowed(session, `${definition.kind}.export`)
  return {
    title: definition.title,
    subject: definition.kind,
    path: `/v1/business/${definition.kind}/export`,
    query: raw,
    columns: exportColumns(readableFields(session, exportFields(session, definition))),
    count: async tx => (await listDocuments(tx, session, definition, { ...raw, pageNum: '1', pageSize: '1' })).total,
    batches: tx => allDocuments(tx, session, definition, raw),
  }
}

/** Columns of the workbook: what the first screen shows of what this reader is told, then the amounts. */
function exportFields(session: Session, definition: AnyDocument): Fields {
  const names = [...new Set(['sn', ...(definition.screens[0]?.columns ?? []), 'state_name'])]
  const told = (name: string) => headerField(definition, name)?.patient !== true || seesPatients(session)
  return Object.fromEntries(
    names
      .filter(name => name !== 'state' && told(name))
      .map(name => [
        name,
        name === 'state_name'
          ? f.text('状态')
          : (derivedField(definition, name) ?? headerField(definition, name) ?? commonFields[name] ?? f.text(name)),
      ]),
  ) as Fields
}

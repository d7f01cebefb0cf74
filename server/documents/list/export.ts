import type { AnyDocument } from '#kernel/definition/document.ts'
import { headerField } from '#kernel/definition/common-fields.ts'
import { derivedField } from '#kernel/definition/progress-fields.ts'
import { f, type Fields } from '#kernel/definition/field.ts'
import { documentBatches, listDocuments } from '#server/documents/list/list.ts'
import type { ListExport } from '#server/exports/export-stream.ts'
import { asReader } from '#server/documents/list/overseen.ts'
import { maySeePatients } from '#server/access/patient-data.ts'
import { readableFields } from '#server/access/sensitive-fields.ts'
import { exportColumns } from '#server/sheets/export-columns.ts'
import { requirePermission, type Session } from '#server/access/session.ts'

/** Exports the filtered list of documents. */
export function exportDocuments(
  asker: Session,
  definition: AnyDocument,
  raw: Readonly<Record<string, unknown>>,
): ListExport {
  requirePermission(asker, `${definition.kind}.export`)
  const session = asReader(asker, definition)
  return {
    title: definition.title,
    subject: definition.kind,
    path: `/v1/business/${definition.kind}/export`,
    query: raw,
    columns: exportColumns(readableFields(session, exportFields(session, definition))),
    count: async tx => (await listDocuments(tx, asker, definition, { ...raw, pageNum: '1', pageSize: '1' })).total,
    batches: (tx, size) => documentBatches(tx, asker, definition, raw, size),
  }
}

/** Columns of the workbook: what the first screen shows this user, then the amounts. */
function exportFields(session: Session, definition: AnyDocument): Fields {
  const names = [...new Set(['sn', ...(definition.screens[0]?.columns ?? []), 'state_name'])]
  const notified = (name: string) => headerField(definition, name)?.patient !== true || maySeePatients(session)
  return Object.fromEntries(
    names
      .filter(name => name !== 'state' && notified(name))
      .map(name => [
        name,
        name === 'state_name'
          ? f.text('状态')
          : (derivedField(definition, name) ?? headerField(definition, name) ?? f.text(name)),
      ]),
  ) as Fields
}

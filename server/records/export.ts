import type { AnyEntity } from '#kernel/definition/entity.ts'
import type { Fields } from '#kernel/definition/field.ts'
import type { ListExport } from '#server/exports/export-stream.ts'
import { listColumnsOf, parseListQuery } from '#server/lists/query.ts'
import { allRecords, listRecords } from '#server/records/read.ts'
import { mustMayRead } from '#server/records/reading-rights.ts'
import { rulesOf } from '#server/registry/hooks.ts'
import { maySeePatients } from '#server/access/patient-data.ts'
import { readableFields } from '#server/access/sensitive-fields.ts'
import { exportColumns } from '#server/sheets/export-columns.ts'
import { requirePermission, type Session } from '#server/access/session.ts'

/** In the page's order, then the fields it does not show. Patient data is only exported for users who may see it. */
function updateOf(session: Session, { fields, extras, screens }: AnyEntity): Fields {
  const all: Fields = { ...fields, ...extras }
  const names = new Set([...(screens[0]?.columns ?? []), ...Object.keys(all)])
  return Object.fromEntries(
    [...names].flatMap(name => {
      const field = all[name]
      if (!field || field.secret || field.internal) return []
      return field.patient && !maySeePatients(session) ? [] : [[name, field]]
    }),
  )
}

/** Told to the source of rows: a sheet may hold more than the page shows. */
const exported = { exported: true } as const

/** Exports the filtered list of records. */
export function exportRecords(
  session: Session,
  definition: AnyEntity,
  raw: Readonly<Record<string, unknown>>,
): ListExport {
  mustMayRead(session, definition)
  // A part of another record may be exported by users who may export that record.
  const guarded = definition.screens.length > 0 ? definition.kind : definition.under
  if (guarded !== undefined) requirePermission(session, `${guarded}.export`)
  const asked = parseListQuery(listColumnsOf(definition), raw)
  const query = { ...asked, parameters: { ...asked.parameters, ...exported } }
  return {
    title: definition.title,
    subject: definition.kind,
    path: `/v1/business/${definition.kind}/export`,
    query: raw,
    columns: exportColumns(readableFields(session, updateOf(session, definition))),
    count: async tx =>
      (await listRecords(tx, session, definition, { ...raw, pageNum: '1', pageSize: '1' }, exported)).total,
    batches: async function* (tx, size) {
      let left = rulesOf(definition.kind).mostExported ?? Number.POSITIVE_INFINITY
      for await (const batch of allRecords(tx, session, definition, query, size)) {
        yield batch.slice(0, left)
        left -= batch.length
        if (left <= 0) break
      }
    },
  }
}

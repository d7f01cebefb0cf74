import type { AnyEntity } from '#kernel/entity.ts'
import type { Fields } from '#kernel/field.ts'
import type { CarryOut } from '#server/engine/exports/carry-out.ts'
import { listedOf, readListQuery } from '#server/engine/query.ts'
import { allRecords, listRecords, mustMayRead } from '#server/engine/records/read.ts'
import { rulesOf } from '#server/registry/hooks.ts'
import { seesPatients } from '#server/engine/patients.ts'
import { readableFields } from '#server/engine/prices.ts'
import { exportColumns } from '#server/engine/sheet-columns.ts'
import { mustBeAllowed, type Session } from '#server/engine/session.ts'

/** In the order in which the page shows them, then what it does not show. Patients leave the house with whoever may know them alone. */
function toldOf(session: Session, { fields, extras, screens }: AnyEntity): Fields {
  const all: Fields = { ...fields, ...extras }
  const names = new Set([...(screens[0]?.columns ?? []), ...Object.keys(all)])
  return Object.fromEntries(
    [...names].flatMap(name => {
      const field = all[name]
      return field && (!field.patient || seesPatients(session)) ? [[name, field]] : []
    }),
  )
}

/** The filtered list of records, as it leaves the house. */
export function recordsCarriedOut(
  session: Session,
  definition: AnyEntity,
  raw: Readonly<Record<string, unknown>>,
): CarryOut {
  mustMayRead(session, definition)
  if (definition.screens.length > 0) mustBeAllowed(session, `${definition.kind}.export`)
  const query = readListQuery(listedOf(definition), raw)
  return {
    title: definition.title,
    subject: definition.kind,
    path: `/v1/business/${definition.kind}/export`,
    query: raw,
    columns: exportColumns(readableFields(session, toldOf(session, definition))),
    count: async tx => (await listRecords(tx, session, definition, { ...raw, pageNum: '1', pageSize: '1' })).total,
    batches: async function* (tx) {
      let left = rulesOf(definition.kind).mostExported ?? Number.POSITIVE_INFINITY
      for await (const batch of allRecords(tx, session, definition, query)) {
        yield batch.slice(0, left)
        left -= batch.length
        if (left <= 0) break
      }
    },
  }
}

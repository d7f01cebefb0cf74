import type { AnyEntity } from '#kernel/definition/entity.ts'
import { columnOf, type FieldSpec } from '#kernel/definition/field.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { ImportFailed, type SheetProblem } from '#server/records/import-failed.ts'
import { followedRow, isFollowed, keepForLater } from '#server/records/outbox.ts'
import { rulesOf } from '#server/registry/hooks.ts'
import { addRecord, editRecord } from '#server/records/write.ts'
import { mustMayWrite } from '#server/records/may-write.ts'
import { type Keys, resolveName, type Named, resolveNames } from '#server/sheets/resolve-names.ts'
import type { Sheet, SheetRow } from '#server/sheets/sheet.ts'
import { legibleRows, readCell } from '#server/sheets/cell-values.ts'
import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'
import type { SheetColumn } from '#server/sheets/write.ts'

/** Maximum errors reported at once. */
const MOST_PROBLEMS = 200

/** Fields of the template: what a user enters when adding a row. */
function importedFields(definition: AnyEntity): [string, FieldSpec][] {
  const kept = rulesOf(definition.kind).kept ?? []
  return Object.entries(definition.fields).filter(
    ([name, field]) => !field.readOnly && field.as !== 'files' && field.as !== 'codes' && !kept.includes(name),
  )
}

/** The headings of a definition's import sheet; required ones come first. */
export function templateColumns(definition: AnyEntity): SheetColumn[] {
  const fields = importedFields(definition)
  const ordered = [...fields.filter(([, field]) => field.required), ...fields.filter(([, field]) => !field.required)]
  return ordered.map(([, field]) => ({ title: field.label, kind: 'text' }))
}

/** The headings of the workbooks that a kind takes. */
export const importHeadings = (definition: AnyEntity): string[] =>
  importedFields(definition).map(([, field]) => field.label)

/** The right that importing this kind needs: adding rows, or updating existing ones. */
export const importAction = (definition: AnyEntity): 'add' | 'edit' =>
  definition.onlyRenews === undefined ? 'add' : 'edit'

/** What an import did: how many rows, and the records that work beyond the organisation follows. */
export type Imported = { readonly count: number; readonly followed: readonly string[] }

/** Adds every row of a workbook, or none and reports what is wrong with which. */
export async function importRecords(
  tx: Tx,
  session: Session,
  definition: AnyEntity,
  { headings, rows: written }: Sheet,
): Promise<Imported> {
  mustMayWrite(session, definition, importAction(definition))
  const fields = new Map(importedFields(definition).map(([name, field]) => [field.label, { name, field }]))
  const unknown = headings.filter(heading => !fields.has(heading))
  if (unknown.length > 0) throw new ImportFailed(unknown.map(column => ({ row: 1, column, msg: '模板里没有这一列' })))
  if (written.length === 0) throw new ImportFailed([{ row: 2, column: '', msg: '没有可导入的数据' }])
  const byTitle = new Map([...fields].map(([title, { field }]) => [title, field]))
  const { rows, problems: illegible } = legibleRows(written, byTitle)
  const problems = [...illegible]
  const keys = await resolveNames(tx, session, fields, rows)
  const needed = definition.onlyRenews === undefined ? null : (definition.renews ?? null)
  const bodies = rows.map(row => ({ row, body: bodyOf(row, fields, keys, problems, needed) }))
  const keyIn = (body: Readonly<Record<string, unknown>>) => String(body[definition.renews ?? ''] ?? '')
  const standing = await standingRows(
    tx,
    session,
    definition,
    bodies.map(({ body }) => keyIn(body)),
  )
  const columnOfField = (name: string | undefined) =>
    [...fields.values()].find(one => one.name === name)?.field.label ?? ''
  const seen = new Map<string, number>()
  const done: Done[] = []
  for (const { row, body } of bodies) {
    const key = keyIn(body)
    const earlier = seen.get(key)
    const refused =
      key !== '' && earlier !== undefined
        ? [{ ...(definition.renews ? { field: definition.renews } : {}), msg: `与第${earlier}行重复` }]
        : await writeInside(tx, session, definition, body, standing.get(key) ?? [], done)
    if (earlier === undefined) seen.set(key, row.number)
    problems.push(
      ...refused.map(problem => ({ row: row.number, column: columnOfField(problem.field), msg: problem.msg })),
    )
    if (problems.length >= MOST_PROBLEMS) break
  }
  if (problems.length > 0) throw new ImportFailed(problems.toSorted((a, b) => a.row - b.row))
  const matched = definition.renews ? bodies.map(({ body }) => keyIn(body)) : []
  const { imported } = rulesOf(definition.kind)
  await imported?.(tx, session, [...new Set(matched)])
  return { count: rows.length, followed: imported ? [] : await keepAll(tx, session, definition, done) }
}

/** A record as the import left it, and the call that would have written it by hand. */
type Done = { readonly call: 'add' | 'edit'; readonly sn: string }

/** Keeps for later what follows from the rows, as if each had been written by hand; returns which those are. */
async function keepAll(
  tx: Tx,
  session: Session,
  definition: AnyEntity,
  done: readonly Done[],
): Promise<readonly string[]> {
  const followed = done.filter(({ call }) => isFollowed(definition, call))
  for (const { call, sn } of followed) {
    const row = await followedRow(tx, session, definition, sn)
    if (row) await keepForLater(tx, session, definition, call, sn, row)
  }
  return followed.map(({ sn }) => sn)
}

type Standing = readonly { readonly sn: string; readonly version: number }[]

/** Existing rows that the sheet updates, matched by the definition's match field. */
async function standingRows(
  tx: Tx,
  session: Session,
  definition: AnyEntity,
  keys: readonly string[],
): Promise<ReadonlyMap<string, Standing>> {
  const { renews } = definition
  const wanted = keys.filter(key => key !== '')
  if (!renews || wanted.length === 0) return new Map()
  const column = columnOf(renews, definition.fields[renews]!)
  const found = await tx<{ key: string; sn: string; version: number }[]>`
    select ${tx(column)}::text as key, id::text as sn, version from ${tx(definition.table)}
     where org_id = ${session.org.id} and ${tx(column)}::text = any(${wanted}::text[]) order by id`
  return Map.groupBy(found, row => row.key)
}

function bodyOf(
  row: SheetRow,
  fields: ReadonlyMap<string, Named>,
  keys: Keys,
  problems: SheetProblem[],
  needed: string | null,
): Record<string, unknown> {
  const body: Record<string, unknown> = {}
  for (const [label, { name, field }] of fields) {
    const text = row.cells.get(label) ?? ''
    if (text === '' && name === needed) problems.push({ row: row.number, column: label, msg: `请填写${label}` })
    if (text === '') continue
    if (field.as !== 'ref') {
      const read = readCell(field, text, row.notes?.get(label))
      if ('value' in read) body[name] = read.value
      else problems.push({ row: row.number, column: label, msg: read.msg })
      continue
    }
    const found = resolveName(keys, name, text)
    if ('id' in found) body[name] = found.id
    else problems.push({ row: row.number, column: label, msg: found.msg })
  }
  return body
}

class DryRun extends Error {}

/** The same, rolled back: how many rows would be added, or what is wrong with which. */
export async function previewRecords(tx: Tx, session: Session, definition: AnyEntity, sheet: Sheet): Promise<number> {
  let count = 0
  await tx
    .savepoint(async inner => {
      count = (await importRecords(inner, session, definition, sheet)).count
      throw new DryRun()
    })
    .catch((error: unknown) => {
      if (!(error instanceof DryRun)) throw error
    })
  return count
}

/**
 * Adds one row behind a savepoint, or updates the matching ones, so that errors of the next rows can be reported as
 * well.
 */
async function writeInside(
  tx: Tx,
  session: Session,
  definition: AnyEntity,
  body: Record<string, unknown>,
  same: Standing,
  done: Done[],
): Promise<readonly { field?: string; msg: string }[]> {
  const { renews, onlyRenews } = definition
  // A missing or unreadable name was already reported.
  if (onlyRenews !== undefined && renews !== undefined && same.length === 0)
    return renews in body ? [{ field: renews, msg: onlyRenews }] : []
  const fresh: string[] = []
  try {
    await tx.savepoint(async inner => {
      if (same.length === 0) fresh.push((await addRecord(inner, session, definition, body, true)).sn)
      for (const { sn, version } of same) await editRecord(inner, session, definition, { ...body, sn, version })
    })
    done.push(
      ...fresh.map(sn => ({ call: 'add', sn }) as const),
      ...same.map(({ sn }) => ({ call: 'edit', sn }) as const),
    )
    return []
  } catch (error) {
    if (!(error instanceof BusinessError)) throw error
    return error.problems.length > 0 ? error.problems : [{ msg: error.message }]
  }
}

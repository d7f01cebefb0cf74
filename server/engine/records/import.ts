import type { AnyEntity } from '#kernel/entity.ts'
import type { FieldSpec } from '#kernel/field.ts'
import { Refusal } from '#kernel/refusal.ts'
import { ImportFailed, type SheetProblem } from '#server/engine/records/import-failed.ts'
import { rulesOf } from '#server/engine/records/rules.ts'
import { addRecord, editRecord } from '#server/engine/records/write.ts'
import { mustMayWrite } from '#server/engine/records/may-write.ts'
import { type Keys, keyFor, type Named, resolveNames } from '#server/engine/sheet-names.ts'
import type { SheetRow } from '#server/engine/sheet-parse.ts'
import { readSheet } from '#server/engine/sheet-reader.ts'
import { sheetValue } from '#server/engine/sheet-values.ts'
import type { Session } from '#server/engine/session.ts'
import type { Tx } from '#server/engine/transaction.ts'
import type { SheetColumn } from '#server/engine/xlsx.ts'

/** Most mistakes that are told at once. */
const MOST_PROBLEMS = 200

/** Fields that stand in the template: what a person types when adding a row. */
function importedFields(definition: AnyEntity): [string, FieldSpec][] {
  const kept = rulesOf(definition.kind).kept ?? []
  return Object.entries(definition.fields).filter(
    ([name, field]) => !field.readOnly && field.as !== 'files' && field.as !== 'codes' && !kept.includes(name),
  )
}

/** The headings of a definition's import sheet; those that must be filled come first. */
export function templateColumns(definition: AnyEntity): SheetColumn[] {
  const fields = importedFields(definition)
  const ordered = [...fields.filter(([, field]) => field.required), ...fields.filter(([, field]) => !field.required)]
  return ordered.map(([, field]) => ({ title: field.label, kind: 'text', width: 18 }))
}

/** Adds every row of a workbook, or none and says what is wrong with which. */
export async function importRecords(tx: Tx, session: Session, definition: AnyEntity, file: Buffer): Promise<number> {
  mustMayWrite(session, definition, 'add')
  const { headings, rows } = await readSheet(file)
  const fields = new Map(importedFields(definition).map(([name, field]) => [field.label, { name, field }]))
  const unknown = headings.filter(heading => !fields.has(heading))
  if (unknown.length > 0) throw new ImportFailed(unknown.map(column => ({ row: 1, column, msg: '模板里没有这一列' })))
  if (rows.length === 0) throw new ImportFailed([{ row: 2, column: '', msg: '没有可导入的数据' }])
  const problems: SheetProblem[] = []
  const keys = await resolveNames(tx, session, fields, rows)
  const standing = await standingRows(tx, session, definition, fields, rows)
  const seen = new Map<string, number>()
  for (const row of rows) {
    const body = bodyOf(row, fields, keys, problems)
    const key = String(body[definition.renews ?? ''] ?? '')
    const earlier = seen.get(key)
    if (key !== '' && earlier !== undefined) {
      problems.push({
        row: row.number,
        column: definition.fields[definition.renews!]!.label,
        msg: `与第${earlier}行重复`,
      })
      continue
    }
    seen.set(key, row.number)
    const refused = await writeInside(tx, session, definition, body, standing)
    const columnOfField = (name: string | undefined) =>
      [...fields.values()].find(one => one.name === name)?.field.label ?? ''
    problems.push(
      ...refused.map(problem => ({ row: row.number, column: columnOfField(problem.field), msg: problem.msg })),
    )
    if (problems.length >= MOST_PROBLEMS) break
  }
  if (problems.length > 0) throw new ImportFailed(problems)
  const { renews } = definition
  if (renews)
    await rulesOf(definition.kind).imported?.(tx, session, [
      ...new Set(rows.map(row => row.cells.get(definition.fields[renews]!.label) ?? '')),
    ])
  return rows.length
}

type Standing = ReadonlyMap<string, readonly { readonly sn: string; readonly version: number }[]>

/** Rows that the sheet brings up to date, by what it says in the field that the definition renews by. */
async function standingRows(
  tx: Tx,
  session: Session,
  definition: AnyEntity,
  fields: ReadonlyMap<string, Named>,
  rows: readonly SheetRow[],
): Promise<Standing> {
  const { renews } = definition
  const label = [...fields].find(([, { name }]) => name === renews)?.[0]
  if (!renews || label === undefined) return new Map()
  const found = await tx<{ key: string; sn: string; version: number }[]>`
    select ${tx(renews)} as key, id::text as sn, version from ${tx(definition.table)}
     where org_id = ${session.org.id} and ${tx(renews)} = any(${rows.map(row => row.cells.get(label) ?? '')}) order by id`
  return Map.groupBy(found, row => row.key)
}

function bodyOf(
  row: SheetRow,
  fields: ReadonlyMap<string, Named>,
  keys: Keys,
  problems: SheetProblem[],
): Record<string, unknown> {
  const body: Record<string, unknown> = {}
  for (const [label, { name, field }] of fields) {
    const text = row.cells.get(label) ?? ''
    if (text === '') continue
    if (field.as !== 'ref') {
      body[name] = sheetValue(field, text)
      continue
    }
    const found = keyFor(keys, name, text)
    if ('id' in found) body[name] = found.id
    else problems.push({ row: row.number, column: label, msg: found.msg })
  }
  return body
}

class DryRun extends Error {}

/** The same, taken back: how many rows would be added, or what is wrong with which. */
export async function rehearseRecords(tx: Tx, session: Session, definition: AnyEntity, file: Buffer): Promise<number> {
  let count = 0
  await tx
    .savepoint(async inner => {
      count = await importRecords(inner, session, definition, file)
      throw new DryRun()
    })
    .catch((error: unknown) => {
      if (!(error instanceof DryRun)) throw error
    })
  return count
}

/** Adds one row behind a savepoint, or brings up to date those that it is, so that the mistakes of the next rows can be told as well. */
async function writeInside(
  tx: Tx,
  session: Session,
  definition: AnyEntity,
  body: Record<string, unknown>,
  standing: Standing,
): Promise<readonly { field?: string; msg: string }[]> {
  const same = standing.get(String(body[definition.renews ?? ''] ?? '')) ?? []
  try {
    await tx.savepoint(async inner => {
      if (same.length === 0) await addRecord(inner, session, definition, body)
      for (const { sn, version } of same) await editRecord(inner, session, definition, { ...body, sn, version })
    })
    return []
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return error.problems.length > 0 ? error.problems : [{ msg: error.message }]
  }
}

import type { AnyEntity } from '#kernel/entity.ts'
import { columnOf, type FieldSpec } from '#kernel/field.ts'
import { Refusal } from '#kernel/refusal.ts'
import { entityOf } from '#modules/registry.ts'
import { ImportFailed, type SheetProblem } from '#server/engine/records/import-failed.ts'
import { rulesOf } from '#server/engine/records/rules.ts'
import { addRecord, mustMayWrite } from '#server/engine/records/write.ts'
import { readSheet, type SheetRow } from '#server/engine/sheet-reader.ts'
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
  const { headings, rows } = readSheet(file)
  const fields = new Map(importedFields(definition).map(([name, field]) => [field.label, { name, field }]))
  const unknown = headings.filter(heading => !fields.has(heading))
  if (unknown.length > 0) throw new ImportFailed(unknown.map(column => ({ row: 1, column, msg: '模板里没有这一列' })))
  if (rows.length === 0) throw new ImportFailed([{ row: 2, column: '', msg: '没有可导入的数据' }])
  const problems: SheetProblem[] = []
  const keys = await resolveNames(tx, session, fields, rows)
  for (const row of rows) {
    const body = bodyOf(row, fields, keys, problems)
    const refused = await addInside(tx, session, definition, body)
    const columnOfField = (name: string | undefined) =>
      [...fields.values()].find(one => one.name === name)?.field.label ?? ''
    problems.push(
      ...refused.map(problem => ({ row: row.number, column: columnOfField(problem.field), msg: problem.msg })),
    )
    if (problems.length >= MOST_PROBLEMS) break
  }
  if (problems.length > 0) throw new ImportFailed(problems)
  return rows.length
}

type Named = { readonly name: string; readonly field: FieldSpec }
/** Per reference field: what people wrote → the keys it may mean. */
type Keys = ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>

/** People write names and codes where the wire has keys; one statement per reference. */
async function resolveNames(
  tx: Tx,
  session: Session,
  fields: ReadonlyMap<string, Named>,
  rows: readonly SheetRow[],
): Promise<Keys> {
  const keys = new Map<string, ReadonlyMap<string, readonly string[]>>()
  for (const [label, { name, field }] of fields) {
    const target = field.as === 'ref' ? entityOf(field.target ?? '') : undefined
    const written = [...new Set(rows.map(row => row.cells.get(label) ?? '').filter(Boolean))]
    if (!target || written.length === 0) continue
    const display = columnOf(target.display, target.fields[target.display] ?? { as: 'text' })
    const code = 'code' in target.fields ? tx`code` : tx`null::text`
    const own = target.scope === 'organisation' ? tx`org_id = ${session.org.id} and` : tx``
    const found = await tx<{ id: string; display: string; code: string | null }[]>`
      select id, ${tx(display)}::text as display, ${code} as code from ${tx(target.table)}
       where ${own} (${tx(display)}::text = any(${written}::text[]) or ${code} = any(${written}::text[]))`
    keys.set(
      name,
      new Map(
        written.map(text => [text, found.filter(one => one.display === text || one.code === text).map(one => one.id)]),
      ),
    )
  }
  return keys
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
    if (field.as === 'ref') {
      const ids = keys.get(name)?.get(text) ?? []
      if (ids.length === 1) body[name] = ids[0]
      else
        problems.push({
          row: row.number,
          column: label,
          msg: ids.length === 0 ? `“${text}”不存在` : `“${text}”有多个，请改用编码`,
        })
    } else body[name] = valueOf(field, text)
  }
  return body
}

function valueOf(field: FieldSpec, text: string): unknown {
  if (field.as === 'pick')
    return Object.entries(field.choices ?? {}).find(([key, label]) => label === text || key === text)?.[0] ?? text
  if (field.as === 'flag') return text === '是' ? true : text === '否' ? false : text
  if (field.as === 'day')
    return text.replace(
      /^(\d{4})[/.年](\d{1,2})[/.月](\d{1,2})日?$/,
      (_, y, m, d) => `${y}-${m.padStart(2, '0')}-${d.padStart(2, '0')}`,
    )
  return text
}

/** Adds one row behind a savepoint, so that the mistakes of the next rows can be told as well. */
async function addInside(
  tx: Tx,
  session: Session,
  definition: AnyEntity,
  body: Record<string, unknown>,
): Promise<readonly { field?: string; msg: string }[]> {
  try {
    await tx.savepoint(inner => addRecord(inner, session, definition, body))
    return []
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return error.problems.length > 0 ? error.problems : [{ msg: error.message }]
  }
}

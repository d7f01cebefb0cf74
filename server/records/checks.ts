import type { AnyEntity } from '#kernel/definition/entity.ts'
import { columnOf, type FieldSpec, nameKeyOf } from '#kernel/definition/field.ts'
import { type Problem, type Question, BusinessError } from '#kernel/rules/errors.ts'
import { unknownFiles } from '#server/files/save.ts'
import type { Change, RecordRow } from '#server/records/hooks.ts'
import { existingRows } from '#server/lists/asked-references.ts'
import { rulesOf } from '#server/registry/hooks.ts'
import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'

const chosen = new Set(['ref', 'pick', 'day', 'taxRate', 'flag'])
const isEmpty = (value: unknown) =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

/** Required fields that would be empty in the row. */
export function missingFields(definition: Pick<AnyEntity, 'fields'>, row: Readonly<RecordRow>): Problem[] {
  return Object.entries(definition.fields)
    .filter(([name, field]) => field.required && !field.readOnly && isEmpty(row[name]))
    .map(([name, field]) => ({ field: name, msg: `${chosen.has(field.as) ? '请选择' : '请填写'}${field.label}` }))
}

/** The definition's own conditions; pure, already checked in the browser. */
export function guardProblems(definition: AnyEntity, row: Readonly<RecordRow>): Problem[] {
  return (definition.guards ?? []).flatMap(guard => {
    const verdict = guard(row)
    return verdict === true ? [] : [{ msg: verdict }]
  })
}

/**
 * Checks that every sent reference points to an existing row that is the caller's own or shared; one statement per
 * target.
 */
export async function referenceProblems(
  tx: Tx,
  session: Session,
  definition: Pick<AnyEntity, 'fields'>,
  sent: Readonly<RecordRow>,
): Promise<Problem[]> {
  const uses: { target: string; id: string; problem: Problem }[] = []
  for (const [name, value] of Object.entries(sent)) {
    const field = definition.fields[name] as FieldSpec | undefined
    if (!field?.target || isEmpty(value)) continue
    const problem = { field: name, msg: field.matchMsg ?? `【${field.label}】不存在，请重新选择` }
    for (const id of Array.isArray(value) ? value : [value])
      uses.push({ target: field.target, id: String(id), problem })
  }
  const targets = [...new Set(uses.map(use => use.target))]
  const found = await Promise.all(
    targets.map(target =>
      existingRows(
        tx,
        session,
        target,
        uses.filter(use => use.target === target).map(use => use.id),
      ),
    ),
  )
  return [
    ...uses.filter(use => !found[targets.indexOf(use.target)]?.has(use.id)).map(use => use.problem),
    ...(await unknownFiles(tx, definition.fields, [{ values: sent }])),
  ]
}

/** Refuses a row that already exists, with a message that names what both have in common. */
export async function refuseDuplicates(
  tx: Tx,
  session: Session,
  definition: AnyEntity,
  row: Readonly<RecordRow>,
  except: string | null,
): Promise<void> {
  for (const names of definition.unique ?? []) {
    if (names.some(name => isEmpty(row[name]))) continue
    const equals = names.map(
      name => tx`${tx(columnOf(name, definition.fields[name] as FieldSpec))} = ${row[name] as string}`,
    )
    const own = definition.scope === 'organisation' ? tx`org_id = ${session.org.id} and` : tx``
    const [other] = await tx`
      select 1 from ${tx(definition.table)} where ${own} ${equals.reduce(
        (before, equal) => tx`${before}
        and ${equal}`,
      )} and id is distinct from ${except}::bigint limit 1`
    if (other)
      throw new BusinessError('duplicate', duplicateSentence(definition, names, row), [
        { field: names[0] as string, msg: duplicateSentence(definition, names, row) },
      ])
  }
}

/** A compared name beside the one that is written: `server/migrations/repeatable/0150-same-names.sql`. */
type NameBeside = { readonly field: string; readonly known: string; readonly is_same: boolean }

const namesBeside = (
  tx: Tx,
  session: Session,
  definition: AnyEntity,
  { id, after }: Pick<Change, 'id' | 'after'>,
  alike: boolean,
) => {
  const owner = definition.scope === 'organisation' ? { org_id: session.org.id } : {}
  const written = Object.entries(definition.fields).map(([name, field]) => [columnOf(name, field), after[name] ?? null])
  return tx<NameBeside[]>`
    select field, known, is_same from names_beside(${rulesOf(definition.kind).table ?? definition.table}, ${id}::bigint,
      ${tx.json({ ...Object.fromEntries(written), ...owner })}, ${alike})`
}

/** Refuses a name, login or code that another row has in another spelling, naming both. */
export async function refuseSameNames(
  tx: Tx,
  session: Session,
  definition: AnyEntity,
  { id, after, before }: Change,
): Promise<void> {
  const beside = await namesBeside(tx, session, definition, { id, after }, false)
  const other = beside.find(({ field }) => after[field] !== before?.[field])
  if (!other) return
  const label = definition.fields[other.field]?.label ?? '名称'
  const same = `与【${other.known}】相同（不计大小写、全角半角和空格）`
  const msg = `${label}【${String(after[other.field])}】已存在：${same}`
  throw new BusinessError('duplicate', msg, [{ field: other.field, msg }])
}

/** Asks whether a new name that looks like another's is meant: letters of another script, 0 for O, 1 for l. */
export async function askAboutLookAlikes(
  tx: Tx,
  session: Session,
  definition: AnyEntity,
  id: string | null,
  after: Readonly<RecordRow>,
  sent: Readonly<RecordRow>,
): Promise<readonly Question[]> {
  if (!Object.keys(sent).some(name => definition.fields[name]?.as === 'text')) return []
  const beside = await namesBeside(tx, session, definition, { id, after }, true)
  return beside
    .filter(({ field, is_same }) => !is_same && typeof sent[field] === 'string')
    .map(({ field, known }) => ({
      rule: `look-alike-${field}`,
      msg: [
        `${definition.fields[field]?.label ?? '名称'}【${String(sent[field])}】与已有的【${known}】形近`,
        '容易认错，确认是另一个吗？',
      ].join('，'),
    }))
}

function duplicateSentence(definition: AnyEntity, names: readonly string[], row: Readonly<RecordRow>): string {
  const parts = names.map(name => {
    const field = definition.fields[name] as FieldSpec
    const shown =
      field.as === 'ref' ? row[nameKeyOf(name)] : field.as === 'pick' ? field.choices?.[String(row[name])] : row[name]
    return typeof shown === 'string' ? `${field.label}【${shown}】` : field.label
  })
  return `${parts.join('')}已存在`
}

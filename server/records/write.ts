import { defaultOf } from '#kernel/values/defaults.ts'
import type { AnyEntity } from '#kernel/definition/entity.ts'
import { columnOf, type FieldSpec, type Fields } from '#kernel/definition/field.ts'
import { parseFields } from '#kernel/rules/parse-fields.ts'
import { type Problem, BusinessError } from '#kernel/rules/errors.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { addressed, mustBeAsked, noReason, stale, withoutReason } from '#server/records/addressed.ts'
import { shareFiles } from '#server/files/save.ts'
import {
  guardProblems,
  missingFields,
  referenceProblems,
  refuseDuplicates,
  refuseSameNames,
} from '#server/records/checks.ts'
import { withKeptNames } from '#server/records/kept-names.ts'
import { mustBeJudgeable, mustMayWriteRow, newJudgement } from '#server/records/judgement.ts'
import { initialsOf } from '#server/records/initials.ts'
import { mustMayWrite } from '#server/records/may-write.ts'
import { mustActThere } from '#server/records/places.ts'
import { writeJournal } from '#server/records/journal.ts'
import { keepForRestore } from '#server/records/recycle.ts'
import { switches } from '#server/records/row-actions.ts'
import type { Change, RecordRow } from '#server/records/hooks.ts'
import { rulesOf } from '#server/registry/hooks.ts'
import { dropUnreadablePrices } from '#server/access/sensitive-fields.ts'
import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'

/** The result of a writing call: the row's key and its current version. */
export type Written = { readonly sn: string; readonly version: number }
type Body = Readonly<Record<string, unknown>>

const tableOf = (definition: AnyEntity): string => rulesOf(definition.kind).table ?? definition.table

/** `silent`: no user can be asked, as with rows of a sheet. */
export async function addRecord(
  tx: Tx,
  session: Session,
  definition: AnyEntity,
  { confirm, ...body }: Body,
  silent = false,
): Promise<Written> {
  mustMayWrite(session, definition, 'add')
  const read = await withKeptNames(tx, session.org.id, definition.fields, readFields(definition, body))
  const sent = dropUnreadablePrices(session, definition.fields, read)
  const after = { ...emptyRow(definition.fields), ...withDefaults(definition.fields, sent) }
  mustMayWriteRow(session, definition, 'add', after)
  await mustActThere(tx, session, definition, after)
  const asked = { ...after, [definition.key]: after[definition.display], version: 0 }
  if (!silent) await mustBeAsked(tx, session, definition, 'add', asked, sent, confirm)
  const change: Change = { id: null, after, sent, before: null }
  await checkChange(tx, session, definition, change)
  const filled = Object.fromEntries(Object.entries(after).filter(([, value]) => value !== null))
  const columns = {
    ...columnsOf(definition, filled),
    ...initialsOf(definition, after),
    ...(await rulesOf(definition.kind).alsoWrites?.(tx, session, change)),
  }
  const owner = definition.scope === 'organisation' ? { org_id: session.org.id } : {}
  const [row] = await tx<
    { id: string; version: number }[]
  >`insert into ${tx(tableOf(definition))} ${tx({ ...owner, ...columns } as Record<string, string>)} returning id,
    version`
  if (!row) throw new Error(`the new ${definition.kind} did not come back`)
  await shareNamedFiles(tx, session, definition, sent)
  await rulesOf(definition.kind).saved?.(tx, session, row.id, change)
  await writeJournal(tx, session, { subject: definition.kind, action: 'add', key: row.id, before: null, after })
  return { sn: row.id, version: row.version }
}

export async function editRecord(tx: Tx, session: Session, definition: AnyEntity, body: Body): Promise<Written> {
  mustMayWrite(session, definition, 'edit')
  const { row, rest, confirm } = await addressed(tx, session, definition, body, definition.fields)
  mustMayWriteRow(session, definition, 'edit', row)
  // A confirmation may include a reason.
  const { reason, rest: fields } = confirm === undefined ? { reason: null, rest } : withoutReason(rest)
  const read = await withKeptNames(tx, session.org.id, definition.fields, readFields(definition, fields), row)
  const written = dropUnreadablePrices(session, definition.fields, read)
  const sent = withDefaults(definition.fields, written)
  await mustActThere(tx, session, definition, { ...row, ...sent })
  await mustBeAsked(tx, session, definition, 'edit', row, sent, confirm)
  return writeChange(tx, session, definition, 'edit', row, sent, reason)
}

/** Files shown by a row of the whole network may be opened by all. */
async function shareNamedFiles(tx: Tx, session: Session, definition: AnyEntity, sent: RecordRow): Promise<void> {
  if (definition.scope !== 'shared') return
  const holders = Object.entries(definition.fields).filter(([, field]) => field.as === 'files')
  await shareFiles(
    tx,
    session,
    holders.flatMap(([name]) => (sent[name] as readonly string[] | null | undefined) ?? []),
  )
}

/** Writes a checked change to a stored row, under the version that was read. */
async function writeChange(
  tx: Tx,
  session: Session,
  definition: AnyEntity,
  action: string,
  before: RecordRow,
  sent: RecordRow,
  reason: string | null = null,
): Promise<Written> {
  const id = String(before[definition.key])
  // Enabling and disabling a row changes nothing that was judged.
  const judged = switches.has(action) ? {} : newJudgement(session, definition, before, sent)
  const after = { ...before, ...sent, ...judged }
  const change: Change = { id, after, sent, before }
  await checkChange(tx, session, definition, change)
  const changed = Object.fromEntries(
    Object.keys(definition.fields)
      .filter(name => after[name] !== before[name])
      .map(name => [name, after[name]]),
  )
  const also = await rulesOf(definition.kind).alsoWrites?.(tx, session, change)
  const version = await update(tx, session, definition, id, parseInteger(before.version), {
    ...columnsOf(definition, changed),
    ...(definition.display in changed ? initialsOf(definition, after) : {}),
    ...also,
  })
  await shareNamedFiles(tx, session, definition, sent)
  await rulesOf(definition.kind).saved?.(tx, session, id, change)
  const noted = reason === null ? after : { ...after, reason }
  await writeJournal(tx, session, { subject: definition.kind, action, key: id, before, after: noted })
  return { sn: id, version }
}

export async function deleteRecord(tx: Tx, session: Session, definition: AnyEntity, body: Body): Promise<Written> {
  mustMayWrite(session, definition, 'del')
  const { row, rest, confirm } = await addressed(tx, session, definition, body)
  readFields({ ...definition, fields: {} }, confirm === undefined ? rest : withoutReason(rest).rest)
  const rules = rulesOf(definition.kind)
  mustMayWriteRow(session, definition, 'del', row)
  await mustBeAsked(tx, session, definition, 'del', row, {}, confirm)
  await keepForRestore(tx, session, definition, row, 'delete')
  await rules.mayLeave?.(tx, session, 'del', row)
  const [id, version] = [String(row[definition.key]), parseInteger(row.version)]
  const deleted = await deleteRow(tx, session, definition, id, version)
  if (!deleted) throw stale()
  await writeJournal(tx, session, { subject: definition.kind, action: 'del', key: id, before: row, after: null })
  return { sn: id, version }
}

async function deleteRow(
  tx: Tx,
  session: Session,
  definition: AnyEntity,
  id: string,
  version: number,
): Promise<boolean> {
  const own = definition.scope === 'organisation' ? tx`org_id = ${session.org.id} and` : tx``
  try {
    const rows =
      await tx`delete from ${tx(tableOf(definition))} where ${own} id = ${id} and version = ${version} returning id`
    return rows.length === 1
  } catch (error) {
    if ((error as { code?: string }).code !== '23503') throw error
    throw new BusinessError(
      'blocked',
      `${definition.title}已被使用，不能删除${'status' in definition.fields ? '，可以停用' : ''}`,
    )
  }
}

/** 启用 and 停用, on definitions whose `status` has both. */
export async function switchRecord(
  tx: Tx,
  session: Session,
  definition: AnyEntity,
  action: 'enable' | 'disable',
  body: Body,
): Promise<Written> {
  mustMayWrite(session, definition, action)
  const { row, rest, confirm } = await addressed(tx, session, definition, body)
  const { reason, rest: unknown } = withoutReason(rest)
  readFields({ ...definition, fields: {} }, unknown)
  const spec = definition.actions?.[action]
  if (spec?.asksReason && !reason) throw noReason(spec.reasonMsg)
  const rules = rulesOf(definition.kind)
  mustMayWriteRow(session, definition, action, row)
  const status = action === 'enable' ? 'enabled' : 'disabled'
  if (row.status === status) throw new BusinessError('wrongState', `已经是${action === 'enable' ? '启用' : '停用'}状态`)
  await mustBeAsked(tx, session, definition, action, row, {}, confirm)
  if (action === 'disable') await rules.mayLeave?.(tx, session, 'disable', row)
  if (action === 'disable') await keepForRestore(tx, session, definition, row, 'disable', reason)
  return writeChange(tx, session, definition, action, row, { status }, reason)
}

/** An action of the definition's own, run by its `.server.ts`. */
export async function actOnRecord(
  tx: Tx,
  session: Session,
  definition: AnyEntity,
  action: string,
  body: Body,
): Promise<Written> {
  mustMayWrite(session, definition, action)
  const spec = definition.actions?.[action]
  const { row, rest, confirm } = await addressed(tx, session, definition, body, spec?.asks, action)
  const { reason, rest: unknown } = withoutReason(rest)
  const asked = { ...definition, fields: spec?.asks ?? {} }
  const answers = await withKeptNames(tx, session.org.id, asked.fields, readFields(asked, unknown), row)
  if (spec?.asksReason && !reason) throw noReason(spec.reasonMsg)
  const problems = [...missingFields(asked, answers), ...(await referenceProblems(tx, session, asked, answers))]
  if (problems.length > 0) throw new BusinessError('invalid', undefined, problems)
  await mustActThere(tx, session, { fields: asked.fields }, answers)
  mustBeJudgeable(definition, action, row)
  await mustBeAsked(tx, session, definition, action, row, answers, confirm)
  const rules = rulesOf(definition.kind)
  const values = await rules.actions?.[action]?.(tx, session, row, reason, answers)
  const id = String(row[definition.key])
  const version = await update(
    tx,
    session,
    definition,
    id,
    parseInteger(row.version),
    columnsOf(definition, values ?? {}),
  )
  await writeJournal(tx, session, {
    subject: definition.kind,
    action,
    key: id,
    before: row,
    after: { ...row, ...values, ...answers, ...(reason ? { reason } : {}) },
  })
  return { sn: id, version }
}

/** The sent fields by kind. Unknown ones and those filled by the server are refused. */
function readFields(definition: AnyEntity, body: Body): RecordRow {
  const { values, problems } = parseFields(definition.fields, body)
  const given = Object.keys(values).filter(name => definition.fields[name]?.readOnly)
  const all: Problem[] = [
    ...problems,
    ...given.map(name => ({ field: name, msg: `【${definition.fields[name]?.label}】由系统填写，不能修改` })),
  ]
  if (all.length > 0) throw new BusinessError('invalid', undefined, all)
  return values
}

/** A row without input: defaults, else null. */
const emptyRow = (fields: Fields): RecordRow =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      defaultOf(field) ?? (field.as === 'files' || field.as === 'codes' ? [] : null),
    ]),
  )

/** A field cleared by the user returns to its default where it has one. */
const withDefaults = (fields: Fields, sent: RecordRow): RecordRow =>
  Object.fromEntries(
    Object.entries(sent).map(([name, value]) => [
      name,
      value === null && fields[name] ? defaultOf(fields[name]) : value,
    ]),
  )

async function checkChange(tx: Tx, session: Session, definition: AnyEntity, change: Change): Promise<void> {
  const problems = [
    ...missingFields(definition, change.after),
    ...(await referenceProblems(tx, session, definition, change.sent)),
  ]
  if (problems.length > 0) throw new BusinessError('invalid', undefined, problems)
  const more = [
    ...guardProblems(definition, change.after),
    ...((await rulesOf(definition.kind).check?.(tx, session, change)) ?? []),
  ]
  if (more.length > 0) throw new BusinessError('invalid', undefined, more)
  await refuseDuplicates(tx, session, definition, change.after, change.id)
  await refuseSameNames(tx, session, definition, change)
}

/** A secret is never sent to the page, so an empty value does not clear it. */
const isKeptSecret = ({ fields }: AnyEntity, name: string, value: unknown) =>
  fields[name]?.secret === true && (value === null || value === '')

/** Wire values by column, without what a definition stores elsewhere and what a row only shows. */
function columnsOf(definition: AnyEntity, row: Readonly<RecordRow>): Record<string, string> {
  const kept = rulesOf(definition.kind).kept ?? []
  const entries = Object.entries(row).filter(
    ([name, value]) =>
      Object.hasOwn(definition.fields, name) &&
      !kept.includes(name) &&
      value !== undefined &&
      !isKeptSecret(definition, name, value),
  )
  // The driver's helper is typed for plain values; arrays and booleans pass as they are.
  return Object.fromEntries(
    entries.map(([name, value]) => [columnOf(name, definition.fields[name] as FieldSpec), value as string]),
  )
}

async function update(
  tx: Tx,
  session: Session,
  definition: AnyEntity,
  id: string,
  version: number,
  values: Readonly<Record<string, unknown>>,
): Promise<number> {
  const own = definition.scope === 'organisation' ? tx`org_id = ${session.org.id} and` : tx``
  const set = Object.entries(values)
    .map(([column, value]) => tx`${tx(column)} = ${value as string}, `)
    .reduce((before, one) => tx`${before}${one}`, tx``)
  const [row] = await tx<{ version: number }[]>`
    update ${tx(tableOf(definition))} set ${set}version = version + 1 where ${own} id = ${id} and version = ${version}
      returning version`
  if (!row) throw stale()
  return row.version
}

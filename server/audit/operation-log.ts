import type { Sql } from 'postgres'
import { type AuditAction, auditActions } from '#kernel/rules/audit-actions.ts'
import { commonFields, commonLineFields } from '#kernel/definition/common-fields.ts'
import type { Fields } from '#kernel/definition/field.ts'
import { documentOf, entityOf, reportOf } from '#kernel/registry.ts'
import { legible } from '#kernel/values/legible.ts'
import type { Session } from '#server/access/session.ts'
import { inOrganisation, type Tx } from '#server/database/transaction.ts'

type Row = Readonly<Record<string, unknown>>
export type LogEntry = {
  /** The definition's kind, or another name for what was changed. */
  readonly subject: string
  readonly subjectName?: string
  readonly action: string
  readonly actionName?: string
  readonly kind?: AuditAction
  readonly key?: string | null
  /** The readable name: a record's name, a document's number. */
  readonly name?: string | null
  readonly before?: Row | null
  readonly after?: Row | null
  readonly summary?: string | null
  readonly failed?: string | null
  readonly path?: string | null
  readonly tookMs?: number | null
}

/** Never stored in clear, whatever a definition says. */
const SECRET = /passw|pwd|token|secret|verify|captcha|hash|sid$/i
const MASKED = '******'

const fieldsOf = (kind: string): Fields => {
  const document = documentOf(kind)
  if (document) return { ...document.lines, ...document.header }
  const entity = entityOf(kind)
  // The answers to a record's dialogs are logged with its fields.
  const asked = [...Object.values(entity?.actions ?? {}), ...Object.values(entity?.calls ?? {})]
  return { ...Object.assign({}, ...asked.map(({ asks }) => asks)), ...entity?.fields } as Fields
}
/** Names of a kind whose values the log hides: of its fields, columns, filters, and of the questions of its calls. */
const hiddenIn = (kind: string): ReadonlySet<string> => {
  const [document, entity, report] = [documentOf(kind), entityOf(kind), reportOf(kind)]
  const parts: readonly (Fields | undefined)[] = [
    commonFields,
    commonLineFields,
    document?.header,
    document?.lines,
    ...Object.values(document?.lifecycle?.listActions ?? {}).map(({ inputs }) => inputs),
    entity?.fields,
    entity?.extras,
    ...[...Object.values(entity?.actions ?? {}), ...Object.values(entity?.calls ?? {})].map(({ asks }) => asks),
    report?.parameters,
    report?.columns,
    ...Object.values(report?.calls ?? {}).map(({ asks }) => asks),
  ]
  const named = (fields: Fields = {}) =>
    Object.entries(fields).flatMap(([name, field]) => (field.patient || field.secret ? [name] : []))
  const names = parts.flatMap(named)
  // The keyword of a list finds patients where its rows have some.
  return new Set(names.length > 0 ? [...names, 'q'] : names)
}
export const titleOf = (kind: string): string | null =>
  (documentOf(kind) ?? entityOf(kind) ?? reportOf(kind))?.title ?? null

/** A row as the log may store it: secrets and patient data masked, also in nested parts. */
export function maskRow(kind: string, row: Row | null | undefined): Row | null {
  if (!row) return null
  const hidden = hiddenIn(kind)
  const mask = (name: string, value: unknown): unknown => {
    if (value === null || value === undefined) return value
    if (SECRET.test(name) || hidden.has(name.replace(/^(begin|end)_/, '')) || hidden.has(name)) return MASKED
    if (Array.isArray(value)) return value.map(item => mask('', item))
    if (typeof value !== 'object' || value instanceof Date) return value
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, mask(key, part)]))
  }
  return mask('', row) as Row
}

const standardLabels: Readonly<Record<string, string>> = {
  add: '新增',
  edit: '编辑',
  del: '删除',
  enable: '启用',
  disable: '停用',
  import: '导入',
  importMarked: '下载导入错误',
  export: '导出',
  print: '打印',
  copy: '复制',
  batch: '批量操作',
  propose: '分配批号',
}
const labelOf = (kind: string, action: string): string =>
  (
    documentOf(kind)?.actions[action] ??
    documentOf(kind)?.lifecycle?.listActions?.[action] ??
    entityOf(kind)?.actions?.[action] ??
    entityOf(kind)?.calls?.[action]
  )?.label ??
  standardLabels[action] ??
  auditActions[action as AuditAction] ??
  '其他操作'

/** Records that define who may do what: changing one is a change of rights. */
const aboutRights = (kind: string): boolean => entityOf(kind)?.aboutRights === true

const kindOf = (subject: string, action: string): AuditAction =>
  aboutRights(subject) && action !== 'export'
    ? 'permission'
    : action in auditActions
      ? (action as AuditAction)
      : 'other'

/** Names and values of the changed fields, as far as they fit into a log line. */
function summaryOf({ subject, before, after }: LogEntry): string | null {
  if (!before || !after) return null
  const [fields, hidden] = [fieldsOf(subject), hiddenIn(subject)]
  const parts = Object.keys(after)
    .filter(name => fields[name] !== undefined && JSON.stringify(before[name]) !== JSON.stringify(after[name]))
    .filter(name => !SECRET.test(name) && !hidden.has(name))
    .map(name => fields[name]!.label)
  return parts.length === 0 ? null : `修改：${parts.join('、')}`.slice(0, 300)
}

/** The action's duration up to its log line, the last thing its transaction writes. */
export const elapsed = ({ began }: Session): number | null =>
  began === undefined ? null : Math.max(0, Math.round(Date.now() - began))

const insertEntry = (tx: Tx, session: Session, entry: LogEntry, of: string | null) => {
  const line = (words: string | null | undefined) => (words && legible(words)) ?? null
  const json = (row: Row | null) => (row === null ? null : tx.json(row))
  return tx`
    insert into operation_log (org_id, of_org_id, user_id, actor_name, login, subject, subject_name, action,
      action_name, action_kind, object_key, object_name, before, after, summary,
                               result, error, address, agent, path, took_ms)
    values (${session.org.id}, ${of}, ${session.userId}, ${session.userName}, ${line(session.login)},
      ${entry.subject}, ${entry.subjectName ?? titleOf(entry.subject)},
            ${entry.action}, ${entry.actionName ?? labelOf(entry.subject, entry.action)},
              ${entry.kind ?? kindOf(entry.subject, entry.action)},
            ${line(entry.key)}, ${line(entry.name)}, ${json(maskRow(entry.subject, entry.before))},
              ${json(maskRow(entry.subject, entry.after))}, ${line(entry.summary ?? summaryOf(entry))},
            ${entry.failed ? 'failed' : 'done'}, ${line(entry.failed)}, ${session.address}, ${line(session.agent)},
              ${entry.path ?? null}, ${entry.tookMs ?? elapsed(session)})`
}

/** One log line, in the transaction of the action: it is logged exactly when it was done. */
export async function logOperation(tx: Tx, session: Session, entry: LogEntry, of: string | null = null): Promise<void> {
  await insertEntry(tx, session, entry, of)
}

/**
 * An action without a transaction of its own: a sign-in, an export, a refusal. `of`: the organisation concerned,
 * where the platform keeps a copy.
 */
export async function logOperationNow(
  sql: Sql,
  session: Session,
  entry: LogEntry,
  of: string | null = null,
): Promise<void> {
  await inOrganisation(sql, session.org.id, session.userId, tx => insertEntry(tx, session, entry, of))
}

type Exported = { readonly subject: string; readonly query: Row; readonly path: string }

/** Passes rows through and, after the last one, logs who exported how many under which conditions. */
export async function* loggedExport<Piece extends readonly unknown[]>(
  sql: Sql,
  session: Session,
  exported: Exported,
  pieces: AsyncIterable<Piece>,
): AsyncGenerator<Piece> {
  let rows = 0
  const began = Date.now()
  for await (const piece of pieces) {
    rows += piece.length
    yield piece
  }
  await logOperationNow(sql, session, {
    subject: exported.subject,
    action: 'export',
    actionName: '导出',
    kind: 'export',
    after: { conditions: exported.query, rows },
    summary: `导出${rows}行`,
    path: exported.path,
    tookMs: Date.now() - began,
  })
}

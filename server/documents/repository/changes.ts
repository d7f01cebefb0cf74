import type { AnyDocument } from '#kernel/definition/document.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { plain } from '#kernel/values/decimal.ts'
import type { StoredDocument } from '#server/documents/repository/document.ts'
import { writableHeaderFields, writableLineFields } from '#server/documents/repository/document.ts'
import { maskRow } from '#server/audit/operation-log.ts'

type Row = Readonly<Record<string, unknown>>
/** Maximum lines of one edit kept in the log; for longer documents it keeps their number. */
const MOST_LINES = 200

const same = (one: unknown, other: unknown): boolean => text(one) === text(other)
const text = (value: unknown): string =>
  value === null || value === undefined || value === ''
    ? ''
    : /^-?\d+\.\d*0$/.test(String(value))
      ? plain(String(value))
      : JSON.stringify(value).replaceAll('"', '')

const differing = (names: readonly string[], before: Row, after: Row): string[] =>
  names.filter(name => name in after && !same(before[name], after[name]))
const only = (row: Row, names: readonly string[]): Row =>
  Object.fromEntries(names.map(name => [name, row[name] ?? null]))

/** The changes of an edit: header fields that differ, and lines changed, added or removed, before and after. */
export function diffDocument(
  definition: AnyDocument,
  before: StoredDocument,
  header: Row,
  lines: readonly Row[],
): { readonly before: Row; readonly after: Row } {
  const names = differing(Object.keys(writableHeaderFields(definition)), before, header)
  const old = new Map(before.lines.map(line => [line.line_no, line as Row]))
  const lineNames = Object.keys(writableLineFields(definition))
  const gone = [...old.keys()].filter(no => !lines.some(line => line.line_no === no))
  const changed = lines.flatMap(line => {
    const was = old.get(parseInteger(line.line_no))
    const parts = was
      ? differing(lineNames, was, line)
      : lineNames.filter(name => line[name] !== null && line[name] !== undefined)
    return parts.length === 0 ? [] : [{ no: line.line_no, was: was ? only(was, parts) : null, is: only(line, parts) }]
  })
  const long = changed.length + gone.length > MOST_LINES
  const side = (pick: 'was' | 'is', left: readonly Row[]): unknown =>
    long ? before.lines.length : [...changed.map(line => ({ line_no: line.no, ...line[pick] })), ...left]
  const touched = changed.length + gone.length > 0
  const leaving = gone.map(no => ({ line_no: no, ...only(old.get(no)!, lineNames) }))
  return {
    before: maskRow(definition.kind, { ...only(before, names), ...(touched ? { lines: side('was', leaving) } : {}) })!,
    after: maskRow(definition.kind, { ...only(header, names), ...(touched ? { lines: side('is', []) } : {}) })!,
  }
}

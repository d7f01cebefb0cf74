import { commonFields, commonLineFields } from '#kernel/definition/common-fields.ts'
import { states } from '#kernel/definition/document-state.ts'
import { f, type FieldSpec, type Fields } from '#kernel/definition/field.ts'
import { documentOf, entityOf, reportOf } from '#kernel/registry.ts'
import { minuteOf } from '#kernel/values/date.ts'
import { legible } from '#kernel/values/legible.ts'
import { flagNames } from '#server/public/menu.ts'
import type { DisplayNames } from '#server/public/records.ts'

type Values = Readonly<Record<string, unknown>>
/** Collects or looks up the readable name of a record. */
type Named = (kind: string, key: string) => string | null

/** Words in the log that are not a field of any definition. */
const ownWords: Fields = {
  state: f.pick('状态', { ...states, deleted: '已删除' }),
  reason: f.text('原因'),
  rows: f.count('行数'),
  copies: f.count('份数'),
  dictionary: f.text('字典'),
  name: f.text('名称'),
  door: f.text('柜门'),
  q: f.text('关键字'),
}
/** Names of rows within a row, with the word shown before each. */
const parts: Readonly<Record<string, string>> = { lines: '明细', doors: '柜门', conditions: '查询条件' }
const FLAGS = 'flags'
/** Shown in place of the name of a deleted record. */
const GONE = '（已删除）'

/** Every field that a logged row of a kind may have, by its name on the wire. */
function fieldsOf(kind: string): Fields {
  const [document, entity, report] = [documentOf(kind), entityOf(kind), reportOf(kind)]
  const asked = Object.values(entity?.calls ?? {}).map(({ asks }) => asks)
  const inputs = Object.values(document?.lifecycle?.listActions ?? {}).map(call => call.inputs ?? {})
  return Object.assign(
    {},
    commonLineFields,
    commonFields,
    ownWords,
    ...asked,
    ...inputs,
    ...Object.values(entity?.actions ?? {}).map(action => action.asks ?? {}),
    report?.parameters,
    entity?.extras,
    entity?.fields,
    document?.lines,
    document?.header,
  ) as Fields
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
const isRow = (value: unknown): value is Values => typeof value === 'object' && value !== null && !Array.isArray(value)

/** One value as its page shows it: names for keys, labels for choices, never a key itself. */
function valueText(name: string, field: FieldSpec, value: unknown, named: Named): string {
  if (Array.isArray(value)) {
    if (field.as === 'files') return `${value.length}个文件`
    if (name === FLAGS) return flagNames(value.map(String))
    return value.map(item => valueText(name, field, item, named)).join('、')
  }
  if (field.target !== undefined && /^\d+$/.test(String(value))) return named(field.target, String(value)) ?? GONE
  if (field.as === 'flag') return value === true || value === 'true' ? '是' : '否'
  if (field.as === 'taxRate') return `${String(value)}%`
  if (field.as === 'instant' && !Number.isNaN(Date.parse(String(value)))) return minuteOf(new Date(String(value)))
  return field.choices?.[String(value)] ?? legible(String(value))
}

/** A filter of a list is a field, or one end of its range. */
const withoutEnd = (name: string): string => name.replace(/^(begin|end)_/, '')
const END: Readonly<Record<string, string>> = { begin: '自', end: '至' }

function entryOf(fields: Fields, name: string, value: unknown, named: Named): string[] {
  if (isEmpty(value)) return []
  const part = parts[name]
  if (part !== undefined) return partOf(fields, part, value, named)
  if (name === 'keys') return [`勾选：${Array.isArray(value) ? value.length : 1}行`]
  const [end] = Object.hasOwn(fields, name) ? [] : name.split('_', 1)
  const field = fields[name] ?? fields[withoutEnd(name)]
  // A name that no page shows means nothing to a reader.
  if (field === undefined || isRow(value)) return []
  return [`${field.label}${END[end ?? ''] ?? ''}：${valueText(name, field, value, named)}`]
}

function partOf(fields: Fields, part: string, value: unknown, named: Named): string[] {
  if (isRow(value)) return prefixed(part, rowText(fields, value, named))
  if (!Array.isArray(value)) return [`${part}：${String(value)}行`]
  return value
    .filter(isRow)
    .flatMap(({ line_no: no, ...row }) =>
      prefixed(no === undefined ? part : `第${String(no)}行`, rowText(fields, row, named)),
    )
}
const prefixed = (before: string, text: string): string[] => (text === '' ? [] : [`${before}：${text}`])
const rowText = (fields: Fields, row: Values, named: Named): string =>
  Object.entries(row)
    .flatMap(([name, value]) => entryOf(fields, name, value, named))
    .join('，')

/** The logged values of a row, one field a line, in the words of its page. */
export const changeText = (kind: string, values: Values, named: Named): string =>
  Object.entries(values)
    .flatMap(([name, value]) => entryOf(fieldsOf(kind), name, value, named))
    .join('\n')

/** The records that the logged rows mention, by kind. */
export function keysIn(rows: readonly (readonly [kind: string, values: Values])[]): Map<string, Set<string>> {
  const keys = new Map<string, Set<string>>()
  const note: DisplayNames = (kind, key) => {
    keys.set(kind, (keys.get(kind) ?? new Set()).add(key))
    return null
  }
  for (const [kind, values] of rows) changeText(kind, values, note)
  return keys
}

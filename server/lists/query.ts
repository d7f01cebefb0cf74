import type { AnyEntity } from '#kernel/definition/entity.ts'
import { columnOf, f, type Fields, type FieldSpec, nameKeyOf } from '#kernel/definition/field.ts'
import { parseValue } from '#kernel/rules/parse-fields.ts'
import { BusinessError, type Problem } from '#kernel/rules/errors.ts'
import { entityOf } from '#kernel/registry.ts'
import { parseInteger } from '#kernel/values/integer.ts'

/** Maximum page size, and the count after which a total is only "more than". */
export const largestPage = 500
export const COUNT_LIMIT = 10_001
const FARTHEST_ROW = 10_000_000

export type Condition = {
  readonly name: string
  readonly is: 'equal' | 'contains' | 'piece' | 'among' | 'holds' | 'from' | 'to'
  readonly field: FieldSpec
  readonly value: unknown
}
export type Order = { readonly name: string; readonly descending: boolean }

/** A parsed list call: everything in it is known and of the right kind. */
export type ListQuery = {
  /** Null: no page was requested. */
  readonly page: number | null
  readonly size: number
  readonly order: readonly Order[]
  readonly conditions: readonly Condition[]
  /** The text of the search box. */
  readonly q: string | null
  readonly parameters: Readonly<Record<string, unknown>>
}

/** The columns a list may be filtered and sorted by, beside paging and search. */
export type ListColumns = { readonly columns: Fields; readonly parameters: Fields; readonly defaultOrder: string }

const orderable = new Set([
  'text',
  'day',
  'instant',
  'count',
  'quantity',
  'price',
  'amount',
  'rate',
  'taxRate',
  'flag',
  'pick',
  'ref',
])
const ranged = new Set(['day', 'instant', 'count', 'quantity', 'price', 'amount', 'rate'])

/** Parses the query of a list call. Unknown names are refused: a misspelt filter must not show everything. */
export function parseListQuery(listed: ListColumns, raw: Readonly<Record<string, unknown>>): ListQuery {
  const problems: Problem[] = []
  const conditions: Condition[] = []
  const parameters: Record<string, unknown> = {}
  for (const [name, given] of Object.entries(raw)) {
    if (name === 'pageNum' || name === 'pageSize' || name === 'sort' || name === 'q' || given === '') continue
    const read = readCondition(listed, name, given)
    if ('msg' in read) problems.push({ field: name.slice(0, 64), msg: read.msg })
    else if ('parameter' in read) parameters[name] = read.parameter
    else conditions.push(read)
  }
  const page = readWhole(raw.pageNum, 'pageNum', '页码', FARTHEST_ROW, problems)
  const size = readWhole(raw.pageSize, 'pageSize', '每页条数', largestPage, problems)
  const order = readOrder(listed, raw.sort, problems)
  const q = readSearch(raw.q, problems)
  if (problems.length > 0) throw new BusinessError('invalid', undefined, problems)
  return { page: page ?? (size === null ? null : 1), size: size ?? 20, order, conditions, q, parameters }
}

function readWhole(raw: unknown, name: string, label: string, most: number, problems: Problem[]): number | null {
  if (raw === undefined || raw === '') return null
  const value = typeof raw === 'string' && /^\d{1,8}$/.test(raw) ? parseInteger(raw) : 0
  if (value >= 1 && value <= most) return value
  problems.push({ field: name, msg: `${label}应为1到${most}的整数` })
  return null
}

function readSearch(raw: unknown, problems: Problem[]): string | null {
  if (raw === undefined || raw === '') return null
  if (typeof raw === 'string' && raw.length <= 200) return raw.trim() || null
  problems.push({ field: 'q', msg: '搜索内容过长' })
  return null
}

function readOrder(listed: ListColumns, raw: unknown, problems: Problem[]): Order[] {
  const asked =
    typeof raw === 'string' && raw !== '' ? raw : raw === undefined || raw === '' ? listed.defaultOrder : ','
  if (asked === '') return []
  return asked.split(',').map(part => {
    const descending = part.startsWith('-')
    const name = descending ? part.slice(1) : part
    const field = Object.hasOwn(listed.columns, name) ? listed.columns[name] : undefined
    if (!field || !orderable.has(field.as)) problems.push({ field: 'sort', msg: `不能按“${name.slice(0, 64)}”排序` })
    return { name, descending }
  })
}

type Read = Condition | { readonly parameter: unknown } | { readonly msg: string }

function readCondition(listed: ListColumns, name: string, given: unknown): Read {
  if (typeof given !== 'string') return { msg: `“${name.slice(0, 64)}”只能给一次` }
  if (given.length > 1000) return { msg: `“${name.slice(0, 64)}”过长` }
  if (Object.hasOwn(listed.parameters, name)) {
    const parsed = parseValue(listed.parameters[name] as FieldSpec, given)
    return 'msg' in parsed ? parsed : { parameter: parsed.value }
  }
  if (Object.hasOwn(listed.columns, name)) return readValue(name, listed.columns[name] as FieldSpec, given.trim())
  const range = /^(begin|end)_(.+)$/.exec(name)
  const within =
    range?.[2] !== undefined && Object.hasOwn(listed.columns, range[2]) ? listed.columns[range[2]] : undefined
  if (range?.[2] === undefined || !within || !ranged.has(within.as))
    return { msg: `没有“${name.slice(0, 64)}”这个查询条件` }
  // The whole last day is included in the range.
  const parsed = parseValue(asked(within), given)
  return 'msg' in parsed
    ? parsed
    : { name: range[2], is: range[1] === 'begin' ? 'from' : 'to', field: within, value: parsed.value }
}

/** A timestamp is filtered by its day; limits apply to input, not to search values. */
function asked(field: FieldSpec): FieldSpec {
  if (field.as === 'instant') return f.day(field.label)
  const { min: _min, max: _max, ...free } = field
  return free
}

function readValue(name: string, field: FieldSpec, text: string): Read {
  switch (field.as) {
    case 'text':
    case 'longText':
      if (field.form === 'piece') return { name, is: 'piece', field, value: text }
      return { name, is: 'contains', field, value: likePattern(text) }
    case 'files':
    case 'codes':
      return { name, is: 'holds', field, value: text }
    case 'pick': {
      const wrong = text.split(',').find(part => !Object.hasOwn(field.choices ?? {}, part))
      return wrong === undefined
        ? { name, is: 'among', field, value: text.split(',') }
        : { msg: `【${field.label}】没有“${wrong.slice(0, 20)}”这个选项` }
    }
    default: {
      const parsed = parseValue(asked(field), text)
      return 'msg' in parsed ? parsed : { name, is: 'equal', field, value: parsed.value }
    }
  }
}

/** A text as an ILIKE pattern that contains it literally. */
export const likePattern = (text: string): string => `%${text.replace(/[\\%_]/g, found => `\\${found}`)}%`

const known = new Map<AnyEntity, ListColumns>()

/**
 * The columns of a record's list: its key, its fields, the names and columns shown through references, and computed
 * columns.
 */
export function listColumnsOf(definition: AnyEntity): ListColumns {
  const before = known.get(definition)
  if (before) return before
  const columns: Record<string, FieldSpec> = { [definition.key]: f.ref(definition.title, definition.kind) }
  for (const [name, field] of Object.entries(definition.fields)) {
    columns[name] = field
    if (field.as !== 'ref') continue
    columns[nameKeyOf(name)] ??= f.text(field.label)
    for (const [shown, column] of Object.entries(field.shows ?? {}))
      columns[shown] ??= fieldBehind(field.target, column)
  }
  Object.assign(columns, definition.extras)
  const listed = {
    columns: columns as Fields,
    parameters: definition.parameters ?? {},
    defaultOrder: definition.sort ?? definition.key,
  }
  known.set(definition, listed)
  return listed
}

/** The field of another definition that a column belongs to; an undeclared column is text. */
function fieldBehind(target: string | undefined, column: string): FieldSpec {
  const found = Object.entries(entityOf(target ?? '')?.fields ?? {}).find(
    ([name, field]) => columnOf(name, field) === column,
  )
  return found?.[1] ?? f.text(column)
}

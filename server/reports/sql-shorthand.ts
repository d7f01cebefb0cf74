import { listOf, type Token, tokensOf } from '#server/reports/select-list.ts'

/** Functions that make one value of many rows. */
const AGGREGATES: ReadonlySet<string> = new Set([
  'array_agg',
  'bool_and',
  'bool_or',
  'count',
  'jsonb_agg',
  'max',
  'min',
  'percentile_cont',
  'string_agg',
  'sum',
])
const CONSTANT = /^(?:null|true|false|'[^']*'|[\d.]+)(?:::\w+(?:\([\d, ]+\))?)?(?:\s+as\s+\w+)?$/i

/**
 * The two clauses that reports take from newer SQL, in words that each supported PostgreSQL reads:
 *
 * - `group by all` groups by every column that is no aggregate and no constant.
 * - `union all by name` gives each select the columns of the first one, in its order, by their names: what a select
 * does not have is null. A name that the first one does not have is refused. A column that the first two do not know
 * needs its type there: `null::date as due_date`.
 */
export const spelledOut = (sql: string): string => withGroups(withUnions(sql))

const isAt = (tokens: readonly Token[], at: number, words: readonly string[]): boolean =>
  words.every((word, of) => tokens[at + of]?.text === word)

const BY_NAME = ['union', 'all', 'by', 'name'] as const
const ALL = ['group', 'by', 'all'] as const

/** Unions by name, the inner ones first: their columns are text of the outer ones. */
function withUnions(sql: string): string {
  const tokens = tokensOf(sql)
  const found = tokens.flatMap(({ depth }, at) => (isAt(tokens, at, BY_NAME) ? [{ at, depth }] : []))
  const inner = found.sort((one, other) => other.depth - one.depth)[0]
  return inner ? withUnions(inUnionOrder(sql, tokens, inner.at)) : sql
}

function inUnionOrder(sql: string, tokens: readonly Token[], union: number): string {
  const { depth } = tokens[union]!
  const opens = tokens.findLastIndex((token, at) => at < union && token.depth < depth)
  const closes = tokens.findIndex((token, at) => at > union && token.depth < depth)
  const ends = closes === -1 ? tokens.length : closes
  const own = tokens.flatMap((token, at) => (at > opens && at < ends && token.depth === depth ? [at] : []))
  const lists = own.filter(at => tokens[at]!.text === 'select').map(at => listOf(sql, tokens, at))
  const unions = own.filter(at => tokens[at]!.text === 'union')
  if (unions.length !== lists.length - 1 || !unions.every(at => isAt(tokens, at, BY_NAME)))
    throw new Error('a union by name is mixed with others')
  const names = namesOf(lists[0]!.columns.map(({ name }) => name))
  const selects = lists.slice(1).map(({ columns, from, to }) => {
    const given = new Map(columns.map(column => [column.name, column.sql]))
    const stray = namesOf(columns.map(({ name }) => name)).filter(name => !names.includes(name))
    if (stray.length > 0) throw new Error(`a union by name does not begin with ${stray.join(', ')}`)
    return { from, to, text: names.map(name => given.get(name) ?? 'null').join(', ') }
  })
  const words = unions.map(at => ({ from: tokens[at + 1]!.to, to: tokens[at + 3]!.to, text: '' }))
  return replaced(sql, [...selects, ...words])
}

/** Names of columns, each once. */
function namesOf(names: readonly string[]): readonly string[] {
  const wrong = names.find((name, at) => !/^[a-z_]+$/.test(name) || name === 'end' || names.indexOf(name) !== at)
  if (wrong !== undefined) throw new Error(`a union by name has a column without a name of its own: ${wrong}`)
  return names
}

/** The positions of the columns by which `group by all` groups. */
function withGroups(sql: string): string {
  const tokens = tokensOf(sql)
  const groups = tokens.flatMap((_, at) => (isAt(tokens, at, ALL) ? [at] : []))
  return replaced(
    sql,
    groups.map(at => {
      const { depth } = tokens[at]!
      const opens = tokens.findLastIndex((token, of) => of < at && token.depth < depth)
      const select = tokens.findLastIndex(
        (token, of) => of > opens && of < at && token.depth === depth && token.text === 'select',
      )
      const { columns } = listOf(sql, tokens, select)
      if (columns.some(({ name }) => name === '*')) throw new Error('group by all stands below a star')
      const places = columns.flatMap((column, of) => (isGrouped(column.sql) ? [of + 1] : []))
      if (places.length === 0) throw new Error('group by all finds no column to group by')
      return { from: tokens[at + 2]!.from, to: tokens[at + 2]!.to, text: places.join(', ') }
    }),
  )
}

/** True for a column that is neither a constant nor made of an aggregate; those of subqueries are their own. */
function isGrouped(sql: string): boolean {
  if (CONSTANT.test(sql)) return false
  const tokens = tokensOf(sql)
  let within = Number.POSITIVE_INFINITY
  for (const [at, { text, depth }] of tokens.entries()) {
    if (depth < within) within = Number.POSITIVE_INFINITY
    if (text === 'select' && within === Number.POSITIVE_INFINITY) within = depth
    const isOwn = within === Number.POSITIVE_INFINITY
    if (isOwn && AGGREGATES.has(text) && tokens[at + 1]?.text === '(') return false
  }
  return true
}

type Change = { readonly from: number; readonly to: number; readonly text: string }

/** A text with parts of it replaced, which do not overlap. */
function replaced(sql: string, changes: readonly Change[]): string {
  const ordered = [...changes].sort((one, other) => one.from - other.from)
  let end = 0
  const pieces = ordered.flatMap(({ from, to, text }) => {
    const before = sql.slice(end, from)
    end = to
    return [before, text]
  })
  return [...pieces, sql.slice(end)].join('')
}

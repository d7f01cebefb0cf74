/** A column that a select list yields: its name, and the SQL that it is. */
export type Selected = { readonly name: string; readonly sql: string }

/** Strings, comments and quoted names are one token, so that nothing in them is taken for SQL. */
const TOKEN = /'(?:[^']|'')*'|--[^\n]*|"[^"]*"|[A-Za-z_][A-Za-z0-9_]*|[(),;*]|[^\s]/g

/** A word or sign of SQL, in how many brackets it stands, and where. */
export type Token = { readonly text: string; readonly depth: number; readonly from: number; readonly to: number }

/** The words and signs of a statement; comments are none. */
export function tokensOf(sql: string): readonly Token[] {
  let depth = 0
  return [...sql.matchAll(TOKEN)].flatMap(({ 0: text, index }) => {
    if (text.startsWith('--')) return []
    if (text === ')') depth--
    const token = { text: text.toLowerCase(), depth, from: index, to: index + text.length }
    if (text === '(') depth++
    return [token]
  })
}

/** The words that end a select list at its own depth. */
const ENDS: ReadonlySet<string> = new Set(['from', 'union', 'where', 'group', 'order', 'limit', 'having'])

/** `is distinct from` ends nothing. */
const isEnd = (tokens: readonly Token[], at: number): boolean =>
  ENDS.has(tokens[at]!.text) && tokens[at - 1]?.text !== 'distinct'

/** The columns of the select at a token, and where their list begins and ends. */
export function listOf(
  sql: string,
  tokens: readonly Token[],
  at: number,
): { readonly columns: readonly Selected[]; readonly from: number; readonly to: number } {
  const { depth } = tokens[at]!
  const ends = tokens.findIndex(
    (token, of) => of > at && (token.depth < depth || (token.depth === depth && isEnd(tokens, of))),
  )
  const listed = tokens.slice(at + 1, ends === -1 ? undefined : ends)
  const items = apart(listed[0]?.text === 'distinct' ? listed.slice(1) : listed, depth)
  const columns = items.flatMap(item => {
    const [first, last] = [item[0], item.at(-1)]
    if (!first || !last) return []
    return [{ name: last.text.replaceAll('"', ''), sql: sql.slice(first.from, last.to) }]
  })
  return { columns, from: items[0]?.[0]?.from ?? tokens[at]!.to, to: listed.at(-1)?.to ?? tokens[at]!.to }
}

const listAt = (sql: string, tokens: readonly Token[], at: number): readonly Selected[] =>
  listOf(sql, tokens, at).columns

/**
 * The columns of a whole statement, by its first select list that stands in no brackets: of a union that is the one
 * that names them. A star yields what the `with` behind it does.
 */
export function columnsOf(sql: string): readonly Selected[] {
  const tokens = tokensOf(sql)
  const first = tokens.findIndex(({ text, depth }) => depth === 0 && text === 'select')
  if (first === -1) return []
  const listed = listAt(sql, tokens, first)
  if (!listed.some(({ name }) => name === '*')) return listed
  const source = tokens.slice(first).findIndex(({ text, depth }) => depth === 0 && text === 'from')
  const behind = tokens[first + source + 1]?.text
  return listed.flatMap(column => (column.name === '*' ? columnsOf(bodyOf(sql, tokens, behind)) : [column]))
}

/** The statement of a `with` of this name. */
function bodyOf(sql: string, tokens: readonly Token[], name: string | undefined): string {
  const at = tokens.findIndex(({ text, depth }, of) => depth === 0 && text === name && tokens[of + 1]?.text === 'as')
  const opens = tokens.findIndex(({ text, depth }, of) => of > at && depth === 0 && text === '(')
  const closes = tokens.findIndex(({ text, depth }, of) => of > opens && depth === 0 && text === ')')
  if (at === -1) throw new Error(`it selects * from ${name}, of which no columns are written`)
  return sql.slice(tokens[opens]!.to, tokens[closes]!.from)
}

/** Expressions of one list, apart by its commas. */
function apart(tokens: readonly Token[], depth: number): readonly (readonly Token[])[] {
  const items: Token[][] = [[]]
  for (const token of tokens)
    if (token.depth === depth && token.text === ',') items.push([])
    else items.at(-1)!.push(token)
  return items
}

/** The columns of `(values (…), (…)) as x (a, b)`, whose names stand behind them. */
function valuesAt(sql: string, tokens: readonly Token[], at: number): readonly Selected[] {
  const { depth } = tokens[at]!
  const closes = tokens.findIndex((token, of) => of > at && token.depth < depth)
  const opens = tokens.findIndex((token, of) => of > closes && token.text === '(')
  const ends = tokens.findIndex((token, of) => of > opens && token.text === ')')
  if (closes === -1 || opens === -1 || opens - closes > 3) return []
  const names = tokens.slice(opens + 1, ends).flatMap(({ text }) => (text === ',' ? [] : [text]))
  const rows: Token[][] = []
  for (const token of tokens.slice(at + 1, closes))
    if (token.depth === depth) {
      if (token.text === '(') rows.push([])
    } else rows.at(-1)?.push(token)
  return rows.flatMap(row =>
    apart(row, depth + 1).flatMap((item, of) => {
      const [first, last, name] = [item[0], item.at(-1), names[of]]
      return first && last && name !== undefined ? [{ name, sql: sql.slice(first.from, last.to) }] : []
    }),
  )
}

/** The expressions selected anywhere in a statement, at every depth. */
function everySelected(sql: string): readonly Selected[] {
  const tokens = tokensOf(sql)
  return tokens.flatMap(({ text }, at) => {
    if (text === 'select') return listAt(sql, tokens, at)
    return text === 'values' ? valuesAt(sql, tokens, at) : []
  })
}

/** The beginning of the fragment `known_cost`: a cost that only readers with the right see. */
const KNOWN_COST = 'case when :sees_costs then '

/** The expression without costs that are already guarded. */
function withoutKnownCosts(sql: string): string {
  const [before = '', ...behind] = sql.split(KNOWN_COST)
  const rest = behind.map(part => {
    const end = part.search(/ end\b/)
    return end === -1 ? `${KNOWN_COST}${part}` : part.slice(end + ' end'.length)
  })
  return [before, ...rest].join('')
}

const WORD = /'(?:[^']|'')*'|:[a-z_]+|([a-z_][a-z0-9_]*)\s*(\()?/gi

/** Names that an expression reads: neither functions nor what only counts rows, nor a name of a parameter. */
function readBy(sql: string): readonly string[] {
  const counted = withoutKnownCosts(sql.replaceAll(/\bcount\s*\([^()]*\)/gi, ''))
  return [...counted.matchAll(WORD)].flatMap(({ 1: name, 2: called }) => (name && !called ? [name.toLowerCase()] : []))
}

/**
 * The names under which a statement yields what begins as one of `origins`, those included, wherever it is renamed on
 * the way: an alias keeps what it is an alias of. Names are followed, and not tables: what has the name of such a
 * column is taken for one.
 */
export function namesFrom(sql: string, origins: ReadonlySet<string>): ReadonlySet<string> {
  const selected = everySelected(sql).map(({ name, sql: text }) => ({ name, reads: readBy(text) }))
  const found = new Set(origins)
  for (let before = -1; before !== found.size; ) {
    before = found.size
    for (const { name, reads } of selected) if (reads.some(read => found.has(read))) found.add(name)
  }
  return found
}

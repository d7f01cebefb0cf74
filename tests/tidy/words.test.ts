import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { parseSync } from 'vite'
import { ROOT, sources } from './sources.ts'

/**
 * One word for one thing: docs/glossary.md lists the words that may not be used in names, and what to say instead. A
 * banned word fails here as a part of a file's name, of an identifier that is declared, or of a comment. Names of the
 * wire and of columns (`snake_case`) and texts in quotes are not looked at, save comments of SQL in them.
 */
interface Ban {
  readonly word: string
  readonly term: string
  /** `false`: an ordinary word of English, free in sentences. */
  readonly inComments: boolean
  /** Files, or folders with what lies in them, where the word has a meaning of its own. */
  readonly except: readonly string[]
}

const HEADING = '## Words that may not be used in names'
const cellsOf = (row: string) =>
  row
    .split('|')
    .slice(1, -1)
    .map(cell => cell.trim())
const quotedIn = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(match => match[1]!)

/** The rows of the glossary's table, a ban for each word. */
function bansOf(glossary: string): readonly Ban[] {
  const [, section = ''] = glossary.split(HEADING)
  const rows = (section.split('\n## ')[0] ?? '')
    .split('\n')
    .filter(line => line.startsWith('|'))
    .slice(2)
  return rows
    .map(cellsOf)
    .flatMap(([words = '', term = '', comments = '', except = '']) =>
      quotedIn(words).map(word => ({ word, term, inComments: comments === 'no', except: quotedIn(except) })),
    )
}
const bans = bansOf(readFileSync(path.join(ROOT, 'docs/glossary.md'), 'utf8'))

/** `saleOdoLine`, `SALE_ODO` and `sale-odo.server` in words. */
const wordsIn = (name: string): readonly string[] =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .split(/[^A-Za-z\d]+/)
    .filter(word => word !== '')

/** The bans that a name breaks: their words stand in a row in it; a word with a capital letter is the whole name. */
function brokenBy(name: string, bans: readonly Ban[]): readonly Ban[] {
  const words = ` ${wordsIn(name).join(' ').toLowerCase()} `
  return bans.filter(({ word }) => (/^[A-Z]/.test(word) ? name === word : words.includes(` ${word} `)))
}
const isExempt = (file: string, { except }: Ban) => except.some(path => file === path || file.startsWith(`${path}/`))
const isWire = (name: string) => /^[a-z\d]+(_[a-z\d]+)+$/.test(name)

type Node = { readonly type: string; readonly start: number } & Readonly<Record<string, unknown>>
const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === 'string'
/** Where a node declares a name: the key under which the name stands. */
const declaring: Readonly<Record<string, string>> = {
  ClassDeclaration: 'id',
  FunctionDeclaration: 'id',
  MethodDefinition: 'key',
  Property: 'key',
  PropertyDefinition: 'key',
  TSEnumDeclaration: 'id',
  TSEnumMember: 'id',
  TSInterfaceDeclaration: 'id',
  TSMethodSignature: 'key',
  TSPropertySignature: 'key',
  TSTypeAliasDeclaration: 'id',
  TSTypeParameter: 'name',
}
/** Patterns: what is declared in them are identifiers wherever they stand. */
const patterns: Readonly<Record<string, readonly string[]>> = {
  VariableDeclarator: ['id'],
  ArrowFunctionExpression: ['params'],
  FunctionDeclaration: ['params'],
  FunctionExpression: ['params'],
  CatchClause: ['param'],
}

interface Named {
  readonly name: string
  readonly start: number
}

/** Every name that a file declares, and its comments. */
function declaredIn(file: string, text: string): { names: readonly Named[]; comments: readonly Named[] } {
  const { program, comments } = parseSync(file, text, { lang: file.endsWith('x') ? 'tsx' : 'ts' })
  const names: Named[] = []
  const add = (node: unknown) => {
    if (isNode(node) && node.type === 'Identifier') names.push({ name: String(node.name), start: node.start })
  }
  const addPattern = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(addPattern)
    if (!isNode(value)) return
    add(value)
    if (value.type === 'ObjectPattern')
      for (const each of value.properties as Node[]) addPattern(each.value ?? each.argument)
    if (value.type === 'ArrayPattern') addPattern(value.elements)
    if (value.type === 'AssignmentPattern') addPattern(value.left)
    if (value.type === 'RestElement') addPattern(value.argument)
  }
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(visit)
    if (!isNode(value)) return
    // What is taken out of an object has its name from elsewhere.
    if (value.type === 'ObjectPattern')
      return (value.properties as Node[]).forEach(each => visit(each.value ?? each.argument))
    const key = declaring[value.type]
    if (key !== undefined && value.computed !== true) add(value[key])
    for (const each of patterns[value.type] ?? []) addPattern(value[each])
    for (const [name, child] of Object.entries(value)) if (name !== 'type') visit(child)
  }
  visit(program)
  return { names, comments: comments.map(({ value, start }) => ({ name: value, start })) }
}

/** True if a text may say the word at all, as a word or as a part of a name: only then is it parsed. */
function mayHold(text: string, { word }: Ban): boolean {
  const [first = ''] = word.split(' ')
  const capital = first[0]!.toUpperCase() + first.slice(1)
  return new RegExp(`((?<![A-Za-z])(${first}|${first.toUpperCase()})|${capital})(?![a-z])`).test(text)
}

const lineOf = (text: string, index: number) => text.slice(0, index).split('\n').length

/** What is wrong with a file: where, which word, and the term for it. */
function wrongIn(file: string, text: string): readonly string[] {
  const binding = bans.filter(ban => !isExempt(file, ban))
  const report = (place: string, { word, term }: Ban) => `${place}: ${word} → ${term}`
  const inName = brokenBy(path.basename(file), binding).map(ban => report(file, ban))
  const near = binding.filter(ban => mayHold(text, ban))
  if (near.length === 0) return inName
  const sql = [...text.matchAll(/(?<=^|\s)--\s([^\n]*)/g)].map(match => ({ name: match[1]!, start: match.index }))
  if (file.endsWith('.sql')) return [...inName, ...wrongComments(file, text, sql, near)]
  const { names, comments } = declaredIn(file, text)
  const inNames = names
    .filter(({ name }) => !isWire(name))
    .flatMap(({ name, start }) =>
      brokenBy(name, near).map(ban => report(`${file}:${lineOf(text, start)} ${name}`, ban)),
    )
  return [...new Set([...inName, ...inNames, ...wrongComments(file, text, [...comments, ...sql], near)])]
}

function wrongComments(file: string, text: string, comments: readonly Named[], bans: readonly Ban[]) {
  return comments.flatMap(({ name, start }) => {
    // What stands in code marks is a name, of the wire or of a column.
    const said = name
      .replace(/`[^`]*`|\bin-house\b/g, ' ')
      .replace(/[\s*]+/g, ' ')
      .toLowerCase()
    return bans
      .filter(({ word, inComments }) => inComments && new RegExp(`\\b${word.toLowerCase()}\\b`).test(said))
      .map(({ word, term }) => `${file}:${lineOf(text, start)} in a comment: ${word} → ${term}`)
  })
}

/** A table's migration is never edited once it has landed, its comments neither. */
const isLanded = (file: string) => /^server\/migrations\/\d/.test(file)
const code = sources(/^(app|kernel|server|modules|demo|web|tests|scripts|bench)\/.*\.(ts|tsx|mjs|mts|sql)$/).filter(
  ({ file }) => !isLanded(file),
)

test('no name and no comment says a word that the glossary replaced by the term', () => {
  expect(code.length).toBeGreaterThan(1500)
  expect(bans.length).toBeGreaterThan(40)
  expect(code.flatMap(({ file, text }) => wrongIn(file, text))).toEqual([])
}, 60_000)

test('every exception leads to a file or folder', () => {
  const known = code.map(({ file }) => file)
  const lost = bans
    .flatMap(({ except }) => except)
    .filter(each => !known.some(file => file === each || file.startsWith(`${each}/`)))
  expect(lost).toEqual([])
})

test('what is banned is found wherever a name can be declared', () => {
  const wrong = [
    'const paperOf = 1',
    'function layLevels() {}',
    'type Deed = string',
    'interface A { readonly told?: string }',
    'const { a: houseRule } = b',
    'const [deed] = b',
    'export const f = ({ a = 1 }: B, ...papers: C[]) => a',
    'const d = { house: 1 }',
    'class Refusal {}',
    'const OPEN_DEEDS = 1',
    '/** A paper of the house. */',
    '// carried out by night',
  ]
  expect(wrong.filter(text => wrongIn('server/x.ts', text).length === 0)).toEqual([])
  expect(wrongIn('modules/goods/stock/house-rules.ts', '')).toHaveLength(1)
  expect(wrongIn('web/A.tsx', 'const A = ({ paper }: B) => <i>{paper}</i>')).toHaveLength(1)
})

test('texts, wire names, other words and foreign names are free', () => {
  const right = [
    "const kind = 'paper'",
    'const row = { paper_sn: 1 }',
    'const warehouse = layout',
    'const { told: reply } = body',
    'const found = body.papers',
    '// an in-house code, told apart by `paper`',
  ]
  expect(right.flatMap(text => wrongIn('server/x.ts', text))).toEqual([])
})

/** Words that a reader never meets, with the word that stands for the thing: the table of Chinese words. */
function unreadWords(glossary: string): readonly string[] {
  const [, section = ''] = glossary.split('## Chinese words for people')
  const rows = (section.split('\n## ')[0] ?? '').split('\n').filter(line => line.startsWith('|'))
  return rows.slice(2).flatMap(row => quotedIn(cellsOf(row)[2] ?? ''))
}

test('no page, message or help chapter says a Chinese word that the glossary replaced', () => {
  const words = unreadWords(readFileSync(path.join(ROOT, 'docs/glossary.md'), 'utf8'))
  expect(words.length).toBeGreaterThan(15)
  const read = sources(/^(app|kernel|server|modules|web|help)\/.*\.(ts|tsx|sql|md)$/).filter(
    ({ file }) => !isLanded(file) && !/\.test\.tsx?$|README\.md$/.test(file),
  )
  expect(read.length).toBeGreaterThan(1000)
  const found = read.flatMap(({ file, text }) =>
    words.filter(word => text.includes(word)).map(word => `${file}: ${word}`),
  )
  expect(found).toEqual([])
})

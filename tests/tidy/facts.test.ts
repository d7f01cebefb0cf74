import { beforeAll, expect, test } from 'vitest'
import { readdirSync, readFileSync } from 'node:fs'
import { documents } from '#kernel/registry.ts'
import { registerModules } from '#app/composition.ts'

/** Kinds follow from definitions: a new kind that sells, uses, owes or pays is in every figure by its facts. */
beforeAll(() => registerModules())

const filesOf = (folder: string, isWanted: (file: string) => boolean) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(isWanted)
    .map(file => ({ file: `${folder}/${file}`, text: readFileSync(`${folder}/${file}`, 'utf8') }))

const statements = () =>
  filesOf('modules', file => file.endsWith('.sql')).map(({ file, text }) => ({
    file,
    text: text.replaceAll(/--.*$/gm, ''),
  }))

/** Programs of the server, in which statements stand too; the engine knows no kinds. */
const programs = () => filesOf('modules', file => file.endsWith('.server.ts'))

/** `d.kind in ('a', 'b')`, `d.kind <> 'a'`, `case d.kind when 'a'`: a statement that decides by kinds. */
const LISTED = /\b\w*kind\s*(?:<>|not\s+in\s*\(|in\s*\()\s*'(\w+)'|\bcase\s+[\w.]*kind\s+when\s*'(\w+)'/g
const NAMED = /\b\w*kind\s*=\s*'(\w+)'/g

type Text = { readonly file: string; readonly text: string }

const found = (pattern: RegExp, kinds: ReadonlySet<string>, texts: readonly Text[] = statements()) =>
  texts.flatMap(({ file, text }) =>
    [...text.matchAll(pattern)].flatMap(([said, ...names]) =>
      names.some(name => name !== undefined && kinds.has(name)) ? [`${file}: ${said.replaceAll(/\s+/g, ' ')}`] : [],
    ),
  )

const allKinds = () => new Set(documents().map(({ kind }) => kind))

test('no statement of a report lists kinds of documents', () => {
  expect(found(LISTED, allKinds())).toEqual([])
})

test('no statement in a program of the server lists kinds of documents', () => {
  // A kind of code has the name of a document.
  const programsOfKinds = programs().filter(({ file }) => file !== 'modules/hospital/reagents/receive.server.ts')
  expect(found(LISTED, allKinds(), programsOfKinds)).toEqual([])
})

/** Lists that say which pages or moments are meant and count nothing, by their files. */
const REASONED: Readonly<Record<string, string>> = {
  'modules/platform/assistant/money.server.ts': 'the pages that an answer about balances offers',
  'modules/hospital/his/bedside/bedside-routes.server.ts': 'the forms that ask for a wristband',
  'modules/finance/service-charges/service-charge.server.ts': 'the rules of two kinds of its own that are the same',
  'modules/finance/settlement/completion.server.ts': 'the documents after whose review a settlement is looked at again',
}

test('no program of the server keeps a list of kinds to count by', () => {
  const kinds = allKinds()
  const lists = programs().flatMap(({ file, text }) =>
    [...text.matchAll(/\[\s*(?:'\w+'\s*,?\s*){2,}\]/g)].flatMap(([list]) =>
      [...list.matchAll(/'(\w+)'/g)].filter(([, name]) => kinds.has(name!)).length >= 2 && !(file in REASONED)
        ? [`${file}: ${list.replaceAll(/\s+/g, ' ')}`]
        : [],
    ),
  )
  expect(lists).toEqual([])
})

test('a report asks for a lot by its number as it stands', () => {
  const asked = statements().map(({ file, text }) => ({
    file,
    text: text.replaceAll(/\{\{ of_lot\([\w.]+, :lot_no\) \}\}|\blots_named ?\(:lot_no\)|:lot_no is null/g, ''),
  }))
  expect(asked.filter(({ text }) => text.includes(':lot_no')).map(({ file }) => file)).toEqual([])
})

test('no statement of a report names a kind that is a fact', () => {
  const counted = documents().filter(
    ({ facts = {}, copyFacts = {} }) => Object.keys({ ...facts, ...copyFacts }).length > 0,
  )
  expect(found(NAMED, new Set(counted.map(({ kind }) => kind)))).toEqual([])
})

/** Statements of the schema that mean these kinds whatever facts they are. */
const MEANT: Readonly<Record<string, string>> = {
  "0500-documents.sql: kind in ('scrap'": 'the two ways in which an inspection lets unqualified goods be disposed of',
  "0620-limits.sql: kind = 'requisition'": 'requests of wards are found by an index of their own, which names the kind',
  "0800-platform.sql: document_kind = 'requisition'": 'a setting of the organisation that belongs to this kind',
}

test('no view and no function of the schema names a kind that is a fact', () => {
  const counted = new Set(
    documents()
      .filter(({ facts = {}, copyFacts = {} }) => Object.keys({ ...facts, ...copyFacts }).length > 0)
      .map(({ kind }) => kind),
  )
  const folder = 'server/migrations/repeatable'
  const views = filesOf(folder, file => file.endsWith('.sql')).map(({ file, text }) => ({
    file: file.slice(folder.length + 1),
    text: text.replaceAll(/--.*$/gm, ''),
  }))
  const said = [...found(LISTED, counted, views), ...found(NAMED, counted, views)]
  expect(said.filter(each => !(each in MEANT))).toEqual([])
  expect(Object.keys(MEANT).filter(each => !said.includes(each))).toEqual([])
})

test('every document that moves goods says which facts it is', () => {
  const silent = documents().filter(
    ({ posting, facts }) => posting.postings && posting.stockDirection !== 'none' && facts === undefined,
  )
  expect(silent.map(({ kind }) => kind)).toEqual([])
})

import { beforeAll, expect, test } from 'vitest'
import { readdirSync, readFileSync } from 'node:fs'
import { documents } from '#kernel/registry.ts'
import { registerModules } from '#server/composition.ts'

/** Kinds follow from definitions: a new kind that sells, uses, owes or pays is in every figure by its facts. */
beforeAll(() => registerModules())

const statements = () =>
  readdirSync('modules', { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.sql'))
    .map(file => ({ file, text: readFileSync(`modules/${file}`, 'utf8').replaceAll(/--.*$/gm, '') }))

/** `d.kind in ('a', 'b')`, `d.kind <> 'a'`, `case d.kind when 'a'`: a statement that decides by kinds. */
const LISTED = /\b\w*kind\s*(?:<>|not\s+in\s*\(|in\s*\()\s*'(\w+)'|\bcase\s+[\w.]*kind\s+when\s*'(\w+)'/g
const NAMED = /\b\w*kind\s*=\s*'(\w+)'/g

const found = (pattern: RegExp, kinds: ReadonlySet<string>) =>
  statements().flatMap(({ file, text }) =>
    [...text.matchAll(pattern)].flatMap(([said, ...names]) =>
      names.some(name => name !== undefined && kinds.has(name)) ? [`${file}: ${said.replaceAll(/\s+/g, ' ')}`] : [],
    ),
  )

test('no statement of a report lists kinds of documents', () => {
  expect(found(LISTED, new Set(documents().map(({ kind }) => kind)))).toEqual([])
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

test('every document that moves goods says which facts it is', () => {
  const silent = documents().filter(
    ({ posting, facts }) => posting.postings && posting.stockDirection !== 'none' && facts === undefined,
  )
  expect(silent.map(({ kind }) => kind)).toEqual([])
})

import { expect, test } from 'vitest'
import { pagesOf } from '#server/menu/page-rules.ts'
import { proofs, rulebook } from '../../scripts/rulebook.ts'

const { rules } = rulebook()

test('every rule has a test that proves it', () => {
  expect(rules.flatMap(({ rule, tests }) => (tests.length > 0 ? [] : [rule.id]))).toEqual([])
})

test('tests prove rules that exist', () => {
  const known = new Set(rules.map(({ rule }) => rule.id))
  expect(proofs().proofs.filter(({ rule }) => !known.has(rule))).toEqual([])
})

test('every rule has an id of its own, stands on a page, and is a Chinese sentence', () => {
  const ids = rules.map(({ rule }) => rule.id)
  expect(ids.filter((id, at) => ids.indexOf(id) !== at || !/^[a-z]\w*\.[a-z]\w*$/i.test(id))).toEqual([])
  expect(rules.flatMap(({ rule }) => (pagesOf(rule).length > 0 ? [] : [rule.id]))).toEqual([])
  expect(rules.flatMap(({ rule }) => (/^\p{Script=Han}.*。$/u.test(rule.text) ? [] : [rule.id]))).toEqual([])
})

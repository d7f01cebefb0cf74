import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { registerModules } from '../app/composition.ts'
import { hooks } from '../server/registry/hooks.ts'
import type { PageRule } from '../server/rulebook/page-rule.ts'
import { allRules, pagesOf } from '../server/menu/page-rules.ts'

const ROOT = path.resolve(import.meta.dirname, '..')
const TESTS = '{app,demo,kernel,modules,server,tests,web}/**/*.test.{ts,tsx}'

/** A test that says that it proves a rule. */
export type Proof = { readonly rule: string; readonly file: string; readonly line: number }

/** What the tests say they prove, and the files of tests that name no rule. */
export function proofs(): { readonly proofs: readonly Proof[]; readonly silent: readonly string[] } {
  const files = globSync(TESTS, { cwd: ROOT }).toSorted()
  const found = files.flatMap(file => {
    const text = readFileSync(path.join(ROOT, file), 'utf8')
    return [...text.matchAll(/\bproves\(([^)]*)\)/g)].flatMap(({ 1: named = '', index }) => {
      const line = text.slice(0, index).split('\n').length
      return [...named.matchAll(/'([^']+)'/g)].map(({ 1: rule = '' }) => ({ rule, file, line }))
    })
  })
  const speaking = new Set(found.map(({ file }) => file))
  return { proofs: found, silent: files.filter(file => !speaking.has(file)) }
}

/** Every rule with its tests, and the policies that no rule names. */
export function rulebook(): {
  readonly rules: readonly { readonly rule: PageRule; readonly tests: readonly Proof[] }[]
  readonly unsaid: readonly string[]
  readonly silent: readonly string[]
} {
  registerModules()
  const { proofs: all, silent } = proofs()
  const byRule = Map.groupBy(all, ({ rule }) => rule)
  const rules = allRules().map(rule => ({ rule, tests: byRule.get(rule.id) ?? [] }))
  const named = new Set(rules.map(({ rule }) => rule.policy))
  const unsaid = hooks().settings.policies.flatMap(({ name, title }) =>
    named.has(name) ? [] : [`${title}（${name}）`],
  )
  return { rules, unsaid, silent }
}

/** The titles of the pages of a rule; of many their number. */
export function placesOf(rule: PageRule): string {
  const titles = [...new Set(pagesOf(rule).map(({ screen }) => screen.title))]
  return titles.length > 5 ? `${titles.slice(0, 5).join('、')} 等${titles.length}页` : titles.join('、')
}

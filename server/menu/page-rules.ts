import type { OrgType } from '#kernel/values/organisation-type.ts'
import { documentOf } from '#kernel/registry.ts'
import { allPages, type Page } from '#server/menu/menu.ts'
import { hooks } from '#server/registry/hooks.ts'
import { documentRules, stockRules } from '#server/rulebook/document-rules.ts'
import type { PageRule } from '#server/rulebook/page-rule.ts'

/** Every rule of the program, chapter by chapter: those of all documents first. */
export function allRules(): readonly PageRule[] {
  const rules = [documentRules, stockRules, ...hooks().pageRules].flatMap(each => Object.values(each))
  return [...Map.groupBy(rules, ({ chapter }) => chapter).values()].flat()
}

function standsOn({ pages }: PageRule, { kind, screen }: Page): boolean {
  if (typeof pages !== 'function')
    return pages.some(shown => ('kind' in shown ? shown.kind === kind : shown.route === screen.route))
  const definition = documentOf(kind)
  return definition !== undefined && pages(definition)
}

const breadth = ({ pages }: PageRule): number => (typeof pages === 'function' ? 1 : 0)

/** The rules of the pages that organisations of a type have; of one page where its route is given. */
export function rulesFor(type: OrgType, route?: string): readonly PageRule[] {
  const pages = allPages().filter(
    ({ screen }) => screen.orgs.includes(type) && (route === undefined || screen.route === route),
  )
  const found = allRules().filter(rule => pages.some(page => standsOn(rule, page)))
  // On its page the rules of a kind come before those of all documents.
  return route === undefined ? found : found.toSorted((one, other) => breadth(one) - breadth(other))
}

/** The pages on which a rule stands. */
export const pagesOf = (rule: PageRule): readonly Page[] => allPages().filter(page => standsOn(rule, page))

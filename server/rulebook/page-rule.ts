import type { AnyDocument } from '#kernel/definition/document.ts'

/** A page by the definition it shows, or a tool by its screen. */
type Shown = { readonly kind: string } | { readonly route: string }

/** The pages that hold to a rule: those of these definitions, or of every document for which the function is true. */
export type RulePages = readonly Shown[] | ((definition: AnyDocument) => boolean)

/** A rule that pages hold to, in the words of the people who work there: who, what, when, and what is refused. */
export type PageRule = {
  /** Refusals, tests and printed rulebooks name it: it stays, and is never given to another rule. */
  readonly id: string
  /** The part of the rulebook in which it stands. */
  readonly chapter: string
  /** One or two Chinese sentences. */
  readonly text: string
  readonly pages: RulePages
  /** The policy by which an organisation sets its strictness or its figure, where it can be set. */
  readonly policy?: string
}

/** Rules by their names. */
export type PageRules = Readonly<Record<string, PageRule>>

type Said = string | { readonly text: string; readonly policy?: string; readonly pages?: RulePages }

/**
 * Rules of some pages; one of them may stand on other pages. The id of a rule is `place` and its name:
 * `document.otherPerson`.
 */
export function definePageRules<Name extends string>(
  { place, ...common }: { readonly place: string } & Pick<PageRule, 'chapter' | 'pages'>,
  said: Readonly<Record<Name, Said>>,
): Readonly<Record<Name, PageRule>> {
  const rules = Object.entries<Said>(said).map(([name, each]) => [
    name,
    { id: `${place}.${name}`, ...common, ...(typeof each === 'string' ? { text: each } : each) },
  ])
  return Object.fromEntries(rules) as Readonly<Record<Name, PageRule>>
}

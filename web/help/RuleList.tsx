import { Tag } from '#web/fields/Tag.tsx'
import css from '#web/help/RuleList.module.css'

/** A rule as the rulebook gives it; `state` is how the organisation has set it. */
export type Rule = {
  readonly id: string
  readonly chapter: string
  readonly text: string
  readonly state?: string
  readonly changed_by?: string
  readonly changed_on?: string
}

export const ruleContains = ({ id, chapter, text }: Rule, typed: string): boolean =>
  [id, chapter, text].some(part => part.includes(typed))

/** Rules by chapter; each with its id, by which refusals and people name it. */
export function RuleList({ rules }: { readonly rules: readonly Rule[] }) {
  return [...Map.groupBy(rules, ({ chapter }) => chapter)].map(([chapter, each]) => (
    <section key={chapter} aria-label={chapter}>
      <h3 className={css.chapter}>{chapter}</h3>
      <ol className={css.rules}>
        {each.map(({ id, text, state, changed_by, changed_on }) => (
          <li key={id}>
            <p>{text}</p>
            <p className={css.about}>
              <code>{id}</code>
              {state && <Tag>本机构：{state}</Tag>}
              {changed_by && `${changed_by} ${changed_on} 设置`}
            </p>
          </li>
        ))}
      </ol>
    </section>
  ))
}

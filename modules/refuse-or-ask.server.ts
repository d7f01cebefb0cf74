import { type Problem, Refusal } from '#kernel/refusal.ts'
import type { Acting } from '#server/engine/documents/acting.ts'

/** Papers that do not suffice stop the deed, or are asked about under the name of the rule, as the organisation is set. */
export function refuseOrAsk({ settings, questions }: Acting, rule: string, problems: readonly Problem[]): void {
  if (problems.length === 0) return
  if (settings.certificate_check !== 'warn') throw new Refusal('rule', problems[0]!.msg, problems)
  questions.push(
    ...problems.map(({ line, msg }) => ({
      rule,
      ...(line ? { line } : {}),
      msg: `${msg.slice(0, msg.lastIndexOf('，不能'))}，是否继续？`,
    })),
  )
}

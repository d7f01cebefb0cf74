import { type Problem, Refusal } from '#kernel/refusal.ts'
import type { Acting } from '#server/public/hooks.ts'

/** Papers that do not suffice stop the deed, or are asked about under the name of the rule, as the organisation is set. */
export function refuseOrAsk(acting: Acting, rule: string, problems: readonly Problem[]): void {
  if (acting.settings.certificate_check === 'warn') refuseAndAsk(acting, rule, [], problems)
  else refuseAndAsk(acting, rule, problems, [])
}

/** Some of them stop it, others are asked about: what cannot be done is asked without that half of its sentence. */
export function refuseAndAsk(
  { questions }: Acting,
  rule: string,
  refused: readonly Problem[],
  asked: readonly Problem[],
): void {
  if (refused.length > 0) throw new Refusal('rule', refused[0]!.msg, refused)
  questions.push(
    ...asked.map(({ line, msg }) => ({
      rule,
      ...(line ? { line } : {}),
      msg: `${msg.slice(0, msg.lastIndexOf('，不能'))}，是否继续？`,
    })),
  )
}

import { type Problem, BusinessError } from '#kernel/rules/errors.ts'
import type { ActionContext } from '#server/public/hooks.ts'

/**
 * Insufficient licences block the action, or need a confirmation under the name of the rule, depending on the
 * organisation's setting.
 */
export function refuseOrAsk(ctx: ActionContext, rule: string, problems: readonly Problem[]): void {
  if (ctx.settings.certificate_check === 'warn') refuseAndAsk(ctx, rule, [], problems)
  else refuseAndAsk(ctx, rule, problems, [])
}

/** Some problems block the action, others need a confirmation: the question omits the "cannot" half of the sentence. */
export function refuseAndAsk(
  { warnings: questions }: ActionContext,
  rule: string,
  refused: readonly Problem[],
  asked: readonly Problem[],
): void {
  if (refused.length > 0) throw new BusinessError('rule', refused[0]!.msg, refused)
  questions.push(
    ...asked.map(({ line, msg }) => ({
      rule,
      ...(line ? { line } : {}),
      msg: `${msg.slice(0, msg.lastIndexOf('，不能'))}，是否继续？`,
    })),
  )
}

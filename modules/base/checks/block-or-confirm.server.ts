import { type BusinessErrorName, type Problem, BusinessError } from '#kernel/rules/errors.ts'
import type { ActionContext } from '#server/public/hooks.ts'

/** The reason that prevents an action: the fact, and the half sentence that says what cannot be done because of it. */
export type Obstacle = Pick<Problem, 'field' | 'line'> & { readonly fact: string; readonly consequence: string }

/**
 * Insufficient licences block the action, or need a confirmation under the name of the rule, depending on the
 * organisation's setting.
 */
export function refuseOrAsk(ctx: ActionContext, rule: string, obstacles: readonly Obstacle[]): void {
  if (ctx.settings.certificate_check === 'warn') refuseAndAsk(ctx, rule, [], obstacles)
  else refuseAndAsk(ctx, rule, obstacles, [])
}

/** Some obstacles block the action, others need a confirmation: a refusal states the consequence, a question asks. */
export function refuseAndAsk(
  { warnings: questions }: ActionContext,
  rule: string,
  refused: readonly Obstacle[],
  asked: readonly Obstacle[],
): void {
  const problems = refused.map(
    ({ fact, consequence, ...where }): Problem => ({ ...where, msg: `${fact}，${consequence}` }),
  )
  if (problems.length > 0) throw new BusinessError('rule', problems[0]!.msg, problems)
  questions.push(...asked.map(({ line, fact }) => ({ rule, ...(line ? { line } : {}), msg: `${fact}，是否继续？` })))
}

/** Options of a refusal and its question: the refusal's code, and how the user is asked about a problem. */
type Said = { readonly reason?: BusinessErrorName; readonly ask?: (msg: string) => string }

/** Problems block the action, or with 仅警告 need a confirmation under the name of the rule. */
export function blockOrConfirm(
  { warnings: questions }: Pick<ActionContext, 'warnings'>,
  how: string,
  rule: string,
  problems: readonly Problem[],
  { reason = 'rule', ask = msg => `${msg}，是否继续？` }: Said = {},
): void {
  if (problems.length === 0) return
  if (how !== 'warn') throw new BusinessError(reason, problems[0]!.msg, problems)
  questions.push(...problems.map(({ line, msg }) => ({ rule, ...(line ? { line } : {}), msg: ask(msg) })))
}

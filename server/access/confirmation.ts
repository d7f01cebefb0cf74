import { createHmac } from 'node:crypto'
import { type Question, ConfirmationRequired } from '#kernel/rules/errors.ts'
import { signingSecret } from '#server/registry/connections.ts'

const TEN_MINUTES = 10

const tokenOf = (about: readonly unknown[], questions: readonly Question[], slot: number): string =>
  createHmac('sha256', signingSecret())
    .update(
      JSON.stringify([...about, questions.map(question => [question.rule, question.line ?? 0, question.msg]), slot]),
    )
    .digest('base64url')
    .slice(0, 32)

/**
 * Continues when the call confirmed exactly these questions; otherwise asks them. A token is bound to the subject
 * (`about`: user, row, version, action) and to this set of questions, and is valid for ten minutes. It is signed with
 * the installation's secret, so nobody can confirm a question that was not asked. Returns the confirmed messages.
 */
export function requireConfirmation(
  about: readonly unknown[],
  questions: readonly Question[],
  sent: unknown,
): readonly string[] {
  if (questions.length === 0) return []
  const slot = Math.floor(Date.now() / 60_000)
  if (typeof sent === 'string' && sent !== '')
    for (let age = 0; age <= TEN_MINUTES; age++)
      if (tokenOf(about, questions, slot - age) === sent) return questions.map(question => question.msg)
  throw new ConfirmationRequired(questions, tokenOf(about, questions, slot))
}

import type { AnyDocument } from '#kernel/definition/document.ts'
import { BusinessError, type Problem } from '#kernel/rules/errors.ts'
import { documentRulesOf, hooks } from '#server/registry/hooks.ts'
import type { ActionContext, Condition } from '#server/documents/action/context.ts'
import { refuseLotless } from '#server/documents/allocation/reserve.ts'
import { missingRequiredFields } from '#server/documents/draft/input.ts'
import { checkDocumentPeriod, prefetchPeriod } from '#server/documents/posting/period.ts'
import { checkDates, noteLate } from '#server/documents/posting/business-dates.ts'
import { checkLotDates } from '#server/documents/posting/lot-dates.ts'
import type { StoredDocument } from '#server/documents/repository/document.ts'
import { checkSerialsInStock } from '#server/documents/posting/trace.ts'
import { pipelined } from '#server/database/transaction.ts'
import { lockedWarehouse } from '#server/ledger/warehouse-lock.ts'

/**
 * Keeps refusals instead of stopping at the first. Once one is kept, an error that is no refusal ends the round: the
 * action is refused in any case, and a condition may rely on what an earlier one refused.
 */
const keeper =
  (kept: BusinessError[]): ActionContext['hold'] =>
  async condition => {
    try {
      await condition()
    } catch (error) {
      if (error instanceof BusinessError) kept.push(error)
      else throw kept.length > 0 ? allOf(kept) : error
    }
  }

/** Several refusals in one: the first is the sentence, and each is listed, none twice. */
function allOf(errors: readonly BusinessError[]): BusinessError {
  const [first] = errors
  if (errors.length === 1) return first!
  const listed = errors.flatMap(({ problems, message }) => (problems.length > 0 ? problems : [{ msg: message }]))
  // A field that is required is listed once, whether by its name in brackets or by a sentence of its kind.
  const sentence = (problem: Problem) => `${problem.line ?? ''} ${problem.msg.replaceAll(/[【】]/g, '')}`
  const once = [...Map.groupBy(listed, sentence).values()].map(([problem]) => problem!)
  const all = new BusinessError(first!.reason, first!.message, once, first!.document)
  return first!.rule === null ? all : all.because({ id: first!.rule })
}

/** Everything that blocks an action, in the order in which users see it. */
export async function runChecks(asked: ActionContext): Promise<void> {
  const { tx, session, action, doc, definition, spec } = asked
  const moves = action === 'submit' || action === 'review'
  const { actionChecks, finalChecks } = hooks()
  const kept = asked.collectedErrors ?? (action === 'submit' ? [] : null)
  const ctx: ActionContext = kept === null ? asked : { ...asked, hold: keeper(kept) }
  // Data that the conditions and the posting need is read at once.
  const store = action === 'review' && definition.posting.postings ? doc.warehouse_model_inner_sn : null
  await pipelined([
    prefetchPeriod(ctx),
    store ? lockedWarehouse(tx, session.org.id, [store]) : null,
    ...(moves ? actionChecks.map(({ prefetch }) => prefetch?.(ctx) ?? null) : []),
  ])
  if (action === 'submit') await ctx.hold(() => refuseMissing(definition, doc))
  if (moves && definition.posting.stockDirection === 'out')
    await ctx.hold(() => checkSerialsInStock(tx, session, doc, definition.compliance.verb))
  await ctx.hold(() => checkDocumentPeriod(ctx))
  for (const guard of spec.guards ?? []) await ctx.hold(() => refuseUnless(guard(doc as never)))
  if (action === 'submit' && definition.posting.stockDirection === 'out')
    await ctx.hold(() => refuseLotless(tx, session.org.id, doc))
  await ctx.hold(() => checkDates(ctx))
  await noteLate(ctx)
  await ctx.hold(() => checkLotDates(ctx))
  if (moves) for (const { check } of actionChecks) await ctx.hold(() => check(ctx))
  for (const condition of conditionsOf(doc.kind, action)) await ctx.hold(() => condition(ctx))
  if (moves && !kept?.[0]) for (const { check } of finalChecks) await ctx.hold(() => check(ctx))
  if (kept?.[0]) throw allOf(kept)
}

function conditionsOf(kind: string, action: string): readonly Condition[] {
  const asked = askedAt(kind, action)
  return action === 'submit' ? [...asked, ...foreseen(asked, askedAt(kind, 'review'))] : asked
}

function askedAt(kind: string, action: string): readonly Condition[] {
  const asked = documentRulesOf(kind).validate?.[action] ?? []
  return typeof asked === 'function' ? [asked] : asked
}

/** Conditions of the review that already refuse at submit. Their questions are left to the user who reviews. */
const foreseen = (asked: readonly Condition[], later: readonly Condition[]): Condition[] =>
  later
    .filter(condition => !condition.atReviewOnly && !asked.includes(condition))
    .map(condition => ctx => condition({ ...ctx, warnings: [] }))

function refuseMissing(definition: AnyDocument, doc: StoredDocument): void {
  const missing = missingRequiredFields(definition, doc)
  if (missing.length > 0) throw new BusinessError('invalid', missing[0]!.msg, missing)
}

function refuseUnless(held: true | string): void {
  if (held !== true) throw new BusinessError('rule', held, [{ msg: held }])
}

import type { AnyDocument } from '#kernel/definition/document.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { documentRulesOf, hooks } from '#server/registry/hooks.ts'
import type { ActionContext } from '#server/documents/action/context.ts'
import { missingRequiredFields } from '#server/documents/draft/input.ts'
import { prefetchPeriod, checkDocumentPeriod } from '#server/documents/posting/period.ts'
import { checkDates } from '#server/documents/posting/business-dates.ts'
import type { StoredDocument } from '#server/documents/repository/document.ts'
import { checkSerialsInStock } from '#server/documents/posting/trace.ts'
import { pipelined } from '#server/database/transaction.ts'
import { lockedWarehouse } from '#server/ledger/warehouse-lock.ts'

/** Checks one condition; the preview collects refusals instead of stopping at the first. */
async function hold(ctx: ActionContext, condition: () => void | Promise<void>): Promise<void> {
  try {
    await condition()
  } catch (error) {
    if (!(ctx.collectedErrors && error instanceof BusinessError)) throw error
    ctx.collectedErrors.push(error)
  }
}

/** Everything that blocks an action, in the order in which users see it. */
export async function runChecks(ctx: ActionContext): Promise<void> {
  const { tx, session, action, doc, definition, spec } = ctx
  const moves = action === 'submit' || action === 'review'
  const { actionChecks, finalChecks } = hooks()
  // Data that the conditions and the posting need is read at once.
  const store = action === 'review' && definition.posting.postings ? doc.warehouse_model_inner_sn : null
  await pipelined([
    prefetchPeriod(ctx),
    store ? lockedWarehouse(tx, session.org.id, [store]) : null,
    ...(moves ? actionChecks.map(({ prefetch }) => prefetch?.(ctx) ?? null) : []),
  ])
  if (action === 'submit') await hold(ctx, () => refuseMissing(definition, doc))
  if (moves && definition.posting.stockDirection === 'out')
    await hold(ctx, () => checkSerialsInStock(tx, session, doc, definition.compliance.verb))
  await hold(ctx, () => checkDocumentPeriod(ctx))
  for (const guard of spec.guards ?? []) await hold(ctx, () => refuseUnless(guard(doc as never)))
  await hold(ctx, () => checkDates(ctx))
  if (moves) for (const { check } of actionChecks) await hold(ctx, () => check(ctx))
  await hold(ctx, () => documentRulesOf(doc.kind).validate?.[action]?.(ctx))
  if (moves && !ctx.collectedErrors?.[0]) for (const { check } of finalChecks) await hold(ctx, () => check(ctx))
  if (ctx.collectedErrors?.[0]) throw ctx.collectedErrors[0]
}

function refuseMissing(definition: AnyDocument, doc: StoredDocument): void {
  const missing = missingRequiredFields(definition, doc as never)
  if (missing.length > 0) throw new BusinessError('invalid', missing[0]!.msg, missing)
}

function refuseUnless(held: true | string): void {
  if (held !== true) throw new BusinessError('rule', held, [{ msg: held }])
}

import type { AnyDocument } from '#kernel/document.ts'
import { Refusal } from '#kernel/refusal.ts'
import { documentRulesOf, hooks } from '#server/registry/hooks.ts'
import type { Acting } from '#server/engine/documents/acting.ts'
import { missingFields } from '#server/engine/documents/body.ts'
import { askClosedDates, refuseClosedDates } from '#server/engine/documents/period.ts'
import type { StoredDoc } from '#server/engine/documents/stored.ts'
import { refuseStrayUnits } from '#server/engine/documents/trace-moves.ts'
import { together } from '#server/engine/transaction.ts'
import { lockedStore } from '#server/ledger/store-lock.ts'

/** Runs one condition; the rehearsal gathers what it refuses instead of stopping at the first. */
async function hold(acting: Acting, condition: () => void | Promise<void>): Promise<void> {
  try {
    await condition()
  } catch (error) {
    if (!(acting.gathered && error instanceof Refusal)) throw error
    acting.gathered.push(error)
  }
}

/** Everything that stands in the way of an action, in the order in which people are told. */
export async function refuseByRules(acting: Acting): Promise<void> {
  const { tx, session, action, doc, definition, spec } = acting
  const moves = action === 'submit' || action === 'review'
  const { actionChecks, finalChecks } = hooks()
  // What the conditions, and the posting after them, will ask is asked at once.
  const store = action === 'review' && definition.posts ? doc.warehouse_model_inner_sn : null
  await together([
    askClosedDates(acting),
    store ? lockedStore(tx, session.org.id, [store]) : null,
    ...(moves ? actionChecks.map(({ prefetch }) => prefetch?.(acting) ?? null) : []),
  ])
  if (action === 'submit') await hold(acting, () => refuseMissing(definition, doc))
  if (moves && definition.goods === 'out') await hold(acting, () => refuseStrayUnits(tx, session, doc, definition.deed))
  await hold(acting, () => refuseClosedDates(acting))
  for (const guard of spec.guards ?? []) await hold(acting, () => refuseUnless(guard(doc as never)))
  if (moves) for (const { check } of actionChecks) await hold(acting, () => check(acting))
  await hold(acting, () => documentRulesOf(doc.kind).before?.[action]?.(acting))
  if (moves && !acting.gathered?.[0]) for (const { check } of finalChecks) await hold(acting, () => check(acting))
  if (acting.gathered?.[0]) throw acting.gathered[0]
}

function refuseMissing(definition: AnyDocument, doc: StoredDoc): void {
  const missing = missingFields(definition, doc as never)
  if (missing.length > 0) throw new Refusal('invalid', missing[0]!.msg, missing)
}

function refuseUnless(held: true | string): void {
  if (held !== true) throw new Refusal('rule', held, [{ msg: held }])
}

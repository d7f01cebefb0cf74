import type { AnyDocument } from '#kernel/document.ts'
import { Refusal } from '#kernel/refusal.ts'
import { refuseStrangePlaces } from '#modules/put-away.server.ts'
import { refuseRecalled } from '#modules/recalled.server.ts'
import { documentRulesOf } from '#server/registry/hooks.ts'
import type { Acting } from '#server/engine/documents/acting.ts'
import { missingFields } from '#server/engine/documents/body.ts'
import { askGate, judge, judgeArrivals, mayBeExpired } from '#server/engine/documents/gate.ts'
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
  // What the conditions, and the posting after them, will ask is asked at once.
  const store = action === 'review' && definition.posts ? doc.warehouse_model_inner_sn : null
  await together([
    askClosedDates(acting),
    moves && definition.gate ? askGate(acting) : null,
    store ? lockedStore(tx, session.org.id, [store]) : null,
  ])
  if (action === 'submit') await hold(acting, () => refuseMissing(definition, doc))
  if (moves && definition.goods === 'out') await hold(acting, () => refuseStrayUnits(tx, session, doc, definition.deed))
  await hold(acting, () => refuseClosedDates(acting))
  for (const guard of spec.guards ?? []) await hold(acting, () => refuseUnless(guard(doc as never)))
  if (moves && definition.goods === 'out' && !mayBeExpired(definition, doc))
    await hold(acting, () => refuseRecalled(tx, session.org.id, doc.lines))
  if (moves) await hold(acting, () => judge(acting))
  if (moves) await hold(acting, () => judgeArrivals(acting))
  await hold(acting, () => documentRulesOf(doc.kind).before?.[action]?.(acting))
  if (moves && !acting.gathered?.[0]) await hold(acting, () => refuseStrangePlaces(acting))
  if (acting.gathered?.[0]) throw acting.gathered[0]
}

function refuseMissing(definition: AnyDocument, doc: StoredDoc): void {
  const missing = missingFields(definition, doc as never)
  if (missing.length > 0) throw new Refusal('invalid', missing[0]!.msg, missing)
}

function refuseUnless(held: true | string): void {
  if (held !== true) throw new Refusal('rule', held, [{ msg: held }])
}

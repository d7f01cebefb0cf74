import type { AnyDocument } from '#kernel/definition/document.ts'
import { compare, isZero } from '#kernel/values/decimal.ts'
import { dayOf, daysBetween, today } from '#kernel/values/date.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import type { Effect, State } from '#kernel/definition/document-state.ts'
import { autoReceiveForOfflinePartner } from '#server/documents/intercompany/offline-partner.ts'
import type { ActionContext } from '#server/documents/action/context.ts'
import { settleCosts } from '#server/documents/lines/cost-price.ts'
import { foreseeReview } from '#server/documents/action/foresee-review.ts'
import { confirmCopies, resendWaiting } from '#server/documents/intercompany/reviewed-copies.ts'
import { checkNoFollowUps, checkNoOpenFollowUps } from '#server/documents/action/follow-up-checks.ts'
import { cameIntoForce, wasVoided } from '#server/documents/effective.ts'
import { sendCopies, sendStop } from '#server/documents/intercompany/outbox.ts'
import {
  cancelUntouchedFollowUps,
  countClosed,
  createFollowUps,
  uncountClosed,
} from '#server/documents/action/create-follow-ups.ts'
import { reverseDocument } from '#server/documents/action/reverse.ts'
import { postDocument, postingContext } from '#server/documents/posting/post.ts'
import {
  cancelRefusedGoods,
  checkRefusalNotSent,
  recordRefusedGoods,
} from '#server/documents/intercompany/refused-goods.ts'
import { release, reserve } from '#server/documents/allocation/reserve.ts'
import {
  consumeSources,
  releaseSources,
  releaseUnexecuted,
  undoSubmitProgress,
} from '#server/documents/action/consume-sources.ts'
import { assignSerials } from '#server/documents/posting/lots-and-serials.ts'
import { refuseKept } from '#server/documents/repository/history.ts'
import { refuseStoppedLines, stopLines } from '#server/documents/action/stop-lines.ts'
import { settleStopped } from '#server/documents/progress/stopped-lines.ts'
import type { StoredDocument } from '#server/documents/repository/document.ts'
import { unpostDocument } from '#server/documents/posting/unpost.ts'

/** Runs in the action's one transaction; answers the state if it is another one than the action says. */
type RunEffect = (ctx: ActionContext) => Promise<{ state?: State; red_sn?: string } | void>

/**
 * A document whose lines leave nothing to take is completed at review: a count without differences, a block lifted
 * at once.
 */
const hasNothing = (
  { progress: { main }, progress: { mainAlso }, lineRules: { selfClosed: closes } }: AnyDocument,
  { lines }: StoredDocument,
): boolean =>
  main !== undefined &&
  lines.every(line => {
    if (isZero(line.base_quantity)) return isZero(line.taxed_amount)
    const part = closes?.(line)
    return part && [main, ...(mainAlso ?? [])].includes(part.purpose)
      ? compare(part.quantity, line.base_quantity) >= 0
      : false
  })

/** Brings a document into force and books what it posts. */
async function review(ctx: ActionContext): Promise<{ state?: State } | undefined> {
  const { tx, session, definition } = ctx
  if (definition.posting.reservesStock) await release(tx, session, ctx.doc.id)
  let doc = await assignSerials(ctx)
  if (definition.posting.postings) {
    const written = await postDocument(
      tx,
      session,
      definition,
      doc,
      definition.posting.postings(doc, postingContext(session)),
    )
    const { costing } = definition.pricing
    if (costing === 'leaving' || costing === 'own')
      doc = await settleCosts(tx, session.org.id, doc, written.stock, costing)
  }
  await cameIntoForce(tx, session, definition, doc)
  await consumeSources({ ...ctx, doc }, 'review')
  await countClosed(tx, session, definition, doc)
  // Lines that the other side stopped while the document waited.
  if (doc.lines.some(line => line.stop_reason))
    await settleStopped(tx, session.org.id, [doc.id], { comesIntoForce: true })
  await recordRefusedGoods({ ...ctx, doc })
  await sendCopies(tx, session, definition, doc, 'review')
  await confirmCopies(tx, session, definition, doc)
  await createFollowUps(ctx, doc, 'review')
  const answered = await autoReceiveForOfflinePartner({ ...ctx, doc })
  return answered ?? (hasNothing(definition, doc) ? { state: 'completed' } : undefined)
}

/** A document without follow-ups returns to its state before review. */
async function undoReview(ctx: ActionContext): Promise<void> {
  const { tx, session, definition, doc } = ctx
  refuseStoppedLines(doc, ctx.spec.label)
  await cancelUntouchedFollowUps(ctx)
  await checkNoFollowUps(ctx)
  await wasVoided(tx, session, definition, doc.id)
  if (definition.posting.postings) await unpostDocument(ctx)
  await uncountClosed(tx, session, definition, doc)
  await releaseSources(ctx, 'review')
  if (definition.posting.reservesStock) await reserve(tx, session, doc)
}

async function unreview(ctx: ActionContext): Promise<void> {
  const { settings, doc } = ctx
  // The goods or money that the reversal took back may have changed since; the trace cannot undo an undo.
  if (doc.red_of_id) throw new BusinessError('wrongState', '红冲单不能反审核；红冲有误请重新开单')
  if (doc.reviewed_at && daysBetween(dayOf(new Date(doc.reviewed_at)), today()) > settings.unreview_days)
    throw new BusinessError('rule', `审核已超过${settings.unreview_days}天，不能反审核，请红冲`)
  await checkRefusalNotSent(ctx)
  await undoReview(ctx)
  await resendWaiting(ctx.tx, ctx.session, ctx.definition, ctx.doc)
}

const keep = ({ tx, session, definition, doc, spec }: ActionContext): Promise<void> =>
  refuseKept(tx, session.org.id, definition, doc, spec.label)

export const effects: Readonly<Record<Effect, RunEffect>> = {
  submit: async ctx => {
    await consumeSources(ctx, 'submit')
    if (ctx.definition.posting.reservesStock) await reserve(ctx.tx, ctx.session, ctx.doc)
    await foreseeReview(ctx)
    await sendCopies(ctx.tx, ctx.session, ctx.definition, ctx.doc, 'submit')
    await createFollowUps(ctx, ctx.doc, 'submit')
  },
  unsubmit: async ctx => {
    await keep(ctx)
    await undoSubmitProgress(ctx)
  },
  reject: async ctx => {
    await keep(ctx)
    await undoSubmitProgress(ctx)
  },
  cancel: async ctx => {
    const { tx, session, definition, doc } = ctx
    await keep(ctx)
    await cancelUntouchedFollowUps(ctx)
    await checkNoFollowUps(ctx)
    if (doc.state === 'submitted') await undoSubmitProgress(ctx)
    if (doc.state !== 'reviewed') return
    refuseStoppedLines(doc, ctx.spec.label)
    await checkRefusalNotSent(ctx)
    await wasVoided(tx, session, definition, doc.id)
    await uncountClosed(tx, session, definition, doc)
    await releaseSources(ctx, 'review')
    await releaseSources(ctx, 'submit')
  },
  review,
  post: review,
  unreview,
  unpost: unreview,
  // A document returned to its author must be reviewed again; one that stays only loses its refusals.
  unrefuse: async ctx => {
    await cancelRefusedGoods(ctx)
    if (ctx.spec.to === 'submitted') await undoReview(ctx)
  },
  stop: async ctx => {
    await checkNoOpenFollowUps(ctx)
    await releaseUnexecuted(ctx)
    await sendStop(ctx.tx, ctx.session, ctx.doc, ctx.reason)
  },
  stopLines,
  reverse: async ctx => reverseDocument(ctx),
}

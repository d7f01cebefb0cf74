import type { AnyDocument } from '#kernel/document.ts'
import { compare, isZero } from '#kernel/decimal.ts'
import { daysBetween, dayOf, today } from '#kernel/day.ts'
import { Refusal } from '#kernel/refusal.ts'
import type { State } from '#kernel/state.ts'
import { answerForAbsent } from '#server/engine/documents/absent.ts'
import type { Acting } from '#server/engine/documents/acting.ts'
import { settleCosts } from '#server/engine/documents/costs.ts'
import { refuseFollowed, refuseOpenFollowUps } from '#server/engine/documents/follow-ups.ts'
import { cameIntoForce, wasVoided } from '#server/documents/effective.ts'
import { sendCopies, sendStopped } from '#server/engine/documents/hand-over.ts'
import { closeRest, dropMade, makePapers, reopenRest } from '#server/engine/documents/make.ts'
import { mirror } from '#server/engine/documents/mirror.ts'
import { bookOf, post } from '#server/engine/documents/post.ts'
import { refuseParts, refuseUnsaying, unsayParts } from '#server/engine/documents/refuse.ts'
import { release, reserve } from '#server/engine/documents/reserve.ts'
import { giveBackRest, progressBack, progressNow, takeBackSubmit } from '#server/engine/documents/taking.ts'
import { nameUnits } from '#server/engine/documents/units.ts'
import type { StoredDoc } from '#server/engine/documents/stored.ts'
import { unpost } from '#server/engine/documents/unpost.ts'

/** What an action does beside changing the state; each runs in the action's one transaction. */
type Effect = (acting: Acting) => Promise<{ state?: State; red_sn?: string } | void>

/** A paper whose lines leave nothing to be taken is done when it is reviewed: a count without differences, a block that was lifted at once. */
const hasNothing = ({ main, mainAlso, closes }: AnyDocument, { lines }: StoredDoc): boolean =>
  main !== undefined &&
  lines.every(line => {
    if (isZero(line.base_quantity)) return isZero(line.taxed_amount)
    const part = closes?.(line as never)
    return part && [main, ...(mainAlso ?? [])].includes(part.purpose)
      ? compare(part.quantity, line.base_quantity) >= 0
      : false
  })

/** A paper that nothing came of is as it was before its review. */
async function takeBackReview(acting: Acting): Promise<void> {
  const { tx, session, definition, doc } = acting
  await dropMade(acting)
  await refuseFollowed(acting)
  await wasVoided(tx, session, definition, doc.id)
  if (definition.posts) await unpost(acting)
  await reopenRest(tx, session, definition, doc)
  await progressBack(acting, 'review')
  if (definition.reserves) await reserve(tx, session, doc)
}

export const effects: Readonly<Record<string, Effect>> = {
  submit: async acting => {
    await progressNow(acting, 'submit')
    if (acting.definition.reserves) await reserve(acting.tx, acting.session, acting.doc)
    await sendCopies(acting.tx, acting.session, acting.definition, acting.doc, 'submit')
    await makePapers(acting, acting.doc, 'submit')
  },
  unsubmit: async acting => takeBackSubmit(acting),
  reject: async acting => takeBackSubmit(acting),
  cancel: async acting => {
    const { tx, session, definition, doc } = acting
    await dropMade(acting)
    await refuseFollowed(acting)
    if (doc.state === 'submitted') await takeBackSubmit(acting)
    if (doc.state !== 'reviewed') return
    await refuseUnsaying(acting)
    await wasVoided(tx, session, definition, doc.id)
    await reopenRest(tx, session, definition, doc)
    await progressBack(acting, 'review')
    await progressBack(acting, 'submit')
  },
  review: async acting => {
    const { tx, session, definition } = acting
    if (definition.reserves) await release(tx, session, acting.doc.id)
    let doc = await nameUnits(acting)
    if (definition.posts) {
      const written = await post(tx, session, definition, doc, definition.posts(doc, bookOf(session)))
      acting.written.stock.push(...written.stock)
      acting.written.entries.push(...written.entries)
      if (definition.costed === 'leaving') doc = await settleCosts(tx, session.org.id, doc, written.stock)
    }
    await cameIntoForce(tx, session, definition, doc)
    await progressNow({ ...acting, doc }, 'review')
    await closeRest(tx, session, definition, doc)
    await refuseParts({ ...acting, doc })
    acting.written.followUps.push(...(await sendCopies(tx, session, definition, doc, 'review')))
    await makePapers(acting, doc, 'review')
    const answered = await answerForAbsent({ ...acting, doc })
    return answered ?? (hasNothing(definition, doc) ? { state: 'completed' } : undefined)
  },
  unreview: async acting => {
    const { settings, doc } = acting
    // What it took back may have gone its own way since; the trace keeps no undoing of an undoing.
    if (doc.red_of_id) throw new Refusal('wrongState', '红冲单不能反审核；红冲有误请重新开单')
    if (doc.reviewed_at && daysBetween(dayOf(new Date(doc.reviewed_at)), today()) > settings.unreview_days)
      throw new Refusal('rule', `审核已超过${settings.unreview_days}天，不能反审核，请红冲`)
    await refuseUnsaying(acting)
    await takeBackReview(acting)
  },
  // What goes back to its author is to be reviewed anew; what stays only has its refusals no more.
  unrefuse: async acting => {
    await unsayParts(acting)
    if (acting.spec.to === 'submitted') await takeBackReview(acting)
  },
  stop: async acting => {
    await refuseOpenFollowUps(acting)
    await giveBackRest(acting)
    await sendStopped(acting.tx, acting.session, acting.doc, acting.reason)
  },
  redReverse: async acting => mirror(acting),
}

import type { AnyDocument } from '#kernel/document.ts'
import { negate } from '#kernel/decimal.ts'
import { daysBetween, dayOf, today } from '#kernel/day.ts'
import { parseFields } from '#kernel/parse.ts'
import { Refusal } from '#kernel/refusal.ts'
import type { State } from '#kernel/state.ts'
import { documentRulesOf } from '#modules/registry.server.ts'
import { type Acting, mustBeConfirmed } from '#server/engine/documents/acting.ts'
import { checkVersion, missingFields } from '#server/engine/documents/body.ts'
import { judge, judgeArrivals } from '#server/engine/documents/gate.ts'
import { refuseFollowed, refuseOpenFollowUps, refuseState } from '#server/engine/documents/follow-ups.ts'
import { handOver, hasAccount, sendCopies, sendStopped } from '#server/engine/documents/hand-over.ts'
import { writeHistory } from '#server/engine/documents/history.ts'
import { loadDocument } from '#server/engine/documents/load.ts'
import { mirror } from '#server/engine/documents/mirror.ts'
import { bookOf, post } from '#server/engine/documents/post.ts'
import { type Advance, advance } from '#server/engine/documents/progress.ts'
import { refuseStrayUnits } from '#server/engine/documents/trace-moves.ts'
import { release, reserve } from '#server/engine/documents/reserve.ts'
import { takenBack, takesBack } from '#server/engine/documents/take-back.ts'
import { settingsOf } from '#server/engine/documents/settings.ts'
import { closeRest, dropMade, makePapers, reopenRest } from '#server/engine/documents/make.ts'
import {
  acceptedHeader,
  headerColumns,
  ownHeader,
  type StoredDoc,
  storedColumn,
} from '#server/engine/documents/stored.ts'
import { giveBackRest, progressBack, progressNow, takeBackSubmit } from '#server/engine/documents/taking.ts'
import { nameUnits, settleLots } from '#server/engine/documents/units.ts'
import { unpost } from '#server/engine/documents/unpost.ts'
import type { JSONValue } from 'postgres'
import { mustBeAllowed, type Session } from '#server/engine/session.ts'
import { together, type Tx } from '#server/engine/transaction.ts'

export type ActReply = {
  readonly sn: string
  readonly version: number
  readonly state: string
  readonly red_sn?: string
}
export type ActBody = Readonly<Record<string, unknown>>

/** What an action does beside changing the state; each runs in the action's one transaction. */
type Effect = (acting: Acting) => Promise<{ state?: State; red_sn?: string } | void>

const effects: Readonly<Record<string, Effect>> = {
  submit: async acting => {
    await progressNow(acting, 'submit')
    if (acting.definition.reserves) await reserve(acting.tx, acting.session, acting.doc)
    await sendCopies(acting.tx, acting.session, acting.definition, acting.doc, 'submit')
    await makePapers(acting.tx, acting.session, acting.definition, acting.doc, 'submit')
  },
  unsubmit: async acting => takeBackSubmit(acting),
  reject: async acting => takeBackSubmit(acting),
  cancel: async acting => {
    const { tx, session, definition, doc } = acting
    await dropMade(acting)
    await refuseFollowed(acting)
    if (doc.state === 'submitted') await takeBackSubmit(acting)
    if (doc.state !== 'reviewed') return
    await reopenRest(tx, session, definition, doc)
    await progressBack(acting, 'review')
    await progressBack(acting, 'submit')
  },
  review: async acting => {
    const { tx, session, definition } = acting
    if (definition.reserves) await release(tx, session, acting.doc.id)
    const doc = await nameUnits(acting)
    if (definition.posts) {
      const written = await post(tx, session, definition, doc, definition.posts(doc, bookOf(session)))
      acting.written.stock.push(...written.stock)
      acting.written.entries.push(...written.entries)
    }
    await progressNow({ ...acting, doc }, 'review')
    await closeRest(tx, session, definition, doc)
    acting.written.followUps.push(...(await sendCopies(tx, session, definition, doc, 'review')))
    await makePapers(tx, session, definition, doc, 'review')
    await answerForAbsent({ ...acting, doc })
  },
  unreview: async acting => {
    const { settings, doc } = acting
    if (doc.reviewed_at && daysBetween(dayOf(new Date(doc.reviewed_at)), today()) > settings.unreview_days)
      throw new Refusal('rule', `审核已超过${settings.unreview_days}天，不能反审核，请红冲`)
    await dropMade(acting)
    await refuseFollowed(acting)
    if (acting.definition.posts) await unpost(acting)
    await reopenRest(acting.tx, acting.session, acting.definition, doc)
    await progressBack(acting, 'review')
    await advance(acting.tx, acting.session, await receiptsOfAbsent(acting, -1))
    if (acting.definition.reserves) await reserve(acting.tx, acting.session, doc)
  },
  stop: async acting => {
    await refuseOpenFollowUps(acting)
    await giveBackRest(acting)
    await sendStopped(acting.tx, acting.session, acting.doc, acting.reason)
  },
  redReverse: async acting => mirror(acting),
}

/** A customer without an account never answers: what leaves for him has arrived, and comes back when it is taken back. */
async function receiptsOfAbsent({ tx, definition, doc }: Acting, sign: 1 | -1): Promise<Advance[]> {
  if (!definition.answers?.receive || !doc.counterparty_sn || (await hasAccount(tx, doc.counterparty_sn))) return []
  const purpose = 'receive' as const
  return doc.lines.map(({ line_no, base_quantity }) => ({
    document_id: doc.id,
    line_no,
    purpose,
    quantity: sign === 1 ? base_quantity : negate(base_quantity),
    measure: 'quantity' as const,
  }))
}

async function answerForAbsent(acting: Acting): Promise<void> {
  const { tx, session, definition, doc } = acting
  const advances = await receiptsOfAbsent(acting, 1)
  if (advances.length === 0) return
  await post(
    tx,
    session,
    { ...definition, goods: 'none' },
    doc,
    definition.answers!.receive!(doc as never, bookOf(session)),
  )
  await advance(tx, session, advances)
}

/** Review by another than the author, unless the organisation lets authors review. */
function refuseAuthor(acting: Acting): void {
  const { session, doc, spec, settings, action } = acting
  if (action !== 'review' || session.userId === '0') return
  const author = doc.created_by === session.userId || doc.submitted_by === session.userId
  if (!author) return
  if (spec.neverAuthor) throw new Refusal('forbidden', `${acting.definition.title}的制单人不能审核本单，请由他人审核`)
  if (!settings.allow_self_review) throw new Refusal('forbidden', '制单人不能审核自己的单据，请由他人审核')
}

/** Runs one condition; the rehearsal gathers what it refuses instead of stopping at the first. */
async function hold(acting: Acting, condition: () => void | Promise<void>): Promise<void> {
  try {
    await condition()
  } catch (error) {
    if (!(acting.gathered && error instanceof Refusal)) throw error
    acting.gathered.push(error)
  }
}

async function refuseByRules(acting: Acting): Promise<void> {
  const { tx, session, action, doc, definition, spec } = acting
  const moves = action === 'submit' || action === 'review'
  if (action === 'submit') await hold(acting, () => refuseMissing(definition, doc))
  if (moves && definition.goods === 'out') await hold(acting, () => refuseStrayUnits(tx, session, doc))
  for (const guard of spec.guards ?? []) await hold(acting, () => refuseUnless(guard(doc as never)))
  if (moves) await hold(acting, () => judge(acting))
  if (moves) await hold(acting, () => judgeArrivals(acting))
  await hold(acting, () => documentRulesOf(doc.kind).before?.[action]?.(acting))
  if (acting.gathered?.[0]) throw acting.gathered[0]
}

function refuseMissing(definition: AnyDocument, doc: StoredDoc): void {
  const missing = missingFields(definition, doc as never)
  if (missing.length > 0) throw new Refusal('invalid', missing[0]!.msg, missing)
}

function refuseUnless(held: true | string): void {
  if (held !== true) throw new Refusal('rule', held, [{ msg: held }])
}

/** Opens an action: the row locked, the version current, the right and the state there. */
export async function openAction(
  tx: Tx,
  session: Session,
  definition: AnyDocument,
  action: string,
  body: ActBody,
): Promise<Acting> {
  const spec = definition.actions[action]
  if (!spec) throw new Refusal('notFound', `${definition.title}没有这个操作`)
  mustBeAllowed(session, `${definition.kind}.${action}`)
  const role = spec.by === 'counterparty' ? 'counterparty' : 'own'
  // Copies of several senders may share a number: whose it is may be said, else the version tells.
  const from =
    typeof body.source_org_sn === 'string' && /^\d{1,18}$/.test(body.source_org_sn) ? body.source_org_sn : null
  const which = { lock: true, role, from: role === 'own' ? null : from, version: body.version } as const
  const [doc, settings] = await together([
    loadDocument(tx, session.org.id, definition, String(body.sn ?? ''), which),
    settingsOf(tx, session.org.id),
  ])
  checkVersion(doc.version, body.version)
  const reason = typeof body.reason === 'string' && body.reason.trim() !== '' ? body.reason.trim().slice(0, 500) : null
  const acting: Acting = {
    tx,
    session,
    definition,
    doc,
    action,
    spec: spec as Acting['spec'],
    reason,
    body,
    settings,
    questions: [],
    written: { stock: [], entries: [], events: [], followUps: [] },
  }
  if (!spec.from.includes(doc.state)) await refuseState(acting)
  if (spec.asksReason && !reason)
    throw new Refusal('invalid', undefined, [{ field: 'reason', msg: `请填写${spec.label}原因` }])
  return acting
}

/** The one path of every action, from the lock to the history; the caller commits, then delivers and notifies. */
export async function act(acting: Acting): Promise<ActReply> {
  const { tx, session, action, spec } = acting
  refuseAuthor(acting)
  const asked = withAnswers(acting)
  const ready = action === 'submit' || action === 'review' ? { ...asked, doc: await settleLots(asked) } : asked
  await refuseByRules(ready)
  const confirmed = mustBeConfirmed(ready)
  if (spec.by === 'counterparty') return answer(ready)
  const standing = { ...ready, doc: { ...ready.doc, ...spec.sets } }
  const outcome = (await effects[action]?.(standing)) ?? {}
  if (ready.definition.sends && takesBack(action)) await takenBack(tx, session.org.id, ready.doc.id)
  const state = outcome.state ?? spec.to ?? (ready.doc.state as State)
  await documentRulesOf(ready.doc.kind).after?.[action]?.(ready)
  await writeOwn(ready)
  const [version] = await together([
    writeState(ready, state),
    writeHistory(tx, session, ready.doc.id, {
      action,
      label: spec.label,
      from: ready.doc.state,
      to: state,
      reason: ready.reason,
      ...(confirmed.length > 0 ? { confirmed } : {}),
    }),
  ])
  return { sn: ready.doc.sn, version, state, ...(outcome.red_sn ? { red_sn: outcome.red_sn } : {}) }
}

async function writeState({ tx, session, doc, action }: Acting, state: State): Promise<number> {
  const stamp =
    action === 'submit'
      ? tx`, submitted_by = ${session.userId}, submitted_at = posting_now()`
      : action === 'review'
        ? tx`, reviewed_by = ${session.userId}, reviewed_at = posting_now()`
        : action === 'unreview'
          ? tx`, reviewed_by = null, reviewed_at = null`
          : tx``
  const [row] = await tx<{ version: number }[]>`
    update document set state = ${state}, version = version + 1, touched = true ${stamp}
     where org_id = ${session.org.id} and id = ${doc.id} returning version`
  return row!.version
}

/** What the dialog asked for stands on the paper before the guards judge it. */
function withAnswers(acting: Acting): Acting {
  const { spec, definition, body, doc } = acting
  const given = Object.fromEntries(
    (spec.asks ?? []).filter(name => body[name] !== undefined).map(name => [name, body[name]]),
  )
  const parsed = parseFields(acceptedHeader(definition), given)
  if (parsed.problems.length > 0) throw new Refusal('invalid', parsed.problems[0]!.msg, parsed.problems)
  return Object.keys(parsed.values).length === 0
    ? acting
    : { ...acting, doc: { ...doc, ...parsed.values }, answers: parsed.values }
}

/** Own fields that the action sets by itself, and those it asked for. */
async function writeOwn({ tx, session, doc, spec, answers, definition }: Acting): Promise<void> {
  const own = { ...answers, ...spec.sets }
  if (Object.keys(own).length === 0) return
  const fields = Object.fromEntries(Object.entries(own).filter(([name]) => name in ownHeader(definition)))
  await tx`update document set fields = fields || ${tx.json(fields as JSONValue)} where org_id = ${session.org.id} and id = ${doc.id}`
  for (const [name, value] of Object.entries(own))
    if (name in headerColumns)
      await tx`update document set ${tx({ [storedColumn(name)]: value as string })} where org_id = ${session.org.id} and id = ${doc.id}`
}

/** The other side's answer: written on its copy, carried back and done on the original as its act. */
async function answer(acting: Acting): Promise<ActReply> {
  const { tx, session, doc, action, reason, spec } = acting
  await handOver(tx, session, doc.from_org_id, doc.id, {
    message: 'act',
    kind: doc.kind,
    sn: doc.sn,
    action,
    label: spec.label,
    reason,
    actor: session.userName,
  })
  await applyAnswer(tx, session.org.id, doc, spec.sets ?? {}, reason)
  const version = await writeState(acting, doc.state)
  await writeHistory(tx, session, doc.id, { action, label: spec.label, from: doc.state, to: doc.state, reason })
  return { sn: doc.sn, version, state: doc.state }
}

/** What the other side's act sets stands on both rows of the paper. */
export async function applyAnswer(
  tx: Tx,
  org: string,
  doc: StoredDoc,
  sets: Readonly<Record<string, string | boolean | null>>,
  reason: string | null,
): Promise<void> {
  const value = { ...sets, ...(reason ? { answer_reason: reason } : {}) }
  await tx`update document set fields = fields || ${tx.json(value)} where org_id = ${org} and id = ${doc.id}`
}

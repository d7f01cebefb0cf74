import type { Sql } from 'postgres'
import type { AnyDocument } from '#kernel/document.ts'
import { Refusal, Unconfirmed } from '#kernel/refusal.ts'
import { deliverOf } from '#server/engine/deliver.ts'
import { act, type ActBody, type ActReply, openAction } from '#server/engine/documents/act.ts'
import { loadDocument } from '#server/engine/documents/load.ts'
import { isReported } from '#server/engine/documents/reported.ts'
import { sendAgain } from '#server/engine/documents/send-again.ts'
import { endsAcross, refuseWhileTaken } from '#server/engine/documents/stopping.ts'
import { takesBack, withdraw } from '#server/engine/documents/take-back.ts'
import { askSender, refusedAfterAll, unrefuse } from '#server/engine/documents/unrefuse.ts'
import { registerLots } from '#server/engine/documents/units.ts'
import { idempotently } from '#server/engine/idempotent.ts'
import { may, mustBeAllowed, type Session } from '#server/engine/session.ts'
import { inDeed, inOrg, retrying, type Tx } from '#server/engine/transaction.ts'

export type Call = { readonly requestId: string | null; readonly fingerprint: string }

/** Raised inside a rehearsal so that nothing of it stays. */
class Rehearsed extends Error {}

/** Runs an action in its transaction, then delivers what it handed over. The reply is the same for the same request id. */
export async function perform(
  sql: Sql,
  session: Session,
  definition: AnyDocument,
  action: string,
  body: ActBody,
  call: Call,
): Promise<ActReply> {
  // What is taken back of a report follows as another report: nobody lets go of his.
  const stands = action === 'redReverse' && isReported(definition)
  const asks =
    action === unrefuse ||
    (action === 'stop' && endsAcross(definition)) ||
    (takesBack(action) && !stands && (definition.sends?.length ?? 0) > 0)
  if (!asks || (await alreadyDone(sql, session, call))) return performNow(sql, session, definition, action, body, call)
  const sn = String(body.sn ?? '')
  const label = definition.actions[action]?.label ?? action
  // Our own refusals come before we ask the other side.
  await tryOut(sql, session, definition, action, body)
  if (action === 'stop') {
    await refuseWhileTaken(sql, session, definition, sn, label)
    return performNow(sql, session, definition, action, body, call)
  }
  if (action === unrefuse) return takeAfterAll(sql, session, definition, body, call)
  try {
    await withdraw(sql, session, definition, sn, label)
    return await performNow(sql, session, definition, action, body, call)
  } catch (error) {
    // Somebody was faster than our own step: the other side, which has let go of its copy, gets the paper again.
    if (await sendAgain(sql, session, definition, sn)) await deliverOf(sql, session.org.id, sn)
    throw error
  }
}

/** 撤销拒收: the sender lets go of what he was told to take home, then our step follows. */
async function takeAfterAll(
  sql: Sql,
  session: Session,
  definition: AnyDocument,
  body: ActBody,
  call: Call,
): Promise<ActReply> {
  const sn = String(body.sn ?? '')
  await askSender(sql, session, definition, sn, typeof body.reason === 'string' ? body.reason : null)
  try {
    return await performNow(sql, session, definition, unrefuse, body, call)
  } catch (error) {
    if (await refusedAfterAll(sql, session, definition, sn)) await deliverOf(sql, session.org.id, sn)
    throw error
  }
}

async function performNow(
  sql: Sql,
  session: Session,
  definition: AnyDocument,
  action: string,
  body: ActBody,
  call: Call,
): Promise<ActReply> {
  if (definition.goods === 'in' && action === 'submit') {
    mustBeAllowed(session, `${definition.kind}.submit`)
    await prepareLots(sql, session, definition, body)
  }
  let waiting = false
  const reply = await retrying(() =>
    inDeed(sql, session.org.id, session.userId, tx =>
      idempotently(tx, session, call.requestId, call.fingerprint, act, {
        ahead: () => openAction(tx, session, definition, action, body),
        beside: done => {
          const told = announce(tx, session, definition, done)
          told.then(
            ([sent]) => (waiting = sent!.waiting),
            () => undefined,
          )
          return [told]
        },
      }),
    ),
  )
  if (waiting) await deliverOf(sql, session.org.id, reply.sn)
  if (waiting && reply.red_sn) await deliverOf(sql, session.org.id, reply.red_sn)
  return reply
}

/** Tells listeners once this is committed; says whether the papers have something to hand over. */
function announce(tx: Tx, session: Session, definition: AnyDocument, done: ActReply) {
  return tx<{ waiting: boolean }[]>`
    select pg_notify('medtrace', ${JSON.stringify({ org: session.org.id, about: definition.kind })}),
           exists (
             select 1 from intercompany_message h join document d on d.org_id = h.org_id and d.id = h.document_id
              where d.org_id = ${session.org.id} and d.sn = any(${[done.sn, done.red_sn ?? done.sn]}) and h.delivered_at is null) as waiting`
}

/** Writes through one transaction of the organisation, once per request id. */
export function once<Reply>(sql: Sql, session: Session, call: Call, work: (tx: Tx) => Promise<Reply>): Promise<Reply> {
  return retrying(() =>
    inOrg(sql, session.org.id, session.userId, tx =>
      idempotently(tx, session, call.requestId, call.fingerprint, () => work(tx)),
    ),
  )
}

async function alreadyDone(sql: Sql, session: Session, call: Call): Promise<boolean> {
  if (call.requestId === null) return false
  const rows = await inOrg(
    sql,
    session.org.id,
    session.userId,
    tx => tx`
    select 1 from request where org_id = ${session.org.id} and user_id = ${session.userId} and request_id = ${call.requestId} and reply is not null`,
  )
  return rows.length > 0
}

async function tryOut(
  sql: Sql,
  session: Session,
  definition: AnyDocument,
  action: string,
  body: ActBody,
): Promise<void> {
  try {
    await inOrg(sql, session.org.id, session.userId, async tx => {
      await act(await openAction(tx, session, definition, action, body))
      throw new Rehearsed()
    })
  } catch (error) {
    if (!(error instanceof Rehearsed)) throw error
  }
}

async function prepareLots(sql: Sql, session: Session, definition: AnyDocument, body: ActBody): Promise<void> {
  const lines = await inOrg(sql, session.org.id, session.userId, async tx =>
    (await loadDocument(tx, session.org.id, definition, String(body.sn ?? ''))).lines.filter(line => !line.lot_id),
  )
  await registerLots(sql, lines)
}

export type Rehearsal = {
  readonly refusals: readonly { code: number; msg: string; problems: readonly unknown[] }[]
  readonly questions: readonly unknown[]
  readonly moves: readonly unknown[]
  readonly entries: readonly unknown[]
  readonly events: readonly unknown[]
  readonly follow_ups: readonly unknown[]
}

/** The same path, rolled back: every row it would write, and what stands in its way. Changes nothing. */
export async function rehearse(sql: Sql, session: Session, definition: AnyDocument, body: ActBody): Promise<Rehearsal> {
  const action = String(body.action ?? 'review')
  const gathered: Refusal[] = []
  let result: Rehearsal = { refusals: [], questions: [], moves: [], entries: [], events: [], follow_ups: [] }
  if (definition.goods === 'in' && may(session, `${definition.kind}.${action}`))
    await prepareLots(sql, session, definition, body)
  try {
    await inOrg(sql, session.org.id, session.userId, async tx => {
      const acting = { ...(await openAction(tx, session, definition, action, body)), gathered }
      await act(acting)
      result = { ...result, ...(await writtenBy(tx, session, acting.doc.id, acting.doc.sn)) }
      throw new Rehearsed()
    })
  } catch (error) {
    if (error instanceof Refusal) {
      const all = gathered.length > 0 ? gathered : [error]
      return { ...result, refusals: all.map(({ code, message, problems }) => ({ code, msg: message, problems })) }
    }
    if (error instanceof Unconfirmed) return { ...result, questions: error.questions }
    if (!(error instanceof Rehearsed)) throw error
  }
  return result
}

async function writtenBy(tx: Tx, session: Session, document: string, sn: string) {
  const org = session.org.id
  const [moves, entries, events, follow_ups] = [
    await tx`select m.line_no, w.name as warehouse_name, m.location, p.name as product_name, s.name as specification_name, t.lot_no, o.name as owner_name, m.quality_state, m.quantity, m.value, m.step
      from stock_move m join warehouse w on w.org_id = m.org_id and w.id = m.warehouse_id join specification s on s.id = m.specification_id join product p on p.id = s.product_id
      join lot t on t.id = m.lot_id join organisation o on o.id = m.owner_id
     where m.org_id = ${org} and m.document_id = ${document} and m.at = posting_now() order by m.id`,
    await tx`select e.line_no, o.name as counterparty_name, e.account, e.amount from account_entry e join organisation o on o.id = e.counterparty_id
     where e.org_id = ${org} and e.document_id = ${document} and e.at = posting_now() order by e.id`,
    await tx`select e.step, e.quantity, e.from_place, e.to_place, e.line_no from trace_event e
     where e.lot_id in (select l.lot_id from document_line l where l.org_id = ${org} and l.document_id = ${document}) and e.document_sn = ${sn} and e.at = posting_now() order by e.seq limit 1000`,
    await tx`select h.message, o.name as to_org_name, h.payload->>'kind' as kind from intercompany_message h join organisation o on o.id = h.to_org_id
     where h.org_id = ${org} and h.document_id = ${document} and h.created_at = posting_now()`,
  ]
  return { moves, entries, events, follow_ups }
}

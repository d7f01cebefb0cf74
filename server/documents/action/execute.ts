import type { Sql } from 'postgres'
import type { AnyDocument } from '#kernel/definition/document.ts'
import { reportError } from '#server/audit/reported-errors.ts'
import { BusinessError, ColumnsRequired, ConfirmationRequired } from '#kernel/rules/errors.ts'
import { checkActionFields } from '#server/documents/action/action-fields.ts'
import { deliverDocument } from '#server/documents/intercompany/deliver.ts'
import { type ActionInput, type ActionResult, applyAction, openAction } from '#server/documents/action/apply.ts'
import { loadDocument } from '#server/documents/repository/load.ts'
import { keepsCopies } from '#server/documents/intercompany/reviewed-copies.ts'
import { isUsageReport } from '#server/documents/intercompany/usage-reports.ts'
import { restoreCopies } from '#server/documents/intercompany/resend.ts'
import { checkNotBeingReceived, stopsAtPartner } from '#server/documents/intercompany/stop.ts'
import { withdrawCopies, withdrawsCopies } from '#server/documents/intercompany/withdraw.ts'
import { requestRefusalCancel, restoreRefusal, unrefuse } from '#server/documents/action/cancel-refusal.ts'
import { createLots } from '#server/documents/posting/lots-and-serials.ts'
import { runIdempotent } from '#server/access/idempotency.ts'
import { may, requirePermission, type Session } from '#server/access/session.ts'
import { maySeeCosts } from '#server/access/sensitive-fields.ts'
import { inAction, inOrganisation, type Tx, withRetry } from '#server/database/transaction.ts'

export type RequestKey = { readonly requestId: string | null; readonly fingerprint: string }

/** Thrown inside a preview so that everything is rolled back. */
class PreviewRolledBack extends Error {}

/**
 * Runs an action in its transaction, then delivers its intercompany messages. The same request id gets the same
 * reply.
 */
export async function executeAction(
  sql: Sql,
  session: Session,
  definition: AnyDocument,
  action: string,
  body: ActionInput,
  call: RequestKey,
): Promise<ActionResult> {
  requirePermission(session, `${definition.kind}.${action}`)
  checkActionFields(definition, action, body)
  // A usage report is not withdrawn: the reversal is sent as another report.
  const stands = action === 'redReverse' && isUsageReport(definition)
  const asks =
    action === unrefuse ||
    (action === 'stop' && stopsAtPartner(definition)) ||
    (withdrawsCopies(definition, action) &&
      !stands &&
      !(['unreview', 'redReverse'].includes(action) && keepsCopies(definition)) &&
      (definition.intercompany.copies?.length ?? 0) > 0)
  if (!asks || (await alreadyDone(sql, session, call))) return executeNow(sql, session, definition, action, body, call)
  const sn = String(body.sn ?? '')
  const label = definition.actions[action]?.label ?? action
  // Our own refusals are checked before the other side is asked.
  await tryOut(sql, session, definition, action, body)
  if (action === 'stop') {
    await checkNotBeingReceived(sql, session, definition, sn, label)
    return executeNow(sql, session, definition, action, body, call)
  }
  if (action === unrefuse) return takeAfterAll(sql, session, definition, body, call)
  try {
    await withdrawn(sql, session, definition, sn, action)
    return await executeNow(sql, session, definition, action, body, call)
  } catch (error) {
    // Another action was faster than our own step: the other side, which has released its copy, gets the document
    // again.
    await restoreCopies(sql, session, definition, sn).catch(failed => reportError('restoring withdrawn copies', failed))
    throw error
  }
}

/** The other side gives its copy up, or says why not: in its own words, or in those of the action. */
async function withdrawn(
  sql: Sql,
  session: Session,
  definition: AnyDocument,
  sn: string,
  action: string,
): Promise<void> {
  const { label = action, takesBack } = definition.actions[action] ?? {}
  try {
    await withdrawCopies(sql, session, definition, sn, label)
  } catch (error) {
    if (takesBack !== undefined && error instanceof BusinessError) throw new BusinessError('blocked', takesBack)
    throw error
  }
}

/** 撤销拒收: the sender releases the goods it was to take back, then our step follows. */
async function takeAfterAll(
  sql: Sql,
  session: Session,
  definition: AnyDocument,
  body: ActionInput,
  call: RequestKey,
): Promise<ActionResult> {
  const sn = String(body.sn ?? '')
  // The sender must know of the refusal before it is asked to forget it.
  await deliverDocument(sql, session.org.id, sn)
  await requestRefusalCancel(sql, session, definition, sn, typeof body.reason === 'string' ? body.reason : null)
  try {
    return await executeNow(sql, session, definition, unrefuse, body, call)
  } catch (error) {
    if (await restoreRefusal(sql, session, definition, sn)) await deliverDocument(sql, session.org.id, sn)
    throw error
  }
}

async function executeNow(
  sql: Sql,
  session: Session,
  definition: AnyDocument,
  action: string,
  body: ActionInput,
  call: RequestKey,
): Promise<ActionResult> {
  if (definition.posting.stockDirection === 'in' && action === 'submit') {
    requirePermission(session, `${definition.kind}.submit`)
    await prepareLots(sql, session, definition, body)
  }
  let waiting: readonly string[] = []
  const reply = await withRetry(() =>
    inAction(sql, session.org.id, session.userId, tx =>
      runIdempotent(tx, session, call.requestId, call.fingerprint, applyAction, {
        ahead: () => openAction(tx, session, definition, action, body),
        beside: done => {
          const notified = announce(tx, session, definition, done)
          notified.then(
            ([sent]) => (waiting = sent!.waiting ?? []),
            // Its failure is that of the transaction, which awaits it.
            () => undefined,
          )
          return [notified]
        },
      }),
    ),
  )
  // The document's own messages first: messages of our other documents about it follow them.
  const first = [reply.sn, ...(reply.red_sn ? [reply.red_sn] : [])].filter(sn => waiting.includes(sn))
  for (const sn of new Set([...first, ...waiting])) await deliverDocument(sql, session.org.id, sn)
  return reply
}

/** Notifies listeners after the commit; returns the documents that have messages to send: its own, and others. */
function announce(tx: Tx, session: Session, definition: AnyDocument, done: ActionResult) {
  return tx<{ waiting: string[] | null }[]>`
    select pg_notify('medtrace', ${JSON.stringify({ org: session.org.id, about: definition.kind })}),
           (select array_agg(distinct d.sn)
              from intercompany_message h join document d on d.org_id = h.org_id and d.id = h.document_id
             where h.org_id = ${session.org.id} and h.delivered_at is null
               and (d.sn = any(${[done.sn, done.red_sn ?? done.sn]}) or h.created_at = posting_now())) as waiting`
}

/** Writes in one transaction of the organisation, once per request id. */
export function runOnce<Reply>(
  sql: Sql,
  session: Session,
  call: RequestKey,
  work: (tx: Tx) => Promise<Reply>,
): Promise<Reply> {
  return withRetry(() =>
    inOrganisation(sql, session.org.id, session.userId, tx =>
      runIdempotent(tx, session, call.requestId, call.fingerprint, () => work(tx)),
    ),
  )
}

async function alreadyDone(sql: Sql, session: Session, call: RequestKey): Promise<boolean> {
  if (call.requestId === null) return false
  const rows = await inOrganisation(
    sql,
    session.org.id,
    session.userId,
    tx => tx`
    select 1 from request where org_id = ${session.org.id} and user_id = ${session.userId}
      and request_id = ${call.requestId} and reply is not null`,
  )
  return rows.length > 0
}

async function tryOut(
  sql: Sql,
  session: Session,
  definition: AnyDocument,
  action: string,
  body: ActionInput,
): Promise<void> {
  try {
    await inOrganisation(sql, session.org.id, session.userId, async tx => {
      await applyAction(await openAction(tx, session, definition, action, body))
      throw new PreviewRolledBack()
    })
  } catch (error) {
    if (!(error instanceof PreviewRolledBack)) throw error
  }
}

async function prepareLots(sql: Sql, session: Session, definition: AnyDocument, body: ActionInput): Promise<void> {
  const lines = await inOrganisation(sql, session.org.id, session.userId, async tx =>
    (await loadDocument(tx, session.org.id, definition, String(body.sn ?? ''))).lines.filter(line => !line.lot_id),
  )
  await createLots(sql, lines)
}

export type ActionPreview = {
  readonly refusals: readonly { code: number; msg: string; problems: readonly unknown[] }[]
  readonly questions: readonly unknown[]
  readonly moves: readonly unknown[]
  readonly entries: readonly unknown[]
  readonly events: readonly unknown[]
  readonly follow_ups: readonly unknown[]
}

/** A file whose columns are unknown is no refusal: the user who acts is asked for them. */
const isAsked = (error: BusinessError): boolean => error instanceof ColumnsRequired

/** The same path, rolled back: every row it would write, and everything that blocks it. Changes nothing. */
export async function previewAction(
  sql: Sql,
  session: Session,
  definition: AnyDocument,
  body: ActionInput,
): Promise<ActionPreview> {
  const { action: asked, ...rest } = body
  const action = String(asked ?? 'review')
  checkActionFields(definition, action, rest)
  const gathered: BusinessError[] = []
  let result: ActionPreview = { refusals: [], questions: [], moves: [], entries: [], events: [], follow_ups: [] }
  if (definition.posting.stockDirection === 'in' && may(session, `${definition.kind}.${action}`))
    await prepareLots(sql, session, definition, body)
  try {
    await inOrganisation(sql, session.org.id, session.userId, async tx => {
      const ctx = { ...(await openAction(tx, session, definition, action, body)), collectedErrors: gathered }
      await applyAction(ctx)
      result = { ...result, ...(await writtenBy(tx, session, ctx.doc.id, ctx.doc.sn)) }
      throw new PreviewRolledBack()
    })
  } catch (error) {
    if (error instanceof BusinessError) {
      const all = gathered.length > 0 ? gathered : [error]
      const [asked, refused] = [all.filter(isAsked), all.filter(each => !isAsked(each))]
      return {
        ...result,
        refusals: refused.map(({ code, message, problems }) => ({ code, msg: message, problems })),
        questions: asked.map(({ message }) => ({ rule: 'columns', msg: message })),
      }
    }
    if (error instanceof ConfirmationRequired) return { ...result, questions: error.questions }
    if (!(error instanceof PreviewRolledBack)) throw error
  }
  return result
}

async function writtenBy(tx: Tx, session: Session, document: string, sn: string) {
  const org = session.org.id
  const [moves, entries, events, follow_ups] = [
    await tx`select m.line_no, w.name as warehouse_name, m.location, p.name as product_name,
      s.name as specification_name, t.lot_no, o.name as owner_name, m.quality_state, m.quantity, m.step
      ${maySeeCosts(session) ? tx`, m.value` : tx``}
      from stock_move m join warehouse w on w.org_id = m.org_id and w.id = m.warehouse_id
        join specification s on s.id = m.specification_id join product p on p.id = s.product_id
      join lot t on t.id = m.lot_id join organisation o on o.id = m.owner_id
     where m.org_id = ${org} and m.document_id = ${document} and m.at = posting_now() order by m.id`,
    await tx`select e.line_no, o.name as counterparty_name, e.account, e.amount from account_entry e
      join organisation o on o.id = e.counterparty_id
     where e.org_id = ${org} and e.document_id = ${document} and e.at = posting_now() order by e.id`,
    await tx`select e.step, e.quantity, e.from_place, e.to_place, e.line_no from trace_event e
     where e.lot_id in (select l.lot_id from document_line l where l.org_id = ${org} and l.document_id = ${document})
       and e.document_sn = ${sn} and e.at = posting_now() order by e.seq limit 1000`,
    await tx`select h.message, o.name as to_org_name, h.payload->>'kind' as kind from intercompany_message h
      join organisation o on o.id = h.to_org_id
     where h.org_id = ${org} and h.document_id = ${document} and h.created_at = posting_now()`,
  ]
  return { moves, entries, events, follow_ups }
}

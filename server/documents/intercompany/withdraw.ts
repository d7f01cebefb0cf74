import { wasVoided } from '#server/documents/effective.ts'
import type { Sql } from 'postgres'
import type { AnyDocument } from '#kernel/definition/document.ts'
import { isNegative, isPositive, negate } from '#kernel/values/decimal.ts'
import { falseFirst } from '#kernel/values/order.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { writeHistory } from '#server/documents/repository/history.ts'
import { loadDocuments } from '#server/documents/repository/load.ts'
import { recordProgress } from '#server/documents/progress/progress.ts'
import { definitionOf } from '#server/documents/sources/open-source.ts'
import { systemSessionOf } from '#server/organisations/organisations.ts'
import { forgetSent } from '#server/files/sent.ts'
import type { StoredDocument } from '#server/documents/repository/document.ts'
import { netMoves, postStock } from '#server/ledger/stock.ts'
import { undoTrace } from '#server/ledger/undo-trace.ts'
import type { Session } from '#server/access/session.ts'
import { inOrganisation, type Tx, withRetry } from '#server/database/transaction.ts'
import { netEntries, postAccounts } from '#server/ledger/accounts.ts'
import { netConsignment, postConsignment } from '#server/ledger/consignment.ts'

export type Sent = { id: string; to_org_id: string; delivered_at: string | null; withdrawn_at: string | null }

/** Actions that take back what another organisation was sent. */
export const withdrawsCopies = (definition: AnyDocument, action: string): boolean =>
  ['unreview', 'redReverse', 'unsubmit', 'cancel', 'reject'].includes(action) ||
  definition.actions[action]?.takesBack !== undefined

/**
 * Receivers of a document whose copies were not withdrawn since, one entry per sending; also where a withdrawal has
 * begun and failed on the way: to release a copy twice does no harm.
 */
export async function sentCopies(sql: Sql, session: Session, sn: string): Promise<Sent[]> {
  return inOrganisation(
    sql,
    session.org.id,
    session.userId,
    tx => tx<Sent[]>`
    select h.id, h.to_org_id, h.delivered_at, h.withdrawn_at from intercompany_message h
      join document d on d.org_id = h.org_id
      and d.id = h.document_id
     where h.org_id = ${session.org.id} and d.sn = ${sn} and d.role = 'own' and h.message = 'document'
       and h.taken_back_at is null order by h.id`,
  )
}

/**
 * Asks the other side first: its copy goes from open to withdrawn while nothing was taken and no draft there was
 * edited; else 对方已收货. The mark is written before the other side releases the copy, so that a crash between its step
 * and ours is detected.
 */
export async function withdrawCopies(
  sql: Sql,
  session: Session,
  definition: AnyDocument,
  sn: string,
  label: string,
): Promise<void> {
  for (const sent of await sentCopies(sql, session, sn)) {
    await markLost(sql, session, sent, true)
    try {
      await releaseCopy(sql, session, definition, sn, sent, label)
    } catch (error) {
      if (error instanceof BusinessError) await markLost(sql, session, sent, false)
      throw error
    }
  }
}

/** Marks a sending before the other side releases its copy; takes the mark back where it refuses. */
export const markLost = (sql: Sql, session: Session, sent: Sent, lost: boolean) =>
  inOrganisation(
    sql,
    session.org.id,
    session.userId,
    tx => tx`
    update intercompany_message set withdrawn_at = case when ${lost} then now() end
      where org_id = ${session.org.id} and id = ${sent.id}`,
  )

/** The other side's copy is gone when this returns; safe to repeat. */
export async function releaseCopy(
  sql: Sql,
  session: Session,
  definition: AnyDocument,
  sn: string,
  sent: Sent,
  label: string,
): Promise<void> {
  if (sent.delivered_at === null && (await forestall(sql, session, sent))) {
    await inOrganisation(
      sql,
      session.org.id,
      session.userId,
      tx => tx`
      update intercompany_message set delivered_at = now() where org_id = ${session.org.id} and id = ${sent.id}
        and delivered_at is null`,
    )
    return
  }
  const receiver = await systemSessionOf(sql, sent.to_org_id)
  const sender = { org: session.org.id, name: session.org.name }
  // The receiver may be taking the copy at this moment, from its own document: one of the two waits and is repeated.
  await withRetry(() =>
    inOrganisation(sql, sent.to_org_id, '0', tx => withdrawCopy(tx, receiver, sender, definition, sn, label)),
  )
}

/** Our own step has followed: what the other side released is now taken back, so nothing is lost. */
export const markWithdrawn = (tx: Tx, org: string, document: string) =>
  tx`update intercompany_message set taken_back_at = posting_now() where org_id = ${org} and document_id = ${document}
    and withdrawn_at is not null and taken_back_at is null`

/**
 * Marks an undelivered copy as taken in the receiver's place, so that it never arrives; false when a delivery was
 * faster. A delivery in progress is waited for: the row is unique at the receiver.
 */
async function forestall(sql: Sql, session: Session, sent: Sent): Promise<boolean> {
  const taken = await inOrganisation(
    sql,
    sent.to_org_id,
    '0',
    tx => tx`
    insert into intercompany_message_received (org_id, from_org_id, intercompany_message_id)
      values (${sent.to_org_id}, ${session.org.id}, ${sent.id})
    on conflict do nothing returning intercompany_message_id`,
  )
  return taken.length > 0
}

/**
 * At the receiver: the copy is cancelled with the untouched documents made from it, and what its arrival booked is
 * undone. Refused where the receiver has gone on with it. Without a copy nothing happens.
 */
export async function withdrawCopy(
  tx: Tx,
  receiver: Session,
  sender: { readonly org: string; readonly name: string },
  definition: AnyDocument,
  sn: string,
  label: string,
): Promise<void> {
  const org = receiver.org.id
  const [copy] = await tx<{ id: string }[]>`
    select id from document where org_id = ${org} and from_org_id = ${sender.org} and sn = ${sn}
      and role = 'counterparty' and state <> 'cancelled' for update`
  if (!copy) return
  const taken = await tx`select 1 from line_progress where org_id = ${org} and document_id = ${copy.id} and line_no = 0
      and taken <> 0`
  const isDelivery = definition.posting.stockDirection === 'out'
  const instead = definition.intercompany.copies?.find(send => send.recallMessage)?.recallMessage
  if (taken.length > 0 && isDelivery)
    throw new BusinessError('blocked', `对方已收货，不能${label}${instead ? `，${instead}` : ''}`)
  const created = await tx<{ id: string; sn: string; kind: string; state: string; touched: boolean }[]>`
    select id, sn, kind, state, touched from document where org_id = ${org} and source_document_id = ${copy.id}
      and role = 'own' and red_of_id is null and state not in ('cancelled', 'deleted') for update`
  // Documents that were sent back or reversed at the receiver count as released.
  const free = (state: string, touched: boolean) =>
    state === 'rejected' || state === 'reversed' || (!touched && ['draft', 'submitted'].includes(state))
  const busy = created.find(doc => !free(doc.state, doc.touched))
  if (busy) throw new BusinessError('blocked', `对方已处理（${definitionOf(busy.kind).title}${busy.sn}），不能${label}`)
  if (taken.length > 0) throw new BusinessError('blocked', `对方已处理，不能${label}`)
  for (const doc of [...created.filter(doc => doc.state !== 'reversed'), copy]) {
    await tx`update document set state = 'cancelled', version = version + 1 where org_id = ${org} and id = ${doc.id}`
    await writeHistory(tx, receiver, doc.id, {
      action: 'withdraw',
      label: '对方撤回',
      from: null,
      to: 'cancelled',
      reason: `${sender.name}${label}`,
    })
  }
  if (definition.intercompany.copies?.some(send => send.attachments))
    await forgetSent(tx, org, sender.org, [...created.map(doc => doc.id), copy.id])
  await wasVoided(tx, receiver, definition, copy.id)
  await undoArrival(tx, receiver, definition, copy.id)
}

/**
 * The pieces that a copy names. Two senders may use the same number for their documents: what the other's copy did with
 * pieces of the same lot stays.
 */
async function unitsOf(tx: Tx, copy: StoredDocument, lots: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await tx<{ lot_id: string; unit_id: string }[]>`
    select distinct lot_id, unit_id from unit_code
     where lot_id = any(${lots as string[]}::bigint[]) and bare = any(${copy.lines.flatMap(line => line.unit_codes)})`
  return new Set(rows.map(({ lot_id, unit_id }) => `${lot_id}/${unit_id}`))
}

/** Moves goods that came or left by the copy back to where they were; goods that moved on since prevent it. */
async function undoGoods(tx: Tx, receiver: Session, copy: StoredDocument): Promise<void> {
  const org = receiver.org.id
  const moves = await netMoves(tx, org, copy.id)
  if (moves.length === 0) return
  const back = moves.map(row => ({
    ...row,
    quantity: negate(row.quantity),
    value: row.value === null ? null : negate(row.value),
  }))
  back.sort((a, b) => a.line_no - b.line_no || falseFirst(isNegative(b.quantity), isNegative(a.quantity)))
  await postStock(tx, { org, document: copy.id, day: copy.business_date }, back)
  const lots = [...new Set(moves.map(move => move.lot_id))]
  await undoTrace(tx, { org, kind: copy.kind, sn: copy.sn, document: copy.id, actor: receiver.userName }, lots, {
    units: await unitsOf(tx, copy, lots),
  })
}

/** Undoes exactly what the copy's arrival booked and advanced. */
async function undoArrival(tx: Tx, receiver: Session, definition: AnyDocument, copy: string): Promise<void> {
  const org = receiver.org.id
  const [doc] = await loadDocuments(tx, org, [copy])
  const posted = { org, document: copy, day: doc!.business_date }
  await postAccounts(
    tx,
    posted,
    (await netEntries(tx, org, copy)).map(row => ({ ...row, amount: negate(row.amount) })),
  )
  await postConsignment(
    tx,
    posted,
    (await netConsignment(tx, org, copy)).map(row => ({
      ...row,
      quantity: negate(row.quantity),
      value: row.value === null ? null : negate(row.value),
    })),
  )
  await undoGoods(tx, receiver, doc!)
  const purpose = definition.intercompany.copies?.find(send => send.countsAs)?.countsAs
  if (purpose)
    await recordProgress(
      tx,
      receiver,
      doc!.lines.flatMap(line =>
        line.order_document_id && line.order_line_no !== null && isPositive(line.base_quantity)
          ? [
              {
                document_id: line.order_document_id,
                line_no: line.order_line_no,
                purpose,
                quantity: negate(line.base_quantity),
                measure: 'quantity' as const,
              },
            ]
          : [],
      ),
    )
}

import type { Sql } from 'postgres'
import { type Decimal, isPositive, negate, subtract } from '#kernel/values/decimal.ts'
import type { AnyDocument } from '#kernel/definition/document.ts'
import type { Purpose } from '#kernel/definition/progress.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { deliverDocument } from '#server/documents/intercompany/deliver.ts'
import { applyAction, openAction } from '#server/documents/action/apply.ts'
import { writeHistory } from '#server/documents/repository/history.ts'
import { loadDocument } from '#server/documents/repository/load.ts'
import { recordProgress, progressEntries } from '#server/documents/progress/progress.ts'
import { resendRefusal, refusedLines } from '#server/documents/intercompany/refused-goods.ts'
import { definitionOf } from '#server/documents/sources/open-source.ts'
import { sendMessage } from '#server/messages/messages.ts'
import { systemSessionOf } from '#server/organisations/organisations.ts'
import { kindShownTo } from '#server/realtime/audience.ts'
import { type Session, systemSession } from '#server/access/session.ts'
import { inOrganisation, type Tx } from '#server/database/transaction.ts'

/** 撤销拒收: goods refused by mistake are received after all, as long as the sender has not acted on the refusal. */
export const unrefuse = 'unrefuse'

type Part = { readonly line_no: number; readonly purpose: Purpose; readonly quantity: Decimal }
/** The request to the sender: goods of its document, refused by our document `by`, count as not refused. */
type Asked = {
  readonly message: 'unrefuse'
  readonly kind: string
  readonly sn: string
  readonly by: string
  readonly reason: string | null
  readonly parts: readonly Part[]
}
type Mark = { readonly id: string; readonly to_org_id: string; readonly payload: Asked }

/**
 * Asks the sender of the goods first. The request is stored before the sender releases the goods, and the sender's
 * part runs once in its own transaction: repeated after a crash, it is the same request.
 */
export async function requestRefusalCancel(
  sql: Sql,
  session: Session,
  definition: AnyDocument,
  sn: string,
  reason: string | null,
): Promise<void> {
  for (const mark of await marksOf(sql, session, definition, sn, reason)) {
    try {
      await inOrganisation(sql, mark.to_org_id, '0', async tx =>
        letBack(tx, await systemSessionOf(sql, mark.to_org_id), session, mark),
      )
    } catch (error) {
      if (error instanceof BusinessError) await unmark(sql, session, mark)
      throw error
    }
  }
}

/** The existing requests, or those to be made now: one for each of the sender's documents. */
async function marksOf(
  sql: Sql,
  session: Session,
  definition: AnyDocument,
  sn: string,
  reason: string | null,
): Promise<Mark[]> {
  const org = session.org.id
  return inOrganisation(sql, org, session.userId, async tx => {
    const doc = await loadDocument(tx, org, definition, sn, { lock: true })
    const standing = await openMarks(tx, org, doc.id)
    if (standing.length > 0) return standing
    const marks: Mark[] = []
    const parts = await refusedLines(tx, org, definition, doc)
    for (const [copy, mine] of Map.groupBy(parts, part => part.copy)) {
      const payload: Asked = {
        message: 'unrefuse',
        kind: copy.kind,
        sn: copy.sn.split('/')[0]!,
        by: `${definition.title}${doc.sn}`,
        reason,
        parts: mine.map(({ step: { line_no, purpose, quantity } }) => ({ line_no, purpose, quantity })),
      }
      const [row] = await tx<{ id: string }[]>`
        insert into intercompany_message (org_id, to_org_id, message, document_id, payload, delivered_at, withdrawn_at)
        select d.org_id, ${copy.from_org_id}::bigint, ${unrefuse}, d.id, ${tx.json(payload)},
          now(), now()
          from document d where d.org_id = ${org} and d.id = ${doc.id} returning id`
      marks.push({ id: row!.id, to_org_id: copy.from_org_id, payload })
    }
    return marks
  })
}

const openMarks = (tx: Tx, org: string, document: string) =>
  tx<Mark[]>`
    select id, to_org_id, payload from intercompany_message
     where org_id = ${org} and document_id = ${document} and message = ${unrefuse} and withdrawn_at is not null
       and taken_back_at is null order by id`

const unmark = (sql: Sql, session: Session, mark: Mark) =>
  inOrganisation(
    sql,
    session.org.id,
    session.userId,
    tx => tx`update intercompany_message set withdrawn_at = null where org_id = ${session.org.id} and id = ${mark.id}`,
  )

/**
 * At the sender: the untouched waiting return is cancelled, and the refused goods are in transit to the customer
 * again.
 */
async function letBack(tx: Tx, receiver: Session, asker: Session, { id, payload }: Mark): Promise<void> {
  const org = receiver.org.id
  const fresh = await tx`
    insert into intercompany_message_received (org_id, from_org_id, intercompany_message_id)
      values (${org}, ${asker.org.id}, ${id})
    on conflict do nothing returning intercompany_message_id`
  if (fresh.length === 0) return
  const definition = definitionOf(payload.kind)
  const doc = await loadDocument(tx, org, definition, payload.sn, { lock: true })
  const lines = payload.parts.flatMap(part => {
    const line = doc.lines.find(candidate => candidate.line_no === part.line_no)
    return line ? [{ ...line, base_quantity: part.quantity }] : []
  })
  const organisation: Session = { ...receiver, userId: '0', userName: asker.org.name }
  for (const part of payload.parts) await dropReturn(tx, organisation, definition, doc.id, part, payload.by)
  try {
    await recordProgress(tx, receiver, [
      ...payload.parts.map(part => ({
        document_id: doc.id,
        line_no: part.line_no,
        purpose: part.purpose,
        quantity: negate(part.quantity),
        measure: 'quantity' as const,
      })),
      ...(await progressEntries(tx, org, definition, { ...doc, lines }, 'review')),
    ])
  } catch (error) {
    if (error instanceof BusinessError)
      throw new BusinessError('blocked', `对方已处理拒收的货物（${error.message}），不能撤销拒收`)
    throw error
  }
  await writeHistory(tx, organisation, doc.id, {
    action: unrefuse,
    label: `${asker.org.name}撤销拒收`,
    from: doc.state,
    to: doc.state,
    reason: payload.reason,
  })
  await sendMessage(tx, org, {
    title: '客户撤销了拒收',
    body: `${asker.org.name}：${definition.title}${doc.sn}拒收的货物仍由客户收取${payload.reason ? `，${payload.reason}` : ''}`,
    uri: payload.kind,
    objectId: doc.sn,
    kind: kindShownTo(receiver.org.type, [payload.kind]),
    stores: [doc.warehouse_model_inner_sn],
    extra: { org_name: asker.org.name, kind: payload.kind },
  })
}

/**
 * The return created for this part is cancelled if no one has edited it; any other follow-up of the refusal blocks
 * the cancellation.
 */
async function dropReturn(
  tx: Tx,
  session: Session,
  definition: AnyDocument,
  document: string,
  part: Part,
  by: string,
): Promise<void> {
  const org = session.org.id
  const returns = await tx<{ id: string; sn: string; quantity: Decimal; free: boolean }[]>`
    select d.id, d.sn, l.base_quantity as quantity, (d.state = 'draft' and not d.touched and d.created_by = 0) as free
      from document_line l join document d on d.org_id = l.org_id and d.id = l.document_id
     where l.org_id = ${org} and l.source_document_id = ${document} and l.source_line_no = ${part.line_no}
       and d.role = 'own' and d.kind = ${definition.intercompany.onProgressCreates?.[part.purpose]?.kind ?? ''}
       and d.red_of_id is null and d.state not in ('cancelled', 'deleted', 'reversed')
         order by d.id desc for update of d`
  const own = returns.find(row => row.free && row.quantity === part.quantity)
  if (own) {
    await tx`update document set state = 'cancelled', version = version + 1 where org_id = ${org} and id = ${own.id}`
    return writeHistory(tx, session, own.id, {
      action: 'cancel',
      label: '作废',
      from: 'draft',
      to: 'cancelled',
      reason: `客户撤销拒收（${by}）`,
    })
  }
  const [counted] = await tx<{ refused: Decimal }[]>`
    select coalesce(sum(taken), 0)::numeric(18,3) as refused from line_progress
     where org_id = ${org} and document_id = ${document} and line_no = ${part.line_no}
       and purpose in ('refuse', 'reject')`
  const rest = returns.reduce((left, row) => subtract(left, row.quantity, 3), counted!.refused)
  if (!isPositive(subtract(part.quantity, rest, 3))) return
  const [busy] = returns.filter(row => !row.free)
  const what = busy
    ? `（${definitionOf(definition.intercompany.onProgressCreates![part.purpose]!.kind).title}${busy.sn}）`
    : ''
  throw new BusinessError('blocked', `对方已处理拒收的货物${what}，不能撤销拒收`)
}

/**
 * Our own step failed after the sender's: the sender is notified of the refusal again. Returns whether there was
 * anything to send.
 */
export function restoreRefusal(sql: Sql, session: Session, definition: AnyDocument, sn: string): Promise<boolean> {
  const org = session.org.id
  return inOrganisation(sql, org, session.userId, async tx => {
    const doc = await loadDocument(tx, org, definition, sn, { lock: true })
    const marks = await openMarks(tx, org, doc.id)
    if (marks.length === 0) return false
    await tx`update intercompany_message set taken_back_at = posting_now()
      where org_id = ${org} and id = any(${marks.map(mark => mark.id)}::bigint[])`
    await resendRefusal(tx, session, definition, doc)
    return true
  })
}

/** If more time passes between the sender's step and ours, ours has crashed. */
const DEAD_AFTER_MINUTES = 2

/** Completes what a crash left unfinished between the two sides. */
export async function repairRefusalCancels(sql: Sql, owner: Sql): Promise<void> {
  const lost = await owner<(Mark & { org_id: string; document_id: string; sn: string; kind: string })[]>`
    select h.id, h.to_org_id, h.payload, h.org_id, h.document_id, d.sn, d.kind from intercompany_message h
      join document d on d.org_id = h.org_id and d.id = h.document_id
     where h.message = ${unrefuse} and h.withdrawn_at < now() - make_interval(mins => ${DEAD_AFTER_MINUTES})
       and h.taken_back_at is null order by h.id limit 50`
  for (const { org_id, sn, kind, payload } of lost) {
    const session = systemSession((await systemSessionOf(sql, org_id)).org)
    const definition = definitionOf(kind)
    try {
      await requestRefusalCancel(sql, session, definition, sn, payload.reason)
      await inOrganisation(sql, org_id, '0', async tx => {
        const { version } = await loadDocument(tx, org_id, definition, sn)
        await applyAction(
          await openAction(tx, session, definition, unrefuse, { sn, version, reason: payload.reason ?? '撤销拒收' }),
        )
      })
    } catch (error) {
      if (!(error instanceof BusinessError)) throw error
      await restoreRefusal(sql, session, definition, sn)
    }
    await deliverDocument(sql, org_id, sn)
  }
}

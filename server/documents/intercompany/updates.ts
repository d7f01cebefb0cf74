import type { UpdateMessage } from '#server/documents/intercompany/respond.ts'
import type { State } from '#kernel/definition/document-state.ts'
import { documents } from '#kernel/registry.ts'
import { confirmCopy } from '#server/documents/intercompany/arrival.ts'
import { type DocumentMessage, enqueueMessage } from '#server/documents/intercompany/outbox.ts'
import { writeHistory } from '#server/documents/repository/history.ts'
import { documentRulesOf } from '#server/registry/hooks.ts'
import { definitionOf } from '#server/documents/sources/open-source.ts'
import type { StoredDocument } from '#server/documents/repository/document.ts'
import { requireArrived } from '#server/documents/intercompany/stop.ts'
import { sendMessage } from '#server/messages/messages.ts'
import { leadsTo, madeOf } from '#server/documents/intercompany/notify.ts'
import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'

/** Runs the hook of a module that follows the other side's action on our document. */
export const runPartnerActionHook = (
  tx: Tx,
  session: Session,
  doc: StoredDocument,
  action: string,
  from: string,
): Promise<void> | undefined => documentRulesOf(doc.kind).onPartnerAction?.[action]?.(tx, session, doc, from)

/** Runs the hook of a module that creates something when the other side's document arrives. */
export const runReceivedHook = async (
  tx: Tx,
  session: Session,
  from: { readonly org: string; readonly name: string },
  copy: StoredDocument,
  message: DocumentMessage,
): Promise<{ kind: string; sn: string } | null> =>
  (await documentRulesOf(copy.kind).onReceived?.(tx, session, from, copy, message)) ?? null

/** Notifies everyone named who has a copy of our document. */
export async function sendUpdate(
  tx: Tx,
  session: Session,
  doc: Pick<StoredDocument, 'id' | 'kind' | 'sn'>,
  holders: readonly string[],
  notified: Omit<UpdateMessage, 'message' | 'kind' | 'sn'>,
): Promise<void> {
  for (const holder of holders)
    await enqueueMessage(tx, session, holder, doc.id, {
      message: 'notification',
      kind: doc.kind,
      sn: doc.sn,
      ...notified,
    })
}

/** The owner's values are set on our copy and on waiting drafts made from it; sealed terms get their figures. */
export async function receiveUpdate(
  tx: Tx,
  session: Session,
  from: { org: string; name: string },
  message: UpdateMessage,
): Promise<void> {
  const org = session.org.id
  const [copy] = await tx<{ id: string }[]>`
    update document set fields = fields || ${tx.json(message.sets)}, version = version + 1
     where org_id = ${org} and kind = ${message.kind} and from_org_id = ${from.org} and sn = ${message.sn}
       and role = 'counterparty' and state not in ('cancelled', 'deleted')
    returning id`
  // A copy that was withdrawn takes no updates any more.
  if (!copy) return requireArrived(tx, session, from, message)
  if (message.lines) await openTerms(tx, org, copy.id, message.lines)
  if (message.state) await followState(tx, org, copy.id, message.state)
  if (message.reviewed !== undefined)
    await confirmCopy(tx, session, definitionOf(message.kind), copy.id, message.reviewed, message.unreviewed)
  await documentRulesOf(message.kind).onUpdated?.(tx, session, copy.id)
  const bound = message.binds && message.lines ? await bindCreated(tx, org, copy.id, message.lines) : []
  const created = await tx<{ id: string; kind: string; sn: string }[]>`
    update document set fields = fields || ${tx.json(message.sets)}, version = version + 1
     where org_id = ${org} and source_document_id = ${copy.id} and role = 'own'
       and state in ('draft', 'submitted', 'rejected') returning id, kind, sn`
  const organisation: Session = { ...session, userId: '0', userName: from.name }
  const followed = [...created, ...bound.filter(doc => !created.some(({ id }) => id === doc.id))]
  for (const { id } of [copy, ...followed])
    await writeHistory(tx, organisation, id, {
      action: 'notified',
      label: message.label,
      from: null,
      to: null,
      reason: message.text,
    })
  if (message.text === null) return
  const first = followed[0] ?? (await madeOf(tx, org, copy.id))
  await sendMessage(tx, org, {
    title: message.label,
    body: `${from.name}：${definitionOf(message.kind).title}${message.sn}，${message.text}`,
    ...leadsTo(session, message, first),
    extra: { org_name: from.name, kind: first?.kind ?? message.kind },
  })
}

/** Sets the state of the copy to that of its owner's document, and keeps since when it is in force. */
const followState = (tx: Tx, org: string, copy: string, state: State) => tx`
  update document set state = ${state}, reviewed_at = case when ${state} = 'submitted' then null
      else coalesce(reviewed_at, posting_now()) end
   where org_id = ${org} and id = ${copy} and state in ('submitted', 'reviewed', 'partial', 'completed')`

/**
 * A new price set by the owner also applies to our own order, line by line, where something is still to be executed.
 */
async function bindCreated(
  tx: Tx,
  org: string,
  copy: string,
  lines: NonNullable<UpdateMessage['lines']>,
): Promise<{ id: string; kind: string; sn: string }[]> {
  const mains = documents().flatMap(({ kind, progress: { main } }) => (main ? [{ kind, main }] : []))
  const changed = await tx<{ document_id: string }[]>`
    with priced as (
      select l.document_id, l.line_no, l.quantity, l.tax_rate,
        round((k.terms->>'price')::numeric * s.quantity / s.base_quantity * l.base_quantity / l.quantity, 4) as price
        from jsonb_to_recordset(${tx.json(lines)}) as k(line_no int, terms jsonb)
        join document_line s on s.org_id = ${org} and s.document_id = ${copy} and s.line_no = k.line_no
        join document_line l on l.org_id = ${org} and l.source_document_id = s.document_id
          and l.source_line_no = s.line_no
        join document d on d.org_id = l.org_id and d.id = l.document_id and d.role = 'own' and d.red_of_id is null
          and d.state in ('draft', 'submitted', 'rejected', 'reviewed', 'partial')
        join jsonb_to_recordset(${tx.json(mains)}) as m(kind text, main text) on m.kind = d.kind
        left join line_progress g on g.org_id = l.org_id and g.document_id = l.document_id and g.line_no = l.line_no
          and g.purpose = m.main
       where l.quantity > 0 and s.base_quantity > 0 and coalesce(g.taken, 0) < l.base_quantity),
    summed as (select *, round(price * quantity, 2) as taxed from priced)
    update document_line l set price = s.price, taxed_amount = s.taxed,
      untaxed_amount = round(s.taxed * 100 / (100 + s.tax_rate), 2),
      tax_amount = s.taxed - round(s.taxed * 100 / (100 + s.tax_rate), 2)
      from summed s where l.org_id = ${org} and l.document_id = s.document_id and l.line_no = s.line_no
        and l.price <> s.price
    returning l.document_id`
  if (changed.length === 0) return []
  return tx<{ id: string; kind: string; sn: string }[]>`
    update document d set untaxed_amount = s.untaxed, tax_amount = s.tax, taxed_amount = s.taxed,
      version = d.version + 1
      from (select document_id, sum(untaxed_amount) as untaxed, sum(tax_amount) as tax, sum(taxed_amount) as taxed
        from document_line
             where org_id = ${org} and document_id = any(${changed.map(row => row.document_id)}::bigint[]) group by 1) s
     where d.org_id = ${org} and d.id = s.document_id returning d.id, d.kind, d.sn`
}

/** Own fields and money of the copy's lines, and its header sums: two statements regardless of the number of lines. */
async function openTerms(tx: Tx, org: string, copy: string, lines: NonNullable<UpdateMessage['lines']>): Promise<void> {
  await tx`
    update document_line l set fields = l.fields || k.fields, price = coalesce((k.terms->>'price')::numeric, l.price),
      tax_rate = coalesce((k.terms->>'tax_rate')::smallint, l.tax_rate),
           untaxed_amount = coalesce((k.terms->>'untaxed_amount')::numeric, l.untaxed_amount),
             tax_amount = coalesce((k.terms->>'tax_amount')::numeric, l.tax_amount),
           taxed_amount = coalesce((k.terms->>'taxed_amount')::numeric, l.taxed_amount),
             remark = coalesce(k.terms->>'remark', l.remark)
      from jsonb_to_recordset(${tx.json(lines)}) as k(line_no int, fields jsonb, terms jsonb)
     where l.org_id = ${org} and l.document_id = ${copy} and l.line_no = k.line_no`
  await tx`
    update document d set untaxed_amount = s.untaxed, tax_amount = s.tax, taxed_amount = s.taxed
      from (select sum(untaxed_amount) as untaxed, sum(tax_amount) as tax, sum(taxed_amount) as taxed
        from document_line where org_id = ${org} and document_id = ${copy}) s
     where d.org_id = ${org} and d.id = ${copy}`
}

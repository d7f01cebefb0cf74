import type { Sql } from 'postgres'
import type { CopyRule } from '#kernel/definition/document-links.ts'
import { type Decimal, isCount, isPositive } from '#kernel/values/decimal.ts'
import type { AnyDocument } from '#kernel/definition/document.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { derived, documents } from '#kernel/registry.ts'
import { sendProgress } from '#server/documents/intercompany/outbox.ts'
import { writeHistory } from '#server/documents/repository/history.ts'
import { loadDocuments } from '#server/documents/repository/load.ts'
import { recordProgress } from '#server/documents/progress/progress.ts'
import { definitionOf } from '#server/documents/sources/open-source.ts'
import { sentCopies } from '#server/documents/intercompany/withdraw.ts'
import type { Session } from '#server/access/session.ts'
import { inOrganisation, type Tx } from '#server/database/transaction.ts'

/** Kinds that end with the other organisation's document that they were made from. */
export const stopsWithSource = derived(() =>
  documents()
    .filter(({ lifecycle }) => lifecycle.stopsWithSource)
    .map(({ kind }) => kind),
)

/** A sent document that ends when stopped: the rest comes back. */
const endingSend = (definition: AnyDocument): CopyRule<never> | undefined =>
  definition.intercompany.copies?.find(send => send.onStopCountsAs) as CopyRule<never> | undefined

/** True if stopping such a document needs the other side's agreement first. */
export const stopsAtPartner = (definition: AnyDocument): boolean => endingSend(definition) !== undefined

/**
 * Goods that the other side is receiving at this moment are not recalled: it has counted them, and its document
 * waits for signature. This is only a query; what it receives between the query and our step is still counted, as
 * only its own count matters.
 */
export async function checkNotBeingReceived(
  sql: Sql,
  session: Session,
  definition: AnyDocument,
  sn: string,
  label: string,
): Promise<void> {
  const receivers = new Set((await sentCopies(sql, session, sn)).map(sent => sent.to_org_id))
  for (const to_org_id of receivers) {
    const [busy] = await inOrganisation(
      sql,
      to_org_id,
      '0',
      tx => tx<{ sn: string; kind: string }[]>`
      select p.sn, p.kind from document p join document c on c.org_id = p.org_id and c.id = p.source_document_id
       where p.org_id = ${to_org_id} and p.role = 'own' and p.state = 'submitted'
         and c.from_org_id = ${session.org.id} and c.sn = ${sn} and c.role = 'counterparty' and c.state <> 'cancelled'
           limit 1`,
    )
    if (busy)
      throw new BusinessError(
        'blocked',
        `对方正在收货（${definitionOf(busy.kind).title}${busy.sn}待审核），不能${label}；请等对方确认收货或撤回提交后再${label}`,
      )
  }
}

/**
 * At the receiver of a stopped document: what it neither received nor refused counts as refused, so that both sides'
 * figures agree, and the sender is notified as of any refusal. Documents started from it can take nothing more and
 * are cancelled.
 */
export async function returnRest(
  tx: Tx,
  session: Session,
  from: { name: string },
  definition: AnyDocument,
  copy: string,
  reason: string | null,
): Promise<void> {
  const send = endingSend(definition)
  if (!send?.onStopCountsAs) return
  await dropBegun(tx, session, from, copy, send.creates?.kind ?? '', reason)
  const [doc] = await loadDocuments(tx, session.org.id, [copy])
  const rest = await restOf(tx, session, copy, [send.onStopCountsAs, definition.progress.main ?? ''])
  if (rest.length === 0) return
  const steps = rest.map(({ line_no, left }) => ({
    document_id: copy,
    line_no,
    purpose: send.onStopCountsAs!,
    quantity: left,
    measure: 'quantity' as const,
  }))
  await recordProgress(tx, session, steps)
  const lines = rest.flatMap(({ line_no, left, codes }) => {
    const line = doc!.lines.find(each => each.line_no === line_no)!
    const unit_codes = isCount(left, codes.length) ? codes : []
    return [{ ...line, unit_codes, source_document_id: copy, source_line_no: line_no }]
  })
  await sendProgress(tx, session, { ...doc!, lines }, steps, { stopped: true })
}

type Rest = { readonly line_no: number; readonly left: Decimal; readonly codes: string[] }

/** By line of the copy: the quantity neither received nor refused yet, and the pieces not received. */
async function restOf(tx: Tx, session: Session, copy: string, purposes: readonly string[]): Promise<Rest[]> {
  const rows = await tx<Rest[]>`
    select l.line_no, (l.base_quantity - coalesce(g.taken, 0))::numeric(18,3) as left,
           array(select c.code from unnest(l.unit_codes) with ordinality as c(code, at)
                  where not exists (
                    select 1 from document_line t join document p on p.org_id = t.org_id and p.id = t.document_id
                      and p.role = 'own'
                     where t.org_id = l.org_id and t.source_document_id = l.document_id and t.source_line_no = l.line_no
                       and p.state in ('reviewed', 'partial', 'completed', 'reversed') and c.code = any(t.unit_codes)
                    having sum(case when p.red_of_id is null then 1 else -1 end) > 0)
                  order by c.at) as codes
      from document_line l
      left join lateral (
        select sum(taken) as taken from line_progress
         where org_id = l.org_id and document_id = l.document_id and line_no = l.line_no
           and purpose = any(${purposes as string[]})) g on true
     where l.org_id = ${session.org.id} and l.document_id = ${copy} order by l.line_no`
  return rows.filter(row => isPositive(row.left))
}

/**
 * The document that a message refers to may still be in transit: then the message is refused, and sent again. One that
 * arrived and was withdrawn since has arrived.
 */
export async function requireArrived(
  tx: Tx,
  session: Session,
  from: { org: string },
  { kind, sn }: { readonly kind: string; readonly sn: string },
): Promise<void> {
  const copies = await tx`
    select 1 from document where org_id = ${session.org.id} and from_org_id = ${from.org} and kind = ${kind}
      and split_part(sn, '/', 1) = ${sn} and role = 'counterparty' limit 1`
  if (copies.length === 0) throw new Error(`${kind} ${sn} has not arrived yet: its message waits`)
}

async function dropBegun(
  tx: Tx,
  session: Session,
  from: { name: string },
  copy: string,
  kind: string,
  reason: string | null,
): Promise<void> {
  const begun = await tx<{ id: string; was: string }[]>`
    with b as (select id, state as was from document where org_id = ${session.org.id} and source_document_id = ${copy}
      and kind = ${kind} and role = 'own' and state in ('draft', 'submitted', 'rejected') for update)
    update document d set state = 'cancelled', version = version + 1 from b
      where d.org_id = ${session.org.id} and d.id = b.id returning d.id, b.was`
  for (const doc of begun)
    await writeHistory(tx, { ...session, userId: '0', userName: from.name }, doc.id, {
      action: 'stop',
      label: '对方终止',
      from: doc.was,
      to: 'cancelled',
      reason,
    })
}

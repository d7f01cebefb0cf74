import type { Fragment, JSONValue } from 'postgres'
import type { AnyDocument } from '#kernel/definition/document.ts'
import { documents } from '#kernel/registry.ts'
import { auditActions } from '#kernel/rules/audit-actions.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { elapsed } from '#server/audit/operation-log.ts'
import type { StoredDocument } from '#server/documents/repository/document.ts'
import type { Session } from '#server/access/session.ts'
import { sendUnawaited, type Tx } from '#server/database/transaction.ts'

type Row = Readonly<Record<string, unknown>>
export type HistoryEntry = {
  readonly action: string
  readonly label: string
  readonly from: string | null
  readonly to: string | null
  readonly reason?: string | null
  /** Questions that the actor confirmed. */
  readonly confirmed?: readonly string[]
  /** The changes of an edit: the fields and lines that differ, before and after. */
  readonly changed?: { readonly before: Row; readonly after: Row }
}

let notified: string | null = null
/** The title of every kind, as one text. */
const titles = (): string =>
  (notified ??= JSON.stringify(Object.fromEntries(documents().map(({ kind, title }) => [kind, title]))))

/** Adds a row to the history of each of these documents. */
const historyRows = (
  tx: Tx,
  session: Session,
  { action, label, reason, confirmed }: Pick<HistoryEntry, 'action' | 'label' | 'reason' | 'confirmed'>,
  {
    from,
    to,
    of,
  }: { readonly from: Fragment | string | null; readonly to: Fragment | string | null; readonly of: Fragment },
): Fragment => tx`
  insert into document_history (org_id, document_id, seq, action, label, from_state, to_state, actor_id, actor_name,
    actor_org_name, reason, confirmed)
  select d.org_id, d.id,
    coalesce((select max(h.seq) from document_history h where h.org_id = d.org_id and h.document_id = d.id), 0) + 1,
         ${action}, ${label}, ${from}, ${to}, ${session.userId}, ${session.userName}, ${session.org.name},
         ${reason ?? null}, ${confirmed ? tx.json(confirmed as string[]) : null}
    from document d where d.org_id = ${session.org.id} and ${of}`

/**
 * Writes the same row to the histories of many documents of the organisation without changing their states: one
 * statement.
 */
export const writeHistoryOfMany = (
  tx: Tx,
  session: Session,
  documents: readonly string[],
  entry: { readonly action: string; readonly label: string; readonly reason: string | null },
): Fragment =>
  historyRows(tx, session, entry, {
    from: tx`d.state`,
    to: tx`d.state`,
    of: tx`d.id = any(${documents as string[]}::bigint[])`,
  })

/**
 * One row of the document's history and one of the operation log, with its state before and after or what an edit
 * changed; both are append-only. `moved`: the action's changes to the document's own row, in the same statement.
 */
export async function writeHistory(
  tx: Tx,
  session: Session,
  document: string,
  entry: HistoryEntry,
  moved: Fragment | null = null,
): Promise<void> {
  const before = entry.changed?.before ?? (entry.from === null ? null : { state: entry.from })
  const after = entry.changed?.after ?? {
    ...(entry.to === null ? {} : { state: entry.to }),
    ...(entry.reason ? { reason: entry.reason } : {}),
  }
  const written = tx`
    with ${moved === null ? tx`` : tx`moved as (${moved}),`} notified as (
      ${historyRows(tx, session, entry, { from: entry.from, to: entry.to, of: tx`d.id = ${document}` })}
      returning seq)
    insert into operation_log (org_id, user_id, actor_name, login, subject, subject_name, action, action_name,
      action_kind, object_key, object_name, before, after, summary, address, agent, took_ms)
    select d.org_id, ${session.userId}, ${session.userName}, ${session.login ?? null}, d.kind,
      ${titles()}::text::jsonb ->> d.kind, ${entry.action}, ${entry.label},
           ${entry.action in auditActions ? entry.action : 'other'}, d.sn, d.sn,
             ${before === null ? null : tx.json(before as JSONValue)}, ${tx.json(after)},
           ${entry.reason ? `${entry.label}：${entry.reason}`.slice(0, 300) : null}, ${session.address},
             ${session.agent ?? null}, ${elapsed(session)}
      from document d where d.org_id = ${session.org.id} and d.id = ${document}
    returning id`
  await sendUnawaited(tx, [written])
}

/** Refuses to withdraw, delete or void a document that its kind keeps once it was in force. */
export async function refuseKept(
  tx: Tx,
  org: string,
  { lifecycle: { kept } }: AnyDocument,
  doc: StoredDocument,
  action: string,
): Promise<void> {
  if (!kept?.when(doc)) return
  const rows = await tx`
    select 1 from document_history
     where org_id = ${org} and document_id = ${doc.id} and to_state in ('reviewed', 'completed') limit 1`
  if (rows.length > 0) throw new BusinessError('blocked', kept.message.replace('{action}', action))
}

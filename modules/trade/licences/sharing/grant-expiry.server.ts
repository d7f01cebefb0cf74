import type { JSONValue, Sql } from 'postgres'
import { today } from '#kernel/values/date.ts'
import { createFiledLines } from '#modules/trade/licences/sharing/archive-grant.server.ts'
import { type State } from '#kernel/definition/document-state.ts'
import { enqueueMessage } from '#server/public/intercompany.ts'
import { patchLines, transition, writeHistory } from '#server/public/documents.ts'
import { systemSessionOf } from '#server/public/organisations.ts'
import { systemSession } from '#server/public/session.ts'
import { inOrganisation, type Tx } from '#server/public/database.ts'

/** Authorisations past their last day end, on both sides, and so do overdue applications. */
export async function endGrants(owner: Sql): Promise<number> {
  const over = await owner<Over[]>`
    select org_id, id, kind, state from document
     where kind = 'licenceEmpower' and state = 'reviewed' and fields->>'valid_to' < ${today()}
        or kind = 'licenceApplication' and state in ('partial', 'reviewed') and fields->>'period_to' < ${today()}
     order by org_id, id`
  for (const [org, ended] of Map.groupBy(over, row => row.org_id)) {
    const session = systemSession((await systemSessionOf(owner, org)).org)
    await inOrganisation(owner, org, '0', async tx => {
      for (const { id, kind, state } of ended) {
        const to = kind === 'licenceEmpower' ? 'completed' : 'stopped'
        await transition(tx, session, { id, kind }, { action: 'expire', label: '到期', from: [state], to })
      }
    })
  }
  return over.length
}

type Over = { readonly org_id: string; readonly id: string; readonly kind: string; readonly state: State }

type Renewed = {
  readonly org_id: string
  readonly document_id: string
  readonly sn: string
  readonly partner: string
  readonly line_no: number
  readonly past_no: string
  readonly past_scans: readonly string[]
  readonly paper_sn: string
  readonly licence_type: string
  readonly licence_no: string
  readonly issuer: string | null
  readonly paper_from: string
  readonly paper_to: string | null
  readonly authorises: JSONValue
  readonly scans: readonly string[]
}

/**
 * 换证: a renewed licence replaces the previous one in every live authorisation, and the partner is notified; the old
 * scan stays readable.
 */
export async function passRenewalsOn(owner: Sql): Promise<number> {
  const renewed = await renewedIn(owner, null)
  for (const one of renewed) await inOrganisation(owner, one.org_id, '0', tx => passOn(tx, one))
  return renewed.length
}

/** The same for one organisation, as soon as its licence is in force. */
export async function passOwnRenewals(tx: Tx, org: string): Promise<void> {
  for (const one of await renewedIn(tx, org)) await passOn(tx, one)
}

const renewedIn = (sql: Sql | Tx, org: string | null) => sql<Renewed[]>`
    select d.org_id, d.id as document_id, d.sn, d.fields->>'partner_sn' as partner, k.line_no,
      k.fields->>'licence_no' as past_no,
           array(select jsonb_array_elements_text(coalesce(k.fields->'scans', '[]'))) as past_scans,
             n.id::text as paper_sn, n.licence_type, n.licence_no, n.issuer, n.valid_from::text as paper_from,
           case when n.long_term then null else n.valid_to::text end as paper_to, n.attachments as scans,
             authorisation_scope(n.org_id, n.id) as authorises
      from document d
      join document_line k on k.org_id = d.org_id and k.document_id = d.id and k.fields->>'result' = 'agree'
      join licence n on n.org_id = d.org_id and n.holder_id = d.org_id
        and n.previous_id = (k.fields->>'paper_sn')::bigint and n.status = 'enabled' and n.audit_state = 'passed'
        and n.valid_from <= ${today()}
     where d.kind = 'licenceEmpower' and d.role = 'own' and d.state = 'reviewed'
       and ${org === null ? sql`true` : sql`d.org_id = ${org}`} order by d.org_id, d.id, k.line_no limit 1000`

async function passOn(tx: Tx, one: Renewed): Promise<void> {
  const { org_id: org, document_id, sn, partner, line_no, past_no, past_scans, ...licence } = one
  const session = systemSession((await systemSessionOf(tx, org)).org)
  const fields = { ...licence, past_no, scans: [...licence.scans, ...past_scans] }
  const text = `${licence.licence_type}已换证：${past_no} → ${licence.licence_no}`
  const line = { line_no, values: fields }
  await patchLines(tx, session, { id: document_id, kind: 'licenceEmpower' }, [line], 'derived')
  const { paper_sn: _ours, ...theirs } = fields
  await enqueueMessage(tx, session, partner, document_id, {
    message: 'notification',
    kind: 'licenceEmpower',
    sn,
    label: '证照已更新',
    text,
    sets: {},
    lines: [{ line_no, fields: theirs }],
  })
  await writeHistory(tx, session, document_id, {
    action: 'renewed',
    label: '证照已更新',
    from: null,
    to: null,
    reason: text,
  })
}

/**
 * Copies that we filed follow their owner's renewal, once, as its update arrives: the new licence is filed beside the
 * old one and waits for our own approval.
 */
export async function renewFiled(tx: Tx, org: string, grant: string): Promise<void> {
  const rows = await tx<{ id: string }[]>`
  insert into licence (org_id, holder_id, licence_type, licence_no, issuer, valid_from, valid_to, long_term, scope,
    subjects, campus, copy_no, attachments, grantor_id, grantee_id, origin, owner_org_id, grant_sn, previous_id,
    audit_state, updated_by)
  select l.org_id, l.holder_id, l.licence_type, k.fields->>'licence_no', k.fields->>'issuer',
    (k.fields->>'paper_from')::date, (k.fields->>'paper_to')::date, k.fields->>'paper_to' is null, l.scope, l.subjects,
    l.campus, l.copy_no,
         array(select jsonb_array_elements_text(coalesce(k.fields->'scans', '[]'))), l.grantor_id, l.grantee_id,
           'granted', l.owner_org_id, l.grant_sn, l.id, 'pending', '对方换证'
    from licence l
    join document d on d.org_id = l.org_id and d.kind = 'licenceEmpower' and d.role = 'counterparty'
      and d.from_org_id = l.owner_org_id and d.sn = l.grant_sn and d.state = 'reviewed'
    join document_line k on k.org_id = d.org_id and k.document_id = d.id and k.fields->>'licence_type' = l.licence_type
      and k.fields->>'past_no' = l.licence_no
   where l.origin = 'granted' and l.status = 'enabled' and l.org_id = ${org} and d.id = ${grant}
  on conflict (org_id, holder_id, licence_type, licence_no, copy_no, valid_from) do nothing returning id`
  await createFiledLines(
    tx,
    rows.map(row => row.id),
  )
}

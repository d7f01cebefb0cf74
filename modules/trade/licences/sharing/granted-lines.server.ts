import type { JSONValue, Sql } from 'postgres'
import { createFiledLines } from '#modules/trade/licences/sharing/archive-grant.server.ts'
import { recountLicences } from '#modules/trade/licensing/licences-changed.server.ts'
import { deliverDocument, enqueueMessage } from '#server/public/intercompany.ts'
import { patchLines, writeHistory } from '#server/public/documents.ts'
import { systemSessionOf } from '#server/public/organisations.ts'
import { systemSession } from '#server/public/session.ts'
import { inOrganisation, type Tx } from '#server/public/database.ts'

type Changed = {
  readonly org_id: string
  readonly document_id: string
  readonly sn: string
  readonly partner: string
  readonly line_no: number
  readonly licence_type: string
  readonly licence_no: string
  readonly authorises: JSONValue
}

/** What an authorisation authorises, without the numbers of its lines and in an order of its own: for comparison. */
const linesOf = (sql: Sql | Tx, scope: ReturnType<Sql>) => sql`
  (select coalesce(jsonb_agg(x - 'id' order by (x - 'id')::text), '[]') from jsonb_array_elements(${scope}->'lines') x)`

/** Grants in force whose authorisations authorise something else today than was sent; of one licence, or of all. */
const changedIn = (sql: Sql | Tx, org: string | null, licence: string | null) => sql<Changed[]>`
  select d.org_id, d.id as document_id, d.sn, d.fields->>'partner_sn' as partner, k.line_no,
         k.fields->>'licence_type' as licence_type, k.fields->>'licence_no' as licence_no, s.authorises
    from document d
    join document_line k on k.org_id = d.org_id and k.document_id = d.id and k.fields->>'result' = 'agree'
    join licence l on l.org_id = d.org_id and l.id = (k.fields->>'paper_sn')::bigint and l.status = 'enabled'
    cross join lateral (select authorisation_scope(l.org_id, l.id) as authorises) s
   where d.kind = 'licenceEmpower' and d.role = 'own' and d.state = 'reviewed' and s.authorises is not null
     and (${org}::bigint is null or d.org_id = ${org}) and (${licence}::bigint is null or l.id = ${licence})
     and (k.fields->'authorises' is null
       or ${linesOf(sql, sql`k.fields->'authorises'`)} <> ${linesOf(sql, sql`s.authorises`)})
   order by d.org_id, d.id, k.line_no limit 1000`

/** The partner is told what the authorisation that was granted to him authorises now. */
async function passOn(tx: Tx, one: Changed): Promise<void> {
  const { org_id: org, document_id: id, sn, partner, line_no, authorises } = one
  const session = systemSession((await systemSessionOf(tx, org)).org)
  const text = `${one.licence_type}（${one.licence_no}）的授权明细已变更`
  await patchLines(tx, session, { id, kind: 'licenceEmpower' }, [{ line_no, values: { authorises } }], 'derived')
  await enqueueMessage(tx, session, partner, id, {
    message: 'notification',
    kind: 'licenceEmpower',
    sn,
    label: '授权明细已变更',
    text,
    sets: {},
    lines: [{ line_no, fields: { authorises } }],
  })
  await writeHistory(tx, session, id, {
    action: 'relined',
    label: '授权明细已变更',
    from: null,
    to: null,
    reason: text,
  })
}

/** A line of an authorisation was written, changed or deleted: whom it was granted to is told in this transaction. */
export async function passLinesOn(tx: Tx, org: string, licence: string): Promise<void> {
  for (const one of await changedIn(tx, org, licence)) await passOn(tx, one)
}

/** The same for all organisations, for what other pages changed of them; replies how many grants changed. */
export async function passAllLinesOn(owner: Sql): Promise<number> {
  const changed = await changedIn(owner, null, null)
  for (const one of changed) await inOrganisation(owner, one.org_id, '0', tx => passOn(tx, one))
  return changed.length
}

/** What was told of a licence is at its receivers when this returns, unless one cannot take it now. */
export async function deliverLines(sql: Sql, org: string, licence: string): Promise<void> {
  const grants = await inOrganisation(
    sql,
    org,
    '0',
    tx => tx<{ sn: string }[]>`
      select distinct d.sn from document d
        join document_line k on k.org_id = d.org_id and k.document_id = d.id
        join intercompany_message m on m.org_id = d.org_id and m.document_id = d.id and m.delivered_at is null
       where d.org_id = ${org} and d.kind = 'licenceEmpower' and d.role = 'own'
         and k.fields->>'paper_sn' = ${licence} order by d.sn`,
  )
  for (const { sn } of grants) await deliverDocument(sql, org, sn)
}

/**
 * Copies that we filed have the lines that their owner sent last; where these differ from what we approved, the copy
 * waits for our approval again.
 */
export async function followLines(tx: Tx, org: string, grant: string): Promise<void> {
  const rows = await tx<{ id: string }[]>`
    update licence u set updated_by = '对方变更授权明细', updated_at = now(), version = u.version + 1,
           audit_state = case when u.audit_state = 'passed' then 'pending' else u.audit_state end
      from licence l
      join document d on d.org_id = l.org_id and d.kind = 'licenceEmpower' and d.role = 'counterparty'
        and d.from_org_id = l.owner_org_id and d.sn = l.grant_sn and d.state = 'reviewed'
      join document_line k on k.org_id = d.org_id and k.document_id = d.id
        and k.fields->>'licence_type' = l.licence_type and k.fields->>'licence_no' = l.licence_no
     where u.org_id = l.org_id and u.id = l.id and l.org_id = ${org} and d.id = ${grant} and l.origin = 'granted'
       and l.status = 'enabled' and jsonb_typeof(k.fields->'authorises') = 'object'
       and ${linesOf(tx, tx`authorisation_scope(l.org_id, l.id)`)} <> ${linesOf(tx, tx`k.fields->'authorises'`)}
    returning u.id`
  if (rows.length === 0) return
  await createFiledLines(
    tx,
    rows.map(row => row.id),
  )
  await recountLicences(tx, org)
}

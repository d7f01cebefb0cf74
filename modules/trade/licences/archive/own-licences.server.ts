import type { RecordRow } from '#server/public/records.ts'
import type { Tx } from '#server/public/database.ts'

/** One's own licence that may be granted to partners. */
export type OwnLicence = {
  readonly paper_sn: string
  readonly licence_type: string
  readonly licence_no: string
  readonly issuer: string | null
  readonly paper_from: string
  /** Null: without end. */
  readonly paper_to: string | null
  readonly scope: string | null
  /** 诊疗科目 of a hospital's licence, as one list. */
  readonly subjects: string | null
  readonly campus: string | null
  readonly copy_no: string | null
  readonly scans: readonly string[]
}

const ownLicences = (tx: Tx, org: string, rest: ReturnType<Tx>) => tx<OwnLicence[]>`
  select l.id::text as paper_sn, l.licence_type, l.licence_no, l.issuer, l.valid_from::text as paper_from,
    case when l.long_term then null else l.valid_to::text end as paper_to, left(l.scope, 500) as scope,
    nullif(array_to_string(l.subjects, '、'), '') as subjects, l.campus, l.copy_no,
         l.attachments as scans
    from licence l
   where l.org_id = ${org} and l.holder_id = ${org} and l.status = 'enabled' and l.audit_state = 'passed' ${rest}`

/** One's own licences among these keys, approved and not renewed. */
export async function licencesByKey(tx: Tx, org: string, keys: readonly string[]): Promise<Map<string, OwnLicence>> {
  const rows = await ownLicences(tx, org, tx`and l.id = any(${[...keys]}::bigint[])`)
  return new Map(rows.map(row => [row.paper_sn, row]))
}

/** For each of these kinds, the currently valid licence that lasts longest. */
export async function licencesByType(
  tx: Tx,
  org: string,
  types: readonly string[],
  day: string,
): Promise<Map<string, OwnLicence>> {
  const rows = await ownLicences(
    tx,
    org,
    tx`and l.licence_type = any(${[...types]}::text[]) and (l.long_term or l.valid_to >= ${day}) order by l.long_term,
      l.valid_to`,
  )
  return new Map(rows.map(row => [row.licence_type, row]))
}

/** A registered organisation of the network other than oneself, or a message saying why it is not. */
export async function outsiderOf(
  tx: Tx,
  org: string,
  partner: unknown,
  own: string,
): Promise<{ readonly name: string; readonly system_type: number } | string> {
  if (partner === org) return own
  const [row] = await tx<{ name: string; system_type: number }[]>`
    select name, system_type from organisation
     where id = ${String(partner ?? 0)} and status = 'enabled' and audit_state = 'passed' and system_type > 0
       and kept_by_id is null`
  return row ?? '请选择已在平台注册的机构'
}

/** The number of organisations to which one's own licence is currently granted. */
export const grantedTo = (tx: Tx, row: RecordRow | null = null) => tx`(
  select count(distinct d.fields->>'partner_sn')::int from document d
    join document_line k on k.org_id = d.org_id and k.document_id = d.id and k.fields->>'result' = 'agree'
   where d.org_id = ${row ? tx`${String(row.org_id)}` : tx`t.org_id`} and d.kind = 'licenceEmpower' and d.role = 'own'
     and d.state = 'reviewed'
     and k.fields->>'paper_sn' = ${row ? tx`${String(row.licence_sn)}` : tx`t.id::text`})`

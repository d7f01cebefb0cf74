import type { AnyDocument } from '#kernel/definition/document.ts'
import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'

/** Hours after which a scan that nobody saved is no scan of a line any more. */
export const SCAN_HOURS = 24

/**
 * 录入方式: notes that the scan service answered these codes of pieces to a user. A document that the user saves within a
 * day with exactly these codes counts as scanned, once. The server knows only that the user asked, not with which
 * device: codes that a program sends one by one to the service count as scans.
 */
export async function noteScans(tx: Tx, session: Session, codes: readonly string[]): Promise<void> {
  if (codes.length === 0 || session.org.type === 'P') return
  await tx`
    insert into code_scan as s (org_id, code, scanned_by)
    select distinct ${session.org.id}::bigint, c.code, ${session.userId}::bigint
      from unnest(${codes as string[]}::text[]) c(code)
    on conflict (org_id, scanned_by, code) where document_id is null do update set scanned_at = excluded.scanned_at`
}

/**
 * Binds the user's scans to a document that the user saved by hand, for the codes that its lines name. Copies, imports
 * and follow-ups of other documents do not pass here: their lines were not scanned.
 */
export async function claimScans(tx: Tx, session: Session, { kind, lines }: AnyDocument, sn: string): Promise<void> {
  if (!('unit_codes' in lines)) return
  await tx`
    update code_scan s set document_id = d.id from document d
     where d.org_id = ${session.org.id} and d.kind = ${kind} and d.sn = ${sn} and d.role = 'own'
       and s.org_id = d.org_id and s.scanned_by = ${session.userId} and s.document_id is null
       and s.scanned_at > now() - make_interval(hours => ${SCAN_HOURS})
       and s.code in (select unnest(l.unit_codes) from document_line l
                       where l.org_id = d.org_id and l.document_id = d.id)`
}

/** All codes of a document were read by a device. */
export async function readByDevice(tx: Tx, org: string, kind: string, sn: string): Promise<void> {
  await tx`
    insert into code_scan (org_id, code, document_id)
    select distinct d.org_id, c.code, d.id
      from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
     cross join unnest(l.unit_codes) c(code)
     where d.org_id = ${org} and d.kind = ${kind} and d.sn = ${sn} and d.role = 'own'`
}

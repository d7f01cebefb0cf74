import type { supplierApplication } from '#modules/trade/partners/supplier-requests/supplier-application.doc.ts'
import type { TypedDocument, TypedLine } from '#server/public/documents.ts'
import { compactDay, today } from '#kernel/values/date.ts'
import type { ActionContext } from '#server/public/hooks.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

type SupplierApplication = TypedDocument<typeof supplierApplication>
type Line = TypedLine<typeof supplierApplication>

/** Creates a proposal in the hospital's catalogue for each passed line; returns their common number. */
export async function createProposals(
  tx: Tx,
  session: Session,
  doc: SupplierApplication,
  passed: readonly Line[],
): Promise<string> {
  const [next] = await tx<{ n: string }[]>`select nextval('row_id_seq') as n`
  const sn = `JY${compactDay(today())}${next!.n}`
  const rows = passed.map(line => ({
    line_no: line.line_no,
    specification_id: line.specification_sn,
    changed_field: line.changed_field ?? null,
    old_value: line.old_value ?? null,
    new_value: line.new_value ?? null,
  }))
  await tx`
    insert into catalogue_proposal (org_id, code, proposal_type, specification_id, supplier_id, changed_field,
      old_value, new_value, application_id, application_sn, applied_by)
    select ${session.org.id}, ${sn} || '-' || k.line_no, ${String(doc.application_type)}, k.specification_id,
      ${String(doc.from_org_id)}, k.changed_field, k.old_value, k.new_value, ${doc.id}, ${doc.sn},
      ${(doc.applicant as string | null) ?? null}
      from jsonb_to_recordset(${tx.json(rows)}) as k(line_no int, specification_id bigint,
        changed_field text, old_value text, new_value text)
    returning id`
  return sn
}

/** True if one of the application's proposals was already decided. */
export async function isProposalDecided({ tx, session, doc }: ActionContext): Promise<boolean> {
  const [decided] = await tx`
    select 1 from catalogue_proposal where org_id = ${session.org.id} and application_id = ${doc.id}
      and state <> 'pending' limit 1`
  return decided !== undefined
}

/** Removes the proposals, as if it had not been passed. */
export const takeProposalsBack = ({ tx, session, doc }: ActionContext) =>
  tx`delete from catalogue_proposal where org_id = ${session.org.id} and application_id = ${doc.id}`

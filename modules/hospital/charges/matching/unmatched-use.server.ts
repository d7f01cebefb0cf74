import { byName } from '#server/public/documents.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { isSkippedOn } from '#modules/hospital/charges/matching/match-versions.server.ts'
import { isUse } from '#modules/hospital/charges/checking/checks.server.ts'
import { connectedHis } from '#server/public/outbound.ts'
import type { ActionCheck, ActionContext } from '#server/public/hooks.ts'

const isOnPatient = ({ doc }: ActionContext): boolean =>
  ['patient_no', 'patient_name', 'admission_no'].some(name => Boolean(byName(doc)[name]))

/**
 * Refuses the use of goods that are to be charged to a patient but have no item of the HIS on the day of use, unless
 * the hospital's rule 未对照允许使用 permits it. Nothing is checked without a HIS.
 */
async function refuseUnmatched(ctx: ActionContext): Promise<void> {
  const { tx, session, doc, definition, settings } = ctx
  if (!isUse(definition.kind) || session.org.type !== 'H' || doc.role === 'counterparty') return
  if (settings.unmatched_use || !isOnPatient(ctx) || doc.lines.length === 0) return
  const unmatched = await tx<{ specification_id: string; name: string }[]>`
    select s.id as specification_id, p.name || ' ' || s.name as name from hospital_product h
      join specification s on s.id = h.specification_id join product p on p.id = s.product_id
     where h.org_id = ${session.org.id} and h.is_chargeable 
       and not ${isSkippedOn(tx, session.org.id, tx`h.specification_id`, tx`${doc.business_date}::date`)}
       and h.specification_id = any(${doc.lines.map(line => line.specification_sn!)}::bigint[])
       and not exists (select 1 from his_match_version v where v.org_id = h.org_id
         and v.specification_id = h.specification_id and v.valid_from <= ${doc.business_date}
         and (v.valid_to is null or v.valid_to >= ${doc.business_date}))`
  if (unmatched.length === 0 || (await connectedHis(tx, session.org.id)) === null) return
  const names = new Map(unmatched.map(row => [row.specification_id, row.name]))
  const line = doc.lines.find(each => names.has(String(each.specification_sn)))!
  const msg = `产品【${names.get(String(line.specification_sn))}】未与HIS收费项目对照，不能登记使用`
  throw new BusinessError('rule', msg, [{ line: line.line_no, field: 'specification_sn', msg }])
}

export const unmatchedUseCheck: ActionCheck = { check: refuseUnmatched }

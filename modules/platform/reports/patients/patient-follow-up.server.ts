import { kindsOf } from '#kernel/measure/feeding.ts'
import { today } from '#kernel/values/date.ts'
import { patientFollowUp } from '#modules/platform/reports/patients/patient-follow-up.entity.ts'
import { addRecord, type RecordRules } from '#server/public/records.ts'
import type { ReportCall, ReportRules } from '#server/public/reports.ts'

export const patientFollowUpRules: RecordRules = {
  kind: 'patientFollowUp',
  columns: (tx, session) => {
    const used = (what: ReturnType<typeof tx>) => tx`(
      select ${what} from document d where d.org_id = ${session.org.id} and d.kind = any(${kindsOf('used')})
        and d.role = 'own' and d.sn = t.source_no)`
    return {
      admission_no: used(tx`d.fields->>'admission_no'`),
      patient_name: used(tx`d.fields->>'patient_name'`),
      surgery_name: used(tx`d.fields->>'surgery_name'`),
      used_on: used(tx`d.business_date`),
      goods_used: used(tx`(
        select string_agg(distinct concat_ws(' ', p.name, l.lot_no), '、') from document_line l
          join specification s on s.id = l.specification_id join product p on p.id = s.product_id
         where l.org_id = d.org_id and l.document_id = d.id and p.is_high_value)`),
      // The newest visit says when the next one is: an earlier one waits for nobody.
      is_due: tx`(t.next_on <= ${today()} and not exists (
        select 1 from patient_follow_up n
         where n.org_id = t.org_id and n.source_no = t.source_no and n.followed_on > t.followed_on))`,
    }
  },
  /** The use is one of ours, in effect, with a patient and goods of high value; its department is the record's. */
  async check(tx, session, { after }) {
    const [use] = await tx<{ department_id: string | null; used_on: string }[]>`
      select d.department_id, d.business_date::text as used_on from document d
       where d.org_id = ${session.org.id} and d.kind = any(${kindsOf('used')}) and d.role = 'own'
         and d.sn = ${String(after.source_no)} and d.red_of_id is null
         and d.state in ('reviewed', 'partial', 'completed') and nullif(d.fields->>'patient_name', '') is not null
         and exists (select 1 from document_line l
                       join specification s on s.id = l.specification_id join product p on p.id = s.product_id
                      where l.org_id = d.org_id and l.document_id = d.id and p.is_high_value)`
    const isOurs = session.departments === 'all' || session.departments.has(use?.department_id ?? '')
    if (!use?.department_id || !isOurs)
      return [{ field: 'source_no', msg: '没有这张已审核的高值耗材患者使用单，请核对使用单号' }]
    if (String(after.followed_on) < use.used_on)
      return [{ field: 'followed_on', msg: `随访日期不能早于使用日期${use.used_on}` }]
    Object.assign(after, { department_inner_sn: use.department_id })
    return []
  },
  alsoWrites: async (_tx, session) => ({ followed_by: session.userName }),
}

/** 随访登记 of the uses behind the ticked rows, one visit each, with the same answers. */
const followUp: ReportCall = async ({ tx, session, asked, rows }) => {
  const uses = [...new Set(rows.map(row => String(row.document_sn)))]
  for (const source_no of uses) await addRecord(tx, session, patientFollowUp, { ...asked, source_no })
  return { said: `已登记随访：${uses.join('、')}` }
}

export const highValuePatientsRules: ReportRules = { kind: 'highValuePatients', calls: { followUp } }

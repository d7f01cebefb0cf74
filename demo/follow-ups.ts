import { kindsOf } from '#kernel/measure/feeding.ts'
import { addDays, type Day, today } from '#kernel/values/date.ts'
import { recordOf } from '#demo/records.ts'
import type { DemoDatabase } from '#demo/simulation/actions.ts'
import { inOrganisation, type Tx } from '#server/database/transaction.ts'
import { systemSessionOf } from '#server/organisations/organisations.ts'
import { addRecord } from '#server/records/write.ts'
import type { Session } from '#server/access/session.ts'

/** How patients were found two weeks after the use, and after how many days they come again. */
const VISITS = [
  { way: 'visit', result: 'well', patient_note: '切口愈合良好，活动正常', again: 90 },
  { way: 'phone', result: 'well', patient_note: '自述无不适', again: 10 },
  { way: 'visit', result: 'unwell', patient_note: '局部肿胀，建议复查影像', again: 7 },
  { way: 'phone', result: 'lost', patient_note: '三次电话未接通', again: null },
] as const
const AFTER_DAYS = 14

/**
 * Hospitals follow up some of the patients on whom goods of high value were used: some are well, one has a complaint,
 * one cannot be reached.
 */
export async function followPatientsUp({ owner, app }: DemoDatabase): Promise<void> {
  const hospitals = await owner<{ id: string }[]>`
    select id from organisation where system_type = 1 and kept_by_id is null and uses_system order by id`
  for (const { id } of hospitals) {
    const who = { ...(await systemSessionOf(owner, id)), userName: '随访护士' }
    await inOrganisation(app, id, '0', tx => visit(tx, who))
  }
}

async function visit(tx: Tx, who: Session): Promise<void> {
  const uses = await tx<{ sn: string; day: Day }[]>`
    select d.sn, d.business_date::text as day from document d
     where d.org_id = ${who.org.id} and d.kind = any(${kindsOf('used')}) and d.role = 'own' and d.red_of_id is null
       and d.state in ('reviewed', 'partial', 'completed') and nullif(d.fields->>'patient_name', '') is not null
       and d.department_id is not null and d.business_date <= ${addDays(today(), -AFTER_DAYS)}
       and exists (select 1 from document_line l join specification s on s.id = l.specification_id
                     join product p on p.id = s.product_id
                    where l.org_id = d.org_id and l.document_id = d.id and p.is_high_value)
     order by d.business_date desc, d.id desc limit ${VISITS.length}`
  for (const [at, { sn, day }] of uses.entries()) {
    const { again, ...found } = VISITS[at]!
    const followed_on = addDays(day, AFTER_DAYS)
    await addRecord(tx, who, recordOf('patientFollowUp'), {
      source_no: sn,
      followed_on,
      ...found,
      next_on: again === null ? null : addDays(followed_on, again),
    })
  }
}

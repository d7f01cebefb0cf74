import type {
  ClearedOfVisit,
  HisOperation,
  HisPatient,
  HisReceived,
  HisVisit,
  KeptOfVisit,
  VisitSaid,
} from '#server/public/outbound.ts'
import type { Tx } from '#server/public/database.ts'

/**
 * Stores a stay in our copy; a message older than our data changes nothing. Fields that the message omits stay, unless
 * it clears them.
 */
export async function storeVisit(
  tx: Tx,
  org: string,
  visit: HisVisit & Partial<VisitSaid>,
  patient: HisPatient | null,
): Promise<void> {
  const { keeps = [], cleared = [] } = visit
  const kept = (name: ClearedOfVisit, column: string) =>
    cleared.includes(name) ? tx`null` : tx`coalesce(${tx(`excluded.${column}`)}, ${tx(`v.${column}`)})`
  const said = (name: KeptOfVisit, column: string) => tx(`${keeps.includes(name) ? 'v' : 'excluded'}.${column}`)
  await tx`
    insert into his_visit as v (org_id, visit_no, patient_no, patient_name, sex, birth_date, wristband, visit_class,
      state, is_account_open, his_department_code, bed_no, doctor_no, began_at, ended_at, changed_at)
    values (${org}, ${visit.visit_no}, ${visit.patient_no}, ${patient?.patient_name ?? null}, ${patient?.sex ?? null},
      ${patient?.birth_date ?? null}, ${patient?.wristband ?? null}, ${visit.visit_class}, ${visit.state},
      ${visit.is_account_open}, ${visit.department_code}, ${visit.bed_no}, ${visit.doctor_no}, ${visit.began_at},
      ${visit.ended_at}, ${visit.updated_at})
    on conflict (org_id, visit_no) do update set patient_no = excluded.patient_no,
      patient_name = coalesce(excluded.patient_name, v.patient_name),
      sex = coalesce(${said('sex', 'sex')}, v.sex, excluded.sex),
      birth_date = ${kept('birth_date', 'birth_date')}, wristband = coalesce(excluded.wristband, v.wristband),
      visit_class = ${said('visit_class', 'visit_class')}, state = ${said('state', 'state')},
      is_account_open = ${said('state', 'is_account_open')},
      his_department_code = ${kept('department_code', 'his_department_code')},
      bed_no = ${kept('bed_no', 'bed_no')}, doctor_no = ${kept('doctor_no', 'doctor_no')},
      began_at = ${kept('began_at', 'began_at')}, ended_at = ${said('state', 'ended_at')},
      changed_at = excluded.changed_at, read_at = now()
     where excluded.changed_at >= v.changed_at`
}

export async function storeOperation(tx: Tx, org: string, operation: HisOperation): Promise<void> {
  await tx`
    insert into his_operation as o (org_id, surgery_no, visit_no, patient_no, surgery_name, state, planned_at,
      started_at, ended_at, his_department_code, theatre, surgeon_no, surgeon_name, changed_at)
    values (${org}, ${operation.surgery_no}, ${operation.visit_no}, ${operation.patient_no},
      ${operation.surgery_name}, ${operation.state}, ${operation.planned_at}, ${operation.started_at},
      ${operation.ended_at}, ${operation.department_code}, ${operation.theatre}, ${operation.surgeon_no},
      ${operation.surgeon_name}, ${operation.updated_at})
    on conflict (org_id, surgery_no) do update set visit_no = excluded.visit_no, patient_no = excluded.patient_no,
      surgery_name = excluded.surgery_name, state = excluded.state,
      planned_at = coalesce(excluded.planned_at, o.planned_at),
      started_at = coalesce(excluded.started_at, o.started_at), ended_at = coalesce(excluded.ended_at, o.ended_at),
      his_department_code = coalesce(excluded.his_department_code, o.his_department_code),
      theatre = coalesce(excluded.theatre, o.theatre), surgeon_no = coalesce(excluded.surgeon_no, o.surgeon_no),
      surgeon_name = coalesce(excluded.surgeon_name, o.surgeon_name), changed_at = excluded.changed_at,
      read_at = now()
     where excluded.changed_at >= o.changed_at`
}

/** Stores the patient data of a message; its charges are stored by another room. */
export async function storeReceived(tx: Tx, org: string, { patient, visit, operation }: HisReceived): Promise<void> {
  if (visit) await storeVisit(tx, org, visit, patient)
  if (operation) await storeOperation(tx, org, operation)
}

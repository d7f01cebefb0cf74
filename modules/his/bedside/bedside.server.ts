import { dayOf, today, type Day } from '#kernel/values/date.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { readWristband, type Wristband } from '#modules/his/bedside/wristband.ts'
import { storeOperation, storeVisit } from '#modules/his/visits/store-visits.server.ts'
import {
  connectedHis,
  type His,
  HisError,
  type HisOperation,
  type HisPatient,
  type HisVisit,
} from '#server/public/outbound.ts'
import type { Tx } from '#server/public/database.ts'

/** Who lies before the nurse: his stay in hand, and the operation next to now. */
export type AtBedside = {
  readonly patient: Partial<HisPatient>
  readonly visit: Partial<HisVisit> | null
  readonly operation: Partial<HisOperation> | null
}
/** `kept`: the HIS did not answer, and this is what we know from before, or what the wristband says. */
export type Found = { readonly from: 'his' | 'kept' | 'nowhere'; readonly said: string | null } & AtBedside

const nobody: AtBedside = { patient: {}, visit: null, operation: null }

/** Never an error: a HIS that is down stops no nurse. */
export async function findPatient(tx: Tx, org: string, scanned: string): Promise<Found> {
  const band = readWristband(scanned)
  const his = await connectedHis(tx, org)
  const down = his === null ? '本机构未接通HIS，请手工填写患者' : null
  try {
    const found = his && (await askHisFor(his, band))
    if (found) return { from: 'his', said: null, ...found }
    if (his) return { from: 'nowhere', said: 'HIS中没有该患者，请核对腕带或手工填写', ...nobody }
  } catch (error) {
    if (!(error instanceof HisError)) throw error
  }
  const kept = await knownPatient(tx, org, band)
  const said = down ?? 'HIS暂时无法连接，请手工填写患者；登记不受影响，计费随后自动补推'
  return kept
    ? { from: 'kept', said: `${said}（已带出本系统留存的信息，请核对）`, ...kept }
    : { from: 'nowhere', said, ...nobody }
}

/** By the wristband, by the number of the patient, by the number of the stay: whatever the hospital prints. */
async function askHisFor(his: His, { code, isGsrn }: Wristband): Promise<AtBedside | null> {
  const named = isGsrn ? null : ((await his.patient({ patient_no: code })) ?? (await byVisit(his, code)))
  const patient = named ?? (await his.patient({ wristband: code }))
  if (!patient) return null
  const visits = await his.visits(patient.patient_no)
  const visit = visits.find(each => each.visit_no === code) ?? visits.find(each => each.state === 'active') ?? visits[0]
  if (!visit) return { patient, visit: null, operation: null }
  return { patient, visit, operation: nearest(await his.operations({ visit_no: visit.visit_no })) }
}

async function byVisit(his: His, code: string): Promise<HisPatient | null> {
  const visit = await his.visit(code)
  return visit && his.patient({ patient_no: visit.patient_no })
}

/** Of the operations that were not called off, the one next to now. */
function nearest(operations: readonly HisOperation[]): HisOperation | null {
  const far = (each: HisOperation) => Math.abs(Date.now() - Date.parse(each.started_at ?? each.planned_at ?? ''))
  const open = operations.filter(each => each.state !== 'cancelled')
  return open.toSorted((one, other) => far(one) - far(other))[0] ?? null
}

/** What the HIS told before, else what stands on the band. */
async function knownPatient(tx: Tx, org: string, band: Wristband): Promise<AtBedside | null> {
  const [row] = await tx<(HisPatient & HisVisit)[]>`
    select v.patient_no, v.patient_name, v.sex, v.birth_date::text as birth_date, v.visit_no, v.visit_class, v.bed_no,
           v.doctor_no
      from his_visit v
     where v.org_id = ${org} and v.state <> 'cancelled'
       and (v.wristband = ${band.code} or v.patient_no = ${band.code} or v.visit_no = ${band.code})
     order by v.state = 'active' desc, v.began_at desc nulls last limit 1`
  if (row) {
    const [operation] = await tx<HisOperation[]>`
      select surgery_no, surgery_name, theatre, surgeon_no from his_operation
       where org_id = ${org} and visit_no = ${row.visit_no} and state <> 'cancelled'
       order by planned_at desc nulls last limit 1`
    return { patient: row, visit: row, operation: operation ?? null }
  }
  const { patient_name, birth_date, sex } = band
  return patient_name === null
    ? null
    : { patient: { patient_name, birth_date, sex: sex ?? 'unknown' }, visit: null, operation: null }
}

/** What was found at the bedside is known from now on. */
export async function keepFound(tx: Tx, org: string, { from, patient, visit, operation }: Found): Promise<void> {
  if (from !== 'his' || !visit) return
  await storeVisit(tx, org, visit as HisVisit, patient as HisPatient)
  if (operation) await storeOperation(tx, org, operation as HisOperation)
}

/** An operation of tomorrow is not written down as done: its day stays open. */
function dayOfOperation(operation: AtBedside['operation']): Day | undefined {
  const at = operation?.started_at ?? operation?.planned_at
  const day = at ? dayOf(new Date(at)) : undefined
  return day !== undefined && day <= today() ? day : undefined
}

/** Whole years, by the calendar. */
function ageOf(birth: Day): string {
  const now = today()
  const years = parseInteger(now.slice(0, 4)) - parseInteger(birth.slice(0, 4))
  return `${now.slice(5) < birth.slice(5) ? years - 1 : years}岁`
}

const doctorOf = async (tx: Tx, org: string, staff: string | null | undefined) => {
  if (!staff) return {}
  const [row] = await tx<{ id: string; name: string }[]>`
    select e.id, e.name from employee e where e.org_id = ${org} and e.his_staff_no = ${staff} and e.status = 'enabled'`
  return row ? { doctor_inner_sn: row.id, doctor_name: row.name } : {}
}

/** The fields of a use that are filled in; what was not found is left as it was typed. */
export async function fieldsOf(tx: Tx, org: string, { patient, visit, operation }: AtBedside, isSurgery: boolean) {
  const { patient_no, patient_name, sex, birth_date } = patient
  const filled = {
    patient_no,
    patient_name,
    patient_sex: sex === 'male' || sex === 'female' ? sex : sex && 'unknown',
    patient_age: birth_date ? ageOf(birth_date) : undefined,
    admission_no: visit?.visit_no,
    bed_no: visit?.bed_no,
    surgery_name: operation?.surgery_name,
    ...(isSurgery
      ? {
          surgery_no: operation?.surgery_no,
          theatre: operation?.theatre,
          business_date: dayOfOperation(operation),
        }
      : { visit_type: visit?.visit_class && (visit.visit_class === 'inpatient' ? 'inpatient' : 'outpatient') }),
    ...(await doctorOf(tx, org, operation?.surgeon_no ?? visit?.doctor_no)),
  }
  return Object.fromEntries(Object.entries(filled).filter(([, value]) => value !== undefined && value !== null))
}

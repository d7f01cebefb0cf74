import { dayOf, minuteOf, today, type Day } from '#kernel/values/date.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { readWristband, type Wristband } from '#modules/hospital/his/bedside/wristband.ts'
import { storeOperation, storeVisit } from '#modules/hospital/his/visits/store-visits.server.ts'
import { type His, HisError, type HisOperation, type HisPatient, type HisVisit } from '#server/public/outbound.ts'
import type { Tx } from '#server/public/database.ts'

/** The patient at the bedside, with a stay and an operation of that stay. */
export type AtBedside = {
  readonly patient: Partial<HisPatient>
  readonly visit: Partial<HisVisit> | null
  readonly operation: Partial<HisOperation> | null
}
/**
 * `kept`: the HIS did not answer, and this comes from our own data or the wristband. If several stays or operations are
 * open, the nurse chooses one of `options`.
 */
export type Found = {
  readonly from: 'his' | 'kept' | 'nowhere'
  readonly said: string | null
  readonly options: readonly AtBedside[]
}

/** The reasons why the HIS has no data of the scanned patient. */
const silences = {
  unknown: 'HIS中没有该患者，请核对腕带或手工填写',
  down: 'HIS暂时无法连接，请手工填写患者；登记不受影响，计费随后自动补推',
  unconnected: '本机构未接通HIS，请手工填写患者',
} as const
type Answered = readonly AtBedside[] | keyof typeof silences
const HOURS_AFTER = 24
const MS_OF_AN_HOUR = 3_600_000

/** Never throws: a HIS that is down must not stop a nurse. */
export async function askBedside(his: His | null, scanned: string, isSurgery: boolean): Promise<Answered> {
  if (his === null) return 'unconnected'
  try {
    return (await askHisFor(his, readWristband(scanned), isSurgery)) ?? 'unknown'
  } catch (error) {
    if (!(error instanceof HisError)) throw error
    return 'down'
  }
}

/** Identifies the patient by the HIS, or by our own data if the HIS does not answer. */
export async function findPatient(
  tx: Tx,
  org: string,
  { scanned, isSurgery }: { readonly scanned: string; readonly isSurgery: boolean },
  answered: Answered,
): Promise<Found> {
  if (typeof answered !== 'string') return { from: 'his', said: null, options: answered }
  const said = silences[answered]
  const kept = answered === 'unknown' ? [] : await knownPatient(tx, org, readWristband(scanned), isSurgery)
  return kept.length > 0
    ? { from: 'kept', said: `${said}（已带出本系统留存的信息，请核对）`, options: kept }
    : { from: 'nowhere', said, options: [] }
}

/**
 * By the wristband, by the number of the patient or by the number of the stay, depending on what the hospital prints.
 */
async function askHisFor(
  his: His,
  { code, isGsrn }: Wristband,
  isSurgery: boolean,
): Promise<readonly AtBedside[] | null> {
  const named = isGsrn ? null : ((await his.patient({ patient_no: code })) ?? (await byVisit(his, code)))
  const patient = named ?? (await his.patient({ wristband: code }))
  if (!patient) return null
  const stays = running(await his.visits(patient.patient_no), code)
  if (stays.length === 0) return [{ patient, visit: null, operation: null }]
  const options: AtBedside[] = []
  for (const visit of stays)
    options.push(...inStay({ patient, visit }, await his.operations({ visit_no: visit.visit_no }), isSurgery))
  return options
}

async function byVisit(his: His, code: string): Promise<HisPatient | null> {
  const visit = await his.visit(code)
  return visit && his.patient({ patient_no: visit.patient_no })
}

/** The stay whose number was scanned, else the running ones, else the newest. */
function running<Stay extends { readonly visit_no: string; readonly state: string }>(
  stays: readonly Stay[],
  code: string,
): readonly Stay[] {
  const named = stays.filter(stay => stay.visit_no === code)
  if (named.length > 0) return named
  const active = stays.filter(stay => stay.state === 'active')
  return active.length > 0 ? active : stays.slice(0, 1)
}

type Operation = Pick<
  HisOperation,
  'surgery_no' | 'surgery_name' | 'state' | 'planned_at' | 'started_at' | 'ended_at'
> &
  Partial<HisOperation>
const momentOf = (each: Operation) => Date.parse(each.started_at ?? each.planned_at ?? '')

/** True if the operation is booked, begun, or ended less than a day ago: a use recorded today may belong to it. */
function isOpen({ state, ended_at, started_at, planned_at }: Operation): boolean {
  if (state !== 'done') return state !== 'cancelled'
  const over = Date.parse(ended_at ?? started_at ?? planned_at ?? '')
  return Date.now() - over <= HOURS_AFTER * MS_OF_AN_HOUR
}

/**
 * One option for each operation that a use may belong to, the one next to now first. A ward's use belongs to the stay:
 * it names the operation only if there is only one.
 */
function inStay(
  stay: Omit<AtBedside, 'operation'>,
  operations: readonly Operation[],
  isSurgery: boolean,
): readonly AtBedside[] {
  const far = (each: Operation) => Math.abs(Date.now() - momentOf(each))
  const known = operations.filter(each => each.state !== 'cancelled').toSorted((one, other) => far(one) - far(other))
  const open = known.filter(isOpen)
  const chosen = open.length > 0 ? open : known.slice(0, 1)
  if (chosen.length === 0 || (chosen.length > 1 && !isSurgery)) return [{ ...stay, operation: null }]
  return chosen.map(operation => ({ ...stay, operation }))
}

/** Uses the data that the HIS sent before, otherwise the data printed on the wristband. */
async function knownPatient(tx: Tx, org: string, band: Wristband, isSurgery: boolean): Promise<readonly AtBedside[]> {
  const stays = await tx<(HisPatient & HisVisit)[]>`
    select v.patient_no, v.patient_name, v.sex, v.birth_date::text as birth_date, v.visit_no, v.visit_class, v.bed_no,
           v.doctor_no, v.state
      from his_visit v
     where v.org_id = ${org} and v.state <> 'cancelled'
       and (v.wristband = ${band.code} or v.patient_no = ${band.code} or v.visit_no = ${band.code})
     order by v.state = 'active' desc, v.began_at desc nulls last limit 20`
  const [first] = stays
  if (first) {
    const chosen = running(
      stays.filter(stay => stay.patient_no === first.patient_no),
      band.code,
    )
    const operations = await tx<(Operation & { visit_no: string })[]>`
      select visit_no, surgery_no, surgery_name, theatre, surgeon_no, state, planned_at, started_at, ended_at
        from his_operation
       where org_id = ${org} and visit_no = any(${chosen.map(stay => stay.visit_no)}) and state <> 'cancelled'`
    return chosen.flatMap(stay =>
      inStay(
        { patient: stay, visit: stay },
        operations.filter(each => each.visit_no === stay.visit_no).map(withMoments),
        isSurgery,
      ),
    )
  }
  const { patient_name, birth_date, sex } = band
  return patient_name === null
    ? []
    : [{ patient: { patient_name, birth_date, sex: sex ?? 'unknown' }, visit: null, operation: null }]
}

/** Moments of our copy as the HIS writes them. */
function withMoments<Row extends Operation>(row: Row): Row {
  const iso = (at: unknown) => (at === null ? null : new Date(at as string).toISOString())
  return { ...row, planned_at: iso(row.planned_at), started_at: iso(row.started_at), ended_at: iso(row.ended_at) }
}

/** Stores the visit and operation that the HIS found at the bedside. */
export async function keepFound(tx: Tx, org: string, { from, options }: Found): Promise<void> {
  if (from !== 'his') return
  for (const { patient, visit, operation } of options) {
    if (visit) await storeVisit(tx, org, visit as HisVisit, patient as HisPatient)
    if (operation) await storeOperation(tx, org, operation as HisOperation)
  }
}

const stateNames = { planned: '已安排', started: '手术中', done: '已结束' } as const

/** The text by which a nurse chooses among several: the stay, and the operation with its time. */
export function labelOf({ visit, operation }: AtBedside): string {
  const bed = visit?.bed_no ? `${visit.bed_no}床` : null
  const stay = [visit?.visit_class === 'inpatient' ? '住院' : '门诊', visit?.visit_no, bed].filter(Boolean).join(' ')
  if (!operation) return stay
  const at = operation.started_at ?? operation.planned_at
  const when = at ? minuteOf(new Date(at)) : null
  const state = stateNames[operation.state as keyof typeof stateNames]
  return [operation.surgery_name, when, operation.theatre, state, `（${stay}）`].filter(Boolean).join(' ')
}

/** The day of an operation; empty for a future one, because it is not done yet. */
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

/** The fields to fill in on a document of this kind; fields that were not found keep what the user typed. */
export async function fieldsOf(tx: Tx, org: string, { patient, visit, operation }: AtBedside, kind: string) {
  const { patient_no, patient_name, sex, birth_date } = patient
  const isUse = kind === 'surgeryUse' || kind === 'departmentUse'
  const filled = {
    patient_no,
    patient_name,
    admission_no: visit?.visit_no,
    surgery_name: operation?.surgery_name,
    ...(kind === 'departmentUse' ? {} : { surgery_no: operation?.surgery_no }),
    ...(isUse && {
      patient_sex: sex === 'male' || sex === 'female' ? sex : sex && 'unknown',
      patient_age: birth_date ? ageOf(birth_date) : undefined,
      bed_no: visit?.bed_no,
      ...(await doctorOf(tx, org, operation?.surgeon_no ?? visit?.doctor_no)),
    }),
    ...(kind === 'surgeryUse' && { theatre: operation?.theatre, business_date: dayOfOperation(operation) }),
    ...(kind === 'departmentUse' && {
      visit_type: visit?.visit_class && (visit.visit_class === 'inpatient' ? 'inpatient' : 'outpatient'),
    }),
  }
  return Object.fromEntries(Object.entries(filled).filter(([, value]) => value !== undefined && value !== null))
}

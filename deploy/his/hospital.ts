import { addDays, instant, today } from '#kernel/values/date.ts'
import type { Decimal } from '#kernel/values/decimal.ts'
import type {
  HisChargeItem,
  HisDepartment,
  HisOperation,
  HisOperationState,
  HisPatient,
  HisSex,
  HisStaff,
  HisStaffKind,
  HisVisit,
} from '#server/outbound/his/contract.ts'
import { type DemoRow, demoTable } from '#demo/tables.ts'

/** The stand-in's data of a hospital before anybody writes to it: the demo's tables. */
export type HospitalFacts = {
  readonly patients: HisPatient[]
  readonly visits: HisVisit[]
  readonly operations: HisOperation[]
  readonly staff: HisStaff[]
  readonly departments: HisDepartment[]
  readonly items: HisChargeItem[]
}

const sexes: Readonly<Record<string, HisSex>> = { 男: 'male', 女: 'female' }
const sexOf = (row: DemoRow): HisSex => sexes[row.sex ?? ''] ?? 'unknown'
const moment = (day: string, time = '08:00'): string => new Date(`${day}T${time}:00+08:00`).toISOString()

/** A GSRN of the demo's hospital: the prefix, a running number, and the digit that proves it. */
function wristbandOf(index: number): string {
  const body = `6999990${String(index + 1).padStart(10, '0')}`
  const total = [...body].reduce((sum, digit, at) => sum + (digit.charCodeAt(0) - 48) * (at % 2 === 0 ? 3 : 1), 0)
  return `${body}${(10 - (total % 10)) % 10}`
}

/** Offices that the demo gives no code of the HIS have one there all the same. */
const codeOf = (row: DemoRow): string => row.his_department_code ?? `HIS${row.department_code ?? ''}`

const patientOf = (row: DemoRow, index: number): HisPatient => ({
  patient_no: row.patient_id ?? '',
  patient_name: row.name ?? '',
  sex: sexOf(row),
  birth_date: row.birth_date ?? null,
  wristband: wristbandOf(index),
  updated_at: moment(row.admitted_on ?? today()),
})

/** The stay of a patient. A week after the discharge the account is paid and closed, and takes no more charges. */
function visitOf(row: DemoRow, departments: ReadonlyMap<string, string>): HisVisit {
  const left = row.discharged_on !== null && row.discharged_on !== undefined && row.discharged_on <= today()
  return {
    visit_no: row.admission_no ?? '',
    patient_no: row.patient_id ?? '',
    visit_class: 'inpatient',
    state: left ? 'finished' : 'active',
    is_account_open: !left || (row.discharged_on ?? '') > addDays(today(), -7),
    department_code: departments.get(row.department_code ?? '') ?? null,
    bed_no: row.bed ?? null,
    doctor_no: null,
    began_at: moment(row.admitted_on ?? today()),
    ended_at: left ? moment(row.discharged_on ?? today(), '10:00') : null,
    updated_at: moment(row.admitted_on ?? today()),
  }
}

const operationStates: Readonly<Record<string, HisOperationState>> = {
  已完成: 'done',
  计划: 'planned',
  进行中: 'started',
  取消: 'cancelled',
}

type Known = {
  readonly departments: ReadonlyMap<string, string>
  readonly staff: ReadonlyMap<string, HisStaff>
  readonly patients: ReadonlyMap<string, DemoRow>
}

function operationOf(row: DemoRow, { departments, staff, patients }: Known): HisOperation {
  const state = operationStates[row.status ?? ''] ?? 'planned'
  const day = row.surgery_date ?? today()
  const surgeon = staff.get(row.surgeon_code ?? '')
  return {
    surgery_no: row.his_surgery_no ?? '',
    visit_no: row.admission_no ?? '',
    patient_no: patients.get(row.patient_code ?? '')?.patient_id ?? '',
    surgery_name: row.procedure_name ?? '',
    state,
    planned_at: moment(day, row.start_time ?? '08:00'),
    started_at: state === 'planned' ? null : moment(day, row.start_time ?? '08:00'),
    ended_at: state === 'done' ? moment(day, row.end_time ?? '09:00') : null,
    department_code: departments.get(row.department_code ?? '') ?? null,
    theatre: row.operating_room ?? null,
    surgeon_no: surgeon?.staff_no ?? null,
    surgeon_name: surgeon?.staff_name ?? null,
    updated_at: moment(day),
  }
}

/** The first kind whose words are in the title or the position. */
const staffKinds: readonly (readonly [RegExp, HisStaffKind])[] = [
  [/医师|医生/, 'doctor'],
  [/护/, 'nurse'],
  [/药/, 'pharmacist'],
  [/技/, 'technician'],
  [/科长|院长|会计|工程师|采购|库管|管理/, 'administrative'],
]

function staffOf(row: DemoRow, departments: ReadonlyMap<string, DemoRow>): HisStaff {
  const said = `${row.title ?? ''}${row.position ?? ''}`
  const department = departments.get(row.department_code ?? '')
  return {
    staff_no: row.his_staff_no ?? '',
    staff_name: row.name ?? '',
    sex: sexOf(row),
    department_code: department ? codeOf(department) : null,
    department_name: department?.name ?? null,
    staff_kind: staffKinds.find(([words]) => words.test(said))?.[1] ?? 'other',
    professional_title: row.title ?? null,
    position: row.position ?? null,
    mobile: row.phone ?? null,
    is_active: row.status === '在职',
    updated_at: moment(row.entry_date ?? '2020-01-01'),
  }
}

const itemOf = (row: DemoRow, specification: DemoRow | undefined, product: DemoRow | undefined): HisChargeItem => ({
  item_code: row.his_charge_code ?? '',
  item_name: product?.name ?? row.his_charge_code ?? '',
  material_code: row.his_code ?? null,
  specification: specification?.specification ?? null,
  unit: specification?.base_unit ?? null,
  price: (row.charge_price ?? '0') as Decimal,
  insurance_code: row.insurance_code_20 ?? null,
  manufacturer: product?.registrant_name ?? null,
  udi_di: specification?.udi_di ?? null,
  is_active: row.state === '启用',
  updated_at: moment(row.admitted_on ?? today()),
})

const keyed = (rows: readonly DemoRow[], key: string): Map<string, DemoRow> =>
  new Map(rows.map(row => [row[key] ?? '', row]))

/** The charge items of a hospital: each once, whatever the number of goods behind it. */
function itemsOf(hospital: string): HisChargeItem[] {
  const specifications = keyed(demoTable('specifications'), 'specification_code')
  const products = keyed(demoTable('products'), 'product_code')
  const items = new Map<string, HisChargeItem>()
  for (const row of demoTable('hospital_products')) {
    if (row.hospital_code !== hospital || !row.his_charge_code || items.has(row.his_charge_code)) continue
    const specification = specifications.get(row.specification_code ?? '')
    items.set(row.his_charge_code, itemOf(row, specification, products.get(specification?.product_code ?? '')))
  }
  return [...items.values()]
}

/** A hospital of the demo as its HIS knows it. */
export function hospitalFacts(hospital: string): HospitalFacts {
  const departmentRows = demoTable('departments').filter(row => row.org_code === hospital)
  const departments = keyed(departmentRows, 'department_code')
  const codes = new Map(departmentRows.map(row => [row.department_code ?? '', codeOf(row)]))
  const employees = demoTable('employees').filter(row => row.org_code === hospital && row.his_staff_no)
  const staff = new Map(employees.map(row => [row.employee_code ?? '', staffOf(row, departments)]))
  const patientRows = demoTable('patients').filter(row => row.hospital_code === hospital)
  const patients = keyed(patientRows, 'patient_code')
  return {
    patients: patientRows.map(patientOf),
    visits: patientRows.map(row => visitOf(row, codes)),
    operations: demoTable('surgeries')
      .filter(row => row.hospital_code === hospital)
      .map(row => operationOf(row, { departments: codes, staff, patients })),
    staff: [...staff.values()],
    departments: departmentRows.map(row => ({
      department_code: codeOf(row),
      department_name: row.name ?? '',
      parent_code: codes.get(row.parent_code ?? '') ?? null,
      is_active: row.status === '1',
      updated_at: instant(),
    })),
    items: itemsOf(hospital),
  }
}

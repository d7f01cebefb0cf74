import type {
  Account,
  ChargeItem,
  ChargeItemDefinition,
  Device,
  Encounter,
  Organization,
  Patient,
  Practitioner,
  PractitionerRole,
  Procedure,
  Reference,
  SupplyDelivery,
} from 'fhir/r4'
import { falseFirst } from '#kernel/values/order.ts'
import { absolute, isNegative, multiply, sum } from '#kernel/values/decimal.ts'
import {
  type HisCharge,
  type HisChargeItem,
  type HisDepartment,
  HisError,
  type HisOperation,
  type HisOperationState,
  type HisPatient,
  type HisReceipt,
  type HisReceiptKind,
  type HisReceiptLine,
  type HisStaff,
  type HisStaffKind,
  type HisVisit,
  type HisVisitClass,
  type HisVisitState,
} from '#server/outbound/his/contract.ts'
import {
  changedAt,
  codeOf,
  countIn,
  dayOrNull,
  decimalOrNull,
  figureIn,
  type Found,
  isCurrent,
  momentOf,
  momentOrNull,
  nameOf,
  needed,
  numberIn,
  numberOf,
  referred,
  sexOf,
  textIn,
} from '#server/outbound/his/fhir/elements.ts'
import { encounterClasses, extensions, systems } from '#server/outbound/his/fhir/profile.ts'

/** Resources of FHIR R4 in the words of the contract. */

export const patientOf = (row: Patient): HisPatient => ({
  patient_no: needed(numberOf(row, systems.patientNo), '患者编号'),
  patient_name: needed(nameOf(row), '患者姓名'),
  sex: sexOf(row.gender),
  birth_date: dayOrNull(row.birthDate),
  wristband: numberOf(row, systems.wristband),
  updated_at: changedAt(row),
})

const visitStates: Readonly<Record<Encounter['status'], HisVisitState>> = {
  planned: 'planned',
  arrived: 'active',
  triaged: 'active',
  'in-progress': 'active',
  onleave: 'active',
  finished: 'finished',
  cancelled: 'cancelled',
  'entered-in-error': 'cancelled',
  unknown: 'active',
}

/** Short stays and observation (SS, OBSENC, ACUTE, NONAC) lie in a bed; everything else walks in. */
function visitClassOf(code: string | undefined): HisVisitClass {
  if (code === encounterClasses.emergency) return 'emergency'
  return ['IMP', 'ACUTE', 'NONAC', 'SS', 'OBSENC'].includes(code ?? '') ? 'inpatient' : 'outpatient'
}

/** True if the visit can be charged: while its account is active; without an account, until the visit ends. */
function isOpen(row: Encounter, found: Found): boolean {
  const accounts = (row.account ?? []).flatMap(each => (referred(found, each) as Account | undefined) ?? [])
  if (accounts.length > 0) return accounts.some(({ status }) => status === 'active')
  return !['finished', 'cancelled', 'entered-in-error'].includes(row.status)
}

/**
 * The patient's present bed or ward: an active place, a bed before a ward, the latest of several. Planned, reserved or
 * past places do not count.
 */
function bedOf(row: Encounter): string | null {
  const places = (row.location ?? []).filter(
    each => (each.status === undefined || each.status === 'active') && isCurrent(each),
  )
  const beganAt = ({ period }: (typeof places)[number]): string => momentOrNull(period?.start) ?? ''
  const isBed = (each: (typeof places)[number]) => each.physicalType?.coding?.some(({ code }) => code === 'bd') === true
  const place = places.toSorted(
    (one, other) =>
      falseFirst(!isBed(one), !isBed(other)) ||
      falseFirst(!one.status, !other.status) ||
      beganAt(other).localeCompare(beganAt(one)),
  )[0]
  return place?.location.display ?? null
}

const isRelative = (actor: Reference | undefined): boolean =>
  actor?.type === 'RelatedPerson' || actor?.reference?.includes('RelatedPerson/') === true

/** The doctor who treats the patient now: the attender, else the primary performer, else the first of the staff. */
function doctorOf(row: Encounter) {
  const present = (row.participant ?? []).filter(each => isCurrent(each) && !isRelative(each.individual))
  const as = (wanted: string) =>
    present.find(({ type }) => type?.some(({ coding }) => coding?.some(({ code }) => code === wanted)))
  return as('ATND') ?? as('PPRF') ?? present[0]
}

export const visitOf = (row: Encounter, found: Found): HisVisit => ({
  visit_no: needed(numberOf(row, systems.visitNo), '就诊号'),
  patient_no: needed(numberIn(found, row.subject, systems.patientNo), '患者编号'),
  visit_class: visitClassOf(row.class?.code),
  state: visitStates[row.status] ?? 'active',
  is_account_open: isOpen(row, found),
  department_code: numberIn(found, row.serviceProvider, systems.department),
  bed_no: bedOf(row),
  doctor_no: numberIn(found, doctorOf(row)?.individual, systems.staffNo),
  began_at: momentOrNull(row.period?.start),
  ended_at: momentOrNull(row.period?.end),
  updated_at: changedAt(row),
})

const operationStates: Readonly<Record<Procedure['status'], HisOperationState>> = {
  preparation: 'planned',
  'in-progress': 'started',
  'on-hold': 'started',
  completed: 'done',
  'not-done': 'cancelled',
  stopped: 'cancelled',
  'entered-in-error': 'cancelled',
  unknown: 'planned',
}

/** Codes by which a performer is the one who operates: of SNOMED CT, and of the types of participation. */
const surgeonCodes: readonly (string | undefined)[] = ['304292004', 'PPRF']

/** The surgeon among those who perform: who is called so; else the only one, or the first without another function. */
function surgeonOf({ performer = [] }: Procedure) {
  const called = performer.find(each => each.function?.coding?.some(({ code }) => surgeonCodes.includes(code)))
  return called ?? (performer.length === 1 ? performer[0] : performer.find(each => each.function === undefined))
}

export function operationOf(row: Procedure, found: Found): HisOperation {
  const state = operationStates[row.status] ?? 'planned'
  const performer = surgeonOf(row)
  const begins = momentOrNull(row.performedPeriod?.start ?? row.performedDateTime)
  const surgeon = referred(found, performer?.actor)
  return {
    surgery_no: needed(numberOf(row, systems.surgeryNo), '手术号'),
    visit_no: needed(numberIn(found, row.encounter, systems.visitNo), '就诊号'),
    patient_no: needed(numberIn(found, row.subject, systems.patientNo), '患者编号'),
    surgery_name: needed(row.code?.text ?? row.code?.coding?.[0]?.display, '手术名称'),
    state,
    planned_at: momentOrNull(textIn(row, extensions.plannedAt)) ?? begins,
    started_at: state === 'planned' ? null : begins,
    ended_at: momentOrNull(row.performedPeriod?.end),
    department_code: numberIn(found, performer?.onBehalfOf ?? performer?.actor, systems.department),
    theatre: row.location?.display ?? null,
    surgeon_no: numberIn(found, performer?.actor, systems.staffNo),
    surgeon_name: performer?.actor.display ?? (surgeon && nameOf(surgeon as Practitioner)) ?? null,
    updated_at: changedAt(row),
  }
}

const staffKinds: readonly HisStaffKind[] = ['doctor', 'nurse', 'technician', 'pharmacist', 'administrative', 'other']
const staffKindOf = (code: string | null): HisStaffKind => staffKinds.find(each => each === code) ?? 'other'

/** The number under which a person is called now: a mobile phone before others, and by rank. */
function phoneOf({ telecom = [] }: Practitioner): string | null {
  const phones = telecom.filter(each => each.system === 'phone' && each.use !== 'old' && isCurrent(each))
  const [phone] = phones.toSorted(
    (one, other) =>
      falseFirst(one.use !== 'mobile', other.use !== 'mobile') ||
      (one.rank ?? phones.length) - (other.rank ?? phones.length),
  )
  return phone?.value ?? null
}

/** A person with one of his roles. */
export function staffOf(row: Practitioner, role: PractitionerRole | undefined, found: Found): HisStaff {
  const said = role?.code?.find(each => codeOf(each, systems.staffKind) !== null) ?? role?.code?.[0]
  const changed = [row, ...(role ? [role] : [])].map(changedAt)
  const department = referred(found, role?.organization) as Organization | undefined
  return {
    staff_no: needed(numberOf(row, systems.staffNo), 'HIS工号'),
    staff_name: needed(nameOf(row), '姓名'),
    sex: sexOf(row.gender),
    department_code: numberIn(found, role?.organization, systems.department),
    department_name: role?.organization?.display ?? department?.name ?? null,
    staff_kind: staffKindOf(codeOf(said, systems.staffKind)),
    professional_title: row.qualification?.find(isCurrent)?.code.text ?? null,
    position: said?.text ?? null,
    mobile: phoneOf(row),
    is_active: row.active !== false,
    updated_at: changed.toSorted().at(-1)!,
  }
}

export const departmentOf = (row: Organization, found: Found): HisDepartment => ({
  department_code: needed(numberOf(row, systems.department), '科室编码'),
  department_name: needed(row.name, '科室名称'),
  parent_code: numberIn(found, row.partOf, systems.department),
  is_active: row.active !== false,
  updated_at: changedAt(row),
})

const YUAN = 'CNY'

/** The price of an item in yuan: that for everybody before those under conditions; none where several differ. */
function basePriceOf({ propertyGroup = [] }: ChargeItemDefinition): unknown {
  const isGeneral = (group: (typeof propertyGroup)[number]) => (group.applicability ?? []).length === 0
  const groups = propertyGroup.some(isGeneral) ? propertyGroup.filter(isGeneral) : propertyGroup
  const amounts = groups.flatMap(group =>
    (group.priceComponent ?? []).flatMap(({ type, amount }) => (type === 'base' && amount ? [amount] : [])),
  )
  const figures = new Set(amounts.map(({ value }) => value))
  const isYuan = amounts.every(({ currency = YUAN }) => currency === YUAN)
  return figures.size === 1 && isYuan ? amounts[0]?.value : null
}

export function itemOf(row: ChargeItemDefinition): HisChargeItem {
  const base = basePriceOf(row)
  return {
    item_code: needed(numberOf(row, systems.item) ?? codeOf(row.code, systems.item), '收费项目编码'),
    item_name: needed(row.title ?? row.code?.text, '收费项目名称'),
    material_code: codeOf(row.code, systems.material),
    specification: textIn(row, extensions.specification),
    unit: textIn(row, extensions.unit),
    price: needed(decimalOrNull(base), '价格'),
    insurance_code: codeOf(row.code, systems.insurance),
    manufacturer: row.publisher ?? null,
    udi_di: codeOf(row.code, systems.udi),
    is_active: row.status === 'active',
    updated_at: changedAt(row),
  }
}

/** True for what is charged: not for what is planned, given up, or booked by mistake. */
export const isCharged = ({ status }: ChargeItem): boolean => ['billable', 'billed', 'unknown'].includes(status)

export function chargeOf(row: ChargeItem, found: Found): HisCharge {
  const quantity = needed(decimalOrNull(row.quantity?.value), '数量')
  const { value, currency = YUAN } = row.priceOverride ?? {}
  if (currency !== YUAN) throw new HisError('unreadable', `HIS的价格币种${currency}不是人民币`)
  const price = needed(decimalOrNull(value), '价格')
  const line = /#(\d{1,6})$/.exec(numberOf(row, systems.requestLine) ?? '')?.[1]
  const back = isNegative(quantity) || (row.partOf?.length ?? 0) > 0
  const taken = row.partOf?.[0]
  return {
    charge_no: needed(numberOf(row, systems.chargeNo), '计费流水号'),
    charge_kind: back ? 'refund' : 'charge',
    refunded_charge_no: numberIn(found, taken, systems.chargeNo) ?? taken?.reference?.split('/').at(-1) ?? null,
    request_key: numberOf(row, systems.request),
    request_line_no: line === undefined ? null : parseInt(line, 10),
    patient_no: needed(numberIn(found, row.subject, systems.patientNo), '患者编号'),
    patient_name: patientNameOf(found, row),
    visit_no: needed(numberIn(found, row.context, systems.visitNo), '就诊号'),
    visit_class: visitClassIn(found, row),
    department_code: numberIn(found, row.performingOrganization, systems.department),
    item_code: needed(codeOf(row.code, systems.item), '收费项目编码'),
    item_name: row.code.text ?? null,
    quantity: absolute(quantity),
    price,
    amount: absolute(figureIn(row, extensions.amount) ?? multiply(price, quantity, 2)),
    unit_code: codeOf(row.productCodeableConcept, systems.unitCode),
    charged_at: momentOf(row.enteredDate, '计费时间'),
  }
}

function patientNameOf(found: Found, row: ChargeItem): string | null {
  const patient = referred(found, row.subject) as Patient | undefined
  return (patient && nameOf(patient)) ?? row.subject.display ?? null
}

function visitClassIn(found: Found, row: ChargeItem): HisVisitClass | null {
  const visit = referred(found, row.context) as Encounter | undefined
  return visit ? visitClassOf(visit.class?.code) : null
}

const receiptKinds: readonly HisReceiptKind[] = ['purchase', 'settlement', 'return', 'grant']

/** Deliveries under one number of a receipt are its lines. */
export function receiptsIn(rows: readonly SupplyDelivery[]): HisReceipt[] {
  const booked = rows.filter(({ status }) => status !== 'entered-in-error')
  const byNumber = Map.groupBy(booked, row => needed(numberOf(row, systems.receiptNo), '入库单号'))
  return [...byNumber].map(([receiptNo, deliveries]) => receiptOf(receiptNo, deliveries))
}

function receiptOf(receiptNo: string, deliveries: readonly SupplyDelivery[]): HisReceipt {
  const first = deliveries[0]!
  const kind = codeOf(first.type, systems.receiptKind)
  const lines = deliveries.map(receiptLineOf).toSorted((one, other) => one.line_no - other.line_no)
  return {
    receipt_no: receiptNo,
    receipt_kind: needed(
      receiptKinds.find(each => each === kind),
      '单据类型',
    ),
    sn: numberOf(first, systems.sn),
    request_key: numberOf(first, systems.request),
    supplier_code: first.supplier?.identifier?.value ?? null,
    warehouse_code: first.destination?.identifier?.value ?? null,
    booked_at: momentOf(first.occurrenceDateTime, '入账时间'),
    is_reversed: deliveries.every(each => each.status === 'abandoned'),
    amount: sum(
      lines.map(line => line.amount),
      2,
    ),
    lines,
  }
}

function receiptLineOf(row: SupplyDelivery): HisReceiptLine {
  const devices = (row.contained ?? []).filter((each): each is Device => each.resourceType === 'Device')
  const named = row.suppliedItem?.itemReference?.reference?.slice(1)
  const goods = devices.find(({ id }) => id !== undefined && id === named) ?? devices[0]
  const quantity = needed(decimalOrNull(row.suppliedItem?.quantity?.value), '数量')
  const price = needed(figureIn(row, extensions.price), '价格')
  return {
    line_no: needed(countIn(row, extensions.line), '行号'),
    material_code: needed(codeOf(goods?.type, systems.material), 'HIS编码'),
    item_name: goods?.type?.text ?? null,
    specification: goods?.modelNumber ?? null,
    lot_no: goods?.lotNumber ?? null,
    expiry_date: dayOrNull(goods?.expirationDate),
    quantity,
    price,
    amount: figureIn(row, extensions.amount) ?? multiply(price, quantity, 2),
  }
}

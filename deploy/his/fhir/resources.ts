import type {
  Account,
  ChargeItem,
  ChargeItemDefinition,
  CodeableConcept,
  Device,
  Encounter,
  Extension,
  Identifier,
  Organization,
  Patient,
  Practitioner,
  PractitionerRole,
  Procedure,
  Reference,
  SupplyDelivery,
} from 'fhir/r4'
import { negate } from '#kernel/values/decimal.ts'
import { exactNumber } from '#server/outbound/exact-json.ts'
import type {
  HisCharge,
  HisChargeItem,
  HisDepartment,
  HisOperation,
  HisOperationState,
  HisPatient,
  HisReceipt,
  HisReceiptLine,
  HisStaff,
  HisVisit,
  HisVisitState,
} from '#server/outbound/his/contract.ts'
import { encounterClasses, extensions, identifierTypes, systems } from '#server/outbound/his/fhir/profile.ts'

/** The rows of the stand-in as resources of FHIR R4. Each has an id of its own, derived from its number. */

const idOf = (number: string): string => number.replace(/[^A-Za-z0-9.-]/g, '-').slice(0, 64)

function identifier(system: string, value: string): Identifier {
  const code = identifierTypes[system]
  const type = code && { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v2-0203', code }] }
  return { system, value, ...(type ? { type } : {}) }
}
const identifiers = (...pairs: readonly (readonly [string, string | null])[]): Identifier[] =>
  pairs.flatMap(([system, value]) => (value === null ? [] : [identifier(system, value)]))

const concept = (text: string | null, ...codes: readonly (readonly [string, string | null])[]): CodeableConcept => ({
  ...(text === null ? {} : { text }),
  coding: codes.flatMap(([system, code]) => (code === null ? [] : [{ system, code }])),
})

const said = (url: string, value: string | null): Extension[] => (value === null ? [] : [{ url, valueString: value }])
const figure = (url: string, value: string): Extension => ({ url, valueDecimal: exactNumber(value) })
const meta = (at: string) => ({ lastUpdated: at })
const reference = (type: string, number: string): Reference => ({ reference: `${type}/${idOf(number)}` })

export const patientResource = (row: HisPatient): Patient => ({
  resourceType: 'Patient',
  id: idOf(row.patient_no),
  meta: meta(row.updated_at),
  identifier: identifiers([systems.patientNo, row.patient_no], [systems.wristband, row.wristband]),
  name: [{ use: 'official', text: row.patient_name }],
  gender: row.sex,
  ...(row.birth_date === null ? {} : { birthDate: row.birth_date }),
})

const visitStates: Readonly<Record<HisVisitState, Encounter['status']>> = {
  planned: 'planned',
  active: 'in-progress',
  finished: 'finished',
  cancelled: 'cancelled',
}

export const encounterResource = (row: HisVisit): Encounter => ({
  resourceType: 'Encounter',
  id: idOf(row.visit_no),
  meta: meta(row.updated_at),
  identifier: identifiers([systems.visitNo, row.visit_no]),
  status: visitStates[row.state],
  class: {
    system: 'http://terminology.hl7.org/CodeSystem/v3-ActCode',
    code: encounterClasses[row.visit_class],
  },
  subject: reference('Patient', row.patient_no),
  account: [reference('Account', row.visit_no)],
  ...(row.department_code === null ? {} : { serviceProvider: reference('Organization', row.department_code) }),
  ...(row.bed_no === null ? {} : { location: [{ location: { display: row.bed_no } }] }),
  ...(row.doctor_no === null ? {} : { participant: [{ individual: reference('Practitioner', row.doctor_no) }] }),
  period: { ...(row.began_at ? { start: row.began_at } : {}), ...(row.ended_at ? { end: row.ended_at } : {}) },
})

export const accountResource = (row: HisVisit): Account => ({
  resourceType: 'Account',
  id: idOf(row.visit_no),
  status: row.is_account_open ? 'active' : 'inactive',
})

const operationStates: Readonly<Record<HisOperationState, Procedure['status']>> = {
  planned: 'preparation',
  started: 'in-progress',
  done: 'completed',
  cancelled: 'not-done',
}

function performers(row: HisOperation): NonNullable<Procedure['performer']> {
  const department = row.department_code === null ? null : reference('Organization', row.department_code)
  if (row.surgeon_no === null) return department === null ? [] : [{ actor: department }]
  const surgeon = { ...reference('Practitioner', row.surgeon_no), display: row.surgeon_name ?? row.surgeon_no }
  return [{ actor: surgeon, ...(department === null ? {} : { onBehalfOf: department }) }]
}

export const procedureResource = (row: HisOperation): Procedure => ({
  resourceType: 'Procedure',
  id: idOf(row.surgery_no),
  meta: meta(row.updated_at),
  extension: row.planned_at === null ? [] : [{ url: extensions.plannedAt, valueDateTime: row.planned_at }],
  identifier: identifiers([systems.surgeryNo, row.surgery_no]),
  status: operationStates[row.state],
  code: { text: row.surgery_name },
  subject: reference('Patient', row.patient_no),
  encounter: reference('Encounter', row.visit_no),
  performedPeriod: {
    ...(row.started_at ? { start: row.started_at } : {}),
    ...(row.ended_at ? { end: row.ended_at } : {}),
  },
  performer: performers(row),
  ...(row.theatre === null ? {} : { location: { display: row.theatre } }),
})

export const practitionerResource = (row: HisStaff): Practitioner => ({
  resourceType: 'Practitioner',
  id: idOf(row.staff_no),
  meta: meta(row.updated_at),
  active: row.is_active,
  identifier: identifiers([systems.staffNo, row.staff_no]),
  name: [{ use: 'official', text: row.staff_name }],
  gender: row.sex,
  telecom: row.mobile === null ? [] : [{ system: 'phone', use: 'mobile', value: row.mobile }],
  qualification: row.professional_title === null ? [] : [{ code: { text: row.professional_title } }],
})

export const roleResource = (row: HisStaff): PractitionerRole => ({
  resourceType: 'PractitionerRole',
  id: idOf(row.staff_no),
  meta: meta(row.updated_at),
  active: row.is_active,
  practitioner: reference('Practitioner', row.staff_no),
  ...(row.department_code === null
    ? {}
    : {
        organization: {
          ...reference('Organization', row.department_code),
          ...(row.department_name === null ? {} : { display: row.department_name }),
        },
      }),
  code: [concept(row.position, [systems.staffKind, row.staff_kind])],
})

export const organizationResource = (row: HisDepartment): Organization => ({
  resourceType: 'Organization',
  id: idOf(row.department_code),
  meta: meta(row.updated_at),
  active: row.is_active,
  type: [concept(null, ['http://terminology.hl7.org/CodeSystem/organization-type', 'dept'])],
  identifier: identifiers([systems.department, row.department_code]),
  name: row.department_name,
  ...(row.parent_code === null ? {} : { partOf: reference('Organization', row.parent_code) }),
})

export const itemResource = (row: HisChargeItem): ChargeItemDefinition => ({
  resourceType: 'ChargeItemDefinition',
  id: idOf(row.item_code),
  url: `${systems.item}:${row.item_code}`,
  meta: meta(row.updated_at),
  status: row.is_active ? 'active' : 'retired',
  title: row.item_name,
  identifier: identifiers([systems.item, row.item_code]),
  extension: [...said(extensions.unit, row.unit), ...said(extensions.specification, row.specification)],
  ...(row.manufacturer === null ? {} : { publisher: row.manufacturer }),
  code: concept(
    row.item_name,
    [systems.item, row.item_code],
    [systems.material, row.material_code],
    [systems.insurance, row.insurance_code],
    [systems.udi, row.udi_di],
  ),
  propertyGroup: [{ priceComponent: [{ type: 'base', amount: { value: exactNumber(row.price), currency: 'CNY' } }] }],
})

export function chargeResource(row: HisCharge): ChargeItem {
  const back = row.charge_kind === 'refund'
  return {
    resourceType: 'ChargeItem',
    id: idOf(row.charge_no),
    meta: meta(row.charged_at),
    identifier: identifiers(
      [systems.chargeNo, row.charge_no],
      [systems.request, row.request_key],
      [systems.requestLine, row.request_key && `${row.request_key}#${row.request_line_no}`],
    ),
    extension: [figure(extensions.amount, back ? negate(row.amount) : row.amount)],
    status: 'billed',
    ...(row.refunded_charge_no === null ? {} : { partOf: [reference('ChargeItem', row.refunded_charge_no)] }),
    code: concept(row.item_name, [systems.item, row.item_code]),
    subject: { ...reference('Patient', row.patient_no), identifier: identifier(systems.patientNo, row.patient_no) },
    context: { ...reference('Encounter', row.visit_no), identifier: identifier(systems.visitNo, row.visit_no) },
    enteredDate: row.charged_at,
    quantity: { value: exactNumber(back ? negate(row.quantity) : row.quantity) },
    priceOverride: { value: exactNumber(row.price), currency: 'CNY' },
    ...(row.department_code === null
      ? {}
      : { performingOrganization: { identifier: identifier(systems.department, row.department_code) } }),
    ...(row.unit_code === null ? {} : { productCodeableConcept: concept(null, [systems.unitCode, row.unit_code]) }),
  }
}

/** A receipt is one delivery a line, all under the number of the receipt. */
export const deliveryResources = (row: HisReceipt): SupplyDelivery[] => row.lines.map(line => delivery(row, line))

const goodsOf = (line: HisReceiptLine): Device => ({
  resourceType: 'Device',
  id: 'goods',
  ...(line.lot_no === null ? {} : { lotNumber: line.lot_no }),
  ...(line.expiry_date === null ? {} : { expirationDate: line.expiry_date }),
  ...(line.specification === null ? {} : { modelNumber: line.specification }),
  type: concept(line.item_name, [systems.material, line.material_code]),
})

const delivery = (row: HisReceipt, line: HisReceiptLine): SupplyDelivery => ({
  resourceType: 'SupplyDelivery',
  id: idOf(`${row.receipt_no}-${line.line_no}`),
  meta: meta(row.booked_at),
  identifier: identifiers(
    [systems.receiptNo, row.receipt_no],
    [systems.sn, row.sn],
    [systems.request, row.request_key],
    [systems.requestLine, row.request_key && `${row.request_key}#${line.line_no}`],
  ),
  extension: [
    figure(extensions.price, line.price),
    figure(extensions.amount, line.amount),
    { url: extensions.line, valueInteger: line.line_no },
  ],
  status: row.is_reversed ? 'abandoned' : 'completed',
  type: concept(null, [systems.receiptKind, row.receipt_kind]),
  occurrenceDateTime: row.booked_at,
  contained: [goodsOf(line)],
  suppliedItem: { quantity: { value: exactNumber(line.quantity) }, itemReference: { reference: '#goods' } },
  ...(row.supplier_code === null ? {} : { supplier: { identifier: identifier(systems.supplier, row.supplier_code) } }),
  ...(row.warehouse_code === null
    ? {}
    : { destination: { identifier: identifier(systems.warehouse, row.warehouse_code) } }),
})

/**
 * How this program's words are said in FHIR R4: which identifier systems and extensions stand for what R4 has no
 * element of its own for. A hospital's server maps them where it calls them otherwise; `deploy/his` serves them.
 */
const urn = (name: string): string => `urn:medtrace:his:${name}`

export const systems = {
  patientNo: urn('patient-no'),
  wristband: urn('wristband'),
  visitNo: urn('visit-no'),
  surgeryNo: urn('surgery-no'),
  staffNo: urn('staff-no'),
  department: urn('department'),
  item: urn('charge-item'),
  material: urn('material'),
  insurance: urn('insurance-code'),
  /** GTIN, as the UDI-DI of a GS1 code. */
  udi: 'https://www.gs1.org/gtin',
  chargeNo: urn('charge-no'),
  receiptNo: urn('receipt-no'),
  sn: urn('sn'),
  /** The key of a request, and one line of it: both are idempotent by them. */
  request: urn('request'),
  requestLine: urn('request-line'),
  unitCode: urn('unit-code'),
  supplier: urn('supplier'),
  warehouse: urn('warehouse'),
  receiptKind: urn('receipt-kind'),
  staffKind: urn('staff-kind'),
  position: urn('position'),
  title: urn('title'),
  ours: urn('specification'),
} as const

/** Extensions, each with one value. */
export const extensions = {
  plannedAt: urn('planned-at'),
  unit: urn('unit'),
  specification: urn('specification-text'),
  amount: urn('amount'),
  price: urn('price'),
  surgery: urn('surgery'),
  used: urn('used-at'),
  supplierName: urn('supplier-name'),
  line: urn('line'),
} as const

/** Types of identifiers (HL7 table 0203) by which a server that has systems of its own is understood as well. */
export const identifierTypes: Readonly<Record<string, string>> = {
  [systems.patientNo]: 'MR',
  [systems.visitNo]: 'VN',
  [systems.staffNo]: 'EI',
}

export const encounterClasses = { inpatient: 'IMP', outpatient: 'AMB', emergency: 'EMER' } as const

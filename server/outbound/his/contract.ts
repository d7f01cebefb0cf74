import { BusinessError } from '#kernel/rules/errors.ts'
import type { Day } from '#kernel/values/date.ts'
import type { Decimal } from '#kernel/values/decimal.ts'

/**
 * What this program asks of a hospital's HIS, in its own words: each adapter (`fhir/`, `json/`) implements `His` and
 * nothing else, and no room knows which one a hospital has. Names are those of the wire, so that a value is stored,
 * mapped and shown under the name it has here.
 *
 * Figures are decimal strings, days are days in Asia/Shanghai, a `Moment` is ISO 8601 in UTC. What the HIS did not
 * say is null, never an empty string. An adapter refuses an answer in which something is missing that is not
 * nullable here: it throws a `HisError` that names the field, and nothing of that answer is used.
 *
 * Reads may be made at any time and again; they are recorded as attempts without patient data. What changes
 * something in the HIS is never called directly: `askHis` (`ask.ts`) puts it into the outbox with the action.
 */

/** A moment as ISO 8601 in UTC, milliseconds included: 2026-11-26T06:30:00.000Z. Ordered as text. */
export type Moment = string

export type HisSex = 'male' | 'female' | 'other' | 'unknown'

/** A patient, with as much of him as a form at the bedside shows. */
export type HisPatient = {
  /** 患者编号: the hospital's own number of the person, the same for all visits. */
  readonly patient_no: string
  readonly patient_name: string
  readonly sex: HisSex
  readonly birth_date: Day | null
  /** The number on the wristband, where it is another one: a GSRN, or a number of the hospital's own. */
  readonly wristband: string | null
  readonly updated_at: Moment
}

/** The class of a visit. */
export type HisVisitClass = 'inpatient' | 'outpatient' | 'emergency'
/** Expected, in the hospital, gone home, or never came. */
export type HisVisitState = 'planned' | 'active' | 'finished' | 'cancelled'

/** One stay or consultation: what is charged is charged to it. */
export type HisVisit = {
  /** 住院号/门诊号: the number of the visit. */
  readonly visit_no: string
  readonly patient_no: string
  readonly visit_class: HisVisitClass
  readonly state: HisVisitState
  /** True if the account is still open: a closed one (已结账) takes neither charges nor refunds. */
  readonly is_account_open: boolean
  /** HIS科室编码 of where the patient lies or is seen. */
  readonly department_code: string | null
  readonly bed_no: string | null
  /** HIS工号 of the doctor in charge. */
  readonly doctor_no: string | null
  readonly began_at: Moment | null
  readonly ended_at: Moment | null
  readonly updated_at: Moment
}

export type HisOperationState = 'planned' | 'started' | 'done' | 'cancelled'

/** An operation of a visit, from its booking on. */
export type HisOperation = {
  /** 手术号. */
  readonly surgery_no: string
  readonly visit_no: string
  readonly patient_no: string
  readonly surgery_name: string
  readonly state: HisOperationState
  readonly planned_at: Moment | null
  readonly started_at: Moment | null
  readonly ended_at: Moment | null
  readonly department_code: string | null
  /** 手术间. */
  readonly theatre: string | null
  readonly surgeon_no: string | null
  readonly surgeon_name: string | null
  readonly updated_at: Moment
}

/** 人员类别. */
export type HisStaffKind = 'doctor' | 'nurse' | 'technician' | 'pharmacist' | 'administrative' | 'other'

export type HisStaff = {
  /** HIS工号: the key. */
  readonly staff_no: string
  readonly staff_name: string
  readonly sex: HisSex
  readonly department_code: string | null
  readonly department_name: string | null
  readonly staff_kind: HisStaffKind
  /** 职称, and 职务. */
  readonly professional_title: string | null
  readonly position: string | null
  readonly mobile: string | null
  /** 在职; false: 离职. */
  readonly is_active: boolean
  readonly updated_at: Moment
}

export type HisDepartment = {
  readonly department_code: string
  readonly department_name: string
  readonly parent_code: string | null
  readonly is_active: boolean
  readonly updated_at: Moment
}

/** A row of the charge and material dictionary: what can be charged, and under which material it is kept. */
export type HisChargeItem = {
  /** HIS收费项目编码: the key. */
  readonly item_code: string
  readonly item_name: string
  /** HIS编码: the material of the store's ledger behind it, where the HIS knows one. */
  readonly material_code: string | null
  readonly specification: string | null
  readonly unit: string | null
  /** HIS单价 of one unit, up to four places. */
  readonly price: Decimal
  /** 医保耗材编码. */
  readonly insurance_code: string | null
  readonly manufacturer: string | null
  readonly udi_di: string | null
  readonly is_active: boolean
  readonly updated_at: Moment
}

/** One line to be charged. */
export type HisChargeOrderLine = {
  /** The number of the line within its request, from 1; with the key it names the line for ever. */
  readonly line_no: number
  readonly item_code: string
  /** In units of the HIS, above zero, up to four places. */
  readonly quantity: Decimal
  readonly price: Decimal
  readonly amount: Decimal
  /** 院内码, for goods that are followed piece by piece. */
  readonly unit_code: string | null
  readonly udi_di: string | null
  readonly lot_no: string | null
}

/** Words that name the patient. They are not sent with an order, and not shown where the HIS refuses it. */
export type NamesPatient = readonly (string | null)[]

/** 计费: all lines are booked, or none. Refused by the HIS when the account is closed or an item is not in use. */
export type HisChargeOrder = {
  /** 使用单号: what the clerk of the HIS can ask us about. */
  readonly sn: string
  readonly patient_no: string
  readonly visit_no: string
  readonly surgery_no: string | null
  /** HIS科室编码 of where it was used (执行科室). */
  readonly department_code: string | null
  /** HIS工号 of who recorded the use. */
  readonly staff_no: string | null
  readonly used_at: Moment
  readonly lines: readonly HisChargeOrderLine[]
  readonly names_patient?: NamesPatient
}

/** 退费 of charges that were booked before; part of a charge may be given back. All lines are booked, or none. */
export type HisRefundOrder = {
  readonly sn: string
  readonly reason: string
  readonly staff_no: string | null
  readonly names_patient?: NamesPatient
  readonly lines: readonly {
    readonly line_no: number
    /** HIS计费流水号 of the charge that is given back. */
    readonly charge_no: string
    /** Above zero; refused where more is given back than was charged. */
    readonly quantity: Decimal
  }[]
}

/** A charge or a refund as the HIS has booked it, whoever asked for it: this program, or a clerk by hand. */
export type HisCharge = {
  /** HIS计费流水号: the key. */
  readonly charge_no: string
  readonly charge_kind: 'charge' | 'refund'
  /** For a refund: the charge that it gives back, where the HIS says so. */
  readonly refunded_charge_no: string | null
  /** The key and the line of our request; null where it was not ours. */
  readonly request_key: string | null
  readonly request_line_no: number | null
  readonly patient_no: string
  readonly patient_name: string | null
  readonly visit_no: string
  readonly visit_class: HisVisitClass | null
  readonly department_code: string | null
  readonly item_code: string
  readonly item_name: string | null
  /** Above zero for charges and for refunds: `charge_kind` is the direction. */
  readonly quantity: Decimal
  readonly price: Decimal
  readonly amount: Decimal
  readonly unit_code: string | null
  readonly charged_at: Moment
}

/** 采购入库, 结算入库, 采购退货, 科室发放. */
export type HisReceiptKind = 'purchase' | 'settlement' | 'return' | 'grant'

export type HisReceiptLine = {
  readonly line_no: number
  /** HIS编码 of the material. */
  readonly material_code: string
  readonly item_name: string | null
  readonly specification: string | null
  readonly lot_no: string | null
  readonly expiry_date: Day | null
  /** Above zero for what comes into the store as for what leaves it: the kind says which. Below on a reversal. */
  readonly quantity: Decimal
  readonly price: Decimal
  readonly amount: Decimal
}

/** 入库推送: a document of the store, to be booked in the material ledger of the HIS under its own number. */
export type HisReceiptOrder = {
  readonly receipt_kind: HisReceiptKind
  /** SPD单号. */
  readonly sn: string
  readonly supplier_code: string | null
  readonly supplier_name: string | null
  /** 仓库编码, and of a grant the HIS科室编码 of the department that receives. */
  readonly warehouse_code: string
  readonly department_code: string | null
  readonly reviewed_at: Moment
  readonly amount: Decimal
  readonly lines: readonly HisReceiptLine[]
}

/** 冲销: takes back a whole receipt. */
export type HisReversalOrder = {
  /** HIS入库单号 of what is taken back. */
  readonly receipt_no: string
  readonly sn: string
  readonly reason: string
}

/** A receipt as the HIS has booked it. */
export type HisReceipt = {
  /** HIS入库单号: the key. */
  readonly receipt_no: string
  readonly receipt_kind: HisReceiptKind
  /** SPD单号; null where somebody wrote it in the HIS by hand. */
  readonly sn: string | null
  readonly request_key: string | null
  readonly supplier_code: string | null
  readonly warehouse_code: string | null
  readonly booked_at: Moment
  readonly is_reversed: boolean
  readonly amount: Decimal
  readonly lines: readonly HisReceiptLine[]
}

/** 医疗收入 of a department, as the HIS has counted it for a month or a day: the newest word for these replaces it. */
export type HisIncome = {
  /** HIS科室编码, and its name for people. */
  readonly department_code: string
  readonly department_name: string | null
  readonly grain: 'month' | 'day'
  /** The day, or the first day of the month. */
  readonly period_on: Day
  /** Yuan, without what drugs brought in, which stands apart where the HIS says it. Not below zero. */
  readonly income: Decimal
  readonly drug_income: Decimal | null
  readonly updated_at: Moment
}

/** A row of our catalogue for the dictionary of the HIS. */
export type HisItemOrder = {
  readonly specification_code: string
  readonly item_name: string
  readonly specification: string
  readonly unit: string
  readonly price: Decimal | null
  readonly manufacturer: string | null
  readonly insurance_code: string | null
  readonly udi_di: string | null
}

/** Rows page by page, in the order of the HIS; a page may be empty. Ends with a `HisError` where one is unreadable. */
export type HisPages<Row> = AsyncIterable<readonly Row[]>

/** All rows, once the last page has been read. */
export async function allRows<Row>(pages: HisPages<Row>): Promise<Row[]> {
  const rows: Row[] = []
  for await (const page of pages) rows.push(...page)
  return rows
}

/** Reads. Null or an empty list means that the HIS knows none. */
export type HisReads = {
  /** By the hospital's own number, or by what was scanned from a wristband. */
  patient(by: { readonly patient_no: string } | { readonly wristband: string }): Promise<HisPatient | null>
  visit(visitNo: string): Promise<HisVisit | null>
  /** Visits of a patient, the newest first; at most a hundred. */
  visits(patientNo: string): Promise<readonly HisVisit[]>
  /** Operations of a visit, or all that are planned for a day. */
  operations(of: { readonly visit_no: string } | { readonly day: Day }): Promise<readonly HisOperation[]>

  /** The rows that changed at or after the moment, ended ones with `is_active` false; null: all rows. */
  staff(since: Moment | null): HisPages<HisStaff>
  departments(since: Moment | null): HisPages<HisDepartment>
  chargeItems(since: Moment | null): HisPages<HisChargeItem>

  /** Charges and refunds that were booked on a day in Asia/Shanghai. */
  chargesOf(day: Day): HisPages<HisCharge>
  /** The charges booked under the key of a request; empty where it never arrived. */
  chargesBy(requestKey: string): Promise<readonly HisCharge[]>
  /** Receipts of the material ledger that were booked on a day. */
  receiptsOf(day: Day): HisPages<HisReceipt>
  receiptBy(requestKey: string): Promise<HisReceipt | null>
}

/** Writes. The same key books once, however often it is sent; the answer is then that of the first time. */
export type HisWrites = {
  charge(key: string, order: HisChargeOrder): Promise<readonly HisCharge[]>
  refund(key: string, order: HisRefundOrder): Promise<readonly HisCharge[]>
  book(key: string, order: HisReceiptOrder): Promise<HisReceipt>
  /** The answer is the reversal, a receipt of its own. */
  reverse(key: string, order: HisReversalOrder): Promise<HisReceipt>
  /** Sends a row of our catalogue; the answer is the item that the HIS keeps for it. */
  publishItem(key: string, order: HisItemOrder): Promise<HisChargeItem>
}

/** The HIS of one hospital. Every call may throw a `HisError`. */
export type His = HisReads & HisWrites

/** The order of each kind of write. */
export type HisOrders = {
  readonly charge: HisChargeOrder
  readonly refund: HisRefundOrder
  readonly book: HisReceiptOrder
  readonly reverse: HisReversalOrder
  readonly publishItem: HisItemOrder
}
export type HisWrite = keyof HisOrders
/** The answer of the HIS to each kind of write. */
export type HisBooked = { readonly [write in HisWrite]: Awaited<ReturnType<His[write]>> }

/**
 * Why a call did not succeed: the HIS cannot be reached or is out of order, it refuses (in its own words), or its
 * answer cannot be understood. The message is a Chinese sentence without patient data, for people to read as it is.
 */
export type HisErrorKind = 'unreachable' | 'refused' | 'unreadable'

export class HisError extends BusinessError {
  /** The name of the cause, by which calls to other systems are sorted: TimeoutError, NetworkError. */
  override name: string
  readonly kind: HisErrorKind
  readonly status: number | null
  constructor(kind: HisErrorKind, sentence: string, status: number | null = null, name = 'HisError') {
    super('rule', sentence)
    this.name = name
    this.kind = kind
    this.status = status
  }
}

/** The values of a patient that may not appear in the sentence of a refused order. */
export const patientIn = (order: {
  readonly names_patient?: NamesPatient
  readonly patient_no?: string
  readonly visit_no?: string
}): NamesPatient => [...(order.names_patient ?? []), order.patient_no ?? null, order.visit_no ?? null]

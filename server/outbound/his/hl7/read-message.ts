import type {
  HisCharge,
  HisIncome,
  HisOperation,
  HisPatient,
  HisSex,
  HisVisit,
  HisVisitClass,
} from '#server/outbound/his/contract.ts'
import { falseFirst } from '#kernel/values/order.ts'
import { absolute, compare, divide, isDecimal, isNegative, multiply, type Decimal } from '#kernel/values/decimal.ts'
import { type Day, isDay, momentOf as isoMoment } from '#kernel/values/date.ts'
import { hasIdeographs, joinedName } from '#server/outbound/his/person-name.ts'
import { type Hl7Message, type Hl7Segment, UnreadableMessage } from '#server/outbound/his/hl7/message.ts'

/** What a stay is no more known by: the message says so, or names another place. */
export type ClearedOfVisit = 'birth_date' | 'department_code' | 'bed_no' | 'doctor_no' | 'began_at'
/** A stay as a message tells of it: it may say nothing of its state. */
export type VisitSaid = HisVisit & {
  /** Nothing was said of whether he is still here: what is known stays. */
  readonly keepsState: boolean
  readonly cleared: readonly ClearedOfVisit[]
}

/** What a message says, in the words of the contract; null where it has nothing of the kind. */
export type HisReceived = {
  readonly patient: HisPatient | null
  readonly visit: VisitSaid | null
  readonly operation: HisOperation | null
  readonly charges: readonly HisCharge[]
  readonly incomes: readonly HisIncome[]
}

/** Messages that are taken in, by their type and event. */
const events: Readonly<Record<string, (message: Hl7Message) => Partial<HisReceived>>> = {
  'ADT A01': message => ({ visit: visitOf(message, 'active') }),
  'ADT A02': message => ({ visit: visitOf(message, 'active') }),
  'ADT A03': message => ({ visit: visitOf(message, 'finished') }),
  'ADT A08': message => ({ visit: visitOf(message, dischargedAt(message) ? 'finished' : null) }),
  'ADT A11': message => ({ visit: visitOf(message, 'cancelled') }),
  'ADT A13': message => ({ visit: visitOf(message, 'active') }),
  'SIU S12': message => ({ operation: operationOf(message, 'planned') }),
  'SIU S13': message => ({ operation: operationOf(message, 'planned') }),
  'SIU S14': message => ({ operation: operationOf(message, 'planned') }),
  'SIU S15': message => ({ operation: operationOf(message, 'cancelled') }),
  'DFT P03': message => ({ charges: chargesOf(message) }),
  // HL7 has no message for it: a segment ZIN a department, and no patient.
  'ZIN Z01': message => ({ incomes: incomesOf(message) }),
}
export const isTakenIn = ({ type, event }: Hl7Message): boolean => `${type} ${event}` in events

export function readMessage(message: Hl7Message): HisReceived {
  const read = events[`${message.type} ${message.event}`]
  if (!read) throw new UnreadableMessage(`不接收${message.type}^${message.event}`)
  // An income is nobody's: all other messages name a patient.
  const patient = message.type === 'ZIN' ? null : patientOf(message)
  return { patient, visit: null, operation: null, charges: [], incomes: [], ...read(message) }
}

function segment(message: Hl7Message, name: string): Hl7Segment {
  const found = message.first(name)
  if (!found) throw new UnreadableMessage(`缺少${name}段`)
  return found
}
function needed(value: string, place: string): string {
  if (value === '') throw new UnreadableMessage(`缺少${place}`)
  return value
}
const orNull = (value: string): string | null => (value === '' ? null : value)

const HL7_TIME = /^(\d{4})(\d{2})(\d{2})(\d{2})?(\d{2})?(\d{2})?(?:\.\d{1,9})?([+-]\d{4}|Z)?$/
/** Before it nobody in hospital was born, after it nothing is planned. */
const YEARS = { first: '1880', last: '2199' } as const

/**
 * A time of HL7: yyyyMMddHHmmss with any precision from the day, and an offset; without one it is China's. ISO 8601
 * with its zone is read too. Null: it is none, or none that exists.
 */
export function momentOf(text: string): string | null {
  const match = HL7_TIME.exec(text)
  if (!match) return isoMoment(text)
  const [, year = '', month, day, hour = '00', minute = '00', second = '00', offset = '+0800'] = match
  if (year < YEARS.first || year > YEARS.last) return null
  const zone = offset === 'Z' ? 'Z' : `${offset.slice(0, 3)}:${offset.slice(3)}`
  return isoMoment(`${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`)
}

/** A time that may be left out, or name no day; one that does not exist is refused. */
function timeIn(text: string, place: string): string | null {
  if (text === '' || /^\d{4}(\d{2})?$/.test(text)) return null
  const moment = momentOf(text)
  if (moment === null) throw new UnreadableMessage(`${place}不是有效时间`)
  return moment
}

/** When what it says became so: the event's time, else when it was sent. */
function changedAt(message: Hl7Message): string {
  const said = timeIn(message.first('EVN')?.text(2) ?? '', 'EVN-2') ?? timeIn(message.sentAt, 'MSH-7')
  if (said === null) throw new UnreadableMessage('缺少MSH-7消息时间')
  return said
}

const sexes: Readonly<Record<string, HisSex>> = { M: 'male', F: 'female', O: 'other', A: 'other' }

/** PID-3: of several numbers the one of the hospital's record (MR), else the first. */
function patientNo(pid: Hl7Segment): string {
  const numbers = pid.repetitions(3)
  const own = numbers.find(number => number(5) === 'MR') ?? numbers[0]
  return needed(own?.() ?? '', 'PID-3患者编号')
}

type Repetition = ReturnType<Hl7Segment['repetitions']>[number]
const nameIn = (name: Repetition): string => joinedName(name(1), [name(2), name(3)])
/** Name types of table 0200 that are a person's name of today, the legal one first. */
const nameTypes = ['L', '', 'D', 'C']

/** Of several names the legal one, in Chinese characters (table 0465: I) before letters. */
function personName(names: readonly Repetition[]): string {
  const isIdeographic = (name: Repetition) => name(8) === 'I' || hasIdeographs(nameIn(name))
  const [name] = names
    .filter(each => nameTypes.includes(each(7)) && nameIn(each) !== '')
    .toSorted(
      (one, other) =>
        nameTypes.indexOf(one(7)) - nameTypes.indexOf(other(7)) ||
        falseFirst(!isIdeographic(one), !isIdeographic(other)),
    )
  return name ? nameIn(name) : ''
}

/** yyyyMMdd, ISO 8601, or with a time, which nobody needs; a year or a month alone is no day. */
function birthDate(text: string): Day | null {
  if (text === '' || /^\d{4}(-?\d{2})?$/.test(text)) return null
  const day = text.replace(/^(\d{4})-?(\d\d)-?(\d\d).*$/, '$1-$2-$3')
  if (!isDay(day) || day < YEARS.first || day > YEARS.last) throw new UnreadableMessage('PID-7出生日期不是有效日期')
  return day
}

function patientOf(message: Hl7Message): HisPatient {
  const pid = segment(message, 'PID')
  return {
    patient_no: patientNo(pid),
    patient_name: needed(personName(pid.repetitions(5)), 'PID-5患者姓名'),
    sex: sexes[pid.text(8)] ?? 'unknown',
    birth_date: birthDate(pid.text(7)),
    wristband: null,
    updated_at: changedAt(message),
  }
}

const visitClasses: Readonly<Record<string, HisVisitClass>> = { I: 'inpatient', E: 'emergency' }
const visitNo = (message: Hl7Message): string => {
  const visit = segment(message, 'PV1').text(19)
  return needed(visit || (message.first('PID')?.text(18) ?? ''), 'PV1-19就诊号')
}
const dischargedAt = (message: Hl7Message): string | null =>
  timeIn(message.first('PV1')?.text(45) ?? '', 'PV1-45出院时间')

/** What is no more: what says null (""), and of a place that is named anew what it does not say. */
function clearedIn(message: Hl7Message): ClearedOfVisit[] {
  const pv1 = segment(message, 'PV1')
  const isPlaced = pv1.text(3, 1) !== '' || pv1.isCleared(3)
  const gone: readonly (readonly [ClearedOfVisit, boolean])[] = [
    ['birth_date', segment(message, 'PID').isCleared(7)],
    ['department_code', isPlaced && pv1.text(3, 1) === ''],
    ['bed_no', isPlaced && pv1.text(3, 3) === ''],
    ['doctor_no', pv1.isCleared(7) || pv1.isCleared(7, 1)],
    ['began_at', pv1.isCleared(44)],
  ]
  return gone.flatMap(([name, isGone]) => (isGone ? [name] : []))
}

/** A stay; `state` null: the message says nothing of it, so that a correction reopens nobody who went home. */
function visitOf(message: Hl7Message, state: HisVisit['state'] | null): VisitSaid {
  const pv1 = segment(message, 'PV1')
  return {
    visit_no: visitNo(message),
    patient_no: patientNo(segment(message, 'PID')),
    visit_class: visitClasses[pv1.text(2)] ?? 'outpatient',
    state: state ?? 'active',
    // Nothing of the account is said here: who went home, or never came, is charged no more.
    is_account_open: (state ?? 'active') === 'active',
    department_code: orNull(pv1.text(3, 1)),
    bed_no: orNull(pv1.text(3, 3)),
    doctor_no: orNull(pv1.text(7, 1)),
    began_at: timeIn(pv1.text(44), 'PV1-44入院时间'),
    ended_at: state === 'finished' ? (dischargedAt(message) ?? changedAt(message)) : null,
    updated_at: changedAt(message),
    keepsState: state === null,
    cleared: clearedIn(message),
  }
}

function operationOf(message: Hl7Message, state: HisOperation['state']): HisOperation {
  const sch = segment(message, 'SCH')
  const service = message.first('AIS')
  const surgeon = message.first('AIP')
  return {
    surgery_no: needed(sch.text(2) || sch.text(1), 'SCH-2手术号'),
    visit_no: visitNo(message),
    patient_no: patientNo(segment(message, 'PID')),
    surgery_name: needed(
      service?.text(3, 2) || service?.text(3, 1) || sch.text(7, 2) || sch.text(7, 1),
      'AIS-3手术名称',
    ),
    state,
    planned_at: timeIn(service?.text(4) ?? '', 'AIS-4手术时间') ?? timeIn(sch.text(11, 4), 'SCH-11手术时间'),
    started_at: null,
    ended_at: null,
    department_code: orNull(segment(message, 'PV1').text(3, 1)),
    theatre: orNull(message.first('AIL')?.text(3, 2) || (message.first('AIL')?.text(3, 1) ?? '')),
    surgeon_no: orNull(surgeon?.text(3, 1) ?? ''),
    surgeon_name: orNull(joinedName(surgeon?.text(3, 2) ?? '', [surgeon?.text(3, 3) ?? ''])),
    updated_at: changedAt(message),
  }
}

const decimal = (text: string, place: string): Decimal => {
  if (!isDecimal(text)) throw new UnreadableMessage(`${place}不是数字`)
  return text
}

/** Transaction types of table 0017, and CR, as many write a credit. Payments and co-payments are of no goods. */
const transactions: Readonly<Record<string, HisCharge['charge_kind'] | 'adjustment' | null>> = {
  CG: 'charge',
  CD: 'refund',
  CR: 'refund',
  AJ: 'adjustment',
  PY: null,
  CO: null,
}

function chargesOf(message: Hl7Message): HisCharge[] {
  const lines = message.segments('FT1')
  if (lines.length === 0) throw new UnreadableMessage('缺少FT1段')
  let whose: Whose | undefined
  return lines.flatMap(line => chargeOf(() => (whose ??= whoseOf(message)), line) ?? [])
}

type Whose = ReturnType<typeof whoseOf>
/** The patient and stay of a message, read once: it may have as many lines as the patient has names. */
function whoseOf(message: Hl7Message) {
  const { patient_no, patient_name, updated_at } = patientOf(message)
  return {
    said: {
      patient_no,
      patient_name,
      visit_no: visitNo(message),
      visit_class: visitClasses[segment(message, 'PV1').text(2)] ?? 'outpatient',
    },
    updated_at,
  }
}

/** An adjustment charges or gives back by the sign of its amount; null: the line is of no goods. */
function chargeOf(whoseOnce: () => Whose, ft1: Hl7Segment): HisCharge | null {
  const type = needed(ft1.text(6), 'FT1-6交易类型')
  const said = Object.hasOwn(transactions, type) ? transactions[type]! : undefined
  if (said === undefined) throw new UnreadableMessage(`FT1-6交易类型${type}不能识别，应为CG、CD、PY、CO或AJ`)
  if (said === null) return null
  const quantity = decimal(ft1.text(10) || '1', 'FT1-10数量')
  const unit = ft1.text(12) === '' ? null : decimal(ft1.text(12), 'FT1-12单价')
  const signed = ft1.text(11) === '' ? null : decimal(ft1.text(11), 'FT1-11金额')
  if (unit === null && signed === null) throw new UnreadableMessage('缺少FT1-11金额或FT1-12单价')
  if (compare(quantity, '0') <= 0) throw new UnreadableMessage('FT1-10数量应大于0')
  const isBack = isNegative(signed ?? unit!)
  if (isBack && said !== 'adjustment') throw new UnreadableMessage('FT1-11金额不能为负数，退费请用交易类型CD')
  const charge_kind = said === 'adjustment' ? (isBack ? 'refund' : 'charge') : said
  const whole = signed === null ? null : absolute(signed)
  const charge_no = needed(ft1.text(2), 'FT1-2计费流水号')
  const { said: whose, updated_at } = whoseOnce()
  return {
    charge_no,
    charge_kind,
    refunded_charge_no: charge_kind === 'refund' ? orNull(ft1.text(3)) : null,
    request_key: null,
    request_line_no: null,
    ...whose,
    department_code: orNull(ft1.text(13)),
    item_code: needed(ft1.text(7), 'FT1-7收费项目编码'),
    item_name: orNull(ft1.text(7, 2)),
    quantity,
    price: unit === null ? divide(whole!, quantity, 4) : absolute(unit),
    amount: whole ?? multiply(absolute(unit!), quantity, 2),
    unit_code: null,
    charged_at: timeIn(ft1.text(4, 1), 'FT1-4交易时间') ?? updated_at,
  }
}

/** Yuan with two places at most, not below zero, and no more than a ledger holds. */
function yuan(text: string, place: string): Decimal {
  if (!isDecimal(text, 2)) throw new UnreadableMessage(`${place}不是金额，应为最多2位小数的数字`)
  if (compare(text, '0') < 0) throw new UnreadableMessage(`${place}不能为负数`)
  if (compare(text, MOST_YUAN) > 0) throw new UnreadableMessage(`${place}过大，请核对单位`)
  return text
}
const MOST_YUAN = '999999999999' as Decimal

/** yyyyMM is a month, yyyyMMdd a day. */
function periodOf(text: string): Pick<HisIncome, 'grain' | 'period_on'> {
  const day = `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6) || '01'}`
  if (!/^\d{6}(\d{2})?$/.test(text) || !isDay(day)) throw new UnreadableMessage('ZIN-2收入期间应为yyyyMM或yyyyMMdd')
  return { grain: text.length === 6 ? 'month' : 'day', period_on: day }
}

function incomesOf(message: Hl7Message): HisIncome[] {
  const lines = message.segments('ZIN')
  if (lines.length === 0) throw new UnreadableMessage('缺少ZIN段')
  const updated_at = changedAt(message)
  const incomes = lines.map(line => ({
    ...periodOf(line.text(2)),
    department_code: needed(line.text(3, 1), 'ZIN-3科室编码'),
    department_name: orNull(line.text(3, 2)),
    income: yuan(needed(line.text(4), 'ZIN-4医疗收入'), 'ZIN-4医疗收入'),
    drug_income: line.text(5) === '' ? null : yuan(line.text(5), 'ZIN-5药品收入'),
    updated_at,
  }))
  const once = new Set(
    incomes.map(({ department_code, period_on, grain }) => `${department_code} ${grain}${period_on}`),
  )
  if (once.size < incomes.length) throw new UnreadableMessage('同一科室同一期间的ZIN段重复')
  return incomes
}

import type {
  HisCharge,
  HisIncome,
  HisOperation,
  HisPatient,
  HisVisit,
  HisVisitClass,
} from '#server/outbound/his/contract.ts'
import { absolute, compare, type Decimal, divide, isDecimal, isNegative, multiply } from '#kernel/values/decimal.ts'
import { isDay } from '#kernel/values/date.ts'
import { joinedName } from '#server/outbound/his/person-name.ts'
import { type Hl7Message, type Hl7Segment, UnreadableMessage } from '#server/outbound/his/hl7/message.ts'
import { changedAt, codeOf, needed, orNull, segment, timeIn } from '#server/outbound/his/hl7/parts.ts'
import { patientNo, patientOf } from '#server/outbound/his/hl7/read-patient.ts'

/** Fields of a visit that are cleared: the message says so, or names another place. */
export type ClearedOfVisit = 'birth_date' | 'department_code' | 'bed_no' | 'doctor_no' | 'began_at'
/** Fields of a visit that the message leaves open: the values here are only guesses, and earlier ones stay. */
export type KeptOfVisit = 'state' | 'visit_class' | 'sex'
/** A stay as a message tells of it: it may say nothing of its state. */
export type VisitSaid = HisVisit & {
  /** Nothing was said of it: what is known stays. */
  readonly keeps: readonly KeptOfVisit[]
  readonly cleared: readonly ClearedOfVisit[]
}

/** The content of a message, in the words of the contract; null where it has nothing of the kind. */
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

/** Patient classes of table 0004, and words; others say nothing of how he came. */
const visitClasses: Readonly<Record<string, HisVisitClass>> = {
  I: 'inpatient',
  INPATIENT: 'inpatient',
  IMP: 'inpatient',
  住院: 'inpatient',
  O: 'outpatient',
  OUTPATIENT: 'outpatient',
  AMB: 'outpatient',
  门诊: 'outpatient',
  E: 'emergency',
  EMERGENCY: 'emergency',
  EMER: 'emergency',
  急诊: 'emergency',
}
const visitClass = (message: Hl7Message): HisVisitClass | null =>
  visitClasses[codeOf(segment(message, 'PV1').text(2))] ?? null
/** Events of people who stay in a ward: whoever is new in one is an inpatient, where nothing else is said. */
const wardEvents = ['A01', 'A02', 'A03', 'A11', 'A13']
const visitNo = (message: Hl7Message): string => {
  const visit = segment(message, 'PV1').text(19)
  return needed(visit || (message.first('PID')?.text(18) ?? ''), 'PV1-19就诊号')
}
const dischargedAt = (message: Hl7Message): string | null =>
  timeIn(message.first('PV1')?.text(45) ?? '', 'PV1-45出院时间')

/** The time of the event (EVN-6), where no other field has it. */
const happenedAt = (message: Hl7Message): string | null => timeIn(message.first('EVN')?.text(6) ?? '', 'EVN-6')

/** The fields on which the message is silent. */
function keptIn(message: Hl7Message, state: HisVisit['state'] | null): KeptOfVisit[] {
  const pid = segment(message, 'PID')
  const unsaid: readonly (readonly [KeptOfVisit, boolean])[] = [
    ['state', state === null],
    ['visit_class', visitClass(message) === null],
    ['sex', pid.text(8) === '' && !pid.isCleared(8)],
  ]
  return unsaid.flatMap(([name, isUnsaid]) => (isUnsaid ? [name] : []))
}

/** The fields that are cleared: those that are null (""), and those that a newly named place leaves out. */
function clearedIn(message: Hl7Message): ClearedOfVisit[] {
  const pv1 = segment(message, 'PV1')
  const isPlaced = pv1.text(3, 1) !== '' || pv1.isCleared(3)
  const gone: readonly (readonly [ClearedOfVisit, boolean])[] = [
    ['birth_date', segment(message, 'PID').isCleared(7)],
    ['department_code', pv1.isCleared(3, 1) || (isPlaced && pv1.text(3, 1) === '')],
    ['bed_no', pv1.isCleared(3, 3) || (isPlaced && pv1.text(3, 3) === '')],
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
    patient_no: patientNo(message),
    visit_class: visitClass(message) ?? (wardEvents.includes(message.event) ? 'inpatient' : 'outpatient'),
    state: state ?? 'active',
    // Nothing of the account is said here: who went home, or never came, is charged no more.
    is_account_open: (state ?? 'active') === 'active',
    department_code: orNull(pv1.text(3, 1)),
    bed_no: orNull(pv1.text(3, 3)),
    doctor_no: orNull(pv1.text(7, 1)),
    began_at: timeIn(pv1.text(44), 'PV1-44入院时间'),
    ended_at: state === 'finished' ? (dischargedAt(message) ?? happenedAt(message) ?? changedAt(message)) : null,
    updated_at: changedAt(message),
    keeps: keptIn(message, state),
    cleared: clearedIn(message),
  }
}

const SURGEON = /surg|operat|primary|attend|主刀|术者|手术医/i
const NOT_SURGEON = /an[ae]?esth|nurs|assist|scrub|circul|麻醉|护士|护师|助手|助理|[一二三]助|巡回|洗手|器械/i

/** The surgeon: of several people the one with that role (AIP-4), else the first one without another role. */
function surgeonIn(message: Hl7Message): Hl7Segment | undefined {
  const people = message.segments('AIP')
  const role = (person: Hl7Segment) => `${person.text(4, 1)} ${person.text(4, 2)}`
  const others = people.filter(person => !NOT_SURGEON.test(role(person)))
  return others.find(person => SURGEON.test(role(person))) ?? others[0]
}

function operationOf(message: Hl7Message, state: HisOperation['state']): HisOperation {
  const sch = segment(message, 'SCH')
  const service = message.first('AIS')
  const surgeon = surgeonIn(message)
  return {
    surgery_no: needed(sch.text(2) || sch.text(1), 'SCH-2手术号'),
    visit_no: visitNo(message),
    patient_no: patientNo(message),
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

const YUAN: readonly string[] = ['', 'CNY', 'RMB', 'CNH', '¥', '元', '人民币']
/** An amount of money in yuan (composite price: quantity and denomination); null: nothing is said. */
function priceIn(ft1: Hl7Segment, field: number, place: string): Decimal | null {
  const denomination = codeOf(ft1.text(field, 1, 2))
  if (!YUAN.includes(denomination)) throw new UnreadableMessage(`${place}的币种${denomination}不是人民币`)
  return ft1.text(field) === '' ? null : decimal(ft1.text(field), place)
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
      visit_class: visitClass(message),
    },
    updated_at,
  }
}

/** An adjustment charges or gives back by the sign of its amount; null: the line is of no goods. */
function chargeOf(whoseOnce: () => Whose, ft1: Hl7Segment): HisCharge | null {
  const type = codeOf(needed(ft1.text(6), 'FT1-6交易类型'))
  const said = Object.hasOwn(transactions, type) ? transactions[type]! : undefined
  if (said === undefined) throw new UnreadableMessage(`FT1-6交易类型${type}不能识别，应为CG、CD、PY、CO或AJ`)
  if (said === null) return null
  const quantity = decimal(ft1.text(10) || '1', 'FT1-10数量')
  const unit = priceIn(ft1, 12, 'FT1-12单价')
  const signed = priceIn(ft1, 11, 'FT1-11金额')
  if (unit === null && signed === null) throw new UnreadableMessage('缺少FT1-11金额或FT1-12单价')
  if (compare(quantity, '0') <= 0) throw new UnreadableMessage('FT1-10数量应大于0')
  const isBack = isNegative(signed ?? unit!)
  if (isBack && said !== 'adjustment')
    throw new UnreadableMessage(
      `FT1-11金额不能为负数，${said === 'charge' ? '退费请用交易类型CD' : '退费金额请填正数'}`,
    )
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

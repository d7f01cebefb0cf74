import type { HisPatient, HisSex } from '#server/outbound/his/contract.ts'
import { falseFirst } from '#kernel/values/order.ts'
import { type Day, isDay } from '#kernel/values/date.ts'
import { hasIdeographs, joinedName } from '#server/outbound/his/person-name.ts'
import { type Hl7Message, type Hl7Segment, UnreadableMessage } from '#server/outbound/his/hl7/message.ts'
import { changedAt, codeOf, needed, segment, YEARS } from '#server/outbound/his/hl7/parts.ts'

/** Codes of table 0001, those of GB/T 2261.1, and words. */
const sexes: Readonly<Record<string, HisSex>> = {
  M: 'male',
  MALE: 'male',
  '1': 'male',
  男: 'male',
  F: 'female',
  FEMALE: 'female',
  '2': 'female',
  女: 'female',
  O: 'other',
  A: 'other',
}

/**
 * Types of table 0203 that are numbers of a hospital, its record's first. Other types are of insurers, of states or of
 * nobody known.
 */
const numberTypes = ['MR', 'PI', 'PT', '']
const rankOf = (type: string): number => {
  const at = numberTypes.indexOf(type)
  return at < 0 ? numberTypes.length : at
}

/** PID-3: of several numbers the one of the hospital's record, unless it ended before the message was sent. */
export function patientNo(message: Hl7Message): string {
  const sent = message.sentAt.slice(0, 8)
  const numbers = segment(message, 'PID').repetitions(3)
  const inForce = numbers.filter(number => number() !== '' && !(number(8) !== '' && number(8).slice(0, 8) < sent))
  const [own] = inForce.toSorted((one, other) => rankOf(one(5)) - rankOf(other(5)))
  return needed(own?.() ?? '', 'PID-3患者编号')
}

type Repetition = ReturnType<Hl7Segment['repetitions']>[number]
const nameIn = (name: Repetition): string => joinedName(name(1), [name(2), name(3)])
/**
 * Name types of table 0200 that are a person's name of today, the legal one first. Others (an alias, a name at birth)
 * count where nothing else is said.
 */
const nameTypes = ['L', '', 'U', 'D', 'C']
const nameRank = (name: Repetition): number => {
  const at = nameTypes.indexOf(name(7))
  return at < 0 ? nameTypes.length : at
}

/** True for a name whose time was over when the message was sent (XPN-13, or the end of the range in XPN-10). */
const isOver = (name: Repetition, sent: string): boolean => {
  const end = (name(13) || name(10, 2)).slice(0, 8)
  return end !== '' && end < sent.slice(0, end.length)
}

/** The legal name of several, in Chinese characters (table 0465: I) before letters; one that is over comes last. */
function personName(names: readonly Repetition[], sent: string): string {
  const isIdeographic = (name: Repetition) => name(8) === 'I' || hasIdeographs(nameIn(name))
  const [name] = names
    .filter(each => nameIn(each) !== '')
    .toSorted(
      (one, other) =>
        falseFirst(isOver(one, sent), isOver(other, sent)) ||
        nameRank(one) - nameRank(other) ||
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

/** The patient of a message. */
export function patientOf(message: Hl7Message): HisPatient {
  const pid = segment(message, 'PID')
  return {
    patient_no: patientNo(message),
    patient_name: needed(personName(pid.repetitions(5), message.sentAt), 'PID-5患者姓名'),
    sex: sexes[codeOf(pid.text(8))] ?? 'unknown',
    birth_date: birthDate(pid.text(7)),
    wristband: null,
    updated_at: changedAt(message),
  }
}

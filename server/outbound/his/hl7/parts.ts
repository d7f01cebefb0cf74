import { momentOf as isoMoment } from '#kernel/values/date.ts'
import { type Hl7Message, type Hl7Segment, UnreadableMessage } from '#server/outbound/his/hl7/message.ts'

/** The first segment of a name, without which the message cannot be used. */
export function segment(message: Hl7Message, name: string): Hl7Segment {
  const found = message.first(name)
  if (!found) throw new UnreadableMessage(`缺少${name}段`)
  return found
}
/** A value without which the message cannot be used. */
export function needed(value: string, place: string): string {
  if (value === '') throw new UnreadableMessage(`缺少${place}`)
  return value
}
/** Null: nothing is said. */
export const orNull = (value: string): string | null => (value === '' ? null : value)

const HL7_TIME = /^(\d{4})(\d{2})(\d{2})(\d{2})?(\d{2})?(\d{2})?(?:\.\d{1,9})?([+-]\d{4}|Z)?$/
/** Before it nobody in hospital was born, after it nothing is planned. */
export const YEARS = { first: '1880', last: '2199' } as const

/**
 * A time of HL7: yyyyMMddHHmmss with any precision from the day, and an offset; without one it is China's. ISO 8601 is
 * read too, with a T or a blank before the hour. Null: it is none, or none that exists.
 */
export function momentOf(text: string): string | null {
  const match = HL7_TIME.exec(text)
  if (!match) return isoIn(text)
  const [, year = '', month, day, hour = '00', minute = '00', second = '00', offset = '+0800'] = match
  if (year < YEARS.first || year > YEARS.last) return null
  const zone = offset === 'Z' ? 'Z' : `${offset.slice(0, 3)}:${offset.slice(3)}`
  return isoMoment(`${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`)
}

const ISO_TIME = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?))?(Z|[+-]\d\d:?\d\d)?$/
function isoIn(text: string): string | null {
  const [, day = '', time = '00:00', zone = '+08:00'] = ISO_TIME.exec(text) ?? []
  if (day === '' || day < YEARS.first || day.slice(0, 4) > YEARS.last) return null
  return isoMoment(`${day}T${time}${zone.replace(/(\d\d)(\d\d)$/, '$1:$2')}`)
}

/** A time that may be left out, or name no day; one that does not exist is refused. */
export function timeIn(text: string, place: string): string | null {
  if (text === '' || /^\d{4}(\d{2})?$/.test(text)) return null
  const moment = momentOf(text)
  if (moment === null) throw new UnreadableMessage(`${place}不是有效时间`)
  return moment
}

/** The time from which the message holds: the event's time, else the time of sending. */
export function changedAt(message: Hl7Message): string {
  const said = timeIn(message.first('EVN')?.text(2) ?? '', 'EVN-2') ?? timeIn(message.sentAt, 'MSH-7')
  if (said === null) throw new UnreadableMessage('缺少MSH-7消息时间')
  return said
}

/** A code as it is compared. */
export const codeOf = (text: string): string => text.trim().toUpperCase()

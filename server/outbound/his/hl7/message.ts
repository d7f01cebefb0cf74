/**
 * HL7 v2 as it arrives: segments of fields, each with repetitions, components and subcomponents, between the
 * separators that its header names. Nothing is unescaped before it has been split.
 */
export type Hl7Message = {
  /** The segments of a name, in their order. */
  readonly segments: (name: string) => readonly Hl7Segment[]
  readonly first: (name: string) => Hl7Segment | undefined
  /** MSH-9: ADT^A01. */
  readonly type: string
  readonly event: string
  /** MSH-10, and who sent it (MSH-3 and MSH-4). */
  readonly controlId: string
  readonly sender: string
  readonly sentAt: string
  readonly version: string
}
export type Hl7Segment = {
  /** A component of a field, counted from 1 as the standard does; empty where there is none, or it says null (""). */
  readonly text: (field: number, component?: number, subcomponent?: number) => string
  /** Each repetition of a field, by its components. */
  readonly repetitions: (field: number) => readonly ((component?: number, subcomponent?: number) => string)[]
}

/** A message that cannot be read at all. */
export class UnreadableMessage extends Error {}

type Separators = {
  readonly field: string
  readonly component: string
  readonly repetition: string
  readonly escape: string
  readonly subcomponent: string
}

/** Names of MSH-18, as TextDecoder knows them; what is not named is UTF-8, of which ASCII is a part. */
const encodings: Readonly<Record<string, string>> = {
  'GB 18030-2000': 'gb18030',
  GB18030: 'gb18030',
  GBK: 'gbk',
  GB2312: 'gbk',
  BIG5: 'big5',
  'UNICODE UTF-8': 'utf-8',
  'UTF-8': 'utf-8',
  'UNICODE UTF-16': 'utf-16le',
  ASCII: 'utf-8',
  '8859/1': 'windows-1252',
}
const HEADER_FIELDS = { charset: 18, control: 10, type: 9, version: 12, sentAt: 7 } as const

/** The header is ASCII in every encoding that is allowed here: it says how the rest is to be read. */
export function decodeMessage(bytes: Uint8Array): string {
  const header = new TextDecoder('windows-1252').decode(bytes.subarray(0, 1000)).split(/[\r\n]/)[0] ?? ''
  const separator = header[3] ?? '|'
  const said = (header.split(separator)[HEADER_FIELDS.charset - 1] ?? '').split('~')[0]!.trim().toUpperCase()
  const name = said === '' ? 'utf-8' : encodings[said]
  if (name === undefined) throw new UnreadableMessage(`不支持的字符集${said}`)
  try {
    return new TextDecoder(name, { fatal: true }).decode(bytes)
  } catch {
    throw new UnreadableMessage('报文的内容与其字符集不符')
  }
}

export function parseMessage(text: string): Hl7Message {
  const lines = text.split(/\r\n|\r|\n/).filter(line => line !== '')
  const header = lines[0] ?? ''
  if (!/^MSH[^A-Za-z0-9\s]{5}/.test(header)) throw new UnreadableMessage('报文没有MSH段')
  const [field = '|', component = '^', repetition = '~', escape = '\\', subcomponent = '&'] = header.slice(3, 8)
  const separators: Separators = { field, component, repetition, escape, subcomponent }
  // MSH-1 is the separator itself: the fields after it count one more.
  const parsed = lines.map((line, index) => ({
    name: line.slice(0, 3),
    segment: segmentOf(line.split(field), separators, index === 0 ? 1 : 0),
  }))
  const segments = (name: string) => parsed.filter(each => each.name === name).map(each => each.segment)
  const head = parsed[0]!.segment
  const controlId = head.text(HEADER_FIELDS.control)
  const type = head.text(HEADER_FIELDS.type, 1)
  if (type === '' || controlId === '') throw new UnreadableMessage('MSH段缺少消息类型或控制号')
  return {
    segments,
    first: name => segments(name)[0],
    type,
    event: head.text(HEADER_FIELDS.type, 2),
    controlId,
    sender: `${head.text(3)}|${head.text(4)}`,
    sentAt: head.text(HEADER_FIELDS.sentAt),
    version: head.text(HEADER_FIELDS.version),
  }
}

function segmentOf(fields: readonly string[], separators: Separators, offset: number): Hl7Segment {
  const repetitionsOf = (field: number): string[] => {
    const value = fields[field - offset] ?? ''
    return value === '' ? [] : value.split(separators.repetition)
  }
  const part = (repetition: string, component: number, subcomponent: number): string => {
    const said = repetition.split(separators.component)[component - 1] ?? ''
    const text = said.split(separators.subcomponent)[subcomponent - 1] ?? ''
    return text === '""' ? '' : unescaped(text, separators)
  }
  return {
    text: (field, component = 1, subcomponent = 1) => part(repetitionsOf(field)[0] ?? '', component, subcomponent),
    repetitions: field =>
      repetitionsOf(field).map(
        repetition =>
          (component = 1, subcomponent = 1) =>
            part(repetition, component, subcomponent),
      ),
  }
}

/** \F\ \S\ \T\ \R\ \E\ are the separators, \X0D\ are bytes, \.br\ is a new line; what is unknown is left out. */
function unescaped(text: string, { field, component, repetition, escape, subcomponent }: Separators): string {
  if (!text.includes(escape)) return text
  const known: Readonly<Record<string, string>> = {
    F: field,
    S: component,
    R: repetition,
    T: subcomponent,
    E: escape,
    '.br': '\n',
  }
  const mark = escape.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
  return text.replaceAll(new RegExp(`${mark}([^${mark}]*)${mark}`, 'g'), (_whole, said: string) => {
    const hex = /^X((?:[0-9A-Fa-f]{2})+)$/.exec(said)?.[1]
    return hex === undefined ? (known[said] ?? '') : Buffer.from(hex, 'hex').toString('utf8')
  })
}

export type AckCode = 'AA' | 'AE' | 'AR'

/** The answer to a message: accepted, in error, or rejected, with its reason. */
export function acknowledgement(message: Hl7Message | null, code: AckCode, reason: string, at: string): string {
  const [application = '', facility = ''] = message?.sender.split('|') ?? []
  const time = at.replaceAll(/\D/g, '').slice(0, 14)
  const event = message?.event ? `^${message.event}` : ''
  const header = [
    'MSH',
    '^~\\&',
    'MEDTRACE',
    '',
    written(application),
    written(facility),
    time,
    '',
    `ACK${event}`,
    `${message?.controlId ?? '0'}A`,
    'P',
    message?.version || '2.5',
    '',
    '',
    '',
    '',
    '',
    'UNICODE UTF-8',
  ].join('|')
  return `${header}\rMSA|${code}|${written(message?.controlId ?? '')}|${written(reason)}\r`
}

const written = (text: string): string =>
  text
    .replaceAll('\\', '\\E\\')
    .replaceAll('|', '\\F\\')
    .replaceAll('^', '\\S\\')
    .replaceAll('~', '\\R\\')
    .replaceAll('&', '\\T\\')
    .replaceAll(/[\r\n]/g, ' ')

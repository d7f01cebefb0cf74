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
  /** True if a field or a component says null (""): what is known of it is no more. An absent one keeps it. */
  readonly isCleared: (field: number, component?: number) => boolean
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
  /** How bytes of escapes are read. */
  readonly encoding: string
}

/**
 * Character sets of table 0211 and what others call them, as TextDecoder knows them, without blanks and marks between
 * letters and digits.
 */
const encodings: Readonly<Record<string, string>> = {
  GB18030: 'gb18030',
  GB180302000: 'gb18030',
  GB180302022: 'gb18030',
  GBK: 'gb18030',
  GB2312: 'gb18030',
  GB231280: 'gb18030',
  ISOIR58: 'gb18030',
  CP936: 'gb18030',
  BIG5: 'big5',
  UNICODE: 'utf-8',
  UNICODEUTF8: 'utf-8',
  UTF8: 'utf-8',
  ISOIR192: 'utf-8',
  ASCII: 'utf-8',
  USASCII: 'utf-8',
  ISOIR6: 'utf-8',
  ISOIR87: 'iso-2022-jp',
  ISOIR159: 'iso-2022-jp',
  KSX1001: 'euc-kr',
  UNICODEUTF16: 'utf-16be',
  ...Object.fromEntries(
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 15].flatMap(part => {
      const name = part === 1 ? 'windows-1252' : `iso-8859-${part}`
      return [`8859${part}`, `ISO8859${part}`, `ISOIEC8859${part}`].map(spelling => [spelling, name])
    }),
  ),
}
const HEADER_FIELDS = { charset: 18, control: 10, type: 9, version: 12, sentAt: 7 } as const
const LONGEST_HEADER = 1000

/** The header as it stands, before it is known how the rest is to be read: it is ASCII in every encoding taken here. */
const headerOf = (bytes: Uint8Array): string[] => {
  const text = new TextDecoder('windows-1252').decode(bytes.subarray(0, LONGEST_HEADER))
  const at = Math.max(text.indexOf('MSH'), 0)
  const line = text.slice(at).split(/[\r\n]/)[0] ?? ''
  return line.split(line[3] ?? '|')
}

/** The parts of a message that its answer names, also where the message cannot be read. */
export type Named = {
  readonly controlId: string
  readonly sender: string
  readonly event: string
  readonly version: string
}
export function namedIn(bytes: Uint8Array): Named {
  const header = headerOf(bytes)
  const at = (field: number) => (header[field - 1] ?? '').slice(0, 199)
  return {
    controlId: at(HEADER_FIELDS.control),
    sender: `${at(3)}|${at(4)}`,
    event: at(HEADER_FIELDS.type).split(header[1]?.[0] ?? '^')[1] ?? '',
    version: at(HEADER_FIELDS.version),
  }
}

const isLatin = (encoding: string): boolean => /^(?:windows-1252|iso-8859-(?:[2-4]|9|15))$/.test(encoding)
/** Chinese under a Latin character set, which would read every byte of it as some letter: four in a row are no word. */
function hasManyHighBytes(bytes: Uint8Array): boolean {
  let run = 0
  return bytes.some(byte => (run = byte >= 0x80 ? run + 1 : 0) >= 4)
}

export type Decoded = { readonly text: string; readonly encoding: string }

/** Reads bytes as their header says; where it says nothing, as UTF-8, else as GB18030. */
export function decodeMessage(bytes: Uint8Array): Decoded {
  const said =
    (headerOf(bytes)[HEADER_FIELDS.charset - 1] ?? '')
      .split('~')
      .find(each => each.trim() !== '')
      ?.trim() ?? ''
  const name = said === '' ? null : encodings[said.toUpperCase().replace(/[^A-Z0-9]/g, '')]
  if (name === undefined) throw new UnreadableMessage(`不支持的字符集${said}`)
  const isMistaken = name !== null && isLatin(name) && hasManyHighBytes(bytes)
  for (const encoding of name === null ? ['utf-8', 'gb18030'] : isMistaken ? ['utf-8'] : [name])
    try {
      return { text: new TextDecoder(encoding, { fatal: true }).decode(bytes), encoding }
    } catch {
      // The next one.
    }
  throw new UnreadableMessage('报文的内容与其字符集不符')
}

/** The marks of a frame (MLLP). Who leaves one out has them within a frame, before a header. */
const FRAME_MARKS = /^[\u000b\u001c]+/

/** The messages of a text, each from its header on; the headers and trailers of batches and files are none. */
export const messagesIn = (text: string): string[] =>
  text
    .split(/\r\n|\r|\n/)
    .map(line => line.replace(FRAME_MARKS, ''))
    .filter(line => line.trim() !== '' && !/^(FHS|BHS|BTS|FTS)/.test(line))
    .reduce<string[]>((messages, line) => {
      if (line.startsWith('MSH') || messages.length === 0) messages.push(line)
      else messages[messages.length - 1] += `\r${line}`
      return messages
    }, [])

/** True for an answer to a message: it is not answered. */
export const isAcknowledgement = (message: Hl7Message): boolean =>
  message.type === 'ACK' || message.first('MSA') !== undefined

export function parseMessage(text: string, encoding = 'utf-8'): Hl7Message {
  const lines = text.split(/\r\n|\r|\n/).filter(line => line !== '')
  const header = lines[0] ?? ''
  if (!/^MSH[^A-Za-z0-9\s]{5}/.test(header)) throw new UnreadableMessage('报文没有MSH段')
  const [field = '|', component = '^', repetition = '~', escape = '\\', subcomponent = '&'] = header.slice(3, 8)
  const separators: Separators = { field, component, repetition, escape, subcomponent, encoding }
  // MSH-1 is the separator itself: the fields after it count one more.
  const parsed = lines.map((line, index) => ({
    name: line.slice(0, 3),
    segment: segmentOf(line.split(field), separators, index === 0 ? 1 : 0),
  }))
  const byName = Map.groupBy(parsed, each => each.name)
  const segments = (name: string) => (byName.get(name) ?? []).map(each => each.segment)
  const head = parsed[0]!.segment
  const controlId = head.text(HEADER_FIELDS.control)
  const type = head.text(HEADER_FIELDS.type, 1)
  if (type === '' || controlId === '') throw new UnreadableMessage('MSH段缺少消息类型或控制号')
  return {
    segments,
    first: name => byName.get(name)?.[0]?.segment,
    type,
    event: head.text(HEADER_FIELDS.type, 2),
    controlId,
    sender: `${head.text(3)}|${head.text(4)}`,
    sentAt: head.text(HEADER_FIELDS.sentAt),
    version: head.text(HEADER_FIELDS.version),
  }
}

/** Further names or numbers of one person are not read. */
const MOST_REPETITIONS = 100
/** No name, number or title is as long. */
const LONGEST_TEXT = 20_000

function segmentOf(fields: readonly string[], separators: Separators, offset: number): Hl7Segment {
  const repetitionsOf = (field: number): string[] => {
    const value = fields[field - offset] ?? ''
    return value === '' ? [] : value.split(separators.repetition, MOST_REPETITIONS)
  }
  const part = (repetition: string, component: number, subcomponent: number): string => {
    const said = repetition.split(separators.component)[component - 1] ?? ''
    // Columns of a fixed width are sent with their blanks.
    const text = (said.split(separators.subcomponent)[subcomponent - 1] ?? '').trim()
    if (text.length > LONGEST_TEXT) throw new UnreadableMessage('报文中的一个字段过长')
    return text === '""' ? '' : unescaped(text, separators)
  }
  return {
    isCleared: (field, component) => {
      const [said = ''] = repetitionsOf(field)
      const part = component === undefined ? said : (said.split(separators.component)[component - 1] ?? '')
      return part.trim() === '""'
    },
    text: (field, component = 1, subcomponent = 1) => part(repetitionsOf(field)[0] ?? '', component, subcomponent),
    repetitions: field =>
      repetitionsOf(field).map(
        repetition =>
          (component = 1, subcomponent = 1) =>
            part(repetition, component, subcomponent),
      ),
  }
}

/** Marks of layout: highlighted or not, and lines, indents and blanks. */
const LAYOUT = /^(?:[HN]|\.(?:in|ti|fi|nf|ce|sk|sp|br)[+-]?\d*)$/
const NEW_LINE = /^\.(?:br|sp|ce)/

/**
 * \F\ \S\ \T\ \R\ \E\ are the separators, \X0D\ are bytes, \.br\ is a new line; other marks of layout are left out.
 * Characters of another set (\C..\, \M..\), those of one program alone (\Z..\) and bytes that are none are refused: a
 * name would lose a part. What stands between two such signs and is no mark at all stays, as it was meant.
 */
function unescaped(text: string, { field, component, repetition, escape, subcomponent, encoding }: Separators): string {
  if (!text.includes(escape)) return text
  const known: Readonly<Record<string, string>> = { F: field, S: component, R: repetition, T: subcomponent, E: escape }
  const decoder = new TextDecoder(encoding, { fatal: true })
  const mark = escape.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
  const refuse = (whole: string): never => {
    throw new UnreadableMessage(`报文中的转义${whole.slice(0, 40)}不能识别`)
  }
  // A character may be cut into several escapes of bytes.
  const marks = new RegExp(`(?:${mark}X(?:[0-9A-Fa-f]{2})+${mark})+|${mark}([^${mark}]*)${mark}`, 'g')
  return text.replaceAll(marks, (whole: string, said: string | undefined) => {
    if (said === undefined) {
      try {
        return decoder.decode(Buffer.from(whole.replaceAll(escape, '').replaceAll('X', ''), 'hex'))
      } catch {
        return refuse(whole)
      }
    }
    if (known[said] !== undefined) return known[said]
    if (LAYOUT.test(said)) return NEW_LINE.test(said) ? '\n' : ''
    return /^(?:X|[CM][0-9A-Fa-f]|Z)/.test(said) ? refuse(whole) : whole
  })
}

export type AckCode = 'AA' | 'AE' | 'AR'

/** The answer to a message: accepted, in error, or rejected, with its reason. */
export function acknowledgement(message: Named, code: AckCode, reason: string, at: string): string {
  const [application = '', facility = ''] = message.sender.split('|')
  const time = at.replaceAll(/\D/g, '').slice(0, 14)
  const event = message.event ? `^${written(message.event)}` : ''
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
    `${written(message.controlId || '0')}A`,
    'P',
    written(message.version) || '2.5',
    '',
    '',
    '',
    '',
    '',
    'UNICODE UTF-8',
  ].join('|')
  return `${header}\rMSA|${code}|${written(message.controlId)}|${written(reason)}\r`
}

const written = (text: string): string =>
  text
    .replaceAll('\\', '\\E\\')
    .replaceAll('|', '\\F\\')
    .replaceAll('^', '\\S\\')
    .replaceAll('~', '\\R\\')
    .replaceAll('&', '\\T\\')
    .replaceAll(/[\r\n]/g, ' ')

import { AsyncLocalStorage } from 'node:async_hooks'

/** The request to another system and its answer, as people may read them: without patients and secrets. */
export type Exchange = {
  /** Null where the caller has said in its own words what it sends. */
  readonly request: string | null
  readonly response: string | null
  /** Null where nothing was answered. */
  readonly status: number | null
}
/** The caller's rules for masking a message: values to hide, and fields that may be read. */
export type Mask = {
  /** Values that may stand nowhere, as the numbers of a patient. */
  readonly hidden?: readonly (string | null)[]
  /** Names of fields whose values may be read, beside the usual ones. */
  readonly plain?: ReadonlySet<string>
}

const wordsIn = (words: readonly (readonly string[])[]): RegExp => new RegExp(words.flat().join('|'))

/** Fields of messages that tell nothing of a person: how a call went, and what goods it is about. */
const PLAIN = wordsIn([
  ['code', 'state', 'status', 'success', 'msg', 'message', 'error', 'severity', 'diagnostics', 'key', 'version'],
  ['quantity', 'price', 'amount', 'unit', 'lot', 'udi', 'total', 'next', 'page', 'method', 'resourcetype'],
  ['line_?no', 'charge_?no', 'receipt_?no', '^sn$', '^type$', '^system$'],
])
/** Fields that tell of a person or open a door, whatever else their name says. */
const PRIVATE = wordsIn([
  ['patient', 'name', 'sex', 'gender', 'birth', 'phone', 'mobile', 'address', 'id_?card', 'identity', 'wristband'],
  ['visit', 'admission_?no', 'admitted', 'token', 'secret', 'password', 'sign', 'app_?key', 'verify', 'template'],
])

const STARS = '***'
/** A message that is longer than this is not kept; nothing longer is read through. */
const LONGEST_KEPT = 100_000
const LONGEST_WORDS = 500

/** Mobile numbers and numbers of identity cards, which name a person in whatever sentence they stand. */
const PERSONAL = /(?<!\d)(?:1[3-9]\d{9}|[1-9]\d{5}(?:19|20)\d{2}(?:0[1-9]|1[0-2])[0-3]\d{4}[\dXx])(?!\d)/g

const without = (text: string, hidden: Mask['hidden'] = []): string =>
  hidden
    .reduce<string>((shown, value) => (value ? shown.replaceAll(value, STARS) : shown), text)
    .replaceAll(PERSONAL, STARS)

const isPlain = (name: string, plain: Mask['plain']): boolean => {
  const known = name.toLowerCase()
  return !PRIVATE.test(known) && (PLAIN.test(known) || plain?.has(name) === true)
}

function maskedValue(value: unknown, name: string, mask: Mask): unknown {
  if (Array.isArray(value)) return value.map(each => maskedValue(each, name, mask))
  if (typeof value === 'object' && value !== null)
    return PRIVATE.test(name.toLowerCase())
      ? STARS
      : Object.fromEntries(
          Object.entries(value).map(([key, each]) => [without(key, mask.hidden), maskedValue(each, key, mask)]),
        )
  if (value === null || typeof value === 'boolean') return value
  if (!isPlain(name, mask.plain)) return STARS
  if (typeof value === 'string') return maskedText(value, mask)
  return without(String(value), mask.hidden) === String(value) ? value : STARS
}

/** Text that may be read; a message within it is masked as a message. */
function maskedText(text: string, mask: Mask): string {
  const message = messageIn(text)
  return typeof message === 'object' && message !== null
    ? JSON.stringify(maskedValue(message, '', mask))
    : without(text, mask.hidden)
}

/** True for the fields of a form, as `code=7&state=open`. */
const isForm = (text: string): boolean =>
  text.includes('&') && !/[\s{<]/.test(text) && text.split('&').every(part => part.indexOf('=') > 0)

/** What a text says as a message: JSON, or the fields of a form; undefined where it is none. */
function messageIn(text: string): unknown {
  if (isForm(text)) return Object.fromEntries(new URLSearchParams(text))
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * A message with stars for what may not be read. Fields are starred unless it is known that they tell of nobody; what
 * has no fields, as a page of a server that is out of order, loses the values that are named.
 */
export function masked(text: string, mask: Mask = {}): string {
  if (text.length > LONGEST_KEPT) return `（报文过长，未保留，共${text.length}字）`
  const message = messageIn(text)
  if (message !== undefined) return JSON.stringify(maskedValue(message, '', mask))
  return without(text, mask.hidden).slice(0, LONGEST_WORDS)
}

/** An address with the values of its query masked, and without its host. */
function maskedAddress(address: string, mask: Mask): string {
  const { pathname, searchParams } = new URL(address)
  const query = [...searchParams].map(([name, value]) => `${name}=${maskedValue(value, name, mask) as string}`)
  return without(`${pathname}${query.length === 0 ? '' : `?${query.join('&')}`}`, mask.hidden)
}

type Box = { last: Exchange | null }
const running = new AsyncLocalStorage<Box>()

/** Makes a call, and tells its last exchange, also where it failed. */
export async function exchanging<T>(call: () => Promise<T>): Promise<{
  readonly outcome: { readonly answered: T } | { readonly thrown: Error }
  readonly exchange: Exchange | null
}> {
  const box: Box = { last: null }
  try {
    return { outcome: { answered: await running.run(box, call) }, exchange: box.last }
  } catch (error) {
    return { outcome: { thrown: error instanceof Error ? error : new Error(String(error)) }, exchange: box.last }
  }
}

const requestOf = (address: string, { method, body }: RequestInit, mask: Mask): string =>
  `${method ?? 'GET'} ${maskedAddress(address, mask)}${typeof body === 'string' ? ` ${masked(body, mask)}` : ''}`

/** Notes what is sent, where its caller says how it is masked; `answered` notes what came back. */
export function noteSent(address: string, init: RequestInit, mask?: Mask) {
  const box = running.getStore()
  if (box === undefined) return null
  const request = mask === undefined ? null : requestOf(address, init, mask)
  box.last = { request, response: null, status: null }
  return {
    mostKept: LONGEST_KEPT,
    answered: (status: number, text: string | null) => {
      box.last = { request, response: text === null ? null : masked(text, mask), status }
    },
  }
}

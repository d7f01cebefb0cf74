import { boundedFetch, ReplyTooLong } from '#server/network/bounded-fetch.ts'
import { parseLongExact } from '#server/outbound/long-json.ts'
import { HisError, type NamesPatient } from '#server/outbound/his/contract.ts'

/** HTTP to one HIS, whatever its dialect. Figures of its answers arrive as their digits. */
export type HisHttp = {
  /**
   * A read: recorded as an attempt under its title, which names no patient. `hidden`: what may not stand in the
   * sentence of a refusal.
   */
  readonly get: (title: string, address: string, hidden: NamesPatient) => Promise<unknown>
  /** A write, which the outbox records. */
  readonly post: (address: string, said: HisSaid) => Promise<unknown>
}
export type HisSaid = {
  readonly body: unknown
  readonly headers: Readonly<Record<string, string>>
  readonly hidden: NamesPatient
}

/** Records an attempt; made by whoever connects the program. */
export type Watch = <T>(title: string, call: () => Promise<T>) => Promise<T>

/** The words of a refusal, where the dialect has a place for them. */
export type WordsOf = (body: unknown) => string | null

type Spoken = {
  readonly baseUrl: string
  readonly token: string
  readonly type: string
  readonly words: WordsOf
  readonly watch: Watch
  /** Names of its fields that tell nothing of a patient. */
  readonly plain?: ReadonlySet<string>
}

const PATIENCE_MS = 20_000
const LONGEST_ANSWER = 50_000_000
const LONGEST_WORDS = 200

export const hisHttp = (spoken: Spoken): HisHttp => ({
  get: (title, address, hidden) => spoken.watch(title, () => asked(spoken, address, { method: 'GET' }, hidden)),
  post: (address, { body, headers, hidden }) =>
    asked(spoken, address, { method: 'POST', body: JSON.stringify(body), headers }, hidden),
})

async function asked(spoken: Spoken, address: string, init: RequestInit, hidden: NamesPatient): Promise<unknown> {
  const { status, text } = await fetched(spoken, address, init, hidden)
  const body = await readable(text)
  if (status >= 200 && status < 300) {
    if (body === undefined) throw new HisError('unreadable', 'HIS的答复不是JSON', status)
    return body
  }
  const words = shownWords(spoken.words(body) ?? text, hidden)
  // A server that is out of order says so in 5xx; one that is asked too often, or too slowly, will answer later.
  const later = status >= 500 || status === 408 || status === 429
  throw new HisError(later ? 'unreachable' : 'refused', `HIS返回${status}：${words}`, status)
}

async function fetched(
  spoken: Spoken,
  address: string,
  init: RequestInit,
  hidden: NamesPatient,
): Promise<{ status: number; text: string }> {
  try {
    const reply = await boundedFetch(withinBase(spoken.baseUrl, address), {
      ...init,
      mostBytes: LONGEST_ANSWER,
      mask: { hidden, ...(spoken.plain ? { plain: spoken.plain } : {}) },
      headers: {
        accept: spoken.type,
        ...(init.body === undefined ? {} : { 'content-type': spoken.type }),
        ...(spoken.token === '' ? {} : { authorization: `Bearer ${spoken.token}` }),
        ...init.headers,
      },
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    return { status: reply.status, text: await reply.text() }
  } catch (error) {
    if (error instanceof ReplyTooLong) throw new HisError('unreadable', 'HIS的答复过长')
    throw error instanceof HisError ? error : notReached(error)
  }
}

/** The pages of a list are at the address of the operator as well: a link elsewhere would take the token there. */
function withinBase(baseUrl: string, address: string): string {
  const target = new URL(address, `${baseUrl}/`)
  if (!`${target}`.startsWith(`${new URL(`${baseUrl}/`)}`) && `${target}` !== baseUrl)
    throw new HisError('unreadable', 'HIS给出了其他站点的地址')
  return `${target}`
}

function notReached(error: unknown): HisError {
  const isLate = error instanceof Error && ['TimeoutError', 'AbortError'].includes(error.name)
  return isLate
    ? new HisError('unreachable', 'HIS在规定时间内没有答复', null, 'TimeoutError')
    : new HisError('unreachable', '连接不上HIS，请检查网络和接口地址', null, 'NetworkError')
}

async function readable(text: string): Promise<unknown> {
  try {
    return await parseLongExact(text)
  } catch {
    return undefined
  }
}

/** Words of the HIS without what may not stand in them. */
export const shownWords = (text: string, hidden: NamesPatient): string =>
  hidden
    .reduce<string>((shown, value) => (value ? shown.replaceAll(value, '***') : shown), text)
    .slice(0, LONGEST_WORDS)

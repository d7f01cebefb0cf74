import type { ReadPreview } from '#kernel/tables/foreign-table.ts'
import { CallFailure, failureTexts, failureWithoutReply } from '#web/engine/http/request-error.ts'
import { asks, type ColumnChoice, mayAskToSignIn } from '#web/engine/actions/prompts.ts'
import { onBehalfHeader } from '#web/engine/session/on-behalf.ts'
import { noteRights } from '#web/engine/http/permission-version.ts'
import { encodeForm, encodeQuery, readReply, type Reply } from '#web/engine/http/response.ts'

export const TIMEOUT_MS = 60_000

type Values = Readonly<Record<string, unknown>>
type Options = {
  /** Cancels the call from outside (the page was closed). */
  readonly signal?: AbortSignal
  /** Sign-in and sign-out: a rejected session is then the result, not a reason to sign in again. */
  readonly bare?: boolean
  /** Previews and imports get their questions as data instead of prompting. */
  readonly keepQuestions?: boolean
  /** Repeats an earlier call that got no response: under the same id the server does not run it twice. */
  readonly requestId?: string
}
/** The form in which the response is read: as the envelope, or as a file. */
type Reader<T> = (response: Response) => Promise<T>
type Call<T> = {
  readonly read: Reader<T>
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly body: string | FormData | null
  readonly requestId: string
}
type Flight = { readonly controller: AbortController; readonly requestId: string }

/** Pending calls by request: an identical newer one cancels the earlier. */
const flights = new Map<string, Flight>()

export const newRequestId = (): string =>
  `${Date.now().toString(36)}-` +
  `${Array.from(crypto.getRandomValues(new Uint8Array(12)), byte => byte.toString(36).padStart(2, '0')).join('')}`

function failureOfStatus(status: number, message: string): CallFailure {
  if (status === 401 || status === 403)
    return new CallFailure('session', message || failureTexts.user, { code: status })
  if (status === 404 || status === 504) return new CallFailure('http', failureTexts.gone(status), { code: status })
  return new CallFailure('http', failureTexts.other(status, message || failureTexts.service), { code: status })
}

async function messageOf(response: Response): Promise<string> {
  const text = await response.text().catch(() => '')
  try {
    const body = JSON.parse(text) as { msg?: string; Msg?: string }
    return body.msg ?? body.Msg ?? ''
  } catch {
    return response.statusText
  }
}

async function fly<T>(call: Call<T>, controller: AbortController): Promise<T> {
  const timer = setTimeout(() => controller.abort('timeout'), TIMEOUT_MS)
  const headers: Record<string, string> = { Accept: 'application/json', ...onBehalfHeader() }
  if (call.method === 'POST') {
    // The multipart boundary of a file upload is set by the browser.
    if (typeof call.body === 'string') headers['Content-Type'] = 'application/x-www-form-urlencoded;charset=UTF-8'
    headers['X-Request-Id'] = call.requestId
  }
  try {
    const response = await fetch(call.url, {
      method: call.method,
      headers,
      body: call.body,
      signal: controller.signal,
      credentials: 'same-origin',
    })
    noteRights(response.headers.get('x-rights'))
    if (!response.ok) throw failureOfStatus(response.status, await messageOf(response))
    return await call.read(response)
  } catch (thrown) {
    if (thrown instanceof CallFailure) throw thrown
    if (controller.signal.aborted) throw abortedBecause(controller.signal.reason)
    throw await failureWithoutReply(thrown)
  } finally {
    clearTimeout(timer)
  }
}

function abortedBecause(reason: unknown): CallFailure {
  if (reason === 'repeated') return new CallFailure('repeated', failureTexts.repeated)
  if (reason === 'left') return new CallFailure('cancelled', '')
  return new CallFailure('timeout', failureTexts.timeout)
}

async function once<T>(call: Omit<Call<T>, 'requestId'>, options: Options): Promise<T> {
  const key = `${call.method} ${call.url} ${call.body instanceof FormData ? '' : (call.body ?? '')}`
  const earlier = flights.get(key)
  earlier?.controller.abort('repeated')
  const controller = new AbortController()
  // The newer of two identical calls has the earlier's id: if the server already processed it, it returns the same
  // response.
  const flight: Flight = { controller, requestId: options.requestId ?? earlier?.requestId ?? newRequestId() }
  flights.set(key, flight)
  options.signal?.addEventListener('abort', () => controller.abort('left'), { once: true })
  try {
    return await fly({ ...call, requestId: flight.requestId }, controller)
  } finally {
    if (flights.get(key) === flight) flights.delete(key)
  }
}

/** A rejected session opens the re-login dialog over the page; afterwards the call is repeated. */
async function withSession<T>(call: Omit<Call<T>, 'requestId'>, options: Options): Promise<T> {
  try {
    return await once(call, options)
  } catch (thrown) {
    if (!(thrown instanceof CallFailure) || options.bare) throw thrown
    if (thrown.kind === 'signedOut') asks.goToSignIn()
    if (thrown.kind !== 'session' || !mayAskToSignIn()) throw thrown
    await asks.signInAgain(thrown)
    return once(call, options)
  }
}

const readEnvelope: Reader<Reply> = async response => readReply(await response.json())

/** Reads a list or one item. */
export async function get<Info = unknown, Row = Record<string, unknown>>(
  path: string,
  query: Values = {},
  options: Options = {},
): Promise<Reply<Info, Row>> {
  return (await withSession(
    { read: readEnvelope, method: 'GET', url: path + encodeQuery(query), body: null },
    options,
  )) as Reply<Info, Row>
}

/** Changes something. Server questions are shown to the user; with the answer the same call continues. */
export async function post<Info = unknown, Row = Record<string, unknown>>(
  path: string,
  values: Values = {},
  options: Options = {},
): Promise<Reply<Info, Row>> {
  try {
    return (await withSession(
      { read: readEnvelope, method: 'POST', url: path, body: encodeForm(values).toString() },
      options,
    )) as Reply<Info, Row>
  } catch (thrown) {
    if (!(thrown instanceof CallFailure) || options.keepQuestions) throw thrown
    if (thrown.kind === 'columns') return post<Info, Row>(path, await withColumns(path, values, thrown), options)
    if (thrown.kind !== 'question') throw thrown
    const answer = await asks.confirmQuestions(thrown)
    if (answer === null) throw new CallFailure('cancelled', '')
    return post<Info, Row>(
      path,
      { ...values, confirm: thrown.token, ...(answer.reason === '' ? {} : { reason: answer.reason }) },
      options,
    )
  }
}

/** The values of a call with the columns of its file, as the user named them; he sees before how it will be read. */
async function withColumns(path: string, values: Values, asked: CallFailure): Promise<Values> {
  const named = (choice: ColumnChoice) => ({
    ...values,
    columns: [...((values.columns ?? []) as readonly ColumnChoice[]), choice],
  })
  const tryOut = (choice: ColumnChoice): Promise<ReadPreview> =>
    post(path, named({ ...choice, preview: true }), { keepQuestions: true }).then(
      () => Promise.reject(new CallFailure('refused', failureTexts.service)),
      (thrown: unknown) => {
        const preview = thrown instanceof CallFailure ? thrown.columns?.preview : null
        return preview ?? Promise.reject(thrown)
      },
    )
  const choice = await asks.chooseColumns(asked, tryOut)
  if (choice === null) throw new CallFailure('cancelled', '')
  return named(choice)
}

/** A downloaded file and its name. */
export type Fetched = { readonly blob: Blob; readonly name: string }

/** Reads a file response; a refusal in its place is thrown. */
const readFile: Reader<Fetched> = async response => {
  if (response.headers.get('content-type')?.includes('application/json')) {
    readReply(await response.json())
    throw new CallFailure('refused', failureTexts.service)
  }
  const named = /filename\*=UTF-8''([^;]+)/.exec(response.headers.get('content-disposition') ?? '')?.[1]
  return { blob: await response.blob(), name: named === undefined ? 'download' : decodeURIComponent(named) }
}

export const fetchFile = (path: string, query: Values = {}): Promise<Fetched> =>
  withSession({ read: readFile, method: 'GET', url: path + encodeQuery(query), body: null }, {})

const fileForm = (file: File, fields: Values): FormData => {
  const body = new FormData()
  // Fields first: a streaming reader knows them before the file.
  for (const [name, value] of encodeForm(fields)) body.set(name, value)
  body.set('file', file)
  return body
}

/** Uploads one file, with form fields. */
export async function upload<Info = unknown>(
  path: string,
  file: File,
  options: Options & { readonly fields?: Values } = {},
): Promise<Reply<Info>> {
  const body = fileForm(file, options.fields ?? {})
  return (await withSession({ read: readEnvelope, method: 'POST', url: path, body }, options)) as Reply<Info>
}

/** Uploads one file and downloads another. */
export const exchangeFile = (path: string, file: File, fields: Values = {}): Promise<Fetched> =>
  withSession({ read: readFile, method: 'POST', url: path, body: fileForm(file, fields) }, {})

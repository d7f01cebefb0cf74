import { parseInteger } from '#kernel/values/integer.ts'
import { asks } from '#web/engine/actions/prompts.ts'
import { CallFailure, failureTexts, failureWithoutReply } from '#web/engine/http/request-error.ts'
import { TIMEOUT_MS } from '#web/engine/http/request.ts'
import { encodeQuery } from '#web/engine/http/response.ts'

export type Reference = { readonly title: string; readonly uri: string }
export type Quote = { readonly id: string; readonly content: string }
/** A piece of an answer. */
export type AnswerPiece = {
  readonly answer: string
  readonly reference: readonly Reference[]
  readonly quotes: readonly Quote[]
}

type Line = {
  readonly code?: number | string
  readonly msg?: string
  readonly result?: {
    readonly data?: readonly { answer?: string; reference?: readonly Reference[]; rich_text_ref?: readonly Quote[] }[]
  }
}

/** Parses one line of the stream: a piece, the end, or nothing to show. */
export function readLine(line: string): AnswerPiece | 'done' | null {
  const text = line.startsWith('data:') ? line.slice('data:'.length).trim() : ''
  if (text === '') return null
  if (text.toLowerCase() === '[done]') return 'done'
  let read: Line
  try {
    read = JSON.parse(text) as Line
  } catch {
    return null
  }
  if (read.code !== undefined && parseInteger(read.code) !== 0)
    throw new CallFailure('refused', read.msg || failureTexts.service, { code: parseInteger(read.code) })
  const piece = read.result?.data?.[0]
  return piece === undefined
    ? null
    : { answer: piece.answer ?? '', reference: piece.reference ?? [], quotes: piece.rich_text_ref ?? [] }
}

/** Splits the stream into lines, independent of chunk boundaries. */
async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  for (;;) {
    const { value, done } = await reader.read()
    if (done) break
    rest += decoder.decode(value, { stream: true })
    const lines = rest.split(/\r?\n/)
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}

async function failureOf(response: Response): Promise<CallFailure> {
  const body = (await response.json().catch(() => ({}))) as { code?: number; msg?: string }
  const { status } = response
  if (status === 401 || status === 403)
    return new CallFailure('session', body.msg || failureTexts.user, { code: status })
  if (status === 404 || status === 504) return new CallFailure('http', failureTexts.gone(status))
  if (!response.ok) return new CallFailure('http', failureTexts.other(status, body.msg || failureTexts.service))
  return new CallFailure('refused', body.msg || failureTexts.service, { code: parseInteger(body.code) || 0 })
}

async function opened(question: string, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
  const patience = AbortSignal.timeout(TIMEOUT_MS)
  let response: Response
  try {
    response = await fetch(`/v1/llm/streamChatWithWeb${encodeQuery({ content: question })}`, {
      headers: { Accept: 'text/event-stream' },
      credentials: 'same-origin',
      signal: AbortSignal.any([signal, patience]),
    })
  } catch (thrown) {
    if (signal.aborted) throw new CallFailure('cancelled', '')
    throw await failureWithoutReply(thrown)
  }
  const isStream = response.headers.get('content-type')?.includes('text/event-stream') === true
  if (!response.ok || !isStream || response.body === null) throw await failureOf(response)
  return response.body
}

/** Sends the question and yields the answer piece by piece. A rejected session asks for sign-in and then continues. */
export async function* streamAnswer(question: string, signal: AbortSignal): AsyncGenerator<AnswerPiece> {
  const body = await opened(question, signal).catch(async (thrown: unknown) => {
    if (!(thrown instanceof CallFailure) || thrown.kind !== 'session') throw thrown
    await asks.signInAgain(thrown)
    return opened(question, signal)
  })
  try {
    for await (const line of linesOf(body)) {
      const piece = readLine(line)
      if (piece === 'done') return
      if (piece !== null) yield piece
    }
  } catch (thrown) {
    if (signal.aborted) throw new CallFailure('cancelled', '')
    throw thrown instanceof CallFailure ? thrown : await failureWithoutReply(thrown)
  }
}

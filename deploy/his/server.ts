import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Books, openBooks } from './books.ts'
import { control } from './control.ts'
import { delayed, failsNow, type Faults, noFaults } from './faults.ts'
import { answerFhir, outcome } from './fhir/answer.ts'
import { hospitalFacts } from './hospital.ts'
import { answerLaboratory, type WrittenCount } from './laboratory.ts'
import { answerPlain, plainError } from './plain/answer.ts'

/** A request, below the path of its dialect. */
export type Asked = {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingMessage['headers']
  readonly body: string
}
export type Answer = { readonly status: number; readonly type: string; readonly body: string }

export type HisOptions = {
  readonly port?: number
  readonly host?: string
  /** Asked of everybody; empty: nobody is asked. */
  readonly token?: string
  /** The hospital of the demo whose HIS this is. */
  readonly hospital?: string
  /** The folder of its journal; without one it forgets everything. */
  readonly folder?: string | null
  readonly faults?: Faults
}
export type RunningHis = {
  readonly url: string
  readonly books: Books
  /** The counts of the laboratory's system, as they were written by hand. */
  readonly tests: WrittenCount[]
  readonly faults: Faults
  readonly close: () => Promise<void>
}

const MOST_BYTES = 10_000_000

/**
 * Starts the stand-in of a hospital's HIS: `/fhir` speaks FHIR R4, `/json` and `/pinyin` plain JSON; and, under `/lis`,
 * of its laboratory's system.
 */
export async function startHis(options: HisOptions = {}): Promise<RunningHis> {
  const { port = 0, host = '127.0.0.1', token = '', hospital = 'H01', folder = null, faults = noFaults() } = options
  const books = openBooks(hospitalFacts(hospital), folder)
  const tests: WrittenCount[] = []
  let url = ''
  const server = createServer((request, reply) => {
    handle({ books, tests, faults, token, url }, request, reply).catch(error => {
      console.error(error)
      send(reply, outcome(500, 'exception', 'HIS内部错误'))
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  url = `http://${host}:${(server.address() as AddressInfo).port}`
  const close = () =>
    new Promise<void>(resolve => {
      server.closeAllConnections()
      server.close(() => resolve())
    })
  return { url, books, tests, faults, close }
}

type Place = Omit<RunningHis, 'close'> & { readonly token: string }

async function handle(place: Place, request: IncomingMessage, reply: ServerResponse): Promise<void> {
  const address = new URL(request.url ?? '/', place.url)
  const [dialect = '', ...rest] = address.pathname.split('/').filter(Boolean).map(decodeURIComponent)
  const asked: Asked = {
    method: request.method ?? 'GET',
    path: rest.join('/'),
    query: address.searchParams,
    headers: request.headers,
    body: await bodyOf(request),
  }
  const error = dialect === 'fhir' ? outcome : plainError
  if (place.token !== '' && request.headers.authorization !== `Bearer ${place.token}`)
    return send(reply, error(401, 'login', '令牌无效'))
  if (dialect === 'control') return send(reply, control({ ...place.books, tests: place.tests }, place.faults, asked))
  await delayed(place.faults)
  const failing = failsNow(place.faults)
  if (failing && !place.faults.after_work) return fail(reply, place.faults, error)
  const answer = answerIn(place, dialect, asked)
  if (failing) return fail(reply, place.faults, error)
  return send(reply, answer)
}

function answerIn({ books, tests, faults, url }: Place, dialect: string, asked: Asked): Answer {
  if (dialect === 'fhir') return answerFhir(books, `${url}/fhir`, asked, faults)
  if (dialect === 'json' || dialect === 'pinyin') return answerPlain(books, dialect, asked)
  if (dialect === 'lis') return answerLaboratory(tests, asked)
  return plainError(404, 'not-found', '没有这个地址')
}

function fail(reply: ServerResponse, faults: Faults, error: typeof outcome): void {
  if (faults.status === 0) return void reply.destroy()
  send(reply, error(faults.status, 'transient', '系统维护'))
}

function send(reply: ServerResponse, { status, type, body }: Answer): void {
  if (!reply.headersSent) reply.writeHead(status, { 'content-type': type })
  reply.end(body)
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length
    if (size > MOST_BYTES) throw new Error('body too long')
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

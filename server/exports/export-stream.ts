import { once } from 'node:events'
import { PassThrough, type Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Sql } from 'postgres'
import { compactDay, today } from '#kernel/values/date.ts'
import { loggedExport } from '#server/audit/operation-log.ts'
import type { Session } from '#server/access/session.ts'
import type { ExportColumn } from '#server/sheets/export-columns.ts'
import { inOrganisation, type Tx } from '#server/database/transaction.ts'
import { streamWorkbook } from '#server/sheets/write.ts'

type Row = Readonly<Record<string, unknown>>

/** A filtered list to be exported: its title, its columns, and its rows in batches from one transaction. */
export type ListExport = {
  readonly title: string
  /** The definition's kind, as named in the log. */
  readonly subject: string
  readonly path: string
  readonly query: Row
  readonly columns: readonly ExportColumn[]
  /** `size`: rows of a batch; a sound number by itself. */
  readonly batches: (tx: Tx, size?: number) => AsyncIterable<readonly Row[]>
  /** The lines above the column titles: title, conditions, time and user. */
  readonly heading?: (tx: Tx) => Promise<readonly string[]>
  /** The number of rows, counted up to the limit of lists. */
  readonly count: (tx: Tx) => Promise<number>
}

/** The file name: its title and the day. */
export const fileNameOf = ({ title }: ListExport): string => `${title}${compactDay(today())}`

/** A background export may query longer than a page waits. */
const PATIENCE = '30min'
const MINUTE_MS = 60_000

/** How long a reader may stand still, and a whole export may take, in milliseconds. */
export interface ReaderLimits {
  readonly piece: number
  readonly all: number
}
/** A reader who stands still keeps a connection, which the database itself ends after a minute. */
const READER: ReaderLimits = { piece: 45_000, all: 15 * MINUTE_MS }
const PATIENT_READER: ReaderLimits = { piece: 45_000, all: 60 * MINUTE_MS }

/** The workbook, row by row; `onRows` is called with the number of rows written. */
export function workbookOf(
  sql: Sql,
  session: Session,
  exported: ListExport,
  onRows: (count: number) => void = () => {},
  isPatient = false,
): Readable {
  const above = Promise.withResolvers<readonly string[]>()
  // All in one transaction: exports that held one connection and waited for another could block each other.
  const pieces = handedOver<readonly Row[]>(
    take =>
      inOrganisation(sql, session.org.id, session.userId, async tx => {
        if (isPatient) await tx`set local statement_timeout = ${tx.unsafe(`'${PATIENCE}'`)}`
        above.resolve((await exported.heading?.(tx)) ?? [])
        for await (const batch of exported.batches(tx)) await take(batch)
      }).catch(error => {
        above.reject(error)
        throw error
      }),
    isPatient ? PATIENT_READER : READER,
  )
  // The failure ends `pieces` as well, and is reported there.
  above.promise.catch(() => null)
  const cells = (async function* () {
    for await (const batch of loggedExport(sql, session, exported, pieces)) {
      yield batch.map(row => exported.columns.map(column => column.cell(row)))
      onRows(batch.length)
    }
  })()
  return streamWorkbook(exported.title, exported.columns, cells, null, above.promise)
}

/** Answers a call with the list as a workbook of any size. */
export const sendExport = (sql: Sql, session: Session, exported: ListExport, reply: FastifyReply): FastifyReply =>
  sendWorkbook(reply, fileNameOf(exported), workbookOf(sql, session, exported))

/** Sends a workbook under its Chinese name. */
export function sendWorkbook(reply: FastifyReply, name: string, stream: NodeJS.ReadableStream): FastifyReply {
  return reply
    .type('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet')
    .header(
      'content-disposition',
      `attachment; filename="export.xlsx"; filename*=UTF-8''${encodeURIComponent(`${name}.xlsx`)}`,
    )
    .send(stream)
}

/**
 * Turns a callback's pieces into an iteration: the producer waits until each piece is requested, and stops when no
 * one reads, when the reader stands still too long, or when the whole takes too long.
 */
export function handedOver<Piece>(
  give: (take: (piece: Piece) => Promise<void>) => Promise<unknown>,
  limits: ReaderLimits = READER,
): AsyncIterable<Piece> {
  const pipe = new PassThrough({ objectMode: true, highWaterMark: 1 })
  const deadline = Date.now() + limits.all
  const take = async (piece: Piece) => {
    if (!pipe.destroyed && !pipe.write(piece)) await drained(pipe, Math.min(limits.piece, deadline - Date.now()))
    if (pipe.destroyed) throw new Error('the reader went away')
  }
  give(take).then(
    () => pipe.end(),
    error => pipe.destroy(error as Error),
  )
  return pipe
}

/** Waits until the reader took what was written, or went away; throws when it took longer than `patience` ms. */
async function drained(pipe: PassThrough, patience: number): Promise<void> {
  const isTaken = new AbortController()
  const late = setTimeout(() => isTaken.abort(new Error('the reader stood still')), Math.max(0, patience))
  try {
    await Promise.race([once(pipe, 'drain', isTaken), once(pipe, 'close', isTaken)])
  } catch (error) {
    throw isTaken.signal.aborted ? isTaken.signal.reason : error
  } finally {
    clearTimeout(late)
    isTaken.abort()
  }
}

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

/** A filtered list that leaves the house: what it is called, its columns, and its rows in batches out of one transaction. */
export type ListExport = {
  readonly title: string
  /** The definition's kind, as the log names it. */
  readonly subject: string
  readonly path: string
  readonly query: Row
  readonly columns: readonly ExportColumn[]
  readonly batches: (tx: Tx) => AsyncIterable<readonly Row[]>
  /** What stands above the titles of its columns: what it is, under which conditions, when and by whom. */
  readonly heading?: (tx: Tx) => Promise<readonly string[]>
  /** How many rows it has, counted no further than lists are. */
  readonly count: (tx: Tx) => Promise<number>
}

/** The name under which it is kept: its title and the day. */
export const fileNameOf = ({ title }: ListExport): string => `${title}${compactDay(today())}`

/** What is made behind the page may ask longer than a page waits. */
const PATIENCE = '30min'

/** The workbook, row by row; `onRows` hears how many have gone. */
export function workbookOf(
  sql: Sql,
  session: Session,
  carried: ListExport,
  onRows: (count: number) => void = () => {},
  isPatient = false,
): Readable {
  const above = Promise.withResolvers<readonly string[]>()
  // All of it in one transaction: an export that held one connection and waited for another would wait for its like.
  const pieces = handedOver<readonly Row[]>(take =>
    inOrganisation(sql, session.org.id, session.userId, async tx => {
      if (isPatient) await tx`set local statement_timeout = ${tx.unsafe(`'${PATIENCE}'`)}`
      above.resolve((await carried.heading?.(tx)) ?? [])
      for await (const batch of carried.batches(tx)) await take(batch)
    }).catch(error => {
      above.reject(error)
      throw error
    }),
  )
  above.promise.catch(() => null)
  const cells = (async function* () {
    for await (const batch of loggedExport(sql, session, carried, pieces)) {
      yield batch.map(row => carried.columns.map(column => column.cell(row)))
      onRows(batch.length)
    }
  })()
  return streamWorkbook(carried.title, carried.columns, cells, null, above.promise)
}

/** Answers a call with the list as a workbook of any size. */
export const sendExport = (sql: Sql, session: Session, carried: ListExport, reply: FastifyReply): FastifyReply =>
  sendWorkbook(reply, fileNameOf(carried), workbookOf(sql, session, carried))

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

/** What a callback gives piece by piece, as an iteration: the giver waits until each piece is wanted, and stops when nobody reads. */
export function handedOver<Piece>(
  give: (take: (piece: Piece) => Promise<void>) => Promise<unknown>,
): AsyncIterable<Piece> {
  const pipe = new PassThrough({ objectMode: true, highWaterMark: 1 })
  const take = async (piece: Piece) => {
    if (!pipe.destroyed && !pipe.write(piece)) await Promise.race([once(pipe, 'drain'), once(pipe, 'close')])
    if (pipe.destroyed) throw new Error('the reader went away')
  }
  give(take).then(
    () => pipe.end(),
    error => pipe.destroy(error as Error),
  )
  return pipe
}

import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Sql } from 'postgres'
import type { AnyEntity } from '#kernel/entity.ts'
import { compactDay, today } from '#kernel/day.ts'
import type { Fields } from '#kernel/field.ts'
import { carriedOut } from '#server/engine/log.ts'
import { listedOf, readListQuery } from '#server/engine/query.ts'
import { allRecords, mustMayRead } from '#server/engine/records/read.ts'
import { type RecordRow, rulesOf } from '#server/engine/records/rules.ts'
import { readableFields } from '#server/engine/prices.ts'
import { exportColumns } from '#server/engine/sheet-columns.ts'
import { mustBeAllowed, type Session } from '#server/engine/session.ts'
import { inOrg } from '#server/engine/transaction.ts'
import { streamWorkbook } from '#server/engine/xlsx.ts'

/** The filtered list as a workbook of any size, row by row out of one transaction. */
export async function exportRecords(
  sql: Sql,
  session: Session,
  definition: AnyEntity,
  raw: Readonly<Record<string, unknown>>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  mustMayRead(session, definition)
  if (definition.screens.length > 0) mustBeAllowed(session, `${definition.kind}.export`)
  const query = readListQuery(listedOf(definition), raw)
  const columns = exportColumns(readableFields(session, { ...definition.fields, ...definition.extras } as Fields))
  const exported = { subject: definition.kind, query: raw, path: `/v1/business/${definition.kind}/export` }
  const rows = handedOver<readonly RecordRow[]>(take =>
    inOrg(sql, session.org.id, session.userId, async tx => {
      let left = rulesOf(definition.kind).mostExported ?? Number.POSITIVE_INFINITY
      for await (const batch of allRecords(tx, session, definition, query)) {
        await take(batch.slice(0, left))
        left -= batch.length
        if (left <= 0) break
      }
    }),
  )
  const cells = (async function* () {
    for await (const batch of carriedOut(sql, session, exported, rows))
      yield batch.map(row => columns.map(column => column.cell(row)))
  })()
  return sendWorkbook(
    reply,
    `${definition.title}${compactDay(today())}`,
    streamWorkbook(definition.title, columns, cells),
  )
}

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

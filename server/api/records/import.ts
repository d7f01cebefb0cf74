import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Sql } from 'postgres'
import type { AnyEntity } from '#kernel/definition/entity.ts'
import { entities } from '#kernel/registry.ts'
import { sendWorkbook } from '#server/exports/export-stream.ts'
import { importAction, importHeadings, importRecords, previewRecords, templateColumns } from '#server/records/import.ts'
import { followUp } from '#server/api/records/records.ts'
import type { Session } from '#server/access/session.ts'
import { mustMayWrite } from '#server/records/may-write.ts'
import { streamWorkbook } from '#server/sheets/write.ts'
import { sessionOf } from '#server/plugins/session.ts'
import { changing, reading } from '#server/api/request/transaction.ts'
import { done } from '#server/http/envelope.ts'
import { oneBatch, sendMarked, sheetOf, withUploads } from '#server/api/files/sheet-upload.ts'

/** What follows from so many rows is done before the reply; a job does the rest within seconds. */
const FOLLOWED_AT_ONCE = 50

/** Excel import: the template of every definition that users add to, and its import, all rows or none. */
export async function addRecordImport(app: FastifyInstance, sql: Sql): Promise<void> {
  await withUploads(app, scope => {
    for (const definition of entities()) if (!definition.readOnly) addCalls(scope, sql, definition)
  })
}

function addCalls(app: FastifyInstance, sql: Sql, definition: AnyEntity): void {
  const path = `/v1/business/${definition.kind}`
  const mayImport = (session: Session) => mustMayWrite(session, definition, importAction(definition))
  const headings = (session: Session) => {
    mayImport(session)
    return importHeadings(definition)
  }
  app.get(`${path}/template`, async (request, reply) => {
    mayImport(sessionOf(request))
    return sendWorkbook(
      reply,
      `${definition.title}导入模板`,
      streamWorkbook(definition.title, templateColumns(definition), oneBatch([])),
    )
  })
  app.post(`${path}/import`, async request => {
    const { file, fields, sheet } = await sheetOf(request, headings)
    if (fields.dry === 'true')
      return reading(sql, request, async (tx, session) =>
        done({ info: { count: await previewRecords(tx, session, definition, sheet) } }),
      )
    const digest = createHash('sha256').update(file).digest('hex')
    let fresh: readonly string[] = []
    const reply = await changing(
      sql,
      request,
      async (tx, session) => {
        const { count, followed } = await importRecords(tx, session, definition, sheet)
        fresh = followed
        return done({ info: { count } })
      },
      digest,
    )
    for (const sn of fresh.slice(0, FOLLOWED_AT_ONCE)) await followUp(sql, request, definition, sn)
    return reply
  })
  app.post(`${path}/importMarked`, async (request, reply) => {
    const sent = await sheetOf(request, headings)
    return sendMarked(reply, sent, () =>
      reading(sql, request, (tx, session) => previewRecords(tx, session, definition, sent.sheet)),
    )
  })
}

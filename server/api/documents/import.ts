import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Sql } from 'postgres'
import type { AnyDocument } from '#kernel/definition/document.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { documents } from '#kernel/registry.ts'
import { importLines, mustMayImport, previewImport } from '#server/documents/import/import-lines.ts'
import { lineMatching, existingRows } from '#server/documents/import/match-lines.ts'
import { type SheetField, importColumns } from '#server/documents/import/columns.ts'
import { sendWorkbook } from '#server/exports/export-stream.ts'
import { hidePrices } from '#server/access/sensitive-fields.ts'
import { may } from '#server/access/session.ts'
import { streamWorkbook } from '#server/sheets/write.ts'
import type { SignedIn } from '#server/identity/sessions.ts'
import { refuseUnentrusted } from '#server/identity/on-behalf.ts'
import { sessionOf } from '#server/plugins/session.ts'
import { changing, reading } from '#server/api/request/transaction.ts'
import { done } from '#server/http/envelope.ts'
import { oneBatch, type SentSheet, sendMarked, sheetOf, withUploads } from '#server/api/files/sheet-upload.ts'
import { asks } from '#server/api/request/query-names.ts'

/**
 * Excel for documents: the template of a kind's lines, and their import into a new or existing draft, all rows or
 * none.
 */
export async function addDocumentImport(app: FastifyInstance, sql: Sql): Promise<void> {
  await withUploads(app, scope => {
    for (const definition of documents()) if (definition.lineRules.import) addCalls(scope, sql, definition)
  })
}

function addCalls(app: FastifyInstance, sql: Sql, definition: AnyDocument): void {
  const path = `/v1/business/${definition.kind}`
  const headings = (session: SignedIn) => {
    refuseUnentrusted(session, definition)
    mustMayImport(session, definition)
    return importColumns(session, definition).map(each => each.title)
  }
  app.get(`${path}/template`, asks('sn'), async (request, reply) => {
    const session = sessionOf(request)
    if (!['template', 'import'].some(flag => may(session, `${definition.kind}.${flag}`)))
      throw new BusinessError('forbidden')
    const { sn } = request.query as { sn?: unknown }
    const fields = importColumns(session, definition)
    const rows =
      lineMatching(definition) && typeof sn === 'string' && sn !== ''
        ? await reading(sql, request, tx => existingRows(tx, session, definition, sn, fields))
        : null
    return sendWorkbook(reply, `${definition.title}明细导入模板`, template(definition, fields, rows))
  })
  app.post(`${path}/import`, async request => {
    const sent = await sheetOf(request, headings)
    if (sent.fields.dry === 'true')
      return reading(sql, request, async (tx, session) => {
        const shown = await previewImport(tx, session, definition, sent.sheet, bodyOf(sent))
        return done({ info: hidePrices(session, definition.kind, shown) })
      })
    const digest = createHash('sha256').update(sent.file).update(JSON.stringify(sent.fields)).digest('hex')
    return changing(
      sql,
      request,
      async (tx, session) => done({ info: await importLines(tx, session, definition, sent.sheet, bodyOf(sent)) }),
      digest,
    )
  })
  app.post(`${path}/importMarked`, async (request, reply) => {
    const sent = await sheetOf(request, headings)
    return sendMarked(reply, sent, () =>
      reading(sql, request, (tx, session) => previewImport(tx, session, definition, sent.sheet, bodyOf(sent))),
    )
  })
}

/** All fields besides the file, except those that say how to read it. */
function bodyOf({ fields }: SentSheet): Readonly<Record<string, string>> {
  const { dry: _, ...body } = fields
  return body
}

/**
 * Headings with an example row, or with the existing lines; drop-down lists where there is a choice, then a note on
 * each column's format.
 */
function template(definition: AnyDocument, fields: readonly SheetField[], rows: readonly string[][] | null) {
  return streamWorkbook(
    `${definition.title}明细`,
    fields.map(({ title, required, choices }) => ({
      title: required ? `${title}*` : title,
      kind: 'text',
      choices,
    })),
    oneBatch(rows ?? [fields.map(field => field.example)]),
    {
      title: '填写说明',
      rows: [['列', '必填', '填什么'], ...fields.map(field => [field.title, field.required ? '是' : '', field.note])],
    },
  )
}

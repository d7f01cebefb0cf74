import type { FastifyInstance } from 'fastify'
import type { Sql } from 'postgres'
import { receiptForDeliveryNote } from '#server/documents/draft/receive-by-note.ts'
import { countLabels, labelsOf } from '#server/traceability/labels.ts'
import { bodyOf, changing, reading } from '#server/api/request/transaction.ts'
import { done } from '#server/http/envelope.ts'
import { asks } from '#server/api/request/query-names.ts'

type Query = Readonly<Record<string, unknown>>
/** The fields by which a page reports labels that it sent to a printer. */
const PRINTED = ['of', 'units', 'each', 'copies', 'layout', 'reason']

/**
 * Labels of pieces, lots, products and lines (`of`: the kind of the rows or documents, `units`: their keys or numbers,
 * comma separated; `each`: of a line one label, or one for each unit; `sheet` and
 * `template`: their layout): their content, and the record that they were printed. Their links lead to the
 * installation's public address; where there is none, to the address of the request.
 */
export function addLabels(app: FastifyInstance, sql: Sql, publicUrl: string | null): void {
  app.get<{ Querystring: Query }>('/v1/labels', asks('of', 'units', 'sheet', 'template', 'each'), request =>
    reading(sql, request, async (tx, session) => {
      const address = publicUrl ?? `${request.protocol}://${request.host}`
      const { labels: list, templates, used } = await labelsOf(tx, session, request.query, address)
      return done({ list, total: list.length, info: { templates, used } })
    }),
  )
  app.post('/v1/labels/printed', request =>
    reading(sql, request, async (tx, session) =>
      done({ info: await countLabels(tx, session, bodyOf(request, PRINTED)) }),
    ),
  )
  /** The code of a delivery note, scanned on arrival: returns the document that receives the goods. */
  app.post('/v1/note/receive', request =>
    changing(sql, request, async (tx, session) =>
      done({ info: await receiptForDeliveryNote(tx, session, String(bodyOf(request, ['sn']).sn ?? '')) }),
    ),
  )
}

import { createHash } from 'node:crypto'
import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Sql } from 'postgres'
import type { AnyEntity } from '#kernel/entity.ts'
import { Refusal } from '#kernel/refusal.ts'
import { entities } from '#modules/registry.ts'
import { sendWorkbook } from '#server/engine/records/export.ts'
import { importRecords, templateColumns } from '#server/engine/records/import.ts'
import { mustMayWrite } from '#server/engine/records/write.ts'
import { streamWorkbook } from '#server/engine/xlsx.ts'
import { bodyLimit } from '#server/plugins/bodies.ts'
import { sessionOf } from '#server/plugins/session.ts'
import { changing } from '#server/wire/changing.ts'
import { done } from '#server/wire/envelope.ts'

/** Excel in: the template of every definition that people add to, and its import, all rows or none. */
export async function addRecordImport(app: FastifyInstance, sql: Sql): Promise<void> {
  await app.register(async scope => {
    await scope.register(multipart, { limits: { fileSize: bodyLimit, files: 1, fields: 0 } })
    for (const definition of entities) if (!definition.readOnly) addCalls(scope, sql, definition)
  })
}

function addCalls(app: FastifyInstance, sql: Sql, definition: AnyEntity): void {
  app.get(`/v1/business/${definition.kind}/template`, async (request, reply) => {
    mustMayWrite(sessionOf(request), definition, 'add')
    return sendWorkbook(
      reply,
      `${definition.title}导入模板`,
      streamWorkbook(definition.title, templateColumns(definition), noRows()),
    )
  })
  app.post(`/v1/business/${definition.kind}/import`, async request => {
    const file = await fileOf(request)
    const digest = createHash('sha256').update(file).digest('hex')
    return changing(
      sql,
      request,
      async (tx, session) => done({ info: { count: await importRecords(tx, session, definition, file) } }),
      digest,
    )
  })
}

async function fileOf(request: FastifyRequest): Promise<Buffer> {
  const part = await request.file()
  if (!part) throw new Refusal('invalid', '请选择要导入的文件')
  if (!/\.xlsx?$/i.test(part.filename)) throw new Refusal('invalid', '请使用 .xls 或 .xlsx 格式的文件')
  return part.toBuffer()
}

async function* noRows(): AsyncGenerator<readonly never[]> {}

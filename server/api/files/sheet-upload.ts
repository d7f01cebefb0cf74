import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { BusinessError } from '#kernel/rules/errors.ts'
import { ImportFailed } from '#server/records/import-failed.ts'
import { markedSheet } from '#server/sheets/marked-sheet.ts'
import type { Sheet } from '#server/sheets/sheet.ts'
import { readSheet } from '#server/sheets/read.ts'
import type { SignedIn } from '#server/identity/sessions.ts'
import { sessionOf } from '#server/plugins/session.ts'
import { sendWorkbook } from '#server/exports/export-stream.ts'
import { streamWorkbook } from '#server/sheets/write.ts'
import { bodyLimit } from '#server/plugins/bodies.ts'

/** An uploaded workbook, and the fields sent with it. */
export type SentSheet = {
  readonly file: Buffer
  readonly sheet: Sheet
  readonly name: string
  readonly fields: Readonly<Record<string, string>>
}
const MOST_FIELDS = 60
const LONGEST_FIELD = 10_000

/** A server scope that accepts workbooks. */
export const withUploads = (app: FastifyInstance, add: (scope: FastifyInstance) => void): Promise<void> =>
  app.register(async scope => {
    await scope.register(multipart, {
      limits: { fileSize: bodyLimit, files: 1, fields: MOST_FIELDS, fieldSize: LONGEST_FIELD },
    })
    add(scope)
  }) as unknown as Promise<void>

/**
 * Reads the one workbook of a call, at any position among the fields: `headings` throws before a byte of it is read
 * where the session may not import, else it names the headings to look for. Before any transaction, for it may wait.
 */
export async function sheetOf(
  request: FastifyRequest,
  headings: (session: SignedIn) => readonly string[],
): Promise<SentSheet> {
  const session = sessionOf(request)
  const wanted = headings(session)
  const fields: Record<string, string> = {}
  let sent: { file: Buffer; name: string } | null = null
  for await (const part of request.parts()) {
    if (part.type === 'file') sent = { file: await part.toBuffer(), name: part.filename }
    else fields[part.fieldname.slice(0, 64)] = String(part.value)
  }
  if (sent === null) throw new BusinessError('invalid', '请选择要导入的文件')
  if (Object.values(fields).some(value => value.includes('\u0000') || !value.isWellFormed()))
    throw new BusinessError('invalid', '不能输入特殊字符')
  return {
    ...sent,
    fields,
    sheet: await readSheet(sent.file, { person: session.userId, organisation: session.org.id }, wanted),
  }
}

/** Returns the file itself with every error marked in it; a file without errors has nothing to mark. */
export async function sendMarked(
  reply: FastifyReply,
  { sheet, name }: SentSheet,
  attempt: () => Promise<unknown>,
): Promise<FastifyReply> {
  try {
    await attempt()
  } catch (error) {
    if (!(error instanceof ImportFailed)) throw error
    const { columns, rows } = markedSheet(sheet, error.errors)
    const title = name.replace(/\.\w{3,4}$/, '')
    return sendWorkbook(reply, `${title}（错误标记）`, streamWorkbook('错误标记', columns, oneBatch(rows)))
  }
  throw new BusinessError('invalid', '文件没有错误，可以直接导入')
}

/** Rows that are already complete, as one batch. */
export async function* oneBatch<Row>(rows: readonly Row[]): AsyncGenerator<readonly Row[]> {
  yield rows
}

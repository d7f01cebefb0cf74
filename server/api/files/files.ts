import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Readable } from 'node:stream'
import type { Sql } from 'postgres'
import { BusinessError } from '#kernel/rules/errors.ts'
import { hooks } from '#server/registry/hooks.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { filesOf, keepFile, type Kept, receiveFile } from '#server/files/save.ts'
import { acceptedExtensions, isPicture, mostMovieBytes, platformExtensions, storedName } from '#server/files/kinds.ts'
import type { Sender } from '#server/file-workers/pool.ts'
import type { FileStore } from '#server/files/store.ts'
import { pagesIn, pdfPage } from '#server/files/pdf-page.ts'
import { thumbnail } from '#server/files/thumbnail.ts'
import { watermarked } from '#server/files/watermark.ts'
import type { Session } from '#server/access/session.ts'
import { inOrganisation, type Tx } from '#server/database/transaction.ts'
import { sessionOf } from '#server/plugins/session.ts'
import { byteRange } from '#server/api/request/byte-range.ts'
import { done } from '#server/http/envelope.ts'
import { asks } from '#server/api/request/query-names.ts'

/** Files that the whole network may see are cached in the browser; any other ends with the session. */
const keptBy = ({ is_shared }: Kept): string =>
  is_shared ? 'private, max-age=31536000, immutable' : 'private, no-store'
/** The form around a file has no more. */
const FORM_BYTES = 4096
const DEFAULT_SIZE = 200
/** PDFs of which the pages are counted in one call: no print takes more pictures. */
const MOST_COUNTED = 50
/** Size in pixels at which no text on a document is readable. */
const SMALL_LOOK = 96
/** A name, a name and a size (`abc.png-64`), or a name and the bare dash, which means the default size. */
const ASKED = /^(?<name>[\w-]{22}\.[a-z0-9]{2,5})(?<dash>-(?<size>\d{0,4}))?$/

/** Files: uploaded once, referenced by documents and records, shown to their owners. */
export async function addFiles(app: FastifyInstance, sql: Sql, store: FileStore): Promise<void> {
  await app.register(async scope => {
    await scope.register(multipart, { limits: { fileSize: mostMovieBytes + 1, files: 1, fields: 0 } })
    scope.post('/v1/file/upload', async request => {
      const session = sessionOf(request)
      const announced = Math.max(0, parseInteger(request.headers['content-length'] ?? '0') - FORM_BYTES)
      // An upload that is certainly over the quota is not received at all.
      await inOrganisation(sql, session.org.id, session.userId, tx => hooks().quotas.storage(tx, session, announced))
      const part = await request.file()
      if (!part) throw new BusinessError('invalid', '请选择要上传的文件')
      const { digest, ...kept } = await receiveFile(store, part.file, part.filename, {
        extensions: session.org.type === 'P' ? platformExtensions : acceptedExtensions,
        mostBytes: mostMovieBytes,
      })
      await inOrganisation(sql, session.org.id, session.userId, tx => keepFile(tx, session, { ...kept, digest }))
      return done({ info: kept })
    })
  })
  const withPages = asks('names', { pages: ['1'] })
  app.get<{ Querystring: { names?: unknown; pages?: string } }>('/v1/file/info', withPages, async request => {
    const session = sessionOf(request)
    const names = String(request.query.names ?? '')
      .split(',')
      .filter(name => storedName.test(name))
      .slice(0, 200)
    const list = await inOrganisation(sql, session.org.id, session.userId, async tx => {
      const found = await filesOf(tx, names)
      return [
        ...found.values(),
        ...(await grantedOf(
          tx,
          session,
          names.filter(name => !found.has(name)),
        )),
      ]
    })
    const counted = request.query.pages === '1' ? await countPages(store, list, senderOf(session)) : list
    return done({ list: counted, total: list.length })
  })
  app.get<{ Params: { name: string }; Querystring: { action?: string; page?: string } }>(
    '/file/:name',
    asks('page', { action: ['view', 'print'] }),
    async (request, reply) => {
      const session = sessionOf(request)
      const { name = '', dash, size = '' } = ASKED.exec(request.params.name)?.groups ?? {}
      const page = request.query.page ? pageOf(name, request.query.page) : null
      const file = (await inOrganisation(sql, session.org.id, session.userId, tx => filesOf(tx, [name]))).get(name)
      if (!file) {
        const shown = { name, page, size: dash === undefined ? null : parseInteger(size) || DEFAULT_SIZE }
        return sendGranted(sql, store, session, shown, request.query.action === 'print' ? 'print' : 'view', reply)
      }
      if (page !== null) {
        const original = await store.open(name)
        const picture = original && (await pdfPage(original, page, senderOf(session)))
        if (!picture) throw gone()
        return reply.header('cache-control', keptBy(file)).type('image/jpeg').send(picture)
      }
      if (dash === undefined) return sendPart(reply, store, file, request.headers.range)
      const pixels = size === '' ? DEFAULT_SIZE : parseInteger(size)
      const small = isPicture(name) ? await thumbnail(store, name, pixels, senderOf(session)) : null
      if (!small) throw gone()
      return reply.header('cache-control', keptBy(file)).type('image/webp').send(small)
    },
  )
}

/** Files that others have granted us, under the names that we may know. */
async function grantedOf(tx: Tx, session: Session, names: readonly string[]) {
  const found: { name: string; original_name: string; size: number }[] = []
  for (const name of names.slice(0, 20)) {
    const granted = await hooks()
      .grantedFiles.find(tx, session, name)
      .catch((error: unknown) => {
        // A grant that has ended: its file is not named.
        if (error instanceof BusinessError) return null
        throw error
      })
    if (granted) found.push({ name, original_name: granted.original_name, size: 0 })
  }
  return found
}

/**
 * A scan of another organisation: with watermark, access counted, printed only where its owner permits; never cached
 * by the browser.
 */
async function sendGranted(
  sql: Sql,
  store: FileStore,
  session: Session,
  { name, size, page }: { name: string; size: number | null; page: number | null },
  action: 'view' | 'print',
  reply: FastifyReply,
) {
  const granted = await inOrganisation(sql, session.org.id, session.userId, tx =>
    hooks().grantedFiles.find(tx, session, name),
  )
  if (!granted) throw gone()
  if (size !== null) {
    // Too small to be read: access is not counted.
    const small = isPicture(name) ? await thumbnail(store, name, Math.min(SMALL_LOOK, size), senderOf(session)) : null
    if (!small) throw gone()
    return reply.header('cache-control', 'no-store').type('image/webp').send(small)
  }
  const takesMark = isPicture(name) || name.endsWith('.pdf')
  if (!granted.mayPrint && (action === 'print' || !takesMark)) throw new BusinessError('rule', '授权方未允许打印')
  const original = await store.open(name)
  if (!original) throw gone()
  const bytes = takesMark ? await watermarked(original, granted.watermark, senderOf(session)) : original
  if (!bytes) throw new BusinessError('rule', '该扫描件不能加水印（文件损坏或有密码），请对方换成图片')
  // The pages of a scan are looked at together.
  if (page === null || page === 1) await granted.looked(sql, session, action)
  if (page !== null) {
    const picture = Buffer.isBuffer(bytes) ? await pdfPage(bytes, page, senderOf(session)) : null
    if (!picture) throw gone()
    return reply.header('cache-control', 'no-store').type('image/jpeg').send(picture)
  }
  const [type, title] = isPicture(name)
    ? ['image/jpeg', granted.original_name.replace(/\.\w+$/, '.jpg')]
    : [name.endsWith('.pdf') ? 'application/pdf' : 'application/octet-stream', granted.original_name]
  return reply
    .header('cache-control', 'no-store')
    .header(
      'content-disposition',
      `${action === 'print' ? 'attachment' : 'inline'}; filename*=UTF-8''${encodeURIComponent(title)}`,
    )
    .type(type)
    .send(bytes)
}

/** The number of the asked page of a PDF; other files have none. */
function pageOf(name: string, asked: string): number {
  const page = parseInteger(asked)
  if (name.endsWith('.pdf') && /^\d{1,4}$/.test(asked) && page > 0) return page
  throw new BusinessError('invalid', '只有PDF文件有页码，页码从1开始', [{ field: 'page', msg: '页码不正确' }])
}

/** The same files with the number of pages of each PDF, as far as one print takes; 0 of one that cannot be read. */
async function countPages<F extends { readonly name: string }>(store: FileStore, files: readonly F[], sender: Sender) {
  const counted: (F & { readonly pages?: number })[] = []
  for (const [at, file] of files.entries()) {
    const original = at < MOST_COUNTED && file.name.endsWith('.pdf') ? await store.open(file.name) : null
    counted.push(original ? { ...file, pages: await pagesIn(original, sender) } : file)
  }
  return counted
}

const senderOf = ({ userId, org }: Session): Sender => ({ person: userId, organisation: org.id })
const gone = () => new BusinessError('notFound', '文件不存在或已被删除')

/** A file, or the part of it that a video player requests. */
async function sendPart(reply: FastifyReply, store: FileStore, file: Kept, asked: string | undefined) {
  const part = byteRange(asked, file.size)
  reply.header('accept-ranges', 'bytes')
  if (part === 'none') return reply.code(416).header('content-range', `bytes */${file.size}`).send('')
  const bytes = await store.open(file.name, part)
  if (!bytes) throw gone()
  if (part === null) return sendWhole(reply, file, bytes)
  const { start, end } = part
  return reply
    .code(206)
    .header('cache-control', keptBy(file))
    .header('content-range', `bytes ${start}-${end}/${file.size}`)
    .header('content-length', end - start + 1)
    .type(file.content_type)
    .send(bytes)
}

function sendWhole(reply: FastifyReply, file: Kept, bytes: Readable) {
  const shown = /^(image|video)\/|pdf$/.test(file.content_type) ? 'inline' : 'attachment'
  return reply
    .header('cache-control', keptBy(file))
    .header('content-disposition', `${shown}; filename*=UTF-8''${encodeURIComponent(file.original_name)}`)
    .header('content-length', file.size)
    .type(file.content_type)
    .send(bytes)
}

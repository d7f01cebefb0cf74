import { createHash, randomBytes } from 'node:crypto'
import type { Fields } from '#kernel/definition/field.ts'
import { type Problem, BusinessError } from '#kernel/rules/errors.ts'
import { acceptedExtensions, kindOf, SIGNATURE_BYTES } from '#server/files/kinds.ts'
import type { FileStore } from '#server/files/store.ts'
import type { Session } from '#server/access/session.ts'
import type { Tx } from '#server/database/transaction.ts'
import { hooks } from '#server/registry/hooks.ts'

export type Kept = {
  readonly name: string
  readonly original_name: string
  readonly content_type: string
  readonly size: number
  /** Seen by the whole network. */
  readonly is_shared?: boolean
}
export type Received = Kept & { readonly digest: string }

const MB = 1024 * 1024

/** The types accepted by an upload endpoint; without it, all known types at their usual sizes. */
export type Taken = { readonly extensions: readonly string[]; readonly mostBytes: number }

/** Writes an upload to the store under a generated name. Its type is detected from its first bytes. */
export async function receiveFile(
  store: FileStore,
  bytes: AsyncIterable<Buffer>,
  original: string,
  taken?: Taken,
): Promise<Received> {
  const chunks = bytes[Symbol.asyncIterator]()
  const first = await firstBytes(chunks)
  if (first.length === 0) throw new BusinessError('invalid', '文件为空，请重新选择')
  const kind = kindOf(first, original)
  const extensions = taken?.extensions ?? acceptedExtensions
  if (!kind || !extensions.includes(kind.extension))
    throw new BusinessError('invalid', `不支持这种文件，请上传 ${extensions.join('、')} 格式的文件`)
  const mostBytes = Math.min(kind.mostBytes, taken?.mostBytes ?? kind.mostBytes)
  const name = `${randomBytes(16).toString('base64url')}.${kind.extension}`
  const digest = createHash('sha256')
  let size = 0
  await store.put(
    name,
    (async function* () {
      let chunk = first
      for (;;) {
        size += chunk.length
        if (size > mostBytes)
          throw new BusinessError(
            'invalid',
            `${kind.extension === 'mp4' ? '视频文件' : '文件大小'}不能超过${mostBytes / MB}MB`,
          )
        digest.update(chunk)
        yield chunk
        const next = await chunks.next()
        if (next.done) return
        chunk = next.value
      }
    })(),
  )
  return {
    name,
    original_name: namedBy(original, kind.extension).slice(-200),
    content_type: kind.contentType,
    size,
    digest: digest.digest('hex'),
  }
}

/** The user's name for a file, with the extension of what it is: `a.pdf.exe` with a PDF in it is `a.pdf`. */
function namedBy(original: string, extension: string): string {
  const same = extension === 'jpg' ? /\.jpe?g$/i : new RegExp(`\\.${extension}$`, 'i')
  if (same.test(original)) return original
  const bare = original.replace(/\.[a-z0-9]{1,8}$/i, '')
  return same.test(bare) ? bare : `${bare}.${extension}`
}

async function firstBytes(chunks: AsyncIterator<Buffer>): Promise<Buffer> {
  let head = Buffer.alloc(0)
  while (head.length < SIGNATURE_BYTES) {
    const next = await chunks.next()
    if (next.done) return head
    head = Buffer.concat([head, next.value])
  }
  return head
}

/**
 * Records the file's owner; from here on documents and records may reference it. `alone`: no other user of the
 * organisation may open it.
 */
export async function keepFile(tx: Tx, session: Session, file: Received, alone = false): Promise<void> {
  await hooks().quotas.storage(tx, session, file.size)
  await tx`
    insert into stored_file (org_id, name, original_name, content_type, size, digest, uploaded_by, is_shared, only_for)
    values (${session.org.id}, ${file.name}, ${file.original_name}, ${file.content_type}, ${file.size}, ${file.digest},
      ${session.userId}, ${session.org.type === 'P' && !alone}, ${alone ? session.userId : null})`
}

/** Names in file fields that match no file of ours (or a public one), each with its message. */
export async function unknownFiles(
  tx: Tx,
  fields: Fields,
  rows: readonly { readonly line?: number; readonly values: Readonly<Record<string, unknown>> }[],
): Promise<Problem[]> {
  const holders = Object.entries(fields).filter(([, field]) => field.as === 'files')
  const named = rows.flatMap(({ line, values }) =>
    holders.flatMap(([field, { label }]) =>
      ((values[field] as readonly string[] | null | undefined) ?? []).map(name => ({ field, label, name, line })),
    ),
  )
  const known = await filesOf(
    tx,
    named.map(each => each.name),
  )
  return named
    .filter(each => !known.has(each.name))
    .map(({ field, label, line }) => ({
      field,
      ...(line === undefined ? {} : { line }),
      msg: `${line === undefined ? '' : `第${line}行：`}【${label}】中的文件不存在，请重新上传`,
    }))
}

/** Files referenced by a row shared across the network become visible to the whole network. */
export async function shareFiles(tx: Tx, session: Session, names: readonly string[]): Promise<void> {
  if (names.length > 0)
    await tx`update stored_file set is_shared = true where org_id = ${session.org.id} and name = any(${[...names]})
      and not is_shared`
}

/** The files of these names that the organisation may see. */
export async function filesOf(tx: Tx, names: readonly string[]): Promise<Map<string, Kept>> {
  if (names.length === 0) return new Map()
  const rows = await tx<Kept[]>`
    select name, original_name, content_type, size::int as size, is_shared from stored_file
      where name = any(${[...new Set(names)]})`
  return new Map(rows.map(row => [row.name, row]))
}

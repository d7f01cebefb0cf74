import { randomBytes } from 'node:crypto'
import type { Sql } from 'postgres'
import { BusinessError } from '#kernel/rules/errors.ts'
import { type Kept, type Received, receiveFile } from '#server/files/save.ts'
import type { FileStore } from '#server/files/store.ts'
import { useAllowance } from '#server/identity/allowance.ts'
import { hashOf } from '#server/identity/sessions.ts'
import { RateLimited } from '#server/access/overload.ts'
import type { Tx } from '#server/database/transaction.ts'

const MB = 1024 * 1024
/** The files that may be uploaded without sign-in: small pictures and pages of licences. */
export const scanKinds = { extensions: ['png', 'jpg', 'webp', 'pdf'], mostBytes: 5 * MB } as const
/** Maximum scans that a registration keeps, and uploads per draft: a wrong choice can be replaced. */
export const mostScans = 5
const MOST_UPLOADS = 10
/** Uploads per hour from one address (several clinics may share one), and per hour in total. */
const limits = { address: 60, server: 1000 } as const
const HOUR = 3600

const keyOf = (draft: string) => hashOf(`registration ${draft}`)
const FORM = /^[\w-]{32}$/
const gone = () =>
  new BusinessError('invalid', '注册草稿已过期，请重新上传证照扫描件', [{ field: 'scans', msg: '请重新上传' }])

/** Counts an upload before any of it is read. */
async function count(sql: Sql, address: string): Promise<void> {
  for (const limit of [
    { name: `scan address ${address}`, most: limits.address, seconds: HOUR },
    { name: 'scan server', most: limits.server, seconds: HOUR },
  ]) {
    const { isAllowed, wait } = await useAllowance(sql, limit)
    if (!isAllowed) throw new RateLimited(wait)
  }
}

/**
 * Stores a scan for a registration still being written. The draft's name is returned with the first one and cannot
 * be guessed.
 */
export async function leaveScan(
  service: { readonly sql: Sql; readonly store: FileStore },
  from: { readonly address: string; readonly draft: string },
  file: { readonly bytes: AsyncIterable<Buffer>; readonly name: string },
): Promise<{ readonly draft: string; readonly kept: Kept }> {
  await count(service.sql, from.address)
  const draft = from.draft === '' ? randomBytes(24).toString('base64url') : from.draft
  if (!FORM.test(draft)) throw gone()
  const [before] = await service.sql<{ n: number }[]>`
    select count(*)::int as n from registration_draft where token_hash = ${keyOf(draft)}`
  if (from.draft !== '' && before!.n === 0) throw gone()
  if (before!.n >= MOST_UPLOADS) throw new BusinessError('rule', '上传的文件过多，请关闭窗口后重新填写')
  const { digest, ...kept } = await receiveFile(service.store, file.bytes, file.name, scanKinds)
  await service.sql`
    insert into registration_draft (token_hash, name, original_name, content_type, size, digest)
    values (${keyOf(draft)}, ${kept.name}, ${kept.original_name}, ${kept.content_type}, ${kept.size}, ${digest})`
  return { draft, kept }
}

/** The scans of a draft that its registration keeps. They are removed from the draft: it serves one registration. */
export async function takeScans(tx: Tx, draft: string, names: readonly string[]): Promise<readonly Received[]> {
  if (names.length === 0) return []
  if (names.length > mostScans)
    throw new BusinessError('invalid', undefined, [{ field: 'scans', msg: `证照扫描件最多${mostScans}个` }])
  const taken = await tx<Received[]>`
    delete from registration_draft where token_hash = ${keyOf(draft)} and name = any(${[...names]})
    returning name, original_name, content_type, size::int as size, digest`
  if (taken.length !== new Set(names).size) throw gone()
  return names.map(name => taken.find(each => each.name === name)!)
}

/** From here on they are the platform's files, for its audit. */
export async function keepScans(tx: Tx, platform: string, scans: readonly Received[]): Promise<void> {
  if (scans.length > 0)
    await tx`
      insert into stored_file (org_id, name, original_name, content_type, size, digest, uploaded_by)
      select ${platform}, name, original_name, content_type, size, digest, 0
        from jsonb_to_recordset(${tx.json(scans)}) as s(name text, original_name text, content_type text,
          size bigint, digest text)
      on conflict do nothing`
}

/** Deletes scans of registrations never submitted after a day, row and bytes. */
export async function sweepScans(owner: Sql, store: FileStore): Promise<void> {
  const left = await owner<{ name: string }[]>`
    delete from registration_draft where at < now() - interval '1 day' returning name`
  for (const { name } of left) await store.remove(name)
}

import { reportError } from '#server/audit/reported-errors.ts'
import { createHash, randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { Sql } from 'postgres'
import { BusinessError } from '#kernel/rules/errors.ts'
import { type ListExport, fileNameOf, workbookOf } from '#server/exports/export-stream.ts'
import { keepFile } from '#server/files/save.ts'
import type { FileStore } from '#server/files/store.ts'
import { sessionNow } from '#server/identity/sessions.ts'
import { sendMessage } from '#server/messages/messages.ts'
import { narrowedBy } from '#server/access/campus.ts'
import type { Session } from '#server/access/session.ts'
import { inOrganisation, type Tx } from '#server/database/transaction.ts'

/** The progress of a background export. */
export type JobState = {
  readonly state: 'running' | 'done' | 'failed'
  readonly title: string
  readonly rows_done: number
  /** Null: more than the counting limit of lists. */
  readonly rows_total: number | null
  readonly file_name: string | null
  readonly error: string | null
}

/** Days that the file of a background export is kept. */
const keptDays = 7
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const PROGRESS_MS = 1000
/** A job without progress for this long crashed with its process. */
const SILENCE = '5 minutes'
/** Maximum starts of one export: one that crashes its process each time must not crash all. */
const MOST_TRIES = 3

/** Exports running in this process; shutdown waits for them. */
const underWay = new Set<Promise<void>>()
export const settleExports = (): Promise<unknown> => Promise.allSettled(underWay)

/**
 * Starts a background export: the job exists at once, the file arrives in the message centre. Returns the job's
 * number.
 */
export async function beginExport(
  sql: Sql,
  store: FileStore,
  session: Session,
  exported: ListExport,
  total: number | null,
): Promise<string> {
  const job = await inOrganisation(sql, session.org.id, session.userId, async tx => {
    const [same] = await tx`
      select 1 from export_job where org_id = ${session.org.id} and user_id = ${session.userId} and state = 'running'
        and path = ${exported.path} and query = ${tx.json(exported.query)}`
    if (same) throw new BusinessError('rule', '相同条件的导出任务正在执行')
    const [row] = await tx<{ id: string }[]>`
      insert into export_job (org_id, user_id, title, path, query, rows_total)
      values (${session.org.id}, ${session.userId}, ${exported.title}, ${exported.path},
        ${tx.json(exported.query)}, ${total})
      returning id`
    return row!.id
  })
  makeBehind(sql, store, session, exported, job)
  return job
}

function makeBehind(sql: Sql, store: FileStore, session: Session, exported: ListExport, job: string): void {
  const work = run(sql, store, session, exported, job).finally(() => underWay.delete(work))
  underWay.add(work)
}

async function run(sql: Sql, store: FileStore, session: Session, exported: ListExport, job: string): Promise<void> {
  const as = <T>(work: (tx: Tx) => Promise<T>) => inOrganisation(sql, session.org.id, session.userId, work)
  let rows = 0
  const say = () =>
    as(
      tx =>
        tx`update export_job set rows_done = ${rows}, touched_at = now()
          where org_id = ${session.org.id} and id = ${job} and state = 'running'`,
    )
  // Also while the database works and no row comes: other processes take silence for a crash.
  const notifying = setInterval(() => void say().catch(error => reportError('export progress', error)), PROGRESS_MS)
  try {
    const stream = workbookOf(sql, session, exported, count => void (rows += count), true)
    const file = await keepStream(store, stream, `${fileNameOf(exported)}.xlsx`)
    const isFirst = await as(tx => keep(tx, session, exported.title, { job, rows, file }))
    if (!isFirst) await store.remove(file.name)
  } catch (error) {
    if (!(error instanceof BusinessError)) reportError('export', error)
    // The user is notified as well; a job that cannot even say so is restarted by its silence.
    await as(tx => fail(tx, session, job, exported.title, error)).catch(lost => reportError('export outcome', lost))
  } finally {
    clearInterval(notifying)
  }
}

type Made = { readonly job: string; readonly rows: number; readonly file: Awaited<ReturnType<typeof keepStream>> }

/** Stores the file and notifies the user; false where another process was faster. */
async function keep(tx: Tx, session: Session, title: string, { job, rows, file }: Made): Promise<boolean> {
  const [first] = await tx`
    update export_job set state = 'done', rows_done = ${rows}, file_name = ${file.name}, touched_at = now(),
      ended_at = now()
     where org_id = ${session.org.id} and id = ${job} and state = 'running' returning id`
  if (!first) return false
  await keepFile(tx, session, file, true)
  await notify(tx, session, `${title}导出完成`, `共${rows}行，点击下载，文件保留${keptDays}天`, `/file/${file.name}`)
  return true
}

async function fail(tx: Tx, session: Session, job: string, title: string, error: unknown): Promise<void> {
  await tx`
    update export_job set state = 'failed', error = ${String(error).slice(0, 500)}, ended_at = now()
      where org_id = ${session.org.id} and id = ${job} and state = 'running'`
  await notify(tx, session, `${title}导出失败`, '导出没有完成，请稍后重新导出', '')
}

const notify = (tx: Tx, session: Pick<Session, 'org' | 'userId'>, title: string, body: string, uri: string) =>
  sendMessage(tx, session.org.id, { title, body, uri, objectId: '', kind: null, userId: session.userId })

/** Writes a stream to the store under a generated name. */
async function keepStream(store: FileStore, stream: Readable, original: string) {
  const name = `${randomBytes(16).toString('base64url')}.xlsx`
  const digest = createHash('sha256')
  let size = 0
  await store.put(
    name,
    (async function* () {
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        digest.update(chunk)
        size += chunk.length
        yield chunk
      }
    })(),
  )
  return { name, original_name: original, content_type: XLSX, size, digest: digest.digest('hex') }
}

/** The progress of the user's own export; null when there is none of that number. */
export async function exportState(tx: Tx, session: Session, job: string): Promise<JobState | null> {
  const [row] = await tx<JobState[]>`
    select state, title, rows_done, rows_total, file_name, error from export_job
     where org_id = ${session.org.id} and id = ${job} and user_id = ${session.userId}`
  return row ?? null
}

type Lost = {
  readonly org_id: string
  readonly id: string
  readonly user_id: string
  readonly title: string
  readonly path: string
  readonly query: Readonly<Record<string, unknown>>
  readonly tries: number
}
/**
 * The list of an address as this user may export it; null where there is none. Refuses what the user may no longer
 * see.
 */
export type ExportFinder = (session: Session, path: string, query: Lost['query']) => ListExport | null

/**
 * An export whose process crashed is restarted by the first process to notice, with the user's current rights. After
 * three tries, or when the user may no longer have it, the user is notified that it failed.
 */
export async function takeUpExports(
  { owner, exports }: { owner: Sql; exports: Sql },
  store: FileStore,
  findExport: ExportFinder,
): Promise<void> {
  // Updating the time is the claim: the next process that looks finds the job taken.
  const lost = await owner<Lost[]>`
    update export_job set touched_at = now(), tries = tries + 1, rows_done = 0
     where state = 'running' and touched_at < now() - ${SILENCE}::interval
    returning org_id, id, user_id, title, path, query, tries`
  for (const job of lost) {
    const asker = job.tries > MOST_TRIES ? null : await sessionNow(exports, whoAsked(job))
    const narrowed = asker && (await narrowedBy(exports, asker, job.query))
    const session = narrowed?.session ?? null
    const exported = narrowed && stillAllowed(() => findExport(narrowed.session, job.path, narrowed.query))
    if (session && exported) makeBehind(exports, store, session, exported, job.id)
    else await owner.begin(tx => giveUp(tx, job))
  }
}

const whoAsked = (job: Lost) => ({ userId: job.user_id, orgId: job.org_id, agent: '导出续做' })

function stillAllowed<T>(ask: () => T): T | null {
  try {
    return ask()
  } catch (error) {
    if (error instanceof BusinessError) return null
    throw error
  }
}

async function giveUp(tx: Tx, job: Lost): Promise<void> {
  await tx`
    update export_job set state = 'failed', error = 'interrupted', ended_at = now()
     where org_id = ${job.org_id} and id = ${job.id} and state = 'running'`
  const asked = { org: { id: job.org_id } as Session['org'], userId: job.user_id }
  await notify(tx, asked, `${job.title}导出中断`, '导出没有完成，请重新导出', '')
}

/** Deletes expired files. Runs as the owner of the tables. */
export async function tidyExports(owner: Sql, store: FileStore): Promise<void> {
  const old = await owner<{ org_id: string; file_name: string }[]>`
    select org_id, file_name from export_job
      where file_name is not null and ended_at < now() - make_interval(days => ${keptDays}) limit 500`
  for (const { org_id: org, file_name: name } of old) {
    await store.remove(name)
    await owner`delete from stored_file where org_id = ${org} and name = ${name}`
    await owner`update export_job set file_name = null where org_id = ${org} and file_name = ${name}`
  }
}

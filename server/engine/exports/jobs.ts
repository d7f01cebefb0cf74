import { createHash, randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { JSONValue, Sql } from 'postgres'
import { Refusal } from '#kernel/refusal.ts'
import { type CarryOut, fileNameOf, workbookOf } from '#server/engine/exports/carry-out.ts'
import { keepFile } from '#server/engine/files/keep.ts'
import type { FileStore } from '#server/engine/files/store.ts'
import { leaveMessage } from '#server/engine/messages.ts'
import type { Session } from '#server/engine/session.ts'
import { inOrg, type Tx } from '#server/engine/transaction.ts'

/** How far an export is that is made behind the page. */
export type JobState = {
  readonly state: 'running' | 'done' | 'failed'
  readonly title: string
  readonly rows_done: number
  /** Null: more than lists count. */
  readonly rows_total: number | null
  readonly file_name: string | null
  readonly error: string | null
}

/** Days that a file made behind the page is kept. */
const keptDays = 7
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const PROGRESS_MS = 500
/** A job that says nothing for so long went down with its process. */
const SILENCE = '5 minutes'

/** Exports on their way in this process; closing waits for them. */
const underWay = new Set<Promise<void>>()
export const settleExports = (): Promise<unknown> => Promise.allSettled(underWay)

/** Puts an export behind the page: the job stands at once, the file comes into the message centre. Gives the job's number. */
export async function beginExport(
  sql: Sql,
  store: FileStore,
  session: Session,
  carried: CarryOut,
  total: number | null,
): Promise<string> {
  const job = await inOrg(sql, session.org.id, session.userId, async tx => {
    const [same] = await tx`
      select 1 from export_job where org_id = ${session.org.id} and user_id = ${session.userId} and state = 'running' and path = ${carried.path} and query = ${tx.json(carried.query as JSONValue)}`
    if (same) throw new Refusal('rule', '相同条件的导出任务正在执行')
    const [row] = await tx<{ id: string }[]>`
      insert into export_job (org_id, user_id, title, path, query, rows_total)
      values (${session.org.id}, ${session.userId}, ${carried.title}, ${carried.path}, ${tx.json(carried.query as JSONValue)}, ${total})
      returning id`
    return row!.id
  })
  const work = run(sql, store, session, carried, job).finally(() => underWay.delete(work))
  underWay.add(work)
  return job
}

async function run(sql: Sql, store: FileStore, session: Session, carried: CarryOut, job: string): Promise<void> {
  const as = <T>(work: (tx: Tx) => Promise<T>) => inOrg(sql, session.org.id, session.userId, work)
  let rows = 0
  let saidAt = 0
  const say = () =>
    as(
      tx =>
        tx`update export_job set rows_done = ${rows}, touched_at = now() where org_id = ${session.org.id} and id = ${job}`,
    )
  try {
    const heard = (count: number) => {
      rows += count
      if (Date.now() - saidAt < PROGRESS_MS) return
      saidAt = Date.now()
      // Progress that could not be said changes nothing about the file.
      void say().catch(() => null)
    }
    const stream = workbookOf(sql, session, carried, heard, true)
    const file = await keepStream(store, stream, `${fileNameOf(carried)}.xlsx`)
    await as(async tx => {
      await keepFile(tx, session, file, true)
      await tx`
        update export_job set state = 'done', rows_done = ${rows}, file_name = ${file.name}, touched_at = now(), ended_at = now()
         where org_id = ${session.org.id} and id = ${job}`
      await tell(
        tx,
        session,
        `${carried.title}导出完成`,
        `共${rows}行，点击下载，文件保留${keptDays}天`,
        `/file/${file.name}`,
      )
    })
  } catch (error) {
    await as(tx => fail(tx, session, job, carried.title, error)).catch(() => null)
  }
}

async function fail(tx: Tx, session: Session, job: string, title: string, error: unknown): Promise<void> {
  await tx`
    update export_job set state = 'failed', error = ${String(error).slice(0, 500)}, ended_at = now() where org_id = ${session.org.id} and id = ${job}`
  await tell(tx, session, `${title}导出失败`, '导出没有完成，请稍后重新导出', '')
}

const tell = (tx: Tx, session: Pick<Session, 'org' | 'userId'>, title: string, body: string, uri: string) =>
  leaveMessage(tx, session.org.id, { title, body, uri, objectId: '', kind: null, userId: session.userId })

/** Writes a stream into the store under a name of the house's own. */
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

/** How far one's own export is; null when there is none of that number. */
export async function exportState(tx: Tx, session: Session, job: string): Promise<JobState | null> {
  const [row] = await tx<JobState[]>`
    select state, title, rows_done, rows_total, file_name, error from export_job
     where org_id = ${session.org.id} and id = ${job} and user_id = ${session.userId}`
  return row ?? null
}

/** Whoever waits for an export whose process ended hears of it. Runs as the owner of the tables. */
export async function endLostExports(owner: Sql): Promise<void> {
  const lost = await owner<{ org_id: string; user_id: string; title: string }[]>`
    update export_job set state = 'failed', error = 'interrupted', ended_at = now()
     where state = 'running' and touched_at < now() - ${SILENCE}::interval returning org_id, user_id, title`
  for (const job of lost)
    await owner.begin(tx =>
      tell(
        tx,
        { org: { id: job.org_id } as Session['org'], userId: job.user_id },
        `${job.title}导出中断`,
        '服务重新启动，请重新导出',
        '',
      ),
    )
}

/** Files past their days go. Runs as the owner of the tables. */
export async function tidyExports(owner: Sql, store: FileStore): Promise<void> {
  const old = await owner<{ org_id: string; file_name: string }[]>`
    select org_id, file_name from export_job where file_name is not null and ended_at < now() - make_interval(days => ${keptDays}) limit 500`
  for (const { org_id: org, file_name: name } of old) {
    await store.remove(name)
    await owner`delete from stored_file where org_id = ${org} and name = ${name}`
    await owner`update export_job set file_name = null where org_id = ${org} and file_name = ${name}`
  }
}

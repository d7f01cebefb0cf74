import type { Sql } from 'postgres'
import type { AnyEntity } from '#kernel/definition/entity.ts'
import { entityOf } from '#kernel/registry.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { recordIncident, resolveIncident } from '#server/audit/incidents.ts'
import { type Session, unbound } from '#server/access/session.ts'
import { inOrganisation, type Tx } from '#server/database/transaction.ts'
import { inDelivery } from '#server/messages/delivery.ts'
import { systemSessionOf } from '#server/organisations/organisations.ts'
import type { RecordRow } from '#server/records/hooks.ts'
import { findRecord } from '#server/records/read.ts'
import { rulesOf } from '#server/registry/hooks.ts'

type Waiting = {
  readonly org_id: string
  readonly id: string
  readonly kind: string
  readonly sn: string
  readonly action: string
  readonly content: Readonly<RecordRow>
  readonly user_id: string
  readonly user_name: string
  readonly attempts: number
}
/** A delivery that has not ended after this time was interrupted. */
const LONGEST_SECONDS = 120
/** After this many failures in a row a user is asked to look. */
const NOTIFY_AFTER = 5
const BATCH = 50

/** True if work beyond the organisation follows this call. */
export const isFollowed = ({ kind }: AnyEntity, call: string): boolean => {
  const { afterwards, afterDeletion } = rulesOf(kind)
  return (call === 'del' ? afterDeletion : afterwards) !== undefined
}

/** An error here is not answered: the deletion itself says whether the record exists and who may delete it. */
function withoutRecord(thrown: unknown): null {
  if (thrown instanceof BusinessError) return null
  throw thrown
}

/** The row that follow-up work is given: the whole, not only what the caller sees; null where it does not exist. */
export const followedRow = async (
  tx: Tx,
  session: Session,
  definition: AnyEntity,
  sn: unknown,
): Promise<Readonly<RecordRow> | null> =>
  typeof sn === 'string'
    ? findRecord(tx, { ...unbound(session), flags: 'all' }, definition, sn).catch(withoutRecord)
    : null

/** Keeps in the transaction of a write what `afterwards` or `afterDeletion` will be given. */
export async function keepForLater(
  tx: Tx,
  session: Session,
  { kind }: AnyEntity,
  action: string,
  sn: string,
  row: Readonly<RecordRow>,
): Promise<void> {
  await tx`
    insert into record_outbox (org_id, kind, sn, action, content, user_id, user_name)
    values (${session.org.id}, ${kind}, ${sn}, ${action}, ${tx.json(row)}, ${session.userId},
      ${session.userName})`
}

/** Delivers the outbox rows of one record, in order, right after the commit and before the reply is read. */
export async function deliverRecord(sql: Sql, org: string, kind: string, sn: string): Promise<void> {
  const rows = await inOrganisation(
    sql,
    org,
    '0',
    tx => tx<{ id: string }[]>`
      select id from record_outbox where org_id = ${org} and kind = ${kind} and sn = ${sn} order by id`,
  )
  for (const { id } of rows) if (!(await attempt(sql, org, id))) return
}

/** Delivers the rows of all organisations that a crash or an error left behind. */
export async function deliverLeftRecords(sql: Sql, owner: Sql): Promise<number> {
  const rows = await owner<{ org_id: string; id: string }[]>`
    select org_id, id from record_outbox where next_at <= now() order by id limit ${BATCH}`
  let done = 0
  for (const { org_id, id } of rows) if (await attempt(sql, org_id, id)) done += 1
  return done
}

/** False where it failed, where another process does it, or where an earlier one of the same record waits. */
async function attempt(sql: Sql, org: string, id: string): Promise<boolean> {
  const [row] = await inOrganisation(
    sql,
    org,
    '0',
    tx => tx<Waiting[]>`
      update record_outbox o set attempts = attempts + 1, next_at = now() + make_interval(secs => ${LONGEST_SECONDS})
       where org_id = ${org} and id = ${id} and next_at <= now()
         and not exists (select 1 from record_outbox e
           where e.org_id = o.org_id and e.kind = o.kind and e.sn = o.sn and e.id < o.id)
      returning org_id, id, kind, sn, action, content, user_id, user_name, attempts`,
  )
  if (!row) return false
  try {
    await inDelivery(`record:${row.id}`, () => run(sql, row))
  } catch (error) {
    await postpone(sql, row, error instanceof Error ? error.message : String(error))
    return false
  }
  await inOrganisation(sql, org, '0', async tx => {
    await tx`delete from record_outbox where org_id = ${org} and id = ${id}`
    if (row.attempts > NOTIFY_AFTER) await resolveIncident(tx, org, 'push', objectOf(row), '已送达')
  })
  return true
}

async function run(sql: Sql, { org_id, kind, action, content, user_id, user_name }: Waiting): Promise<void> {
  const session = { ...(await systemSessionOf(sql, org_id)), userId: user_id, userName: user_name }
  const { afterwards, afterDeletion } = rulesOf(kind)
  if (action === 'del') await afterDeletion?.(sql, session, content)
  else await afterwards?.(sql, session, action, content)
}

const objectOf = ({ kind, sn }: Waiting): string => `${entityOf(kind)?.title ?? kind} ${sn}`

/** A failed delivery waits longer each time; after some a user is asked to look. */
async function postpone(sql: Sql, row: Waiting, text: string): Promise<void> {
  const session = await systemSessionOf(sql, row.org_id)
  await inOrganisation(sql, row.org_id, '0', async tx => {
    await tx`
      update record_outbox set last_error = ${text.slice(0, 500)},
        next_at = now() + make_interval(secs => least(300, power(2, attempts)))
       where org_id = ${row.org_id} and id = ${row.id}`
    if (row.attempts !== NOTIFY_AFTER) return
    await recordIncident(tx, session, {
      kind: 'push',
      source: '主数据通知',
      description: `【${objectOf(row)}】的变更未能通知到相关机构，系统会继续重试：${text.slice(0, 200)}`,
      object: objectOf(row),
    })
  })
}

import { entities } from '#kernel/registry.ts'
import { sendMessage } from '#server/messages/messages.ts'
import type { Tx } from '#server/database/transaction.ts'

/** Users are notified when this share of tries in a quarter of an hour failed. */
export const alarmRate = 0.05
export const alarmMinutes = 15

type Failed = {
  readonly id: string
  readonly name: string
  readonly call_key: string
  readonly object_no: string | null
  readonly error: string
}

/**
 * A failed call is listed as one incident of its organisation; when retries end, the users of the interface are
 * notified.
 */
export async function noteFailedCall(tx: Tx, org: string, call: Failed, gaveUp: boolean): Promise<void> {
  const again = await tx`
    update error_record set times = times + 1, last_at = now(), description = ${call.error}, version = version + 1
     where org_id = ${org} and outbound_call_id = ${call.id} and state in ('waiting', 'working') returning id`
  if (again.length === 0)
    await tx`
      insert into error_record (org_id, error_kind, level, source, description, object, object_no, outbound_call_id)
      values (${org}, 'interface', 'serious', '接口', ${call.error}, ${call.name}, ${call.object_no}, ${call.id})`
  if (!gaveUp) return
  await notify(tx, org, '接口调用多次失败', `${call.name}自动重试后仍未成功，请人工处理：${call.error}`, call.id)
}

/** A call that succeeded in the end needs no attention. */
export const settleIncident = (tx: Tx, org: string, call: string) => tx`
  update error_record set state = 'done', note = '重试成功', handled_at = now(), handled_by = coalesce(handled_by, '系统'),
    version = version + 1
   where org_id = ${org} and outbound_call_id = ${call} and state in ('waiting', 'working')`

/** Too many failures in a quarter of an hour give one notification in that time. */
export async function alarm(tx: Tx, org: string): Promise<void> {
  const [seen] = await tx<{ failed: number; tried: number; notified: boolean }[]>`
    select (count(*) filter (where not is_ok))::int as failed, count(*)::int as tried,
           exists (select 1 from message m where m.org_id = ${org} and m.extra ->> 'alarm' = 'interface'
             and m.at > now() - make_interval(mins => ${alarmMinutes})) as notified
      from outbound_attempt where org_id = ${org} and at > now() - make_interval(mins => ${alarmMinutes})`
  if (!seen || seen.notified || seen.failed <= seen.tried * alarmRate) return
  const percent = Math.round((seen.failed / seen.tried) * 1000) / 10
  await notify(
    tx,
    org,
    '接口失败率过高',
    `最近${alarmMinutes}分钟接口调用${seen.tried}次，失败${seen.failed}次（${percent}%）`,
    '',
    { alarm: 'interface' },
  )
}

/** Users who may look into failed calls are notified. */
const callKind = (): string | null => entities().find(({ table }) => table === 'outbound_call')?.kind ?? null
const notify = (tx: Tx, org: string, title: string, body: string, objectId: string, extra: object = {}) =>
  sendMessage(tx, org, {
    title,
    body,
    uri: '/ptm/monitorInterface',
    objectId,
    kind: callKind(),
    type: 'system',
    extra: { ...extra },
  })

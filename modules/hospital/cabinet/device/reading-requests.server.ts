import { SILENT, command } from '#modules/hospital/cabinet/device/device-command.server.ts'
import { comparisonNo, READ_SECONDS } from '#modules/hospital/cabinet/stock-check/compare-reading.server.ts'
import { recordIncident } from '#server/public/audit.ts'
import type { Fragment } from '#server/public/records.ts'
import { systemSessionOf } from '#server/public/organisations.ts'
import type { Session } from '#server/public/session.ts'
import { inOrganisation, type Tx } from '#server/public/database.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import type { Sql } from 'postgres'

type KeyState = 'none' | 'active' | 'disabled'
type Asked = {
  name: string
  warehouse_id: string
  department_id: string | null
  key_state: KeyState
  online: boolean
  busy: boolean
}

/** A device without a valid key cannot sign in, so it answers no request: why, and what to do. */
const withoutKey: Readonly<Record<Exclude<KeyState, 'active'>, string>> = {
  none: '未生成密钥，请先生成密钥并写入设备',
  disabled: '密钥已停用，请重新生成密钥并写入设备',
}

/** Why a cabinet with such a key cannot be read, whatever its device does; null for a valid key. */
export const whyUnreadable = (key: unknown): string | null =>
  key === 'active' ? null : withoutKey[key as keyof typeof withoutKey]

/** A requested reading: of which cabinet, and why it cannot take place; null where it has begun. */
export type Reading = { readonly no: string; readonly name: string; readonly silent: string | null }

/** True if the cabinet `c` is being read at this moment. */
export const isBeingRead = (tx: Tx): Fragment => tx`
  exists (select 1 from cabinet_comparison r where r.org_id = c.org_id and r.cabinet_id = c.id and r.state = 'reading'
    and r.compared_at > now() - make_interval(secs => ${READ_SECONDS}))`

/**
 * Asks a device to read its whole content. One that is offline, or has no key, leaves 未完成 and an incident, not zero
 * stock.
 */
export async function askReading(
  tx: Tx,
  session: Session,
  cabinet: string,
  trigger: 'hand' | 'timer',
): Promise<Reading> {
  const org = session.org.id
  const [device] = await tx<Asked[]>`
    select c.name, c.warehouse_id, w.department_id, c.key_state,
      coalesce(c.last_beat_at > now() - ${SILENT}::interval, false) as online,
           ${isBeingRead(tx)} as busy
      from cabinet c join warehouse w on w.org_id = c.org_id and w.id = c.warehouse_id
        where c.org_id = ${org} and c.id = ${cabinet} and c.status = 'enabled'`
  if (!device) throw new BusinessError('notFound', '智能耗材柜不存在或已停用')
  if (device.busy) throw new BusinessError('rule', `智能柜【${device.name}】正在读取，请稍候`)
  const no = await comparisonNo(tx, org)
  const row = {
    org_id: org,
    compare_no: no,
    cabinet_id: cabinet,
    warehouse_id: device.warehouse_id,
    department_id: device.department_id,
    trigger,
  }
  const silent = whyUnreadable(device.key_state) ?? (device.online ? null : '设备离线')
  if (silent !== null) {
    await tx`insert into cabinet_comparison
      ${tx({ ...row, difference_kind: 'unfinished', state: 'unfinished', note: `${silent}，未完成比对` } as never)}`
    await recordIncident(tx, session, {
      kind: 'offline',
      source: '智能柜',
      description: `【${device.name}】${silent}，比对${no}未完成`,
      object: device.name,
      warehouse: device.warehouse_id,
    })
    return { no, name: device.name, silent }
  }
  const id = await command(tx, session, { cabinet, kind: 'read', seconds: READ_SECONDS })
  await tx`insert into cabinet_comparison
    ${tx({ ...row, command_id: id, difference_kind: 'none', state: 'reading' } as never)}`
  return { no, name: device.name, silent: null }
}

/** A cabinet already being read needs no second reading. */
const unlessRefused = (error: unknown): null => {
  if (error instanceof BusinessError) return null
  throw error
}

/** Cabinets whose scheduled hour has come, once an hour each; those that cannot be read are told like any other. */
export async function createTimed(owner: Sql): Promise<void> {
  const due = await owner<{ org_id: string; id: string }[]>`
    update cabinet set compared_hour = date_trunc('hour', now())
     where status = 'enabled' and compare_hours is not null
       and (compared_hour is null or compared_hour < date_trunc('hour', now()))
       and extract(hour
         from now() at time zone 'Asia/Shanghai')::int = any (string_to_array(replace(compare_hours, '，', ','),
         ',')::int[])
    returning org_id, id`
  for (const { org_id, id } of due) {
    const session = await systemSessionOf(owner, org_id)
    await inOrganisation(owner, org_id, '0', tx => askReading(tx, session, id, 'timer')).catch(unlessRefused)
  }
}

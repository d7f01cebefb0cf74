import { BusinessError } from '#kernel/rules/errors.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

/** A command for a device. The device fetches it with its next heartbeat. */
export type Command = {
  readonly cabinet: string
  readonly kind: 'remote_open' | 'locate' | 'read'
  readonly door?: string | null
  readonly payload?: Readonly<Record<string, unknown>>
  readonly reason?: string | null
  /** How long the command stays valid. */
  readonly seconds: number
}

/** A device silent for three minutes counts as offline. */
export const SILENT = '3 minutes'

/** Queues a command for a device that is online; refuses it for one that is offline. Returns the command's number. */
export async function command(tx: Tx, session: Session, asked: Command): Promise<string> {
  const [device] = await tx<{ name: string; status: string; online: boolean }[]>`
    select name, status, coalesce(key_state = 'active' and last_beat_at > now() - ${SILENT}::interval, false) as online
      from cabinet where org_id = ${session.org.id} and id = ${asked.cabinet}`
  if (!device) throw new BusinessError('notFound', '智能耗材柜不存在或已被删除')
  if (device.status !== 'enabled') throw new BusinessError('rule', `智能柜【${device.name}】已停用`)
  if (!device.online) throw new BusinessError('rule', `智能柜【${device.name}】不在线，请检查设备网络后重试`)
  const [made] = await tx<{ id: string }[]>`
    insert into cabinet_command (org_id, cabinet_id, kind, door_no, payload, reason, made_by, made_by_name, expires_at)
    values (${session.org.id}, ${asked.cabinet}, ${asked.kind}, ${asked.door ?? null},
      ${tx.json(asked.payload ?? {})}, ${asked.reason ?? null}, ${session.userId}, ${session.userName},
            now() + make_interval(secs => ${asked.seconds}))
    returning id`
  return made!.id
}

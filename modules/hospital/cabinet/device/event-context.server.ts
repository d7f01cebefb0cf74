import { BusinessError } from '#kernel/rules/errors.ts'
import type { Device, DeviceEvent } from '#server/public/devices.ts'
import { recordIncident } from '#server/public/audit.ts'
import type { Session } from '#server/public/session.ts'
import { storedCodes } from '#server/public/stock.ts'
import type { Tx } from '#server/public/database.ts'

/** The cabinet that sent the event, locked while it is processed. */
export type Cabinet = {
  readonly id: string
  readonly code: string
  readonly name: string
  readonly warehouse_id: string
  readonly department_id: string | null
  readonly parent_id: string | null
  readonly open_seconds: number
}

/** One event being processed. `documents` collects what was booked, to be passed on once it is committed. */
export type Working = {
  readonly tx: Tx
  readonly session: Session
  readonly device: Device
  readonly cabinet: Cabinet
  readonly event: DeviceEvent
  readonly documents: string[]
  /** How many rows this event has written so far: each has its number. */
  readonly rows: { count: number }
}

/** A door between its opening and its closing. */
export type OpenSession = {
  readonly id: string
  readonly door_id: string
  readonly door_no: string
  readonly user_id: string | null
  readonly employee_id: string | null
  readonly operator_name: string
  readonly auth: string | null
  readonly purpose: string
  readonly is_remote: boolean
  readonly opened_at: string
}

export async function cabinetOf(tx: Tx, device: Device): Promise<Cabinet> {
  await tx`select 1 from cabinet where org_id = ${device.org.id} and id = ${device.id} for update`
  const [found] = await tx<Cabinet[]>`
    select c.id, c.code, c.name, c.warehouse_id, w.department_id, w.parent_id, c.open_seconds
      from cabinet c join warehouse w on w.org_id = c.org_id and w.id = c.warehouse_id
        where c.org_id = ${device.org.id} and c.id = ${device.id}`
  if (!found) throw new BusinessError('notFound', '智能耗材柜不存在或已被删除')
  return found
}

/** Something at this cabinet that needs a person's attention. */
export const incident = (
  { tx, device, cabinet }: Pick<Working, 'tx' | 'device' | 'cabinet'>,
  kind: string,
  description: string,
  object: string,
  who = device.name,
  level?: 'serious',
): Promise<void> =>
  recordIncident(
    tx,
    { org: device.org, userName: who },
    {
      kind,
      ...(level ? { level } : {}),
      source: '智能柜',
      description,
      object: `${cabinet.name} ${object}`,
      warehouse: cabinet.warehouse_id,
    },
  )

/** A text of the event, up to a maximum length; null if absent. */
export function said(payload: Readonly<Record<string, unknown>>, name: string, longest = 60): string | null {
  const value = payload[name]
  if (value === undefined || value === null || value === '') return null
  if (typeof value !== 'string' || value.length > longest)
    throw new BusinessError('invalid', `${name}应为不超过${longest}个字的文字`)
  return value
}

/** A required text. */
export function payloadText(payload: Readonly<Record<string, unknown>>, name: string, longest = 60): string {
  const value = said(payload, name, longest)
  if (value === null) throw new BusinessError('invalid', `缺少${name}`)
  return value
}

const MOST_CODES = 2000

/** The codes read, as their pieces are kept, without duplicates. */
export async function codesIn({ tx, device, event }: Working, name: string): Promise<string[]> {
  const given = event.payload[name] ?? []
  const isCode = (code: unknown): code is string => typeof code === 'string' && code !== '' && code.length <= 200
  if (!Array.isArray(given) || given.length > MOST_CODES || !given.every(isCode))
    throw new BusinessError('invalid', `${name}应为不超过${MOST_CODES}个标签码的列表`)
  return [...new Set(await storedCodes(tx, device.org.id, given))]
}

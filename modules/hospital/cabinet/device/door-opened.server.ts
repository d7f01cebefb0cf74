import { BusinessError } from '#kernel/rules/errors.ts'
import { NotAllowed } from '#modules/hospital/cabinet/device/not-allowed.server.ts'
import { operations } from '#modules/hospital/cabinet/equipment/cabinet-labels.ts'
import { writeTransactions } from '#modules/hospital/cabinet/transactions/transaction-log.server.ts'
import { said, payloadText, incident, type Working } from '#modules/hospital/cabinet/device/event-context.server.ts'

const purposes: Readonly<Record<string, string>> = {
  take: 'may_take',
  refill: 'may_refill',
  withdraw: 'may_take',
  count: 'may_count',
}
const NO_RIGHT = '无该柜门开门权限'

type Door = { id: string; door_no: string; status: string }
type Person = { id: string | null; name: string; allowed: boolean }

async function doorOf({ tx, device }: Working, no: string): Promise<Door> {
  const [door] = await tx<Door[]>`
    select id, door_no, status from cabinet_door where org_id = ${device.org.id} and cabinet_id = ${device.id}
      and door_no = ${no}`
  if (!door) throw new BusinessError('notFound', `柜门【${no}】不存在，请先在柜门管理中新增`)
  return door
}

/** Finds the person at the door by person number or card. */
async function personOf({ tx, device, cabinet, event }: Working, door: Door, purpose: string): Promise<Person> {
  const [person, card] = [said(event.payload, 'person', 20), said(event.payload, 'card')]
  if (person === null && card === null) throw new BusinessError('invalid', '缺少person或card：开门人')
  const right = purposes[purpose]!
  const id = person !== null && /^\d{1,18}$/.test(person) ? person : '0'
  const [known] = await tx<Person[]>`
    select u.id, u.name,
           u.status = 'enabled' and exists (
             select 1 from cabinet_permission p where p.org_id = ${device.org.id} and p.user_id = u.id
               and p.warehouse_id = ${cabinet.warehouse_id} and (p.door_id is null or p.door_id = ${door.id})
                and ${tx(`p.${right}`)}
                  and coalesce(p.valid_from,
                  '-infinity') <= (${event.at}::timestamptz at time zone 'Asia/Shanghai')::date
                and coalesce(p.valid_to,
                  'infinity') >= (${event.at}::timestamptz at time zone 'Asia/Shanghai')::date) as allowed
      from app_user u
     where u.org_id = ${device.org.id} and (u.id = ${id} or ${person === null} and u.id = (
       select p.user_id from cabinet_permission p
         where p.org_id = ${device.org.id} and p.warehouse_id = ${cabinet.warehouse_id}
         and p.credential_no = ${card ?? ''} order by p.id limit 1))`
  return known ?? { id: null, name: `未知人员${card ?? ''}`, allowed: false }
}

/** The user who ordered a door opened remotely is responsible for it. */
async function ordererOf({ tx, device, event }: Working, command: string): Promise<Person & { reason: string | null }> {
  const id = /^\d{1,18}$/.test(command) ? command : '0'
  const [order] = await tx<{ id: string; name: string; reason: string | null }[]>`
    update cabinet_command set done_at = now(), said = '已开门'
      where org_id = ${device.org.id} and cabinet_id = ${device.id} and id = ${id} and kind = 'remote_open'
      and done_at is null and expires_at > ${event.at}
    returning made_by as id, made_by_name as name, reason`
  if (!order) throw new BusinessError('rule', '远程开门指令不存在、已执行或已过期')
  return { ...order, allowed: true }
}

/**
 * 开门: asked before the lock is released, or reported afterwards when the network was down (`is_late`). Without the
 * right the door stays closed and the attempt is recorded; if the device opened it from its offline data, what is
 * taken is processed all the same.
 */
export async function openDoor(working: Working): Promise<string> {
  const { tx, device, event } = working
  const door = await doorOf(working, payloadText(event.payload, 'door', 20))
  const sessionNo = payloadText(event.payload, 'session', 64)
  const command = said(event.payload, 'command', 20)
  const purpose = said(event.payload, 'purpose') ?? 'take'
  if (!(purpose in purposes)) throw new BusinessError('invalid', `purpose应为${Object.keys(purposes).join('、')}之一`)
  const order = command === null ? null : await ordererOf(working, command)
  const person = order ?? (await personOf(working, door, purpose))
  const isAllowed = person.allowed && door.status === 'enabled'
  const made = await tx<{ id: string }[]>`
    insert into cabinet_session (org_id, cabinet_id, door_id, session_no, user_id, operator_name, auth, purpose,
      is_allowed, is_remote, reason, opened_at, closed_at)
    values (${device.org.id}, ${device.id}, ${door.id}, ${sessionNo}, ${person.id}, ${person.name},
      ${order ? '远程' : said(event.payload, 'auth')}, ${purpose}, ${isAllowed}, ${order !== null},
      ${order?.reason ?? null},
            ${event.at}, ${isAllowed || event.is_late ? null : event.at})
    on conflict (org_id, cabinet_id, session_no) do nothing returning id`
  if (made.length === 0) throw new BusinessError('duplicate', `会话${sessionNo}已存在，请换新的会话号`)
  const row = {
    door_id: door.id,
    session_id: made[0]!.id,
    user_id: person.id,
    operator_name: person.name,
    auth: order ? '远程' : said(event.payload, 'auth'),
    opened_at: event.at,
  }
  if (order)
    await writeTransactions(working, row, [
      { operation: 'remote_open', state: 'settled', note: order.reason, closed_at: null },
    ])
  if (isAllowed || event.is_late) await markOpen(working, door.id)
  if (isAllowed) return order ? '已远程开门' : `${operations[purpose as keyof typeof operations]}，可以开门`
  const why = door.status === 'enabled' ? NO_RIGHT : `柜门【${door.door_no}】已停用`
  await writeTransactions(working, row, [
    { operation: 'abnormal_open', state: 'abnormal', note: why, closed_at: event.is_late ? null : event.at },
  ])
  await incident(working, 'device', `${person.name}：${why}`, `柜门${door.door_no}`, person.name)
  throw new NotAllowed(why)
}

/** Plates behind an open door give no valid weight: they count again once it is closed. */
async function markOpen({ tx, device, event }: Working, door: string): Promise<void> {
  await tx`
    update cabinet_door set is_open = true, opened_at = ${event.at}, open_notified = false
      where org_id = ${device.org.id} and id = ${door}`
  await tx`
    update weighing_plate p set is_door_open = true from cabinet_slot s
      where s.org_id = ${device.org.id} and s.door_id = ${door} and p.org_id = s.org_id and p.id = s.plate_id`
}

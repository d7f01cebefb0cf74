import { today } from '#kernel/values/date.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { noteClimate, noticeReturn } from '#modules/hospital/cabinet/device/alarms.server.ts'
import { takeEvents } from '#modules/hospital/cabinet/device/device-events.server.ts'
import type { Device, DeviceHandler } from '#server/public/devices.ts'
import { recordIncident } from '#server/public/audit.ts'
import type { Tx } from '#server/public/database.ts'

type Body = Readonly<Record<string, unknown>>
type DoorReport = { readonly door: string; readonly temperature?: string; readonly humidity?: string }

const figure = (value: unknown): string | undefined =>
  /^-?\d{1,4}(\.\d{1,3})?$/.test(String(value ?? '')) ? String(value) : undefined

/** The door reports of a heartbeat: number and thermometer reading of each door. */
function doorReports(given: unknown): DoorReport[] {
  if (given === undefined) return []
  if (!Array.isArray(given) || given.length > 200) throw new BusinessError('invalid', 'doors应为柜门的列表')
  return given.map(one => {
    const { door, temperature, humidity } = (one ?? {}) as Body
    if (typeof door !== 'string' || door.length > 20) throw new BusinessError('invalid', 'doors中每扇门应有柜门号door')
    const [degrees, wet] = [figure(temperature), figure(humidity)]
    return {
      door,
      ...(degrees === undefined ? {} : { temperature: degrees }),
      ...(wet === undefined ? {} : { humidity: wet }),
    }
  })
}

/** A heartbeat: the device is alive, its temperature, and in the answer the commands queued for it. */
async function beat(tx: Tx, device: Device, body: Body): Promise<Body> {
  const doors = doorReports(body.doors)
  const version = typeof body.software_version === 'string' ? body.software_version.slice(0, 40) : null
  const [before] = await tx<{ is_offline: boolean; permitted_at: string }[]>`
    select is_offline, permitted_at from cabinet where org_id = ${device.org.id} and id = ${device.id} for update`
  await tx`
    update cabinet set last_beat_at = now(), is_offline = false,
      software_version = coalesce(${version}, software_version) where org_id = ${device.org.id} and id = ${device.id}`
  if (before?.is_offline) await noticeReturn(tx, device)
  for (const report of doors) await noteClimate(tx, device, report)
  const commands = await tx`
    update cabinet_command set taken_at = coalesce(taken_at, now())
     where org_id = ${device.org.id} and cabinet_id = ${device.id} and done_at is null and expires_at > now()
    returning id as command, kind, door_no as door, payload, expires_at`
  return { server_time: new Date().toISOString(), plan_at: before?.permitted_at, commands: [...commands] }
}

/**
 * The data that the device keeps for times without network: who may open which door, where goods are stored, and which
 * goods must not be issued.
 */
async function plan(tx: Tx, device: Device): Promise<Body> {
  const org = device.org.id
  const [self] = await tx<{ warehouse_id: string; permitted_at: string }[]>`
    select warehouse_id, permitted_at from cabinet where org_id = ${org} and id = ${device.id}`
  const people = await tx`
    select p.user_id as person, u.name, p.credential, p.credential_no, d.door_no as door, p.may_take, p.may_refill,
      p.may_count, p.may_manage, p.valid_from, p.valid_to
      from cabinet_permission p join app_user u on u.id = p.user_id and u.status = 'enabled' left
        join cabinet_door d on d.org_id = p.org_id and d.id = p.door_id
     where p.org_id = ${org} and p.warehouse_id = ${self!.warehouse_id}
       and coalesce(p.valid_to, ${today()}::date) >= ${today()}::date order by p.id`
  const slots = await tx`
    select d.door_no as door, s.layer, s.slot_no as slot, s.location, s.specification_id as specification_sn,
      p.name as product_name, x.name as specification_name, s.measure,
           s.lower_limit, s.upper_limit, w.code as plate, w.tare_g, w.piece_g, s.antenna_no
      from cabinet_slot s join cabinet_door d on d.org_id = s.org_id and d.id = s.door_id
      left join specification x on x.id = s.specification_id left join product p on p.id = x.product_id left
        join weighing_plate w on w.org_id = s.org_id and w.id = s.plate_id
     where s.org_id = ${org} and d.cabinet_id = ${device.id} and s.status = 'enabled' and d.status = 'enabled'
       order by s.location`
  const locked = await tx<{ code: string }[]>`
    select c.bare as code from stock_lot k join unit u on u.lot_id = k.lot_id and u.holder_org_id = ${org}
      and u.warehouse_id = ${self!.warehouse_id} and u.status = 'in_stock' and u.id > 0
      join unit_code c on c.lot_id = u.lot_id and c.unit_id = u.id
     where k.org_id = ${org}
       and (k.expiry_date < ${today()}::date or lot_is_recalled(k.org_id, k.lot_id)
         or piece_is_frozen(k.org_id, k.lot_id, u.id)) order by c.bare limit 5000`
  return {
    plan_at: self!.permitted_at,
    people: [...people],
    slots: [...slots],
    locked_codes: locked.map(row => row.code),
  }
}

/** The devices of this module: consumable cabinets. */
export const cabinetDeviceHandler: DeviceHandler = {
  async keyOf(tx, device, keyId) {
    const [row] = await tx<{ name: string; key_state: string }[]>`
      select name, key_state from cabinet where org_id = current_setting('app.org_id')::bigint and id = ${device}
        and key_id = ${keyId} and status = 'enabled'`
    return row ? { name: row.name, isActive: row.key_state === 'active' } : null
  },
  async burn(tx, device, nonce) {
    const fresh = await tx`
      insert into cabinet_nonce (org_id, cabinet_id, nonce) values (${device.org.id}, ${device.id}, ${nonce})
        on conflict do nothing returning nonce`
    return fresh.length === 1
  },
  async suspect(tx, device, why, address) {
    await recordIncident(
      tx,
      { org: device.org, userName: device.name },
      {
        kind: 'forged',
        level: 'serious',
        source: '智能柜',
        description: `${why}，来自${address}`,
        object: `${device.name} ${why}`,
      },
    )
  },
  beat,
  plan,
  take: takeEvents,
}

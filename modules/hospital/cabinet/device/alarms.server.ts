import { inexact } from '#kernel/values/inexact.ts'
import { configNumberSql } from '#server/public/settings.ts'
import { resolveIncident, recordIncident } from '#server/public/audit.ts'
import { sendMessage } from '#server/public/notifications.ts'
import { systemSessionOf } from '#server/public/organisations.ts'
import type { Device } from '#server/public/devices.ts'
import { inOrganisation, type Tx } from '#server/public/database.ts'
import { SILENT } from '#modules/hospital/cabinet/device/device-command.server.ts'
import { createTimed } from '#modules/hospital/cabinet/device/reading-requests.server.ts'
import { READ_SECONDS, TIMED_OUT } from '#modules/hospital/cabinet/stock-check/compare-reading.server.ts'
import { isLate } from '#modules/hospital/cabinet/equipment/cabinet.server.ts'
import type { Sql } from 'postgres'

/** A plate silent for this long is reported. */
const SILENT_PLATE = '30 minutes'
const RECORDS = '/commonView/consumableCabinetManagement/cabinetTransactionRecords'
const DOORS = '/commonView/consumableCabinetManagement/cupboard'

type Place = { readonly warehouse_id: string; readonly department_id: string | null }

/** Notifies the cabinet's keeper and the users of its warehouse. */
export async function notify(
  tx: Tx,
  org: string,
  place: Place,
  message: { title: string; body: string; uri: string; kind: string; objectId: string },
): Promise<void> {
  const [head] = await tx<{ id: string }[]>`
    select u.id from warehouse w join app_user u on u.org_id = w.org_id and u.employee_id = w.manager_id
      and u.status = 'enabled' where w.org_id = ${org} and w.id = ${place.warehouse_id} order by u.id limit 1`
  await sendMessage(tx, org, {
    ...message,
    type: 'system',
    stores: [place.warehouse_id],
    departmentId: place.department_id,
  })
  if (head) await sendMessage(tx, org, { ...message, type: 'system', userId: head.id })
}

type Climate = { readonly door: string; readonly temperature?: string; readonly humidity?: string }

/** Stores the reading of a door's thermometer. A reading out of range is reported once, until it is back in range. */
export async function noteClimate(tx: Tx, device: Device, { door, temperature, humidity }: Climate): Promise<void> {
  const org = device.org.id
  const [row] = await tx<
    (Place & { id: string; out: boolean; notified: boolean; low: string | null; high: string | null })[]
  >`
    update cabinet_door d set temperature = coalesce(${temperature ?? null}::numeric, d.temperature),
      humidity = coalesce(${humidity ?? null}::numeric, d.humidity), climate_at = now()
      from cabinet c join warehouse w on w.org_id = c.org_id and w.id = c.warehouse_id
     where d.org_id = ${org} and d.cabinet_id = ${device.id} and d.door_no = ${door} and c.org_id = d.org_id
       and c.id = d.cabinet_id
    returning d.id, w.id as warehouse_id, w.department_id, d.climate_notified as notified,
      coalesce(d.temperature_min, c.temperature_min) as low, coalesce(d.temperature_max, c.temperature_max) as high,
              coalesce(d.temperature < coalesce(d.temperature_min, c.temperature_min)
                or d.temperature > coalesce(d.temperature_max, c.temperature_max), false) as out`
  if (!row || row.out === row.notified) return
  await tx`update cabinet_door set climate_notified = ${row.out} where org_id = ${org} and id = ${row.id}`
  const object = `${device.name} 柜门${door}温度`
  if (!row.out) return void (await resolveIncident(tx, org, 'climate', object, '温度已恢复'))
  const body = `【${device.name}】柜门${door}温度${inexact(temperature)}℃，超出${inexact(row.low)}至${inexact(row.high)}℃`
  await recordIncident(
    tx,
    { org: device.org, userName: device.name },
    { kind: 'climate', level: 'serious', source: '智能柜', description: body, object, warehouse: row.warehouse_id },
  )
  await notify(tx, org, row, { title: '智能柜温度超限', body, uri: DOORS, kind: 'cupboard', objectId: row.id })
}

/** The device is online again. */
export const noticeReturn = (tx: Tx, device: Device) =>
  resolveIncident(tx, device.org.id, 'offline', device.name, '设备已恢复')

type Silent = Place & { org_id: string; id: string; name: string }

/** Devices silent for three minutes, reported once until they are online again. */
async function silentDevices(owner: Sql): Promise<void> {
  const gone = await owner<Silent[]>`
    update cabinet c set is_offline = true from warehouse w
     where w.org_id = c.org_id and w.id = c.warehouse_id and c.status = 'enabled' and c.key_state = 'active'
       and not c.is_offline and c.last_beat_at < now() - ${SILENT}::interval
    returning c.org_id, c.id, c.name, c.warehouse_id, w.department_id`
  for (const device of gone) {
    const { org } = await systemSessionOf(owner, device.org_id)
    await inOrganisation(owner, org.id, '0', async tx => {
      const body = `【${device.name}】超过3分钟没有心跳，请检查电源和网络`
      await recordIncident(
        tx,
        { org, userName: device.name },
        {
          kind: 'offline',
          level: 'serious',
          source: '智能柜',
          description: body,
          object: device.name,
          warehouse: device.warehouse_id,
        },
      )
      await notify(tx, org.id, device, { title: '智能柜离线', body, uri: DOORS, kind: 'cupboard', objectId: device.id })
    })
  }
}

/** Doors open longer than allowed, reported once per opening. */
async function lateDoors(owner: Sql): Promise<void> {
  const late = await owner<(Silent & { door_no: string; door_id: string; who: string | null })[]>`
    update cabinet_door d set open_notified = true from cabinet c join warehouse w on w.org_id = c.org_id
      and w.id = c.warehouse_id
     where c.org_id = d.org_id and c.id = d.cabinet_id and not d.open_notified and ${isLate(owner as never, 'd', 'c')}
    returning d.org_id, c.id, c.name, c.warehouse_id, w.department_id, d.door_no, d.id as door_id,
              (select s.operator_name from cabinet_session s where s.org_id = d.org_id and s.door_id = d.id
                and s.closed_at is null order by s.id desc limit 1) as who`
  for (const door of late) {
    const { org } = await systemSessionOf(owner, door.org_id)
    await inOrganisation(owner, org.id, '0', async tx => {
      const body = `【${door.name}】柜门${door.door_no}超时未关${door.who ? `，开门人${door.who}` : ''}`
      await recordIncident(
        tx,
        { org, userName: door.who ?? door.name },
        {
          kind: 'door',
          source: '智能柜',
          description: body,
          object: `${door.name} 柜门${door.door_no}`,
          warehouse: door.warehouse_id,
        },
      )
      await notify(tx, org.id, door, { title: '柜门未关', body, uri: DOORS, kind: 'cupboard', objectId: door.door_id })
    })
  }
}

/** Takes that were not linked within the hospital's limit become 异常 and go to the cabinet's keeper. */
export async function unlinkedTakes(owner: Sql): Promise<void> {
  const orgs = await owner<
    { org_id: string }[]
  >`select distinct org_id from cabinet_transaction where state = 'pending'`
  for (const { org_id } of orgs)
    await inOrganisation(owner, org_id, '0', async tx => {
      const late = await tx<(Place & { id: string; name: string; operator_name: string })[]>`
        update cabinet_transaction t set state = 'abnormal', note = coalesce(t.note || '；', '') || '超过时限未关联患者或科室',
          version = t.version + 1
         from cabinet c where t.org_id = ${org_id} and t.state = 'pending' and c.org_id = t.org_id
           and c.id = t.cabinet_id
          and t.opened_at < now() - make_interval(hours => ${configNumberSql(tx, org_id, 'cabinet_link_hours')})
        returning t.id, c.name, t.operator_name, t.warehouse_id, t.department_id`
      for (const [name, rows] of Map.groupBy(late, row => row.name)) {
        const who = [...new Set(rows.map(row => row.operator_name))].join('、')
        await notify(tx, org_id, rows[0]!, {
          title: '取用未关联',
          body: `【${name}】有${rows.length}件取用超过时限未关联患者或科室（${who}），请说明`,
          uri: RECORDS,
          kind: 'cabinetTransaction',
          objectId: rows[0]!.id,
        })
      }
    })
}

/** Cabinet plates silent for half an hour: one incident row each. */
async function silentPlates(owner: Sql): Promise<void> {
  const silent = await owner<{ org_id: string; code: string; name: string; warehouse_id: string }[]>`
    select p.org_id, p.code, c.name, c.warehouse_id from weighing_plate p join cabinet c on c.org_id = p.org_id
      and c.warehouse_id = p.warehouse_id and c.key_state = 'active' and c.status = 'enabled'
     where p.status = 'enabled' and p.specification_id is not null and p.read_at < now() - ${SILENT_PLATE}::interval
       and c.last_beat_at < now() - ${SILENT_PLATE}::interval
       and not exists (select 1 from error_record e where e.org_id = p.org_id and e.error_kind = 'offline'
         and e.object = c.name || ' 托盘' || p.code and e.last_at > now() - interval '24 hours') limit 200`
  for (const plate of silent) {
    const { org } = await systemSessionOf(owner, plate.org_id)
    await inOrganisation(owner, org.id, '0', tx =>
      recordIncident(
        tx,
        { org, userName: plate.name },
        {
          kind: 'offline',
          source: '智能柜',
          description: `托盘【${plate.code}】超过30分钟没有读数`,
          object: `${plate.name} 托盘${plate.code}`,
          warehouse: plate.warehouse_id,
        },
      ),
    )
  }
}

/** Readings that did not arrive within their minute are marked as such; none of them counts as zero stock. */
const lateReadings = (owner: Sql) => owner`
  update cabinet_comparison set state = 'unfinished', difference_kind = 'unfinished', note = ${TIMED_OUT},
    version = version + 1
   where state = 'reading' and compared_at < now() - make_interval(secs => ${READ_SECONDS})`

const OLD_NONCES = '1 hour'

/** Checks of the cabinets that run every few seconds. */
export async function watchCabinets(_app: Sql, owner: Sql): Promise<void> {
  await silentDevices(owner)
  await lateDoors(owner)
  await silentPlates(owner)
  await lateReadings(owner)
  await unlinkedTakes(owner)
  await createTimed(owner)
  // Requests older than the clock tolerance are refused anyway.
  await owner`delete from cabinet_nonce where at < now() - ${OLD_NONCES}::interval`
}

import type { Sql } from 'postgres'
import { addDays, today } from '#kernel/values/date.ts'
import { add, multiply } from '#kernel/values/decimal.ts'
import { noteClimate } from '#modules/hospital/cabinet/device/alarms.server.ts'
import { cabinetDeviceHandler } from '#modules/hospital/cabinet/device/device-handler.server.ts'
import { weighingRules } from '#modules/hospital/cabinet/weighing/weighing.server.ts'
import { shareCabinets } from '#modules/hospital/cabinet/transactions/owner-sync.server.ts'
import type { DemoDatabase } from '#demo/simulation/actions.ts'
import type { Device, DeviceEvent } from '#server/devices/device-handler.ts'
import { deliverDocument } from '#server/documents/intercompany/deliver.ts'
import { createAndReview } from '#server/documents/action/automatic.ts'
import { createLots } from '#server/documents/posting/lots-and-serials.ts'
import { inOrganisation } from '#server/database/transaction.ts'
import type { Session } from '#server/access/session.ts'
import { systemSessionOf } from '#server/organisations/organisations.ts'

const HOUR = 3_600_000
const PIECE_G = '12.500'
const TARE_G = '205.000'
/** Plates that hold goods; the other plates stay empty. */
const PLATES = ['TP-0101', 'TP-0102']

/**
 * Gives the stock in the demo's cabinets its slots, plates and limits, then records half a day of openings as the
 * devices would report them.
 */
export async function fillCabinets(database: DemoDatabase): Promise<void> {
  await shelveOfMaker(database)
  await createSlots(database.owner)
  await bindPlates(database.owner)
  const [org] = await database.owner<{ id: string }[]>`select id from organisation where code = 'H01'`
  const organisation = await systemSessionOf(database.owner, org!.id)
  await notifyMorning(database, organisation.org)
  await weighPlates(database, organisation)
  await warmUp(database, organisation.org)
  await shareCabinets(database.app, database.owner)
}

/** The cold cabinet is a little too warm: an alarm that nobody settled yet. */
async function warmUp({ owner, app }: DemoDatabase, org: Device['org']): Promise<void> {
  const [cold] = await owner<{ id: string; name: string; door: string }[]>`
    select c.id, c.name, d.door_no as door from cabinet c
      join cabinet_door d on d.org_id = c.org_id and d.cabinet_id = c.id
     where c.org_id = ${org.id} and c.code = 'LC-34' order by d.door_no limit 1`
  const { id, name, door } = cold!
  await inOrganisation(app, org.id, '0', tx => noteClimate(tx, { org, id, name }, { door, temperature: '9.4' }))
}

const MAKERS = ['YJ-DEMO-01', 'YJ-DEMO-02', 'YJ-DEMO-03']

/**
 * A few pieces in the first cabinet are owned by their maker, so that a maker's view of a customer's cabinets is not
 * empty.
 */
async function shelveOfMaker({ owner, app }: DemoDatabase): Promise<void> {
  const [of] = await owner<{ h: string; v: string; store: string; specification: string; price: string }[]>`
    select h.id as h, v.id as v, w.id as store, s.id as specification, s.price from organisation h, organisation v,
      warehouse w, specification s
     where h.code = 'H01' and v.code = 'V01' and w.code = 'H01-W31' and s.code = 'P002-01'`
  const line = {
    specification_sn: of!.specification,
    lot_no: 'YJ2601',
    production_date: addDays(today(), -90),
    expiry_date: addDays(today(), 600),
    owner_org_sn: of!.v,
    unit_codes: MAKERS,
    quantity: String(MAKERS.length),
    price: of!.price,
  }
  await createLots(app, [line])
  const session = await systemSessionOf(owner, of!.h)
  const sn = await inOrganisation(app, of!.h, '0', tx =>
    createAndReview(tx, session, 'openingStock', { warehouse_model_inner_sn: of!.store }, [line]),
  )
  await deliverDocument(app, of!.h, sn)
}

/** A slot for each specification stored in a cabinet, distributed over its doors; some are below their limit. */
async function createSlots(owner: Sql): Promise<void> {
  await owner`
    insert into cabinet_slot (org_id, door_id, layer, slot_no, location, specification_id, measure, lower_limit,
      upper_limit, pack_quantity)
    select k.org_id, d.id, k.layer, k.slot_no, k.code || '-' || d.door_no || '-' || k.layer || '-' || k.slot_no,
      k.specification_id, k.measure,
           ceil(k.held * case when k.place = 2 then 1.2 else 0.4 end), ceil(k.held * 2),
             case when k.measure = 'two_bin' then 10 end
      from (select c.org_id, c.id as cabinet_id, c.code, b.specification_id, sum(b.quantity) as held,
        row_number() over w as place, (1 + (row_number() over w - 1) / 2 % 6)::int as layer,
                   lpad((row_number() over w)::text, 2, '0') as slot_no,
                     (select count(*) from cabinet_door x where x.org_id = c.org_id and x.cabinet_id = c.id) as doors,
                   case when p.is_high_value or coalesce(h.is_unit_coded, p.is_unit_coded) or c.identify <> 'weight'
                     then case c.identify when 'scan' then 'scan' else 'rfid' end
                        when row_number() over w % 3 = 0 then 'two_bin' when row_number() over w % 3 = 1 then 'key'
                          else 'manual' end as measure
              from cabinet c join stock_balance b on b.org_id = c.org_id and b.warehouse_id = c.warehouse_id
                and b.quantity > 0
              join specification s on s.id = b.specification_id join product p on p.id = s.product_id left
                join hospital_product h on h.org_id = c.org_id and h.specification_id = s.id
             group by c.org_id, c.id, c.code, c.identify, b.specification_id, p.is_high_value, h.is_unit_coded,
               p.is_unit_coded
            window w as (partition by c.id order by b.specification_id)) k
      join lateral (select x.id, x.door_no from cabinet_door x
        where x.org_id = k.org_id and x.cabinet_id = k.cabinet_id order by x.door_no offset (k.place - 1) % k.doors
        limit 1) d on true
    on conflict do nothing`
}

/** The first low-value goods of the weighing cabinet are on plates: one specification and lot per plate. */
async function bindPlates(owner: Sql): Promise<void> {
  const goods = await owner<
    { id: string; org_id: string; specification_id: string; lot_no: string; quantity: string }[]
  >`
    select s.id, s.org_id, s.specification_id, b.lot_no, b.quantity from cabinet_slot s
      join cabinet_door d on d.org_id = s.org_id and d.id = s.door_id join cabinet c on c.org_id = d.org_id
      and c.id = d.cabinet_id
      join lateral (select k.lot_no, sum(k.quantity) as quantity from cabinet_stock k
        where k.org_id = s.org_id and k.slot_id = s.id and k.quality_state = 'qualified' group by 1 order by 2 desc
        limit 1) b on true
     where c.code = 'DZ-33' and s.measure in ('manual', 'two_bin') and b.quantity >= 10 order by s.location
       limit ${PLATES.length}`
  for (const [at, good] of goods.entries()) {
    const [plate] = await owner<{ id: string }[]>`
      update weighing_plate set specification_id = ${good.specification_id}, lot_no = ${good.lot_no},
        tare_g = ${TARE_G}, piece_g = ${PIECE_G}, pieces = ${good.quantity},
        weight_g = ${TARE_G}::numeric + ${PIECE_G}::numeric * ${good.quantity}::numeric, read_at = now()
       where org_id = ${good.org_id} and code = ${PLATES[at]!} returning id`
    await owner`update cabinet_slot set measure = 'weight', plate_id = ${plate!.id}
      where org_id = ${good.org_id} and id = ${good.id}`
  }
}

/** This morning's plate readings compared with the books: a weighing document that waits to be submitted. */
async function weighPlates({ app, owner }: DemoDatabase, organisation: Session): Promise<void> {
  const [store] = await owner<{ id: string }[]>`
    select warehouse_id as id from cabinet where org_id = ${organisation.org.id} and code = 'DZ-33'`
  const asks = { warehouse_model_inner_sn: store!.id }
  await inOrganisation(app, organisation.org.id, '0', tx => weighingRules.calls!.generate!(tx, organisation, asks))
}

type Said = Readonly<Record<string, unknown>>

/** Pieces stored in a cabinet that may be used today. */
const piecesIn = (owner: Sql, code: string) => owner<{ code: string }[]>`
  select distinct on (u.lot_id, u.id) n.bare as code from cabinet c join unit u on u.holder_org_id = c.org_id
    and u.warehouse_id = c.warehouse_id and u.status = 'in_stock' and u.id > 0
    join unit_code n on n.lot_id = u.lot_id and n.unit_id = u.id join stock_lot k on k.org_id = c.org_id
      and k.lot_id = u.lot_id and k.expiry_date > ${addDays(today(), 30)}::date
   where c.code = ${code} order by u.lot_id, u.id, n.bare`

/**
 * Events of yesterday evening and this morning: uses, returns, unlinked openings, an unknown person at the door, a
 * reading with differences.
 */
async function notifyMorning({ owner, app }: DemoDatabase, org: Device['org']): Promise<void> {
  const devices = new Map(
    (await owner<Device[]>`select id, name, code from cabinet where org_id = ${org.id}`).map(row => [
      (row as unknown as { code: string }).code,
      { org, id: row.id, name: row.name },
    ]),
  )
  const [person] = await owner<{ id: string }[]>`select id from app_user where login = 'nurse'`
  const codes = (await piecesIn(owner, 'GZ-31')).map(row => row.code)
  let count = 0
  const notify = async (cabinet: string, hoursAgo: number, kind: string, said: Said): Promise<void> => {
    count += 1
    const event: DeviceEvent = {
      event_id: `demo-${count}`,
      kind,
      at: new Date(Date.now() - hoursAgo * HOUR + count * 1000).toISOString(),
      is_late: false,
      payload: said,
    }
    await cabinetDeviceHandler.take(app, devices.get(cabinet)!, [event])
  }
  const visit = async (cabinet: string, door: string, hoursAgo: number, moved: Said): Promise<void> => {
    const session = `demo-s${count}`
    await notify(cabinet, hoursAgo, 'open', { session, door, person: person!.id, purpose: 'take', auth: '刷卡' })
    await notify(cabinet, hoursAgo, 'close', { session, ...moved })
  }
  const [doctor] = await owner<{ code: string }[]>`
    select code from employee where org_id = ${org.id} and is_surgeon and status = 'enabled' order by code limit 1`
  const patient = {
    patient_no: 'P0001',
    patient_name: '演示患者',
    admission_no: 'ZY0001',
    surgery_name: '冠状动脉介入',
    implant_site: '左前降支',
    doctor_code: doctor!.code,
  }
  if (codes.length >= 6) {
    await visit('GZ-31', 'A', 6, { taken_codes: [codes[0]], patient })
    await visit('GZ-31', 'A', 5, { taken_codes: [codes[1], codes[2]] })
    await visit('GZ-31', 'A', 4, { put_codes: [codes[2]] })
  }
  await visit('GZ-31', 'B', 4, { taken_codes: [MAKERS[0]] })
  await notify('GZ-31', 3, 'open', { session: 'demo-outsider', door: 'B', card: '0000', auth: '刷卡' })
  const [slot] = await owner<{ location: string; door_no: string }[]>`
    select s.location, d.door_no from cabinet_slot s join cabinet_door d on d.org_id = s.org_id and d.id = s.door_id
      where s.org_id = ${org.id} and s.measure = 'key' order by s.location limit 1`
  if (slot) await visit('DZ-33', slot.door_no, 3, { counts: [{ slot: slot.location, taken: '2', put: '0' }] })
  // The plates hold fewer pieces than the books say: outside an opening, a weight books nothing.
  const plates = await owner<{ code: string; pieces: string }[]>`
    select code, pieces from weighing_plate where org_id = ${org.id} and code = any(${PLATES}) and pieces is not null
      order by code`
  const weights = plates.map(({ code, pieces }, at) => ({
    plate: code,
    grams: add(TARE_G, multiply(PIECE_G, add(pieces, String(at - 3), 3), 3), 3),
    steady_seconds: 8,
  }))
  await notify('DZ-33', 2, 'inventory', { codes: [], weights })
  await notify('GZ-31', 2, 'inventory', { codes: [...codes.slice(2, -1), 'EPC-DEMO-0001'] })
  await notify('GZ-32', 2, 'inventory', { codes: (await piecesIn(owner, 'GZ-32')).map(row => row.code) })
}

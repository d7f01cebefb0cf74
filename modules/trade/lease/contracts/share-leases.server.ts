import type { JSONValue, Sql } from 'postgres'
import { contractState, lastDay } from '#modules/trade/lease/leases.server.ts'
import { inOrganisation } from '#server/public/database.ts'

type Shared = { readonly lessee_id: string; readonly row: Readonly<Record<string, JSONValue>> }

/**
 * Sends each tenant the data of the leased areas that the tenant may see, with the tenant's own stock in them, as rows
 * of its own; the areas of others, their stock and their contracts stay with the lessor.
 */
export async function shareLeasesOf(sql: Sql, org: string): Promise<void> {
  const rows = await inOrganisation(
    sql,
    org,
    '0',
    tx => tx<Shared[]>`
    select c.lessee_id, jsonb_build_object('lessor_id', c.org_id, 'of_line_id', l.id, 'contract_no', c.contract_no,
             'contract_state', ${contractState(tx)}, 'warehouse_id', a.warehouse_id, 'warehouse_name', w.name,
             'area_id', a.id, 'area_code', a.code, 'area_name', a.name, 'area_kind', a.area_kind,
             'storage_condition', a.storage_condition,
             'temperature_min', a.temperature_min, 'temperature_max', a.temperature_max,
             'humidity_min', a.humidity_min, 'humidity_max', a.humidity_max,
             'area_m2', l.area_m2, 'start_on', l.start_on, 'end_on', ${lastDay(tx)},
             'stock', (select coalesce(sum(s.quantity), 0) from lease_stock s
                where s.org_id = c.org_id and s.owner_id = c.lessee_id and s.warehouse_id = a.warehouse_id
                  and s.area_code = a.code),
             'reading', (select concat_ws(' ', trim_scale(r.temperature) || '℃', trim_scale(r.humidity) || '%')
                from area_reading r where r.org_id = a.org_id and r.lease_area_id = a.id
               order by r.read_at desc limit 1)) as row
      from lease_contract c
      join lease_line l on l.org_id = c.org_id and l.lease_contract_id = c.id
      join lease_area a on a.org_id = l.org_id and a.id = l.lease_area_id
      join warehouse w on w.org_id = a.org_id and w.id = a.warehouse_id
     where c.org_id = ${org} and c.status = 'enabled' or c.org_id = ${org} and c.stopped_on is not null`,
  )
  const tenants = await inOrganisation(
    sql,
    org,
    '0',
    tx => tx<{ lessee_id: string }[]>`select distinct lessee_id from lease_contract where org_id = ${org}`,
  )
  for (const { lessee_id: to } of tenants) {
    const own = rows.filter(({ lessee_id }) => lessee_id === to).map(({ row }) => row)
    await inOrganisation(sql, to, '0', async tx => {
      await tx`delete from rented_area where org_id = ${to} and lessor_id = ${org}
        and of_line_id <> all(${own.map(({ of_line_id }) => String(of_line_id))}::bigint[])`
      await tx`
        insert into rented_area (org_id, lessor_id, of_line_id, contract_no, contract_state, warehouse_id,
          warehouse_name, area_id, area_code, area_name, area_kind, storage_condition, temperature_min,
          temperature_max, humidity_min, humidity_max, area_m2, start_on, end_on, stock, reading)
        select ${to}, r.* from jsonb_to_recordset(${tx.json(own)}) as r(lessor_id bigint, of_line_id bigint,
          contract_no text, contract_state text, warehouse_id bigint, warehouse_name text, area_id bigint,
          area_code text, area_name text, area_kind text, storage_condition text, temperature_min numeric,
          temperature_max numeric, humidity_min numeric, humidity_max numeric, area_m2 numeric,
          start_on date, end_on date, stock numeric, reading text)
        on conflict (org_id, lessor_id, of_line_id) do update
          set contract_no = excluded.contract_no, contract_state = excluded.contract_state,
              warehouse_name = excluded.warehouse_name, area_code = excluded.area_code, area_name = excluded.area_name,
              area_kind = excluded.area_kind, storage_condition = excluded.storage_condition,
              temperature_min = excluded.temperature_min, temperature_max = excluded.temperature_max,
              humidity_min = excluded.humidity_min, humidity_max = excluded.humidity_max,
              area_m2 = excluded.area_m2, start_on = excluded.start_on, end_on = excluded.end_on,
              stock = excluded.stock, reading = excluded.reading, version = rented_area.version + 1`
    })
  }
}

/**
 * Updates the tenants' copies every hour, because days pass and goods move; after a change of a lease it happens at
 * once.
 */
export async function shareLeases(app: Sql, owner: Sql): Promise<void> {
  const lessors = await owner<{ org_id: string }[]>`select distinct org_id from lease_contract order by org_id`
  for (const { org_id: org } of lessors) await shareLeasesOf(app, org)
}

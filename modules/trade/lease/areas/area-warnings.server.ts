import type { Sql } from 'postgres'
import { minuteOf } from '#kernel/values/date.ts'
import { runningLines } from '#modules/trade/lease/leases.server.ts'
import { inOrganisation } from '#server/public/database.ts'
import { sendMessage } from '#server/public/notifications.ts'

/** The minutes that an area may be outside its range before people are notified. */
const PATIENCE_MINUTES = 30

type Excursion = {
  readonly code: string
  readonly name: string
  readonly warehouse: string
  readonly user_id: string | null
  readonly since: string
  readonly said: string
  readonly tenants: readonly string[]
}

/**
 * An area that has been outside its range for half an hour is reported once: to the person responsible, and to the
 * tenants who have goods in it.
 */
export async function warnOfReadings(sql: Sql, org: string, area: string): Promise<void> {
  const found = await inOrganisation(sql, org, '0', async tx => {
    const [row] = await tx<Excursion[]>`
      with last_good as (
        select max(read_at) as at from area_reading
         where org_id = ${org} and lease_area_id = ${area} and not is_outside),
      excursion as (
        select r.* from area_reading r cross join last_good g
         where r.org_id = ${org} and r.lease_area_id = ${area} and r.is_outside and (g.at is null or r.read_at > g.at)),
      lasting as (
        select min(read_at) as since, max(read_at) as until from excursion
        having not bool_or(warned) and max(read_at) - min(read_at) >= make_interval(mins => ${PATIENCE_MINUTES})),
      noted as (
        update area_reading r set warned = true from lasting x
         where r.org_id = ${org} and r.lease_area_id = ${area} and r.read_at = x.until
         returning r.temperature, r.humidity)
      select a.code, a.name, w.name as warehouse, x.since,
             concat_ws('、', trim_scale(n.temperature) || '℃', trim_scale(n.humidity) || '%') as said,
             (select u.id from app_user u where u.org_id = a.org_id and u.employee_id = a.keeper_id
               order by u.id limit 1) as user_id,
             array(select distinct c.lessee_id::text from ${runningLines(tx, org)}
               and l.lease_area_id = a.id) as tenants
        from lasting x cross join noted n
        join lease_area a on a.org_id = ${org} and a.id = ${area}
        join warehouse w on w.org_id = a.org_id and w.id = a.warehouse_id`
    if (!row) return null
    await sendMessage(tx, org, {
      title: '库区温湿度超标',
      body: bodyOf(row),
      uri: 'leaseArea',
      objectId: area,
      kind: 'leaseArea',
      ...(row.user_id === null ? {} : { userId: row.user_id }),
    })
    return row
  })
  if (found === null) return
  for (const tenant of found.tenants)
    await inOrganisation(sql, tenant, '0', tx =>
      sendMessage(tx, tenant, {
        title: '承租库区温湿度超标',
        body: bodyOf(found),
        uri: 'leaseArea',
        objectId: found.code,
        kind: 'leaseArea',
      }),
    )
}

const bodyOf = ({ warehouse, name, code, since, said }: Excursion): string =>
  `${warehouse}【${name}】（${code}）自${minuteOf(new Date(since))}起超过${PATIENCE_MINUTES}分钟超出温湿度范围，现为${said}`

import type { Sql } from 'postgres'
import { today } from '#kernel/values/date.ts'
import { categories } from '#modules/goods/warnings/warning.entity.ts'
import { sendMessage } from '#server/public/notifications.ts'
import { inOrganisation, type Tx } from '#server/public/database.ts'
import { writtenSql } from '#server/public/reports.ts'

const found = writtenSql('goods/warnings/warning-causes.sql', { organisation: 'bigint', today: 'date' })
const columns =
  'object_kind, object_name, code, partner_id, warehouse_id, department_id, specification_id, quantity, ' +
  'expiry_date, threshold, proposed, level'

/**
 * New causes are written, existing ones updated, and those that are gone are closed. A settled or ignored warning comes
 * back only when it became worse. Returns the new ones.
 */
const STATEMENT =
  `${found}, ranked as (
  select found.*, case level when 'expired' then 3 when 'none' then 3 when 'urgent' ` +
  "then 2 when 'low' then 2 when 'held' then 2 when 'missing' then 2 else 1 end::smallint as severity from " +
  `found
), gone as (
  update warning w set state = 'closed', closed_at = now(), version = w.version + 1
   where w.org_id = $1 ` +
  "and w.state <> 'closed' and not exists (select 1 from ranked r where r.category = w.category and " +
  `r.object_key = w.object_key)
), kept as (
  insert into warning as w (org_id, category, object_key, ` +
  `severity, ${columns})
  select $1, category, object_key, severity, ${columns} from ranked
  on conflict ` +
  `(org_id, category, object_key) do update
     set severity = excluded.severity, ` +
  `${columns
    .split(', ')
    .map(name => `${name} = excluded.${name}`)
    .join(', ')},
       ` +
  "  state = case when w.state = 'closed' or excluded.severity > w.settled_severity and w.state in ('handled', " +
  `'ignored') then 'open' else w.state end,
         settled_severity = case when w.state = 'closed' then 0 ` +
  `else w.settled_severity end,
         closed_at = null, first_at = case when w.state = 'closed' then now() else w.first_at ` +
  `end, version = w.version + 1
   where (w.severity, w.level, w.quantity, w.threshold, w.proposed, ` +
  `w.expiry_date, w.object_name) is distinct from
         (excluded.severity, excluded.level, ` +
  'excluded.quantity, excluded.threshold, excluded.proposed, excluded.expiry_date, excluded.object_name) or ' +
  `w.state = 'closed'
  returning w.category, w.first_at = now() as is_new
)
select category, count(*)::int as ` +
  'n from kept where is_new group by 1'

/** Moves being written during a recount become visible within this time. */
const OVERLAP = '30 seconds'
/** Minimum interval between recounts of one organisation's warnings, in seconds, however much is moved. */
const PAUSE = 60

/** Recounts the warnings of an organisation; returns how many are new, by category. */
export async function recountWarnings(tx: Tx, org: string): Promise<readonly { category: string; n: number }[]> {
  await tx`insert into warning_setting (org_id) values (${org}) on conflict (org_id) do nothing`
  const fresh = await tx.unsafe<{ category: string; n: number }[]>(STATEMENT, [org, today()])
  await tx`
    insert into warning_day (org_id, day, category, open_count)
    select ${org}, ${today()}::date, c.category,
      (select count(*) from warning w where w.org_id = ${org} and w.category = c.category and w.state = 'open')
      from unnest(${Object.keys(categories)}::text[]) as c (category)
    on conflict (org_id, day, category) do update set open_count = excluded.open_count`
  await tx`
    insert into warning_count (org_id, day, move_id, counted_at, moved_at)
    values (${org}, ${today()}::date, 0, now(), now() - ${OVERLAP}::interval)
    on conflict (org_id) do update set day = excluded.day, counted_at = excluded.counted_at,
      moved_at = excluded.moved_at`
  return fresh
}

/**
 * Recounts organisations whose goods moved since the last count, whose settings changed, or that were not counted
 * today, but none twice within `pause` seconds; new warnings are sent if the organisation wants it, except the first
 * ones. Returns how many were counted.
 */
export async function recountWhereNeeded(_app: Sql, owner: Sql, pause = PAUSE): Promise<number> {
  const due = await owner<{ id: string; counted: boolean; notifies: boolean }[]>`
    with moved as (
      select m.org_id, max(m.at) as at from stock_move m
       where m.at > (select coalesce(min(c.moved_at), '-infinity') from warning_count c where c.day = ${today()}::date)
         group by 1)
    select o.id, c.org_id is not null as counted, coalesce(s.tells, true) as notifies
      from organisation o
      left join warning_count c on c.org_id = o.id
      left join warning_setting s on s.org_id = o.id
      left join moved m on m.org_id = o.id
     where o.system_type > 0
       and (c.day is distinct from ${today()}::date or c.moved_at is null
            or (m.at > c.moved_at and c.counted_at <= now() - make_interval(secs => ${pause})))
     limit 200`
  for (const { id, counted, notifies } of due)
    await inOrganisation(owner, id, '0', async tx => {
      const fresh = await recountWarnings(tx, id)
      if (!counted || !notifies || fresh.length === 0) return
      const notified = fresh.map(({ category, n }) => `${categories[category as keyof typeof categories]}${n}条`)
      await sendMessage(tx, id, {
        title: '新的预警',
        body: `${notified.join('，')}，请处理`,
        uri: 'warning',
        objectId: today(),
        kind: 'warning',
      })
    })
  return due.length
}

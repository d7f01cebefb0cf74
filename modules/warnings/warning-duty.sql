-- $1 organisation, $2 category. Who answers for a store answers for its warnings.
select r.responsible, 'open' as state, count(*)::int as open, count(*) filter (where r.level in ('expired', 'none'))::int as danger,
       min(r.first_at) as oldest_at, ({today} - (min(r.first_at) at time zone 'Asia/Shanghai')::date)::int as oldest_days
  from (select w.level, w.first_at, {responsible} as responsible
          from warning w
         where w.org_id = $1 and w.state = 'open' and ($2::text is null or w.category = $2) and {stores:w.warehouse_id} and {departments:w.department_id}) r
 group by r.responsible
 order by min(r.first_at), count(*) desc

-- Days of the next twelve months on which licences end that nobody has renewed.
select
  l.valid_to,
  count(*)::int as licences,
  count(*) filter (
    where
      l.holder_id = :organisation
  )::int as own,
  string_agg(
    distinct l.licence_type,
    '、'
    order by
      l.licence_type
  ) as licence_types
from
  licence l
  join organisation o on o.id = l.holder_id
where
  l.org_id = :organisation
  and l.status = 'enabled'
  and l.audit_state = 'passed'
  and not l.long_term
  and l.valid_to >= (posting_now () at time zone 'Asia/Shanghai')::date
  and l.valid_to < (posting_now () at time zone 'Asia/Shanghai')::date + interval '12 months'
  and {{ contains(l.licence_type, :licence_type) }}
  and (
    :system_type is null
    or o.system_type = :system_type::int
  )
  and not exists (
    select
      1
    from
      licence n
    where
      n.org_id = l.org_id
      and n.previous_id = l.id
      and n.audit_state = 'passed'
      and n.status = 'enabled'
  )
group by
  l.valid_to
order by
  l.valid_to

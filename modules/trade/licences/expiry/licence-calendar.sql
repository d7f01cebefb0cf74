-- Days of the next twelve months on which licences end that nobody has renewed.
select
  l.valid_to,
  count(*)::int as licences,
  {{ filtered(count(*), l.holder_id = :organisation) }}::int as own,
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
  and l.valid_to >= {{ day_of(posting_now()) }}
  and l.valid_to < {{ day_of(posting_now()) }} + interval '12 months'
  and {{ contains(l.licence_type, :licence_type) }}
  and {{ if_asked(:system_type, o.system_type = :system_type::int) }}
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
group by all
order by
  l.valid_to

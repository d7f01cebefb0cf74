-- Applications for licences by :role, our own or those that others sent us.
with
  asked as (
    select
      d.id,
      case :role
        when 'own' then (d.fields ->> 'partner_sn')::bigint
        else d.from_org_id
      end as partner_id,
      to_char(d.business_date, 'YYYY-MM') as month,
      l.fields ->> 'licence_type' as licence_type,
      coalesce(l.fields ->> 'line_result', 'pending') as result,
      (l.fields ->> 'line_answered_at')::timestamptz as answered_at,
      coalesce(d.submitted_at, d.created_at) as asked_at,
      d.state
    from
      document d
      join document_line l on l.org_id = d.org_id
      and l.document_id = d.id
    where
      d.org_id = :organisation
      and d.kind = 'licenceApplication'
      and d.role = :role
      and d.state in ('submitted', 'partial', 'reviewed', 'rejected', 'stopped')
      and {{ from(d.business_date, :begin_date) }}
      and {{ until(d.business_date, :end_date) }}
      and {{ if_asked(:licence_type, l.fields ->> 'licence_type' = :licence_type) }}
      and {{ if_asked(:purpose, d.fields ->> 'purpose' = :purpose) }}
      and {{ asked(d.state, :state) }}
  ),
  seen as (
    select
      a.*,
      o.name,
      o.system_type
    from
      asked a
      join organisation o on o.id = a.partner_id
    where
      {{ contains(o.name, :partner) }}
      and {{ if_asked(:partner_type, o.system_type = :partner_type::int) }}
  )
select
  case coalesce(:by, 'partner')
    when 'partner' then name
    when 'type' then case system_type
      when 1 then '医院'
      when 2 then '经销商'
      when 3 then '厂商'
    end
    when 'licence' then licence_type
    else month
  end as grouped,
  case
    when coalesce(:by, 'partner') in ('partner', 'type') then system_type::text
  end as partner_type,
  case
    when coalesce(:by, 'partner') = 'partner' then partner_id::text
  end as partner_sn,
  count(distinct id)::int as applications,
  count(*)::int as asked,
  {{ filtered(count(*), result = 'granted') }}::int as granted,
  {{ filtered(count(*), result = 'refused') }}::int as refused,
  {{ filtered(count(*), result = 'pending') }}::int as waiting,
  {{ filtered(count(*), result = 'granted' and state = 'stopped') }}::int as ended,
  round(
    {{ filtered(count(*), result = 'granted') }}::numeric / nullif({{ filtered(count(*), result <> 'pending') }}, 0),
    4
  ) as grant_rate,
  round(
    avg(
      extract(
        epoch
        from
          answered_at - asked_at
      ) / 3600
    ) filter (
      where
        result <> 'pending'
        and answered_at is not null
    ),
    2
  )::numeric(18, 2) as average_hours,
  max({{ day_of(posting_now()) }} - {{ day_of(asked_at) }}) filter (
    where
      result = 'pending'
  ) as longest_days,
  max(asked_at) as last_asked
from
  seen
group by
  1,
  2,
  3
order by
  waiting desc,
  asked desc,
  1,
  3

-- Grants of licences by :role, our own or those that others gave us. In force: in its days, not withdrawn,
-- and the licence itself is valid.
with
  given as (
    select
      d.sn,
      case :role
        when 'own' then (d.fields ->> 'partner_sn')::bigint
        else d.from_org_id
      end as partner_id,
      to_char(d.business_date, 'YYYY-MM') as month,
      l.fields ->> 'licence_type' as licence_type,
      l.line_no,
      d.from_org_id,
      case
        when d.state = 'stopped' then 'withdrawn'
        when d.state = 'reviewed'
        and d.fields ->> 'valid_to' >= c.today
        and coalesce(d.fields ->> 'valid_from', c.today) <= c.today
        and coalesce(l.fields ->> 'paper_to', '9999') >= c.today then 'live'
        else 'ended'
      end as standing,
      least(d.fields ->> 'valid_to', l.fields ->> 'paper_to')::date as ends_on,
      c.today::date as today
    from
      document d
      join document_line l on l.org_id = d.org_id
      and l.document_id = d.id
      and l.fields ->> 'result' = 'agree'
      cross join (
        select
          to_char(posting_now () at time zone 'Asia/Shanghai', 'YYYY-MM-DD') as today
      ) c
    where
      d.org_id = :organisation
      and d.kind = 'licenceEmpower'
      and d.role = :role
      and d.state in ('reviewed', 'completed', 'stopped')
      and {{ from(d.business_date, :begin_date) }}
      and {{ until(d.business_date, :end_date) }}
      and {{ if_asked(:licence_type, l.fields ->> 'licence_type' = :licence_type) }}
  ),
  seen as (
    select
      g.*,
      o.name,
      o.system_type,
      coalesce(k.views, 0) as views,
      coalesce(k.prints, 0) as prints,
      k.last_at,
      coalesce(t.stands_as, t.licence_type) as kind
    from
      given g
      join organisation o on o.id = g.partner_id
      left join licence_kind t on t.licence_type = g.licence_type
      left join lateral (
        select
          {{ filtered(count(*), action = 'view') }} as views,
          {{ filtered(count(*), action = 'print') }} as prints,
          max(at) as last_at
        from
          licence_access k
        where
          k.org_id = :organisation
          and k.grant_org_id = g.from_org_id
          and k.grant_sn = g.sn
          and k.line_no = g.line_no
      ) k on true
    where
      {{ until(g.ends_on, :ends_by) }}
      and {{ asked(g.standing, :standing) }}
      and {{ contains(o.name, :partner) }}
      and {{ if_asked(:partner_type, o.system_type = :partner_type::int) }}
  ),
  summed as (
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
        when coalesce(:by, 'partner') = 'partner' then partner_id
      end as partner_id,
      count(*)::int as granted,
      {{ filtered(count(*), standing = 'live') }}::int as live,
      {{ filtered(count(*), standing = 'live' and ends_on <= today + 30) }}::int as ending,
      {{ filtered(count(*), standing = 'ended') }}::int as ended,
      {{ filtered(count(*), standing = 'withdrawn') }}::int as withdrawn,
      sum(views)::int as views,
      sum(prints)::int as prints,
      max(last_at) as last_look,
      {{ filtered(min(ends_on), standing = 'live') }} as first_end,
      {{ filtered(array_agg(distinct kind), standing = 'live') }} as kinds
    from
      seen
    group by all
  )
select
  s.grouped,
  s.partner_type,
  s.partner_id::text as partner_sn,
  {{ columns_of(s, granted, live, ending, ended, withdrawn, views, prints, last_look, first_end) }},
  (
    select
      round({{ filtered(count(*), r.stands_as = any (s.kinds)) }}::numeric / nullif(count(*), 0), 4)
    from
      licence_required (
        :organisation,
        case :role
          when 'own' then :organisation
          else s.partner_id
        end
      ) r
    where
      s.partner_id is not null
  ) as coverage
from
  summed s
order by
  s.granted desc,
  1,
  3

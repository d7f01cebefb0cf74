select
  o.name as supplier_name,
  r.partner_id::text as supplier_sn,
  case
    when exists (
      select
        1
      from
        licence_missing (:organisation, r.partner_id)
    ) then 'missing'
    when l.first_end < n.today then 'expired'
    when l.first_end <= n.today + 90 then 'quarter'
    else 'valid'
  end as status,
  coalesce(v.name, '未登记') as province,
  1 as suppliers
from
  (
    select distinct
      x.partner_id
    from
      org_relation x
    where
      x.org_id = :organisation
      and x.status = 'enabled'
      and x.relation in ('DH', 'HD', 'HV', 'VH')
  ) r
  join organisation o on o.id = r.partner_id
  cross join (
    select
      {{ day_of(posting_now()) }} as today
  ) n
  left join lateral (
    select
      min(c.valid_to) as first_end
    from
      licence c
    where
      c.org_id = :organisation
      and c.holder_id = r.partner_id
      and c.status = 'enabled'
      and c.audit_state = 'passed'
      and not c.long_term
      and not exists (
        select
          1
        from
          licence w
        where
          w.org_id = :organisation
          and w.holder_id = c.holder_id
          and w.licence_type = c.licence_type
          and w.status = 'enabled'
          and w.grantee_id is not distinct from c.grantee_id
          and w.valid_from > c.valid_from
      )
  ) l on true
  left join lateral (
    select
      substring(
        o.division_name
        from
          '^(.+?(省|自治区|市|特别行政区))'
      ) as name
  ) v on true

-- The platform counts all products, others those that they handed in.
with
  seen as (
    select
      {{ columns_of(p, id, status, manufacturer_id, built_by_id, device_class, submitted_at, audited_at) }},
      {{ columns_of(p, issued_at, created_at, refusals) }},
      (
        select
          count(*)::int
        from
          specification s
        where
          s.product_id = p.id
          and s.mapped_to_id is null
      ) as sizes
    from
      product p
    where
      (
        (
          select
            system_type
          from
            organisation
          where
            id = :organisation
        ) = 0
        or p.built_by_id = :organisation
        or p.manufacturer_id = :organisation
      )
      and {{ if_asked(:begin_date, p.submitted_at >= :begin_date::timestamp at time zone 'Asia/Shanghai') }}
      and {{ if_asked(:end_date, p.submitted_at < (:end_date + 1)::timestamp at time zone 'Asia/Shanghai') }}
      and (
        :manufacturer is null
        or exists (
          select
            1
          from
            organisation o
          where
            o.id = p.manufacturer_id
            and o.name like '%' || :manufacturer || '%'
        )
      )
      and {{ asked(p.device_class, :device_class) }}
  )
select
  case coalesce(:dimension, 'state')
    when 'state' then case s.status
      when 'self_built' then '自建'
      when 'pending' then '待审核'
      when 'unreleased' then '未发布'
      when 'released' then '已发布'
      when 'withdrawn' then '已停用'
      else '已匹配'
    end
    when 'builder' then coalesce(
      (
        select
          o.name
        from
          organisation o
        where
          o.id = s.built_by_id
      ),
      '—'
    )
    when 'manufacturer' then (
      select
        o.name
      from
        organisation o
      where
        o.id = s.manufacturer_id
    )
    when 'device_class' then s.device_class
    else to_char(coalesce(s.submitted_at, s.created_at) at time zone 'Asia/Shanghai', 'YYYY-MM')
  end as group_name,
  count(*)::int as products,
  sum(s.sizes)::int as sizes,
  round(
    (
      avg(
        extract(
          epoch
          from
            s.audited_at - s.submitted_at
        )
      ) filter (
        where
          s.audited_at > s.submitted_at
      ) / 3600
    )::numeric,
    2
  ) as audit_hours,
  round(
    (
      avg(
        extract(
          epoch
          from
            s.issued_at - s.audited_at
        )
      ) filter (
        where
          s.issued_at > s.audited_at
      ) / 3600
    )::numeric,
    2
  ) as release_hours,
  (
    count(*) filter (
      where
        s.issued_at is not null
    )
  )::int as released,
  (
    count(*) filter (
      where
        s.issued_at is not null
        and s.refusals = 0
    )
  )::int as first_pass,
  round(
    (
      count(*) filter (
        where
          s.issued_at is not null
          and s.refusals = 0
      )
    )::numeric / nullif(
      count(*) filter (
        where
          s.issued_at is not null
      ),
      0
    ),
    4
  ) as first_pass_rate
from
  seen s
group by
  1
order by
  count(*) desc,
  1

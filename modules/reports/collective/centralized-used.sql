-- Agreed, bought and used of each winning specification, against time; a receipt above the winning price stands under
-- its goods.
with
  {{ part(collective-goods) }},
  figures as (
    select
      w.*,
      w.until - w.collective_from + 1 as days_passed,
      w.collective_to - w.collective_from + 1 as days,
      coalesce(b.quantity, 0) as bought,
      coalesce(b.recent, 0) as recent,
      least(90, w.until - w.collective_from + 1) as recent_days,
      coalesce(u.used, 0) as used,
      coalesce(u.other, 0) as other
    from
      won w
      left join lateral (
        select
          sum(x.quantity) as quantity,
          sum(x.quantity) filter (
            where
              x.business_date > w.until - 90
          ) as recent
        from
          bought x
        where
          x.specification_id = w.specification_id
      ) b on true
      left join lateral (
        select
          sum(x.quantity) filter (
            where
              x.is_won
          ) as used,
          sum(x.quantity) filter (
            where
              not x.is_won
          ) as other
        from
          spent x
        where
          x.specification_id = w.specification_id
      ) u on true
  ),
  rated as (
    select
      f.*,
      round(f.bought / f.agreed_quantity, 4) as purchase_rate,
      round(f.used / f.agreed_quantity, 4) as use_rate,
      least(round(f.days_passed::numeric / f.days, 4), 1) as time_rate
    from
      figures f
  ),
  judged as (
    select
      r.*,
      r.purchase_rate - r.time_rate as gap,
      case
        when r.purchase_rate >= 1 then 'done'
        when r.purchase_rate - r.time_rate >= -0.05 then 'normal'
        when r.purchase_rate - r.time_rate >= -0.2 then 'late'
        else 'very_late'
      end as completion
    from
      rated r
  ),
  listed as (
    select
      j.*,
      0 as place,
      null::text as alert,
      null::text as grn_sn,
      null::numeric as grn_price
    from
      judged j
    union all
    select
      j.*,
      1,
      'above',
      b.sn,
      b.price
    from
      judged j
      join bought b on b.specification_id = j.specification_id
    where
      b.quantity > 0
      and b.price > j.collective_price
  )
select
  x.collective_batch,
  x.collective_from::text || ' 至 ' || x.collective_to::text as agreement,
  p.code as product_code,
  p.name as product_name,
  s.name as specification_name,
  c.certificate_no as registration_no,
  o.name as manufacturer_name,
  s.unit_name,
  x.collective_price,
  case
    when x.place = 0 then x.agreed_quantity::numeric(18, 3)
  end as agreed_quantity,
  case
    when x.place = 0 then x.bought::numeric(18, 3)
  end as bought_quantity,
  case
    when x.place = 0 then x.purchase_rate
  end as purchase_rate,
  case
    when x.place = 0 then x.used::numeric(18, 3)
  end as used_quantity,
  case
    when x.place = 0 then x.use_rate
  end as use_rate,
  case
    when x.place = 0 then x.time_rate
  end as time_rate,
  case
    when x.place = 0 then x.gap
  end as gap,
  case
    when x.place = 0 then x.completion
  end as completion,
  case
    when x.place = 0 then x.other::numeric(18, 3)
  end as other_quantity,
  case
    when x.place = 0 then round(x.used / nullif(x.used + x.other, 0), 4)
  end as won_share,
  case
    when x.place = 0
    and x.purchase_rate < 1
    and x.recent > 0 then (x.until + ceil((x.agreed_quantity - x.bought) * x.recent_days / x.recent)::int)::text
  end as expected_on,
  x.alert,
  x.grn_sn,
  x.grn_price,
  x.specification_id::text as specification_sn,
  x.collective_from::text as first_day,
  x.until::text as last_day
from
  listed x
  join specification s on s.id = x.specification_id
  join product p on p.id = x.product_id
  join organisation o on o.id = p.manufacturer_id
  left join registration_certificate c on c.id = s.registration_certificate_id
where
  (
    :product is null
    or p.name like '%' || :product || '%'
    or p.code like :product || '%'
  )
  and (
    :manufacturer is null
    or o.name like '%' || :manufacturer || '%'
  )
  and (
    :completion is null
    or x.completion = :completion
  )
order by
  x.collective_batch,
  p.code,
  s.name,
  x.specification_id,
  x.place,
  x.grn_sn

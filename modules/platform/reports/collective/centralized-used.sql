-- Agreed, bought and used quantities of each winning specification, against time; receipts above the winning price are
-- rows under their goods.
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
      left join (
        select
          x.specification_id,
          sum(x.quantity) as quantity,
          {{ filtered(sum(x.quantity), x.business_date > w.until - 90) }} as recent
        from
          bought x
          join won w on w.specification_id = x.specification_id
        group by all
      ) b on b.specification_id = w.specification_id
      left join (
        select
          x.specification_id,
          {{ filtered(sum(x.quantity), x.is_won) }} as used,
          {{ filtered(sum(x.quantity), not x.is_won) }} as other
        from
          spent x
        group by all
      ) u on u.specification_id = w.specification_id
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
  judged as materialized (
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
  listed as materialized (
    select
      j.specification_id,
      0 as place,
      null::text as alert,
      null::text as grn_sn,
      null::numeric as grn_price
    from
      judged j
    union all
    select
      j.specification_id,
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
  {{ columns_of(x, product_code, product_name, specification_name) }},
  c.certificate_no as registration_no,
  {{ columns_of(x, manufacturer_name, unit_name, collective_price) }},
  f.agreed_quantity::numeric(18, 3) as agreed_quantity,
  f.bought::numeric(18, 3) as bought_quantity,
  f.purchase_rate,
  f.used::numeric(18, 3) as used_quantity,
  {{ columns_of(f, use_rate, time_rate, gap, completion) }},
  f.other::numeric(18, 3) as other_quantity,
  round(f.used / nullif(f.used + f.other, 0), 4) as won_share,
  case
    when f.purchase_rate < 1
    and f.recent > 0 then (f.until + ceil((f.agreed_quantity - f.bought) * f.recent_days / f.recent)::int)::text
  end as expected_on,
  {{ columns_of(l, alert, grn_sn, grn_price) }},
  x.specification_id::text as specification_sn,
  x.collective_from::text as first_day,
  x.until::text as last_day
from
  listed l
  join judged x on x.specification_id = l.specification_id
  -- The figures are shown only once, on the row of the goods.
  left join judged f on f.specification_id = l.specification_id
  and l.place = 0
  left join registration_certificate c on c.id = x.registration_certificate_id
where
  :completion is null
  or x.completion = :completion
order by
  {{ columns_of(x, collective_batch, product_code, specification_name, specification_id) }},
  l.place,
  l.grn_sn

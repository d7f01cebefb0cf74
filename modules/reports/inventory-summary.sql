-- A reversal's moves are negative in the column of its kind, so a kind's net is one figure, whatever was
-- undone.
-- By business day: it begins with the opening of a month by the moment of posting, adds what was posted since
-- and what was posted after the period for a day in it or before, and takes out what was posted before it for
-- a later day.
with
  since as not materialized (
    select
      sealed_month (:begin_date::timestamp at time zone 'Asia/Shanghai') as base
  ),
  rows as (
    select
      m.warehouse_id,
      m.specification_id,
      m.lot_id,
      m.owner_id,
      true as is_before,
      m.quantity,
      m.value,
      null::text as side
    from
      since,
      month_opening m
    where
      m.org_id = :organisation
      and m.month = since.base
    union all
    select
      m.warehouse_id,
      m.specification_id,
      m.lot_id,
      m.owner_id,
      m.business_date < :begin_date,
      m.quantity,
      m.value,
      stock_side (d.kind, m.quantity, m.undo_of is not null)
    from
      since,
      stock_move m
      join document d on d.org_id = m.org_id
      and d.id = m.document_id
    where
      m.org_id = :organisation
      and d.org_id = :organisation
      and m.at >= month_start (since.base)
      and m.at < (:end_date + 1)::timestamp at time zone 'Asia/Shanghai'
      and m.business_date <= :end_date
    union all
    select
      m.warehouse_id,
      m.specification_id,
      m.lot_id,
      m.owner_id,
      m.business_date < :begin_date,
      m.quantity,
      m.value,
      stock_side (d.kind, m.quantity, m.undo_of is not null)
    from
      stock_move m
      join document d on d.org_id = m.org_id
      and d.id = m.document_id
    where
      m.org_id = :organisation
      and d.org_id = :organisation
      and m.at >= (:end_date + 1)::timestamp at time zone 'Asia/Shanghai'
      and m.business_date <= :end_date
      and m.business_date < (m.at at time zone 'Asia/Shanghai')::date
    union all
    select
      m.warehouse_id,
      m.specification_id,
      m.lot_id,
      m.owner_id,
      x.is_before,
      x.sign * m.quantity,
      x.sign * m.value,
      case
        when not x.is_before then stock_side (d.kind, m.quantity, m.undo_of is not null)
      end
    from
      since,
      stock_move m
      join document d on d.org_id = m.org_id
      and d.id = m.document_id
      cross join (
        values
          (true, -1),
          (false, 1)
      ) x (is_before, sign)
    where
      m.org_id = :organisation
      and d.org_id = :organisation
      and m.at < month_start (since.base)
      and m.business_date >= :begin_date
      and (
        x.is_before
        or m.business_date <= :end_date
      )
      and m.business_date > (m.at at time zone 'Asia/Shanghai')::date
  ),
  moved as (
    select
      coalesce(z.stands_for_id, m.specification_id) as specification_id,
      m.is_before,
      m.quantity,
      m.value,
      m.side
    from
      rows m
      left join mapped_size z on z.specification_id = m.specification_id
      join warehouse w on w.org_id = :organisation
      and w.id = m.warehouse_id
    where
      w.org_id = :organisation
      and w.model not in ('transit', 'consumed')
      and (
        :warehouse_model_inner_sn is null
        or m.warehouse_id = :warehouse_model_inner_sn
      )
      and {{ warehouse_scope(m.warehouse_id) }}
      and {{ department_scope(w.department_id) }}
      and {{ same_specification(m.specification_id, :specification_sn) }}
      and (
        :regime is null
        or (:regime = 'purchased') = (m.owner_id = :organisation)
      )
      and (
        :lot_no is null
        or m.lot_id in (
          select
            l.id
          from
            lot l
          where
            l.lot_no = :lot_no
        )
      )
  ),
  summed as (
    select
      specification_id,
      coalesce(
        sum(quantity) filter (
          where
            is_before
        ),
        0
      )::numeric(18, 3) as opening_quantity,
      coalesce(
        sum(value) filter (
          where
            is_before
        ),
        0
      )::numeric(18, 2) as opening_value,
      coalesce(
        sum(quantity) filter (
          where
            not is_before
            and side = 'purchase_in'
        ),
        0
      )::numeric(18, 3) as purchase_in,
      coalesce(
        sum(quantity) filter (
          where
            not is_before
            and side = 'return_in'
        ),
        0
      )::numeric(18, 3) as return_in,
      coalesce(
        sum(quantity) filter (
          where
            not is_before
            and side = 'transfer_in'
        ),
        0
      )::numeric(18, 3) as transfer_in,
      coalesce(
        sum(quantity) filter (
          where
            not is_before
            and side = 'other_in'
        ),
        0
      )::numeric(18, 3) as other_in,
      coalesce(
        - sum(quantity) filter (
          where
            not is_before
            and side = 'issue_out'
        ),
        0
      )::numeric(18, 3) as issue_out,
      coalesce(
        - sum(quantity) filter (
          where
            not is_before
            and side = 'use_out'
        ),
        0
      )::numeric(18, 3) as use_out,
      coalesce(
        - sum(quantity) filter (
          where
            not is_before
            and side = 'transfer_out'
        ),
        0
      )::numeric(18, 3) as transfer_out,
      coalesce(
        - sum(quantity) filter (
          where
            not is_before
            and side in ('other_out', 'purchase_back')
        ),
        0
      )::numeric(18, 3) as other_out,
      sum(quantity) as closing_quantity,
      sum(value) as closing_value
    from
      moved
    group by
      specification_id
      -- What was there once, and is long gone, is no row.
    having
      count(*) filter (
        where
          not is_before
      ) > 0
      or sum(quantity) <> 0
      or sum(value) <> 0
  )
select
  p.code as product_code,
  p.name as product_name,
  s.name as specification_name,
  s.unit_name,
  o.name as manufacturer_name,
  x.opening_quantity,
  x.opening_value,
  x.purchase_in,
  x.return_in,
  x.transfer_in,
  x.other_in,
  x.purchase_in + x.return_in + x.transfer_in + x.other_in as total_in,
  x.issue_out,
  x.use_out,
  x.transfer_out,
  x.other_out,
  x.issue_out + x.use_out + x.transfer_out + x.other_out as total_out,
  x.closing_quantity,
  x.closing_value,
  x.specification_id::text as specification_sn
from
  summed x
  join specification s on s.id = x.specification_id
  join product p on p.id = s.product_id
  join organisation o on o.id = p.manufacturer_id
order by
  p.code,
  s.code

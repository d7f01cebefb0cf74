-- By the moment of posting. Consigned goods count as pieces and not as value; a change of only the worth of goods is
-- the adjustment. A month that is over has stored figures; they know no lots, so the suppliers of goods are looked up
-- in the moves. Goods of other owners are supplied by their owner, own goods by those who delivered their lot to us
-- until then: several suppliers of one lot are named together, since their pieces cannot be distinguished. Stores
-- alone, as on the stock card: goods on the way at the end have columns of their own. A row is the goods of a
-- warehouse; split by owner kind and supplier where the call groups by them.
with
  month as not materialized (
    select
      {{ columns_of(x, day, first, next) }},
      sealed_month (x.first) as base,
      :supplier_sn is null
      and not :grouped_by_supplier_name
      and has_month_figures (x.day) as stands
    from
      (
        select
          (:period || '-01')::date as day,
          (:period || '-01')::date::timestamp at time zone 'Asia/Shanghai' as first,
          ((:period || '-01')::date + interval '1 month') at time zone 'Asia/Shanghai' as next
      ) x
  ),
  {{ part(classed, class => :finance_class_sn) }},
  {{ part(finance-class) }},
  rows as (
    select
      {{ columns_of(m, warehouse_id, specification_id, lot_id) }},
      true as is_before,
      {{ columns_of(m, owner_id, quantity, value) }},
      false as is_out
    from
      month,
      month_opening m
    where
      not month.stands
      and m.org_id = :organisation
      and m.month = month.base
    union all
    select
      {{ columns_of(m, warehouse_id, specification_id, lot_id) }},
      m.at < month.first,
      {{ columns_of(m, owner_id, quantity, value) }},
      (m.quantity < 0) <> (m.undo_of is not null)
    from
      month,
      stock_move m
    where
      not month.stands
      and m.org_id = :organisation
      and m.at >= month_start (month.base)
      and m.at < month.next
  ),
  delivered as (
    select
      m.specification_id,
      m.lot_id,
      d.counterparty_id,
      o.name,
      bool_or(m.owner_id = :organisation) as is_own
    from
      month,
      document d
      join {{ own(stock_move, m, document_id = d.id) }}
      join organisation o on o.id = d.counterparty_id
    where
      d.org_id = :organisation
      and {{ feeds(d.kind, delivered) }}
      and d.role = 'own'
      and m.at < month.next
      and (
        :supplier_sn is not null
        or :grouped_by_supplier_name
      )
      and m.lot_id in {{ column_of(rows, lot_id) }}
    group by all
    having
      sum(m.quantity) > 0
  ),
  suppliers as (
    select
      specification_id,
      lot_id,
      coalesce({{ filtered(array_agg(counterparty_id), is_own) }}, array_agg(counterparty_id)) as ids,
      coalesce(
        string_agg(
          name,
          '、'
          order by
            name
        ) filter (
          where
            is_own
        ),
        string_agg(
          name,
          '、'
          order by
            name
        )
      ) as names
    from
      delivered
    group by all
  ),
  moved as (
    select
      {{ columns_of(r, warehouse_id, specification_id, is_before) }},
      r.owner_id = :organisation as is_own,
      r.quantity,
      {{ value_where(r.value, r.owner_id = :organisation) }} as value,
      r.is_out,
      case
        when :grouped_by_supplier_name then case
          when r.owner_id = :organisation then u.names
          else (
            select
              o.name
            from
              organisation o
            where
              o.id = r.owner_id
          )
        end
      end as supplier_name
    from
      rows r
      left join suppliers u on u.specification_id = r.specification_id
      and u.lot_id = r.lot_id
    where
      :supplier_sn is null
      or case
        when r.owner_id = :organisation then :supplier_sn = any (u.ids)
        else r.owner_id = :supplier_sn
      end
  ),
  figures as (
    select
      {{ columns_of(f, warehouse_id, specification_id, is_own, opening_quantity, opening_value, in_quantity) }},
      {{ columns_of(f, in_value, out_quantity, out_value, adjustment) }},
      null::text as supplier_name
    from
      month,
      month_figure f
    where
      month.stands
      and f.org_id = :organisation
      and f.month = month.day
    union all
    select
      warehouse_id,
      specification_id,
      is_own,
      {{ sum_where(quantity, is_before) }},
      {{ sum_where(value, is_before) }},
      {{ sum_where(quantity, not is_before and not is_out) }},
      {{ sum_where(value, not is_before and not is_out and quantity <> 0) }},
      {{ sum_where(- quantity, not is_before and is_out) }},
      {{ sum_where(- value, not is_before and is_out and quantity <> 0) }},
      {{ sum_where(value, not is_before and quantity = 0) }},
      supplier_name
    from
      moved
    group by all
  ),
  placed as (
    select
      f.*,
      f.opening_quantity + f.in_quantity - f.out_quantity as closing_quantity,
      f.opening_value + f.in_value - f.out_value + f.adjustment as closing_value,
      w.model = 'transit' as is_on_the_way
    from
      figures f {{ store_of(f.warehouse_id) }}
  ),
  summed as (
    select
      f.warehouse_id,
      coalesce(z.stands_for_id, f.specification_id) as specification_id,
      {{ when_grouped(:grouped_by_ownership, f.is_own) }} as is_own,
      f.supplier_name,
      {{ sum_where(f.opening_quantity, not f.is_on_the_way) }} as opening_quantity,
      {{ sum_where(f.opening_value, not f.is_on_the_way) }} as opening_value,
      {{ sum_where(f.in_quantity, not f.is_on_the_way) }} as in_quantity,
      {{ sum_where(f.in_value, not f.is_on_the_way) }} as in_value,
      {{ sum_where(f.out_quantity, not f.is_on_the_way) }} as out_quantity,
      {{ sum_where(f.out_value, not f.is_on_the_way) }} as out_value,
      {{ sum_where(f.adjustment, not f.is_on_the_way) }} as adjustment,
      {{ sum_where(f.closing_quantity, not f.is_on_the_way) }} as closing_quantity,
      {{ sum_where(f.closing_value, not f.is_on_the_way) }} as closing_value,
      {{ sum_where(f.closing_quantity, not f.is_own and not f.is_on_the_way) }} as consigned_quantity,
      {{ sum_where(f.closing_quantity, f.is_on_the_way) }} as transit_quantity,
      {{ sum_where(f.closing_value, f.is_on_the_way) }} as transit_value
    from
      placed f
      left join mapped_size z on z.specification_id = f.specification_id {{ store_of(f.warehouse_id) }}
      cross join taken_for_thousand ()
    where
      w.model <> 'consumed'
      and {{ asked(f.warehouse_id, :warehouse_model_inner_sn) }}
      and {{ warehouse_scope(f.warehouse_id) }}
      and {{ department_scope(w.department_id) }}
      and (
        :finance_class_sn is null
        or exists (
          select
            1
          from
            classed y
          where
            y.specification_id = f.specification_id
            and ((:period || '-01')::date + interval '1 month - 1 day')::date between y.valid_from and y.valid_to
        )
      )
      and {{ same_specification(f.specification_id, :specification_sn) }}
      and {{ if_asked(:ownership, (:ownership = 'own') = f.is_own) }}
    group by all
  )
select
  :period as period,
  case
    when w.model = 'transit' then '在途'
    else w.name
  end as warehouse_name,
  fc.name as finance_class,
  case x.is_own
    when true then 'own'
    when false then 'consigned'
  end as ownership,
  x.supplier_name,
  {{ goods_columns(product_code, product_name, specification_name, manufacturer_name, unit_name) }},
  x.opening_quantity::numeric(18, 3) as opening_quantity,
  x.opening_value::numeric(18, 2) as opening_value,
  x.in_quantity::numeric(18, 3) as in_quantity,
  x.in_value::numeric(18, 2) as in_value,
  x.out_quantity::numeric(18, 3) as out_quantity,
  x.out_value::numeric(18, 2) as out_value,
  x.adjustment::numeric(18, 2) as adjustment,
  x.closing_quantity::numeric(18, 3) as closing_quantity,
  x.closing_value::numeric(18, 2) as closing_value,
  x.consigned_quantity::numeric(18, 3) as consigned_quantity,
  round(x.closing_value / nullif(x.closing_quantity - x.consigned_quantity, 0), 4) as average_cost,
  x.transit_quantity::numeric(18, 3) as transit_quantity,
  x.transit_value::numeric(18, 2) as transit_value,
  x.specification_id::text as specification_sn,
  x.warehouse_id::text as warehouse_sn,
  :period || '-01' as first_day,
  ((:period || '-01')::date + interval '1 month' - interval '1 day')::date::text as last_day
from
  summed x
  join warehouse w on w.org_id = :organisation
  and w.id = x.warehouse_id {{ goods(x.specification_id) }}
  left join finance_class fc on fc.specification_id = x.specification_id
  and ((:period || '-01')::date + interval '1 month - 1 day')::date between fc.valid_from and fc.valid_to
where
  {{ named_product(p.name, p.code) }}
  and {{ made_by(o.name, p.brand) }}
  and (
    x.opening_quantity <> 0
    or x.in_quantity <> 0
    or x.out_quantity <> 0
    or x.closing_quantity <> 0
    or x.closing_value <> 0
    or x.adjustment <> 0
    or x.transit_quantity <> 0
    or x.transit_value <> 0
  )
order by
  w.name,
  p.code,
  s.code,
  x.is_own desc,
  x.supplier_name

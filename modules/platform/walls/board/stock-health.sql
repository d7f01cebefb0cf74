-- A row a specification: what was in stock before the first day and at the end of the last, and what left for good in
-- between: by use or sale, less what was taken back of either; out of one store also by grant and transfer. Pieces in
-- base units; worth as on the stock report of the last day.
with
  {{ part(platform/reports/stock/stock-at, central_alone => false) }},
  {{ part(platform/reports/classed, class => :custom_type_sn) }},
  {{ part(platform/reports/finance-class) }},
  closing as (
    select
      x.specification_id,
      sum(x.quantity) as quantity,
      sum(x.amount) as amount,
      min(x.expiry_date) as first_expiry
    from
      held x {{ store_of(x.warehouse_id) }}
    where
      w.model not in ('transit', 'consumed')
      and {{ department_scope(w.department_id) }}
      and {{ asked(w.department_id, :department_inner_sn) }}
    group by all
  ),
  moved as (
    select
      m.specification_id,
      sum(m.quantity) as net,
      - sum(m.quantity) filter (
        where
          {{ feeds(d.kind, used, sold) }}
          or :warehouse_model_inner_sn is not null
          and {{ feeds(d.kind, granted, moved) }}
      ) as gone
    from
      stock_move m {{ document_of(m.document_id) }} {{ store_of(m.warehouse_id) }}
    where
      m.org_id = :organisation
      and {{ during(m.at) }}
      and w.model not in ('transit', 'consumed')
      and {{ warehouse_scope(m.warehouse_id) }}
      and {{ department_scope(w.department_id) }}
      and {{ asked(m.warehouse_id, :warehouse_model_inner_sn) }}
      and {{ asked(w.department_id, :department_inner_sn) }}
      and {{ same_specification(m.specification_id, :specification_sn) }}
    group by all
  ),
  both_ends as (
    select
      coalesce(c.specification_id, m.specification_id) as specification_id,
      coalesce(c.quantity, 0) as closing,
      coalesce(c.quantity, 0) - coalesce(m.net, 0) as opening,
      greatest(coalesce(m.gone, 0), 0) as gone,
      coalesce(c.amount, 0) as amount,
      c.first_expiry
    from
      closing c
      full join moved m on m.specification_id = c.specification_id
  )
select
  fc.name as class_name,
  fc.class_id::text as class_sn,
  coalesce(c.name, '未分类') as catalogue_name,
  c.code as class_key,
  {{ goods_columns(product_code, product_name, specification_name) }},
  p.name || ' ' || s.name as goods_name,
  x.specification_id::text as specification_sn,
  x.opening::numeric(18, 3) as opening_quantity,
  x.closing::numeric(18, 3) as closing_quantity,
  x.gone::numeric(18, 3) as out_quantity,
  ((x.opening + x.closing) / 2 * n.days)::numeric(18, 3) as stock_days,
  (x.closing * n.days)::numeric(18, 3) as closing_days,
  x.amount::numeric(18, 2) as amount,
  case
    when x.first_expiry is null
    or x.first_expiry >= :end_date + 181 then 'later'
    when x.first_expiry < :end_date then 'expired'
    when x.first_expiry <= :end_date + 30 then 'month'
    when x.first_expiry <= :end_date + 90 then 'quarter'
    else 'half'
  end as expiry_band
from
  both_ends x
  cross join lateral (
    select
      (:end_date - :begin_date + 1) as days
  ) n {{ goods(x.specification_id) }}
  left join device_class c on c.catalogue = '2017'
  and c.code = left(p.class_code, 2) {{ class_on(:end_date) }}
where
  (
    x.opening <> 0
    or x.closing <> 0
    or x.gone <> 0
  )
  and {{ asked(c.code, :class_key) }}
  and {{ contains(c.name, :catalogue) }}
  and {{ named_product(p.name, p.code) }}
  and {{ made_by(o.name, p.brand) }}
  and {{ of_class(:custom_type_sn, x.specification_id, :end_date) }}
  and {{ of_value(p) }}

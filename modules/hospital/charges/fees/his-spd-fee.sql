-- The rows of the comparison, by department of execution and item; a use without an item is listed under its product.
-- Products that were matched to one item are added up.
with
  {{ part(platform/reports/classed, class => :custom_type_sn) }},
  compared as (
    select
      x.department_id,
      x.item_code,
      {{ only_where(x.specification_id, x.item_code is null) }} as specification_id,
      {{ when_grouped(:grouped_by_day, t.at::date) }} as day,
      {{ when_grouped(:grouped_by_month, to_char(t.at, 'YYYY-MM')) }} as month,
      sum(x.used_quantity) as used_quantity,
      sum(x.converted_quantity) as converted_quantity,
      sum(x.charged_quantity) as charged_quantity,
      sum(x.refunded_quantity) as refunded_quantity,
      sum(x.net_quantity) as net_quantity,
      sum(x.used_amount) as used_amount,
      sum(x.charged_amount) as charged_amount
    from
      charge_comparison (:organisation, :begin_date, :end_date) x
      cross join lateral (
        select
          coalesce(x.used_at, x.charged_at) at time zone 'Asia/Shanghai' as at
      ) t
    where
      {{ ward_scope(x.department_id) }}
      and {{ narrowed(x, department_inner_sn, visit_type) }}
    group by all
  ),
  goods as (
    select
      s.id as specification_id,
      p.name || ' ' || s.name as name,
      p.name || ' ' || p.code as product,
      p.code,
      s.unit_name,
      p.is_high_value,
      (
        select
          c.name
        from
          typed_product k
          join custom_type c on c.org_id = k.org_id
          and c.id = k.custom_type_id
        where
          k.org_id = :organisation
          and k.tree = 'own'
          and k.specification_id = s.id
          and k.valid_to is null
      ) as class_name,
      exists (
        select
          1
        from
          classed k
        where
          k.specification_id = s.id
          and k.valid_to = 'infinity'
      ) as is_of_class
    from
      specification s
      join product p on p.id = s.product_id
    where
      s.id in (
        select
          m.specification_id
        from
          his_match_version m
        where
          m.org_id = :organisation
          and m.valid_from <= :end_date
          and coalesce(m.valid_to, 'infinity'::date) >= :begin_date
        union all
        select
          x.specification_id
        from
          compared x
      )
  ),
  item as (
    select
      i.item_code,
      count(distinct m.specification_id)::int as product_count,
      min(g.class_name) as class_name,
      bool_or(g.is_high_value) as is_high_value,
      bool_or(g.is_of_class) as is_of_class,
      string_agg(distinct g.product, '、') as products
    from
      his_match_version m
      join his_item i on i.org_id = m.org_id
      and i.id = m.his_item_id
      join goods g on g.specification_id = m.specification_id
    where
      m.org_id = :organisation
      and m.valid_from <= :end_date
      and coalesce(m.valid_to, 'infinity'::date) >= :begin_date
    group by all
  )
select
  x.month,
  x.day,
  coalesce(t.class_name, u.class_name) as class_name,
  d.name as department_name,
  x.item_code,
  coalesce(i.item_name, u.name) as item_name,
  coalesce(i.his_unit, u.unit_name) as unit_name,
  coalesce(t.product_count, 0) as product_count,
  x.used_quantity::numeric(18, 3) as used_quantity,
  {{ columns_of(x, converted_quantity, charged_quantity, refunded_quantity, net_quantity) }},
  x.converted_quantity - x.net_quantity as quantity_difference,
  x.used_amount::numeric(18, 2) as used_amount,
  x.charged_amount::numeric(18, 2) as charged_amount,
  (x.used_amount - x.charged_amount)::numeric(18, 2) as amount_difference,
  round((x.converted_quantity - x.net_quantity) / nullif(x.converted_quantity, 0), 4) as difference_rate,
  v.difference_type,
  x.department_id::text as department_sn
from
  compared x
  left join {{ own(department, d, id = x.department_id) }}
  left join {{ own(his_item, i, item_code = x.item_code) }}
  left join item t on t.item_code = x.item_code
  left join goods u on u.specification_id = x.specification_id
  cross join lateral (
    select
      case
        when x.item_code is null then 'unmatched'
        when x.converted_quantity > x.net_quantity then 'missed'
        when x.converted_quantity < x.net_quantity then 'over'
        else 'equal'
      end as difference_type
  ) v
where
  (
    x.used_quantity <> 0
    or x.charged_quantity <> 0
    or x.refunded_quantity <> 0
  )
  and {{ asked(v.difference_type, :difference_type) }}
  and {{ if_asked(:item, i.item_name like '%' || :item || '%' or x.item_code like :item || '%') }}
  and (
    :product is null
    or t.products like '%' || :product || '%'
    or u.name like '%' || :product || '%'
    or u.code like :product || '%'
  )
  and {{ if_asked(:is_high_value, coalesce(t.is_high_value, u.is_high_value) = :is_high_value) }}
  and {{ if_asked(:custom_type_sn, coalesce(t.is_of_class, u.is_of_class)) }}
order by
  x.month,
  x.day,
  d.name,
  x.item_code

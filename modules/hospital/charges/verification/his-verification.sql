-- Events of checks up to a month: earlier ones are its opening. Decisions taken after a month was closed are booked in
-- a later one, so that a closed month does not change.
with
  {{ part(platform/reports/classed, class => :custom_type_sn) }},
  asked as (
    select
      to_date(:period || '-01', 'YYYY-MM-DD') as month
  ),
  summed as (
    select
      c.department_id,
      c.specification_id,
      {{ when_grouped(:grouped_by_supplier_name, c.supplier_id) }} as supplier_id,
      {{ sum_where(n.net, e.month < a.month) }} as opening,
      {{ sum_where(e.quantity, e.month = a.month and e.event = 'use') }} as used,
      {{ sum_where(e.quantity, e.month = a.month and e.event = 'back') }} as back,
      {{ sum_where(e.quantity, e.month = a.month and e.event = 'checked') }} as checked,
      {{ sum_where(e.quantity, e.month = a.month and e.event = 'waived') }} as waived,
      {{ sum_where(e.quantity, e.month = a.month and e.event = 'cost') }} as cost,
      sum(n.net) as closing,
      {{ sum_where(e.quantity * c.charge_price, e.month = a.month and e.event = 'checked') }} as checked_amount,
      {{ sum_where(e.quantity * c.cost_price, e.month = a.month and e.event = 'checked') }} as checked_cost,
      sum(n.net * c.charge_price) as open_amount
    from
      asked a
      join use_check_event e on e.org_id = :organisation
      and e.month <= a.month
      join use_check c on c.org_id = e.org_id
      and c.id = e.use_check_id
      cross join lateral (
        select
          case e.event
            when 'use' then e.quantity
            else - e.quantity
          end as net
      ) n
    where
      {{ department_scope(c.department_id) }}
      and {{ warehouse_scope(c.warehouse_id) }}
      and {{ narrowed(c, department_inner_sn, supplier_sn) }}
    group by all
  )
select
  :period as month,
  case
    when :grouped_by_class_name then (
      select
        c.name
      from
        typed_product k
        join custom_type c on c.org_id = k.org_id
        and c.id = k.custom_type_id
      where
        k.org_id = :organisation
        and k.tree = 'own'
        and k.specification_id = x.specification_id
        and k.valid_to is null
    )
  end as class_name,
  o.name as supplier_name,
  d.name as department_name,
  {{ goods_columns(product_code, product_name, specification_name, unit_name) }},
  x.opening::numeric(18, 3) as opening_quantity,
  x.used::numeric(18, 3) as used_quantity,
  x.back::numeric(18, 3) as back_quantity,
  x.checked::numeric(18, 3) as checked_quantity,
  x.waived::numeric(18, 3) as waived_quantity,
  x.cost::numeric(18, 3) as cost_quantity,
  x.closing::numeric(18, 3) as closing_quantity,
  (x.opening + x.used - x.back)::numeric(18, 3) as due_quantity,
  x.checked_amount::numeric(18, 2) as checked_amount,
  x.checked_cost::numeric(18, 2) as checked_cost,
  x.open_amount::numeric(18, 2) as open_amount,
  round(x.checked / nullif(x.opening + x.used - x.back, 0), 4) as checked_rate,
  x.department_id::text as department_sn
from
  summed x
  left join {{ own(department, d, id = x.department_id) }}
  left join organisation o on o.id = x.supplier_id {{ product_of(x.specification_id) }}
where
  (
    x.opening <> 0
    or x.used <> 0
    or x.back <> 0
    or x.checked <> 0
    or x.waived <> 0
    or x.cost <> 0
  )
  and {{ named_product(p.name, p.code) }}
  and {{ asked(p.is_high_value, :is_high_value) }}
  and (
    :custom_type_sn is null
    or exists (
      select
        1
      from
        classed k
      where
        k.specification_id = x.specification_id
        and k.valid_to = 'infinity'
    )
  )
order by
  d.name,
  p.code,
  s.code

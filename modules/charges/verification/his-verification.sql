-- Events of checks up to a month: earlier ones are its opening. Decisions taken after a month was closed are booked in
-- a later one, so that a closed month does not change.
with
  {{ part(reports/classed, class => :custom_type_sn) }},
  asked as (
    select
      to_date(:period || '-01', 'YYYY-MM-DD') as month
  ),
  summed as (
    select
      c.department_id,
      c.specification_id,
      case
        when :grouped_by_supplier_name then c.supplier_id
      end as supplier_id,
      sum(
        case e.event
          when 'use' then e.quantity
          else - e.quantity
        end
      ) filter (
        where
          e.month < a.month
      ) as opening,
      sum(e.quantity) filter (
        where
          e.month = a.month
          and e.event = 'use'
      ) as used,
      sum(e.quantity) filter (
        where
          e.month = a.month
          and e.event = 'back'
      ) as back,
      sum(e.quantity) filter (
        where
          e.month = a.month
          and e.event = 'checked'
      ) as checked,
      sum(e.quantity) filter (
        where
          e.month = a.month
          and e.event = 'waived'
      ) as waived,
      sum(e.quantity) filter (
        where
          e.month = a.month
          and e.event = 'cost'
      ) as cost,
      sum(
        case e.event
          when 'use' then e.quantity
          else - e.quantity
        end
      ) as closing,
      sum(e.quantity * c.charge_price) filter (
        where
          e.month = a.month
          and e.event = 'checked'
      ) as checked_amount,
      sum(e.quantity * c.cost_price) filter (
        where
          e.month = a.month
          and e.event = 'checked'
      ) as checked_cost,
      sum(
        case e.event
          when 'use' then e.quantity
          else - e.quantity
        end * c.charge_price
      ) as open_amount
    from
      asked a
      join use_check_event e on e.org_id = :organisation
      and e.month <= a.month
      join use_check c on c.org_id = e.org_id
      and c.id = e.use_check_id
    where
      {{ department_scope(c.department_id) }}
      and {{ warehouse_scope(c.warehouse_id) }}
      and {{ asked(c.department_id, :department_inner_sn) }}
      and {{ asked(c.supplier_id, :supplier_sn) }}
    group by
      1,
      2,
      3
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
  coalesce(x.opening, 0)::numeric(18, 3) as opening_quantity,
  coalesce(x.used, 0)::numeric(18, 3) as used_quantity,
  coalesce(x.back, 0)::numeric(18, 3) as back_quantity,
  coalesce(x.checked, 0)::numeric(18, 3) as checked_quantity,
  coalesce(x.waived, 0)::numeric(18, 3) as waived_quantity,
  coalesce(x.cost, 0)::numeric(18, 3) as cost_quantity,
  x.closing::numeric(18, 3) as closing_quantity,
  (coalesce(x.opening, 0) + coalesce(x.used, 0) - coalesce(x.back, 0))::numeric(18, 3) as due_quantity,
  coalesce(x.checked_amount, 0)::numeric(18, 2) as checked_amount,
  coalesce(x.checked_cost, 0)::numeric(18, 2) as checked_cost,
  x.open_amount::numeric(18, 2) as open_amount,
  round(
    coalesce(x.checked, 0) / nullif(coalesce(x.opening, 0) + coalesce(x.used, 0) - coalesce(x.back, 0), 0),
    4
  ) as checked_rate,
  x.department_id::text as department_sn
from
  summed x
  left join department d on d.org_id = :organisation
  and d.id = x.department_id
  left join organisation o on o.id = x.supplier_id {{ product_of(x.specification_id) }}
where
  (
    coalesce(x.opening, 0) <> 0
    or coalesce(x.used, 0) <> 0
    or coalesce(x.back, 0) <> 0
    or coalesce(x.checked, 0) <> 0
    or coalesce(x.waived, 0) <> 0
    or coalesce(x.cost, 0) <> 0
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

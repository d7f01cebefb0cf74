-- Goods given away, as a gift or for another reason than a sale, less gifts that came home, are shown beside the sales
-- and not counted as sales.
with
  {{ part(sold-lines) }},
  {{ part(classed, class => :custom_type_sn) }},
  given as (
    select
      d.kind,
      d.reviewed_at as at,
      {{ columns_of(d, counterparty_id, warehouse_id, handler_id) }},
      l.specification_id,
      case
        when {{ feeds(d.kind, otherwise_received) }} then - l.base_quantity
        else l.base_quantity
      end as quantity
    from
      document d {{ lines_of(d.id) }}
    where
      d.org_id = :organisation
      and (
        {{ feeds(d.kind, given) }}
        or {{ feeds(d.kind, otherwise_issued) }}
        and d.fields ->> 'odo_type' is distinct from 'gift_back'
        or {{ feeds(d.kind, otherwise_received) }}
        and d.fields ->> 'grn_type' = 'gift_back'
      )
      and d.role = 'own'
      and d.state in ('reviewed', 'partial', 'completed', 'reversed')
      and {{ during(d.reviewed_at) }}
      and {{ document_scope(d) }}
  ),
  kept as (
    select
      x.*,
      coalesce(s.mapped_to_id, s.id) as stands_for_id,
      p.manufacturer_id
    from
      (
        select
          kind,
          at,
          counterparty_id,
          warehouse_id,
          handler_id,
          specification_id,
          quantity,
          untaxed_amount,
          tax_amount,
          taxed_amount,
          cost,
          billed,
          received,
          0 as given
        from
          sold
        union all
        select
          kind,
          at,
          counterparty_id,
          warehouse_id,
          handler_id,
          specification_id,
          0,
          0,
          0,
          0,
          0,
          0,
          0,
          quantity
        from
          given
      ) x {{ goods(x.specification_id) }}
    where
      {{ narrowed(x, counterparty_sn, warehouse_model_inner_sn) }}
      and {{ asked_goods(x.specification_id) }}
      and (
        :with_settled is not false
        or not {{ feeds(x.kind, titled) }}
      )
      and {{ of_class_at(:custom_type_sn, x.specification_id, x.at) }}
      and (
        :customer_type is null
        or x.counterparty_id in (
          select
            c.id
          from
            organisation c
          where
            c.system_type = :customer_type::int
        )
      )
      and {{ asked(x.handler_id, :handler_inner_sn) }}
      and (
        :department_inner_sn is null
        or x.handler_id in (
          select
            e.id
          from
            employee e
          where
            e.org_id = :organisation
            and e.department_id = :department_inner_sn
        )
      )
  ),
  summed as (
    select
      case
        when coalesce(:dimension, 'customer') in ('customer', 'customer_goods') then counterparty_id
      end as counterparty_id,
      case
        when :dimension in ('goods', 'customer_goods') then stands_for_id
      end as specification_id,
      case
        when :dimension in ('goods', 'customer_goods', 'manufacturer') then manufacturer_id
      end as manufacturer_id,
      {{ only_where(handler_id, :dimension = 'handler') }} as handler_id,
      case
        when :dimension = 'department' then (
          select
            e.department_id
          from
            employee e
          where
            e.org_id = :organisation
            and e.id = kept.handler_id
        )
      end as department_id,
      case
        when :dimension = 'class' then (
          select
            min(y.custom_type_id)
          from
            typed_product y
          where
            y.org_id = :organisation
            and y.specification_id = kept.specification_id
            and y.tree = 'own'
            and y.valid_to is null
        )
      end as class_id,
      case
        when :dimension = 'month' then to_char(at at time zone 'Asia/Shanghai', 'YYYY-MM')
      end as month,
      sum(quantity) filter (
        where
          not {{ takes_back(kind, sold) }}
      ) as sold_quantity,
      - sum(quantity) filter (
        where
          {{ takes_back(kind, sold) }}
      ) as returned_quantity,
      sum(quantity) as net_quantity,
      sum(untaxed_amount) as untaxed_amount,
      sum(tax_amount) as tax_amount,
      sum(taxed_amount) as taxed_amount,
      sum(cost) as cost,
      sum(billed) as billed,
      sum(received) as received,
      sum(given) as given_quantity
    from
      kept
    group by all
  )
select
  c.name as counterparty_name,
  {{ goods_columns(product_code, product_name, specification_name, manufacturer_name) }},
  e.name as handler_name,
  b.name as department_name,
  y.name as class_name,
  x.month,
  s.unit_name,
  coalesce(x.sold_quantity, 0)::numeric(18, 3) as sold_quantity,
  coalesce(x.returned_quantity, 0)::numeric(18, 3) as returned_quantity,
  x.net_quantity::numeric(18, 3) as net_quantity,
  x.untaxed_amount::numeric(18, 2) as untaxed_amount,
  x.tax_amount::numeric(18, 2) as tax_amount,
  x.taxed_amount::numeric(18, 2) as taxed_amount,
  x.cost::numeric(18, 2) as cost,
  (x.untaxed_amount - x.cost)::numeric(18, 2) as profit,
  round((x.untaxed_amount - x.cost) / nullif(x.untaxed_amount, 0), 4) as margin,
  x.billed::numeric(18, 2) as billed,
  x.received::numeric(18, 2) as received,
  x.given_quantity::numeric(18, 3) as given_quantity,
  x.counterparty_id::text as counterparty_sn,
  x.specification_id::text as specification_sn
from
  summed x
  left join organisation c on c.id = x.counterparty_id {{ product_if_any(x.specification_id) }}
  left join organisation o on o.id = x.manufacturer_id
  left join {{ own(employee, e, id = x.handler_id) }}
  left join {{ own(department, b, id = x.department_id) }}
  left join {{ own(custom_type, y, id = x.class_id) }}
order by
  x.month,
  x.taxed_amount desc,
  c.name,
  p.code,
  s.code

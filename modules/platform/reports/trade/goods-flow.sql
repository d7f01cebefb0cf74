-- The way of a maker's goods through dealers: the quantities that hospitals received, lot by lot, from the trace
-- ledger, less returns. It knows no price and no patient. An event that was undone counts with a minus on the day it
-- was undone.
with
  {{ part(platform/reports/classed, class => :custom_type_sn) }},
  {{ part(platform/reports/finance-class) }},
  made as (
    select
      p.id as product_id,
      p.code,
      p.name,
      s.id as specification_id,
      s.name as specification_name,
      s.unit_name,
      l.id as lot_id,
      l.lot_no
    from
      product p
      join specification s on s.product_id = p.id
      join lot l on l.specification_id = s.id
    where
      p.manufacturer_id = :organisation
      and {{ same_specification(s.id, :specification_sn) }}
      and {{ named_product(p.name, p.code) }}
      and {{ of_lot(l.lot_no, :lot_no) }}
  ),
  events as (
    select
      m.*,
      {{ day_of(e.at) }} as day,
      {{ columns_of(e, step, from_id, to_id, quantity) }}
    from
      made m
      join trace_effect e on e.lot_id = m.lot_id
    where
      {{ during(e.at) }}
  ),
  moved as (
    select
      e.*,
      case e.step
        when 'receive' then e.from_id
        else e.to_id
      end as dealer_id,
      case e.step
        when 'receive' then e.to_id
        else e.from_id
      end as hospital_id,
      case e.step
        when 'receive' then 1
        else -1
      end as sign
    from
      events e
    where
      e.step in ('receive', 'return')
  )
select
  x.day,
  d.name as dealer_name,
  x.dealer_id::text as dealer_sn,
  h.name as hospital_name,
  x.hospital_id::text as counterparty_sn,
  h.division_name,
  x.code as product_code,
  x.name as product_name,
  x.specification_name,
  x.specification_id::text as specification_sn,
  x.unit_name,
  fc.name as class_name,
  x.lot_no,
  sum(x.sign * x.quantity)::numeric(18, 3) as quantity
from
  moved x
  join organisation d on d.id = x.dealer_id
  and d.system_type = 2
  join organisation h on h.id = x.hospital_id
  and h.system_type = 1 {{ class_on(x.day) }}
where
  {{ asked(x.dealer_id, :dealer_sn) }}
  and {{ asked(x.hospital_id, :counterparty_sn) }}
  and {{ of_class(:custom_type_sn, x.specification_id, x.day) }}
group by
  x.day,
  d.name,
  x.dealer_id,
  h.name,
  x.hospital_id,
  h.division_name,
  {{ columns_of(x, code, name, specification_name, specification_id, unit_name) }},
  fc.name,
  x.lot_no
order by
  x.day desc,
  d.name,
  h.name,
  x.code,
  x.lot_no

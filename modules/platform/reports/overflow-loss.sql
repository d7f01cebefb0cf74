with
  booked as (
    select
      {{ columns_of(t, id, sn, warehouse_id, business_date) }},
      l.specification_id,
      coalesce(
        sum(l.base_quantity) filter (
          where
            {{ feeds(d.kind, found) }}
        ),
        0
      ) as found,
      string_agg(distinct l.lot_no, '、') filter (
        where
          {{ feeds(d.kind, found) }}
      ) as found_lots,
      coalesce(
        sum(l.base_quantity) filter (
          where
            {{ feeds(d.kind, damaged) }}
        ),
        0
      ) as lost,
      string_agg(distinct l.lot_no, '、') filter (
        where
          {{ feeds(d.kind, damaged) }}
      ) as lost_lots,
      string_agg(distinct d.sn, '、') filter (
        where
          {{ feeds(d.kind, found) }}
      ) as found_sn,
      string_agg(distinct d.sn, '、') filter (
        where
          {{ feeds(d.kind, damaged) }}
      ) as lost_sn
    from
      document t
      join document_line l on l.org_id = t.org_id
      and l.source_document_id = t.id
      join document d on d.org_id = l.org_id
      and d.id = l.document_id
      and {{ feeds(d.kind, found, damaged) }}
      and d.role = 'own'
      and d.state in ('draft', 'submitted', 'rejected', 'reviewed', 'completed')
    where
      t.org_id = :organisation
      and {{ feeds(t.kind, counted) }}
      and t.role = 'own'
      and t.business_date between :begin_date and :end_date
      and {{ asked(t.warehouse_id, :warehouse_model_inner_sn) }}
      and {{ warehouse_scope(t.warehouse_id) }}
      and {{ same_specification(l.specification_id, :specification_sn) }}
      and {{ asked(t.sn, :count_sn) }}
    group by all
  )
select
  b.sn,
  'stockTake' as paper_kind,
  b.business_date,
  w.name as warehouse_name,
  {{ goods_columns(product_code, product_name, specification_name, manufacturer_name, unit_name) }},
  b.found_lots,
  b.found::numeric(18, 3) as found,
  b.found_sn,
  b.lost_lots,
  b.lost::numeric(18, 3) as lost,
  b.lost_sn,
  (b.found - b.lost)::numeric(18, 3) as net,
  b.found > 0
  and b.found = b.lost
  and b.found_lots is distinct from b.lost_lots as is_swapped
from
  booked b
  join warehouse w on w.org_id = :organisation
  and w.id = b.warehouse_id {{ goods(b.specification_id) }}
where
  {{ department_scope(w.department_id) }}
  and (
    :swapped is not true
    or (
      b.found > 0
      and b.found = b.lost
    )
  )
order by
  b.business_date desc,
  b.sn desc,
  p.code,
  s.code

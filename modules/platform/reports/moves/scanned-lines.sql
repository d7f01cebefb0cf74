-- A line of goods that are kept by the piece, and whether it came by scans: each of its codes was scanned for this very
-- document.
select
  x.business_date as day,
  x.kind as document_kind,
  x.sn as document_sn,
  w.name as warehouse_name,
  {{ columns_of(x, product_code, product_name, specification_name, lot_no, quantity) }},
  case
    when x.is_scanned then 'scan'
    when x.names_codes then 'hand'
    else 'none'
  end as entry_way,
  1 as coded,
  x.is_scanned::int as scanned
from
  (
    select
      {{ columns_of(d, business_date, kind, sn, warehouse_id) }},
      {{ goods_columns(product_code, product_name, specification_name) }},
      l.lot_no,
      l.line_no,
      l.base_quantity as quantity,
      cardinality(l.unit_codes) > 0 as names_codes,
      cardinality(l.unit_codes) > 0
      and not exists (
        select
        from
          unnest(l.unit_codes) c (code)
        where
          not exists (
            select
            from
              code_scan k
            where
              k.org_id = :organisation
              and k.document_id = d.id
              and k.code = c.code
          )
      ) as is_scanned
    from
      document d
      join document_line l on l.org_id = :organisation
      and l.document_id = d.id {{ product_of(l.specification_id) }}
    where
      d.org_id = :organisation
      and d.role = 'own'
      and {{ adds(d.kind, delivered, granted, ward_received, used, shipped) }}
      and d.red_of_id is null
      and d.state in ('reviewed', 'partial', 'completed', 'reversed')
      and d.business_date between :begin_date and :end_date
      and p.is_unit_coded
      and {{ asked(d.kind, :document_kind) }}
      and {{ warehouse_scope(d.warehouse_id) }}
      and {{ department_scope(d.department_id) }}
  ) x {{ store_if_any(x.warehouse_id) }}
where
  :entry_way is null
  or (:entry_way = 'scan') = x.is_scanned
order by
  x.business_date desc,
  x.sn desc,
  x.line_no

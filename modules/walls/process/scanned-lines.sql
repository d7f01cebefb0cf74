-- A line of goods that are kept by the piece, and whether it names its pieces by their codes.
select
  1 as coded,
  (cardinality(l.unit_codes) > 0)::int as scanned
from
  document d
  join document_line l on l.org_id = :organisation
  and l.document_id = d.id
  join specification s on s.id = l.specification_id
  join product p on p.id = s.product_id
where
  d.org_id = :organisation
  and d.role = 'own'
  and d.kind in ('purchaseGrn', 'grantOdo', 'wardReceipt', 'departmentUse', 'surgeryUse')
  and d.red_of_id is null
  and d.state in ('reviewed', 'partial', 'completed', 'reversed')
  and d.business_date between :begin_date and :end_date
  and p.is_unit_coded
  and {{ warehouse_scope(d.warehouse_id) }}
  and {{ department_scope(d.department_id) }}

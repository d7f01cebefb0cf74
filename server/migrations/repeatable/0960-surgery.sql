-- Places whose goods leave by the name of the place alone: what is in a kit goes with the kit.
create view container_place with (security_invoker = true) as
select k.org_id, k.code, k.label_code
from implant_kit k;
grant select on container_place to :app_role;

-- Goods that another organisation sent us in its own container, by the code on it: names, lots and pieces, without its
-- prices.
create view container_sent with (security_invoker = true) as
select
  l.org_id, l.fields->>'kit_code' as code, l.lot_id, coalesce(l.lot_no, '') as lot_no, l.specification_id,
  l.unit_codes, d.id as document_id, l.line_no, l.base_quantity as quantity, l.expiry_date
from document_line l
join document d on d.org_id = l.org_id and d.id = l.document_id
where l.fields ? 'kit_code'
  and d.role = 'counterparty'
  and d.state in ('submitted', 'reviewed', 'partial', 'completed')
  and l.lot_id is not null;
grant select on container_sent to :app_role;

-- The standard content of a numbered kit beside the actual one, a row a balance. A listed product that is wholly
-- missing has a row without a lot; a product that the list does not name has a row without a standard.
create view implant_kit_line with (security_invoker = true) as
select
  k.org_id, concat_ws('-', k.id, l.specification_id, b.lot_id, b.owner_id, b.quality_state) as id,
  k.id as implant_kit_id, l.tray, l.sort_no, l.specification_id, l.quantity as standard_quantity, l.remark, b.lot_id,
  b.owner_id, b.quality_state, coalesce(b.quantity, 0)::numeric(18,3) as held_quantity, 1 as version
from implant_kit k
join operation_kit_line l on l.org_id = k.org_id and l.operation_kit_id = k.operation_kit_id
left join stock_balance b
  on b.org_id = k.org_id
    and b.location = k.code
    and b.specification_id = l.specification_id
    and b.quantity > 0
union all
select
  k.org_id, concat_ws('-', k.id, b.specification_id, b.lot_id, b.owner_id, b.quality_state), k.id, null, null,
  b.specification_id, 0, null, b.lot_id, b.owner_id, b.quality_state, b.quantity, 1
from implant_kit k
join stock_balance b on b.org_id = k.org_id and b.location = k.code and b.quantity > 0
where not exists (
  select from operation_kit_line l
  where l.org_id = k.org_id
    and l.operation_kit_id = k.operation_kit_id
    and l.specification_id = b.specification_id
);
grant select on implant_kit_line to :app_role;

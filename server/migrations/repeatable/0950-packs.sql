-- Packs, one row each: a combined one stands under its first part.
create view made_pack with (security_invoker = true) as
select
  k.org_id, k.unit_id as id, k.lot_id, coalesce(k.pack_code, k.code) as code, k.pack_code,
  k.template_id as pack_template_id, k.kit_id as operation_kit_id, k.document_id, k.made_at, k.size as part_size,
  u.status, u.warehouse_id, u.specification_id
from pack k
join unit u on u.lot_id = k.lot_id and u.id = k.unit_id
where k.pack_code is null or k.code = k.pack_code || '-1';
grant select on made_pack to :app_role;

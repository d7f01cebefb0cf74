-- Packs, one row each: a combined pack, or one of coded pieces, has the id of its first part. A pack of pieces that was
-- opened is gone from the list once its first piece is the first of another.
create view made_pack with (security_invoker = true) as
select
  k.org_id, k.unit_id as id, k.lot_id, coalesce(k.pack_code, k.code) as code, k.pack_code, k.piece_code,
  k.template_id as pack_template_id, k.kit_id as operation_kit_id, k.document_id, k.made_at, k.size as part_size,
  case when k.opened_at is null then u.status else 'opened' end as status,
  case when k.opened_at is null then u.warehouse_id end as warehouse_id, u.specification_id
from pack k
join unit u on u.lot_id = k.lot_id and u.id = k.unit_id
where (
    k.pack_code is null
    or k.code = k.pack_code || '-1'
  )
  and (
    k.opened_at is null
    or not exists (
      select 1
      from pack n
      where n.org_id = k.org_id and n.lot_id = k.lot_id and n.unit_id = k.unit_id and n.made_at > k.made_at
        and n.code = n.pack_code || '-1'
    )
  );
grant select on made_pack to :app_role;

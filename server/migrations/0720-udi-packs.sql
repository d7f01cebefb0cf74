-- The packing levels that the regulator publishes of a device: what each holds of the level beneath, what that makes in sales units, and why one was not taken.
create table udi_pack (
  id bigint not null default nextval('reference_id_seq'), udi_device_id bigint not null, line_no int not null, di text not null, level_name text, count int, lower_di text,
  base_count int, depth int, problem text,
  constraint udi_pack_pk primary key (id),
  constraint udi_pack_once unique (udi_device_id, line_no));
create index udi_pack_di on udi_pack (di);
grant select, insert, update, delete on udi_pack to :app_role;

-- Levels are judged after their record was kept, also those of records that came before this table.
alter table udi_device add packs_judged boolean not null default false;
create index udi_device_unjudged on udi_device (id) where not packs_judged and packs <> '[]';
alter table udi_file add packs_wrong int not null default 0;

-- A level beside the unit of our catalogue that bears its identifier.
create view udi_level with (security_invoker = true) as
select k.id, k.udi_device_id, k.line_no, d.primary_di, d.product_name, d.specification, d.registrant, d.version_number, d.is_current, k.di, k.level_name, k.count, k.lower_di, k.base_count, k.depth, k.problem, k.problem is not null as is_wrong,
       (select n.name || '（' || n.base_measure || '）' from pack_unit n where n.udi_di = k.di) as our_unit
  from udi_pack k join udi_device d on d.id = k.udi_device_id;
grant select on udi_level to :app_role;

-- What the regulator says differently of a specification: of itself, and of the packs that hold it.
create or replace view udi_difference with (security_invoker = true) as
select s.id, s.id as specification_id, s.product_id, u.id as udi_device_id, u.primary_di, u.version_number, u.begins_on as since, u.delisted_on, x.said
  from specification s join product p on p.id = s.product_id join udi_device u on u.primary_di = s.udi_di and u.is_current
  left join registration_certificate c on c.id = s.registration_certificate_id
  cross join lateral (select concat_ws('；',
    case when u.delisted_on is not null then '已退市：' || u.delisted_on end,
    case when u.specification is not null and lower(replace(u.specification, ' ', '')) <> lower(replace(s.name, ' ', '')) then '规格型号：' || s.name || ' → ' || u.specification end,
    case when u.certificate_no is not null and c.certificate_no is not null and position(c.certificate_no in u.certificate_no) = 0 then '注册证号：' || c.certificate_no || ' → ' || u.certificate_no end,
    case when u.lot_on_label <> s.lot_required then '标签批号：' || case when u.lot_on_label then '须有' else '没有' end end,
    case when u.serial_on_label <> s.serial_required then '标签序列号：' || case when u.serial_on_label then '须有' else '没有' end end,
    case when u.expiry_on_label <> s.expiry_required then '标签有效期：' || case when u.expiry_on_label then '须有' else '没有' end end,
    (select string_agg('包装' || coalesce(k.level_name, '') || k.di || '：' || coalesce('每' || n.name || n.base_measure || s.unit_name, '目录没有') || ' → 每' || coalesce(k.level_name, '包装') || k.base_count || s.unit_name, '；' order by k.depth, k.line_no)
       from udi_pack k left join pack_unit n on n.specification_id = s.id and n.udi_di = k.di
      where k.udi_device_id = u.id and k.problem is null and n.base_measure is distinct from k.base_count)) as said) x
 where s.mapped_to_id is null and x.said <> '';

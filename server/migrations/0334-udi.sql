-- The regulator's published device identifiers: every version of every record, and the files from which they were read.
create table udi_device (
  id bigint not null default nextval('reference_id_seq'), record_key text not null, version_number int not null, version_time date, published_on date,
  primary_di text not null, product_name text, trade_name text, specification text, catalogue_no text, certificate_no text, registrant text, credit_code text, class_code text, device_class text, insurance_code text,
  is_kit boolean, is_single_use boolean, is_sterile boolean, lot_on_label boolean, serial_on_label boolean, made_on_label boolean, expiry_on_label boolean, delisted_on date,
  use_unit_di text, use_units int, packs jsonb not null default '[]', is_current boolean not null default false, begins_on date, ends_on date, at timestamptz not null default now(),
  constraint udi_device_pk primary key (id), constraint udi_device_version unique (record_key, version_number));
create index udi_device_di on udi_device (primary_di) where is_current;
create index udi_device_certificate on udi_device (certificate_no) where is_current;

create table udi_file (
  id bigint not null default nextval('reference_id_seq'), files text[] not null, title text not null, state text not null default 'waiting',
  bytes_done bigint not null default 0, bytes_total bigint not null default 0, rows_done int not null default 0, added int not null default 0, renewed int not null default 0, unchanged int not null default 0, rejected int not null default 0,
  concerned int not null default 0, error text, created_by text not null, created_at timestamptz not null default now(), touched_at timestamptz not null default now(), ended_at timestamptz, version int not null default 1,
  constraint udi_file_pk primary key (id),
  constraint udi_file_state check (state in ('waiting', 'running', 'done', 'failed')));
grant select, insert, update, delete on udi_device, udi_file to :app_role;

-- What the regulator says differently of a specification of ours: by its own identifier.
create view udi_difference with (security_invoker = true) as
select s.id, s.id as specification_id, s.product_id, u.id as udi_device_id, u.primary_di, u.version_number, u.begins_on as since, u.delisted_on, x.said
  from specification s join product p on p.id = s.product_id join udi_device u on u.primary_di = s.udi_di and u.is_current
  left join registration_certificate c on c.id = s.registration_certificate_id
  cross join lateral (select concat_ws('；',
    case when u.delisted_on is not null then '已退市：' || u.delisted_on end,
    case when u.specification is not null and lower(replace(u.specification, ' ', '')) <> lower(replace(s.name, ' ', '')) then '规格型号：' || s.name || ' → ' || u.specification end,
    case when u.certificate_no is not null and c.certificate_no is not null and position(c.certificate_no in u.certificate_no) = 0 then '注册证号：' || c.certificate_no || ' → ' || u.certificate_no end,
    case when u.lot_on_label <> s.lot_required then '标签批号：' || case when u.lot_on_label then '须有' else '没有' end end,
    case when u.serial_on_label <> s.serial_required then '标签序列号：' || case when u.serial_on_label then '须有' else '没有' end end,
    case when u.expiry_on_label <> s.expiry_required then '标签有效期：' || case when u.expiry_on_label then '须有' else '没有' end end) as said) x
 where s.mapped_to_id is null and x.said <> '';
grant select on udi_difference to :app_role;

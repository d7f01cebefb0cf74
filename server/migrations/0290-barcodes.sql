-- Codes on packages as an organisation knows them. What the platform or the maker keeps serves everybody; a dealer's or a
-- hospital's own stay its own.
create table product_barcode (
  org_id bigint not null, id bigint not null default nextval('reference_id_seq'),
  specification_id bigint not null, unit_id bigint, code_type text not null, issuer text not null, code text not null, level text not null default 'sale',
  lower_code text, lower_count int, is_primary boolean not null default false,
  has_lot boolean not null default false, has_production boolean not null default false, has_expiry boolean not null default false, has_serial boolean not null default false,
  remark text, changed_by text not null, for_everybody boolean not null default false, created_at timestamptz not null default now(),
  status text not null default 'enabled', version int not null default 1,
  constraint product_barcode_pk primary key (org_id, id),
  constraint product_barcode_specification foreign key (specification_id) references specification (id),
  constraint product_barcode_unit foreign key (unit_id) references pack_unit (id));
create unique index product_barcode_once on product_barcode (org_id, code) where status = 'enabled';
create index product_barcode_shared on product_barcode (code) where for_everybody and status = 'enabled';
create index product_barcode_goods on product_barcode (org_id, specification_id);
-- How codes that follow no standard are taken apart, tried in order.
create table barcode_rule (
  org_id bigint not null, id bigint not null default nextval('row_id_seq'),
  name text not null, prefix text not null, total_length int, date_format text not null default 'YYMMDD',
  product_from int, product_length int, lot_from int, lot_length int, production_from int, expiry_from int, serial_from int, serial_length int,
  place int not null default 1, remark text, status text not null default 'enabled', version int not null default 1,
  constraint barcode_rule_pk primary key (org_id, id));
create unique index barcode_rule_name on barcode_rule (org_id, name);

do $$ declare t text; begin
  foreach t in array array['product_barcode', 'barcode_rule'] loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy own_rows on %I using (org_id = current_setting(''app.org_id'')::bigint) with check (org_id = current_setting(''app.org_id'')::bigint)', t);
  end loop;
end $$;
create policy shared_rows on product_barcode for select using (for_everybody);
grant select, insert, update, delete on product_barcode, barcode_rule to :app_role;

-- Every code that names goods: those of the catalogue beside those that organisations keep.
create view known_barcode with (security_invoker = true) as
select s.id, null::bigint as org_id, s.id as specification_id, s.id as unit_id, 'udi_di' as code_type,
       case when s.udi_di ~ '^\d+$' then 'gs1' when s.udi_di like 'MA.%' then 'ma' else 'ahm' end as issuer, s.udi_di as code, 'sale' as level,
       null::text as lower_code, null::int as lower_count, true as is_primary, s.lot_required as has_lot, false as has_production, s.expiry_required as has_expiry, s.serial_required as has_serial,
       null::text as remark, null::text as changed_by, 'enabled' as status, s.version
  from specification s where s.udi_di is not null
 union all
select k.id, null, k.specification_id, k.id, 'udi_di', case when k.udi_di ~ '^\d+$' then 'gs1' when k.udi_di like 'MA.%' then 'ma' else 'ahm' end, k.udi_di,
       case when k.parent_id is null then 'inner' else 'outer' end, coalesce(b.udi_di, case when k.parent_id is null then s.udi_di end), k.measure, false,
       s.lot_required, false, s.expiry_required, false, null, null, k.status, k.version
  from pack_unit k join specification s on s.id = k.specification_id left join pack_unit b on b.id = k.parent_id where k.udi_di is not null
 union all
select p.id, p.org_id, p.specification_id, coalesce(p.unit_id, p.specification_id), p.code_type, p.issuer, p.code, p.level, p.lower_code, p.lower_count, p.is_primary,
       p.has_lot, p.has_production, p.has_expiry, p.has_serial, p.remark, p.changed_by, p.status, p.version
  from product_barcode p;
grant select on known_barcode to :app_role;

-- The rules a hospital tunes: those that come with the program, and what a hospital says of them, for the house, a store, a department or a class of products.
create table rule_item (
  place int not null, name text not null, title text not null, category text not null, control text, controls text[] not null, figure text, unit text, note text not null,
  control_from text, figure_from text, constraint rule_item_pk primary key (place));
create table hospital_rule (
  org_id bigint not null, id bigint not null default nextval('row_id_seq'),
  name text not null, control text, figure text, warehouse_id bigint, department_id bigint, custom_type_id bigint,
  status text not null default 'enabled', reason text, changed_by text, changed_at timestamptz not null default posting_now(), version int not null default 1,
  constraint hospital_rule_pk primary key (org_id, id),
  constraint hospital_rule_once unique nulls not distinct (org_id, name, warehouse_id, department_id, custom_type_id),
  constraint hospital_rule_control check (control in ('refuse', 'warn', 'off')));
-- What was changed: before and after, by whom, why.
create table hospital_rule_change (
  org_id bigint not null, id bigint not null default nextval('row_id_seq'),
  name text not null, title text not null, scope_name text not null, old_value text not null, new_value text not null, reason text, changed_by text not null, changed_at timestamptz not null default posting_now(), version int not null default 1,
  constraint hospital_rule_change_pk primary key (org_id, id));

do $$ declare t text; begin
  foreach t in array array['hospital_rule', 'hospital_rule_change'] loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy own_rows on %I using (org_id = current_setting(''app.org_id'')::bigint) with check (org_id = current_setting(''app.org_id'')::bigint)', t);
  end loop;
end $$;

-- A rule for the whole house has a row only once somebody changed it; until then the house's older settings, the platform's, or the preset hold.
create view hospital_rule_item with (security_invoker = true) as
select o.id as org_id, 900000000000000000 + i.place as id, i.place, i.name, i.title, i.category, i.unit, i.note,
       coalesce(r.control, case sc.value #>> '{}' when 'true' then 'refuse' when 'false' then 'off' else sc.value #>> '{}' end,
                case cc.value when '拦截' then 'refuse' when '强制' then 'refuse' when '仅警告' then 'warn' when '关闭' then 'off' end, i.control) as control,
       coalesce(r.figure, case sf.value #>> '{}' when 'true' then '是' when 'false' then '否' else sf.value #>> '{}' end, cf.value, i.figure) as figure,
       null::bigint as warehouse_id, null::bigint as department_id, null::bigint as custom_type_id, coalesce(r.status, 'enabled') as status,
       concat_ws(' ', i.figure || coalesce(i.unit, ''), case when cardinality(i.controls) > 1 then case i.control when 'refuse' then '禁止' when 'warn' then '提醒' else '不控制' end end) as preset,
       r.reason, r.changed_by, r.changed_at, coalesce(r.version, 1) as version
  from organisation o cross join rule_item i
  left join hospital_rule r on r.org_id = o.id and r.id = 900000000000000000 + i.place
  left join setting sc on sc.org_id = o.id and sc.name = i.control_from
  left join setting sf on sf.org_id = o.id and sf.name = i.figure_from
  left join org_config cc on cc.org_id = o.id and cc.name = i.control_from and cc.valid_from <= (posting_now() at time zone 'Asia/Shanghai')::date
  left join org_config cf on cf.org_id = o.id and cf.name = i.figure_from and cf.valid_from <= (posting_now() at time zone 'Asia/Shanghai')::date
 where o.system_type = 1
union all
select r.org_id, r.id, i.place, i.name, i.title, i.category, i.unit, i.note, r.control, r.figure, r.warehouse_id, r.department_id, r.custom_type_id, r.status, '同全院', r.reason, r.changed_by, r.changed_at, r.version
  from hospital_rule r join rule_item i on i.name = r.name where r.id < 900000000000000000;
grant select on rule_item, hospital_rule_item to :app_role;
grant select, insert, update, delete on hospital_rule to :app_role;
grant select, insert on hospital_rule_change to :app_role;

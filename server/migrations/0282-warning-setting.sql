-- How many days ahead an organisation wants to be warned. One row each; what it leaves empty is as the platform set it.
create table warning_setting (
  org_id bigint not null, id bigint not null default nextval('row_id_seq'),
  expiry_days int, licence_days int, certificate_days int not null default 90, urgent_days int not null default 30, idle_days int not null default 180,
  stop_days int not null default 7, tells boolean not null default true, version int not null default 1,
  constraint warning_setting_pk primary key (org_id, id),
  constraint warning_setting_once unique (org_id));
alter table warning_setting enable row level security;
create policy own_rows on warning_setting using (org_id = current_setting('app.org_id')::bigint) with check (org_id = current_setting('app.org_id')::bigint);
grant select, insert, update, delete on warning_setting to :app_role;

-- Days ahead of which an organisation is warned: its own, else the platform's for it, else what is usual.
create function warning_days(org bigint, what text) returns int language sql stable
return coalesce(
  (select case what when 'expiry_warning_days' then s.expiry_days when 'licence_warning_days' then s.licence_days end from warning_setting s where s.org_id = org),
  (select c.value::int from org_config c where c.org_id = org and c.name = what and c.valid_from <= (posting_now() at time zone 'Asia/Shanghai')::date),
  case what when 'expiry_warning_days' then 180 else 90 end);

-- When an organisation's warnings were counted last, and up to which moment of posting: numbers of moves are given out of order.
alter table warning_count add column counted_at timestamptz, add column moved_at timestamptz;

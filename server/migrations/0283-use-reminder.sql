-- What an owner of consigned goods asks their keeper to use soon: once a lot and day. Told by a round, in the keeper's own transaction.
create table use_reminder (
  org_id bigint not null, customer_id bigint not null, lot_id bigint not null, day date not null,
  specification_id bigint not null, expiry_date date, quantity numeric(18,3) not null, asked_by text not null, asked_at timestamptz not null default posting_now(), told_at timestamptz,
  constraint use_reminder_pk primary key (org_id, customer_id, lot_id, day));
create index use_reminder_waiting on use_reminder (org_id, day) where told_at is null;
alter table use_reminder enable row level security;
create policy own_rows on use_reminder using (org_id = current_setting('app.org_id')::bigint) with check (org_id = current_setting('app.org_id')::bigint);
grant select, insert, update on use_reminder to :app_role;

-- What is done beyond its organisation after a record was written: a row in the transaction of the write, deleted when
-- it is done.
create table record_outbox (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  kind text not null,
  sn text not null,
  action text not null,
  -- The record as it was written; a deleted one as it was before.
  content jsonb not null,
  user_id bigint not null,
  user_name text not null,
  created_at timestamptz not null default now(),
  attempts int not null default 0,
  last_error text,
  next_at timestamptz not null default now(),
  constraint record_outbox_pk primary key (org_id, id)
);
create index record_outbox_waiting on record_outbox (next_at);
create index record_outbox_object on record_outbox (org_id, kind, sn, id);
call isolate_by_organisation('record_outbox');
grant select, insert, update, delete on record_outbox to :app_role;

-- A message that is sent by a delivery is sent once, however often the delivery is repeated.
alter table message add column delivery text;
create unique index message_delivered_once on message (org_id, delivery) where delivery is not null;

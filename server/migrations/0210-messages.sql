-- Whose goods a message is about, how long it holds, whether its reader must say that he got it, and who sent it: a sender learns who read.
alter table message add column message_type text not null default 'system';
alter table message add column stores bigint[] not null default '{}';
alter table message add column department_id bigint;
alter table message add column valid_to date;
alter table message add column needs_confirm boolean not null default false;
alter table message add column confirmed_at timestamptz;
alter table message add column confirmed_by text;
alter table message add column recalled_at timestamptz;
alter table message add column from_org_id bigint;
alter table message add column from_kind text;
alter table message add column from_id bigint;
create index message_pinned on message (org_id, (needs_confirm and confirmed_at is null) desc, id desc);
create index message_origin on message (org_id, from_org_id, from_kind, from_id) where from_id is not null;
-- Deleting hides a message from one person alone.
alter table message_read add column hidden_at timestamptz;

-- What the platform writes to people of all organisations, and to whom each was given.
create table sent_message (
  org_id bigint not null, id bigint not null default nextval('row_id_seq'),
  title text not null, body text not null, message_type text not null default 'announcement', audience text not null default 'all',
  org_types text[] not null default '{}', receivers text[] not null default '{}', role_names text[] not null default '{}', accounts text[] not null default '{}',
  uri text, object_id text, extra text, by_sms boolean not null default false, send_at timestamptz, valid_to date,
  state text not null default 'draft', sent_at timestamptz, sent_by text, recalled_at timestamptz, version int not null default 1,
  constraint sent_message_pk primary key (org_id, id));
create index sent_message_due on sent_message (send_at) where state = 'waiting';
create index sent_message_open on sent_message (org_id, state);
create table sent_delivery (
  org_id bigint not null, sent_message_id bigint not null, to_org_id bigint not null, to_user_id bigint not null default 0,
  people int not null default 0, delivered_at timestamptz, recalled_at timestamptz,
  constraint sent_delivery_pk primary key (org_id, sent_message_id, to_org_id, to_user_id));
create index sent_delivery_waiting on sent_delivery (org_id, sent_message_id) where delivered_at is null;

-- Who read what we sent: told to the sender after the reader's own transaction.
create table message_receipt (
  org_id bigint not null, of_kind text not null, of_id bigint not null, to_org_id bigint not null, user_id bigint not null,
  user_name text not null, read_at timestamptz not null default now(), confirmed_at timestamptz,
  constraint message_receipt_pk primary key (org_id, of_kind, of_id, to_org_id, user_id));

-- A notice has a number, is looked at by a second person, goes to departments and roles as well, and reminds once a day.
alter table notice add column code text;
alter table notice add column departments text[] not null default '{}';
alter table notice add column role_ids text[] not null default '{}';
alter table notice add column written_by bigint;
alter table notice add column reviewed_by text;
alter table notice add column reviewed_at timestamptz;
alter table notice_delivery add column to_user_id bigint not null default 0;
alter table notice_delivery add column reminded_on date;
alter table notice_delivery drop constraint notice_delivery_pk;
alter table notice_delivery add constraint notice_delivery_pk primary key (org_id, notice_id, to_org_id, to_user_id);
create index notice_delivery_waiting on notice_delivery (org_id, notice_id) where delivered_at is null;

create view notice_receiver with (security_invoker = true) as
select x.org_id, x.notice_id * 1000000 + row_number() over (partition by x.org_id, x.notice_id order by x.to_org_id, x.to_user_id) as id,
       x.notice_id, x.to_org_id, o.name as receiver_org, u.name as receiver_name, x.delivered_at, r.read_at, r.readers, r.confirmed_at, r.confirmed_by, x.reminded_on
  from notice_delivery x
  join organisation o on o.id = x.to_org_id
  left join app_user u on u.id = x.to_user_id
  left join lateral (
    select min(m.read_at) as read_at, count(*)::int as readers, min(m.confirmed_at) as confirmed_at,
           (array_agg(m.user_name order by m.confirmed_at) filter (where m.confirmed_at is not null))[1] as confirmed_by
      from message_receipt m
     where m.org_id = x.org_id and m.of_kind = 'notice' and m.of_id = x.notice_id and m.to_org_id = x.to_org_id and (x.to_user_id = 0 or m.user_id = x.to_user_id)) r on true;

do $$ declare t text; begin
  foreach t in array array['sent_message', 'sent_delivery', 'message_receipt'] loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy own_rows on %I using (org_id = current_setting(''app.org_id'')::bigint) with check (org_id = current_setting(''app.org_id'')::bigint)', t);
  end loop;
end $$;
grant select, insert, update, delete on sent_message, sent_delivery, message_receipt to :app_role;
grant select on notice_receiver to :app_role;
alter table notice_delivery add column recalled_at timestamptz;

-- Messages, announcements and notices, and who read them.

-- Messages to the people of an organisation.
create table message (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  user_id bigint,
  title text not null,
  body text not null,
  uri text not null,
  object_id text,
  extra jsonb not null default '{}',
  at timestamptz not null default posting_now(),
  read_at timestamptz,
  -- A message concerns whoever may open the kind it tells of; each person reads it for himself.
  kind text,
  -- Whose goods a message is about, how long it holds, whether its reader must say that he got it, and who sent it: a
  -- sender learns who read.
  message_type text not null default 'system',
  stores bigint[] not null default '{}',
  department_id bigint,
  valid_to date,
  needs_confirm boolean not null default false,
  confirmed_at timestamptz,
  confirmed_by text,
  recalled_at timestamptz,
  from_org_id bigint,
  from_kind text,
  from_id bigint,
  constraint message_pk primary key (org_id, id)
);
create index message_list on message (org_id, id desc);
create index message_pinned on message (org_id, (needs_confirm and confirmed_at is null) desc, id desc);
create index message_origin on message (org_id, from_org_id, from_kind, from_id) where from_id is not null;
call isolate_by_organisation('message');
grant select, insert, update, delete on message to :app_role;

-- What a person has read, or hidden from himself.
create table message_read (
  org_id bigint not null,
  user_id bigint not null,
  message_id bigint not null,
  at timestamptz not null default now(),
  -- Deleting hides a message from one person alone.
  hidden_at timestamptz,
  constraint message_read_pk primary key (org_id, user_id, message_id)
);
call isolate_by_organisation('message_read');
grant select, insert, update, delete on message_read to :app_role;

-- Who read what we sent: reported to the sender after the reader's own transaction.
create table message_receipt (
  org_id bigint not null,
  of_kind text not null,
  of_id bigint not null,
  to_org_id bigint not null,
  user_id bigint not null,
  user_name text not null,
  read_at timestamptz not null default now(),
  confirmed_at timestamptz,
  constraint message_receipt_pk primary key (org_id, of_kind, of_id, to_org_id, user_id)
);
call isolate_by_organisation('message_receipt');
grant select, insert, update, delete on message_receipt to :app_role;

-- Notices of an organisation: written, reviewed, published.
create table notice (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  notice_type text not null default 'business',
  title text not null,
  body text not null,
  audience text not null default 'own',
  receivers text[] not null default '{}',
  needs_confirm boolean not null default false,
  valid_to date,
  attachments text[] not null default '{}',
  state text not null default 'draft',
  published_at timestamptz,
  published_by text,
  reason text,
  -- A notice has a number, is looked at by a second person, goes to departments and roles as well, and reminds once a
  -- day.
  code text,
  departments text[] not null default '{}',
  role_ids text[] not null default '{}',
  written_by bigint,
  reviewed_by text,
  reviewed_at timestamptz,
  version int not null default 1,
  constraint notice_pk primary key (org_id, id)
);
call isolate_by_organisation('notice');
grant select, insert, update, delete on notice to :app_role;

-- To whom a notice was given.
create table notice_delivery (
  org_id bigint not null,
  notice_id bigint not null,
  to_org_id bigint not null,
  delivered_at timestamptz,
  to_user_id bigint not null default 0,
  reminded_on date,
  recalled_at timestamptz,
  constraint notice_delivery_pk primary key (org_id, notice_id, to_org_id, to_user_id)
);
create index notice_delivery_waiting on notice_delivery (org_id, notice_id) where delivered_at is null;
call isolate_by_organisation('notice_delivery');
grant select, insert, update, delete on notice_delivery to :app_role;

-- What the platform writes to people of all organisations.
create table sent_message (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  title text not null,
  body text not null,
  message_type text not null default 'announcement',
  audience text not null default 'all',
  org_types text[] not null default '{}',
  receivers text[] not null default '{}',
  role_names text[] not null default '{}',
  accounts text[] not null default '{}',
  uri text,
  object_id text,
  extra text,
  by_sms boolean not null default false,
  send_at timestamptz,
  valid_to date,
  state text not null default 'draft',
  sent_at timestamptz,
  sent_by text,
  recalled_at timestamptz,
  version int not null default 1,
  constraint sent_message_pk primary key (org_id, id)
);
create index sent_message_due on sent_message (send_at) where state = 'waiting';
create index sent_message_open on sent_message (org_id, state);
call isolate_by_organisation('sent_message');
grant select, insert, update, delete on sent_message to :app_role;

-- To whom such a message was given.
create table sent_delivery (
  org_id bigint not null,
  sent_message_id bigint not null,
  to_org_id bigint not null,
  to_user_id bigint not null default 0,
  people int not null default 0,
  delivered_at timestamptz,
  recalled_at timestamptz,
  constraint sent_delivery_pk primary key (org_id, sent_message_id, to_org_id, to_user_id)
);
create index sent_delivery_waiting on sent_delivery (org_id, sent_message_id) where delivered_at is null;
call isolate_by_organisation('sent_delivery');
grant select, insert, update, delete on sent_delivery to :app_role;

-- Recalls: which holder of which lot was told and what it answered, kept by whoever recalls; and at every holder what it was told, what its
-- books say of the lot, and what it answered. While a row is open the lot goes out of no store.
create table recall_delivery (
  org_id bigint not null, id bigint not null default nextval('row_id_seq'),
  document_id bigint not null, line_no int not null, to_org_id bigint not null, specification_id bigint not null, lot_id bigint not null,
  delivered_at timestamptz, answered_at timestamptz, answered_by text,
  received numeric(18,3), on_hand numeric(18,3), blocked numeric(18,3), used numeric(18,3), returned numeric(18,3), passed_on numeric(18,3), gone numeric(18,3), note text,
  remind_on date, reminded_on date, ended_at timestamptz,
  constraint recall_delivery_pk primary key (org_id, id),
  constraint recall_delivery_once unique (org_id, document_id, line_no, to_org_id),
  constraint recall_delivery_document foreign key (org_id, document_id) references document (org_id, id));
create index recall_delivery_open on recall_delivery (org_id, document_id) where ended_at is null;

create table recall_feedback (
  org_id bigint not null, id bigint not null default nextval('row_id_seq'),
  from_org_id bigint not null, from_document_id bigint not null, from_line_no int not null,
  recall_sn text not null, title text not null, recall_level text not null, recall_reason text, requirement text, due_date date,
  specification_id bigint not null, lot_id bigint not null, lot_no text not null,
  received numeric(18,3) not null default 0, on_hand numeric(18,3) not null default 0, blocked numeric(18,3) not null default 0, used numeric(18,3) not null default 0,
  returned numeric(18,3) not null default 0, passed_on numeric(18,3) not null default 0, gone numeric(18,3) not null default 0, note text,
  state text not null default 'waiting', arrived_at timestamptz not null default now(), answered_by text, answered_at timestamptz,
  told_version int not null default 1, version int not null default 1,
  constraint recall_feedback_pk primary key (org_id, id),
  constraint recall_feedback_once unique (org_id, from_org_id, from_document_id, from_line_no));
create index recall_feedback_lot on recall_feedback (org_id, lot_id) where state in ('waiting', 'answered');
create index recall_feedback_untold on recall_feedback (org_id) where state = 'answered' and told_version <> version;

do $$ declare t text; begin
  foreach t in array array['recall_delivery', 'recall_feedback'] loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy own_rows on %I using (org_id = current_setting(''app.org_id'')::bigint) with check (org_id = current_setting(''app.org_id'')::bigint)', t);
  end loop;
end $$;
grant select, insert, update, delete on recall_delivery, recall_feedback to :app_role;

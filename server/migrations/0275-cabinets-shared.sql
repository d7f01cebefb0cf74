-- What owners of consigned goods are told of a customer's cabinets: their own goods alone, without who and on whom. Copies, brought to them whenever something changed.
alter table cabinet_transaction add column sent_version int not null default 0;
grant update (sent_version) on cabinet_transaction to :app_role;
create index cabinet_transaction_unsent on cabinet_transaction (org_id, id) where owner_id is not null and sent_version <> version;
create table shared_cabinet_transaction (
  org_id bigint not null, id bigint not null default nextval('row_id_seq'), from_org_id bigint not null, of_id bigint not null,
  serial_no text not null, department_name text, cabinet_name text not null, door_no text, operation text not null, opened_at timestamptz not null, closed_at timestamptz,
  specification_id bigint, lot_no text, unit_code text, quantity numeric(18,3) not null, document_sn text, state text not null,
  constraint shared_cabinet_transaction_pk primary key (org_id, id), constraint shared_cabinet_transaction_once unique (org_id, from_org_id, of_id));
create index shared_cabinet_transaction_list on shared_cabinet_transaction (org_id, opened_at desc);
create table shared_cabinet_stock (
  org_id bigint not null, id bigint not null default nextval('row_id_seq'), from_org_id bigint not null,
  department_name text, cabinet_name text not null, door_no text, slot text, specification_id bigint not null, product_id bigint not null, lot_no text, expiry_date date, quantity numeric(18,3) not null, unit_count int not null,
  read_at timestamptz, constraint shared_cabinet_stock_pk primary key (org_id, id));
create index shared_cabinet_stock_from on shared_cabinet_stock (org_id, from_org_id);
-- Up to which move of goods a hospital's cabinets were told to the owners, and who they were.
create table cabinet_shared (
  org_id bigint not null, move_id bigint not null, owners bigint[] not null default '{}', constraint cabinet_shared_pk primary key (org_id));
do $$ declare t text; begin
  foreach t in array array['shared_cabinet_transaction', 'shared_cabinet_stock', 'cabinet_shared'] loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy own_rows on %I using (org_id = current_setting(''app.org_id'')::bigint) with check (org_id = current_setting(''app.org_id'')::bigint)', t);
  end loop;
end $$;
grant select, insert, update, delete on shared_cabinet_transaction, shared_cabinet_stock, cabinet_shared to :app_role;

-- What a product costs a house, and what it charges, from which day on, and which paper said so. A row is applied when its day has come.
create table price_history (
  org_id bigint not null, id bigint not null default nextval('row_id_seq'),
  specification_id bigint not null, price_kind text not null, supplier_id bigint, old_price numeric(18,4), new_price numeric(18,4) not null, change_rate numeric(9,4),
  valid_from date not null, adjust_reason text, document_id bigint not null, document_sn text not null, changed_by text not null, changed_at timestamptz not null default posting_now(), applied_at timestamptz,
  constraint price_history_pk primary key (org_id, id),
  constraint price_history_kind check (price_kind in ('purchase', 'charge')));
create index price_history_specification on price_history (org_id, specification_id, valid_from desc);
create index price_history_document on price_history (org_id, document_id);
create index price_history_due on price_history (valid_from) where applied_at is null;
alter table price_history enable row level security;
create policy own_rows on price_history using (org_id = current_setting('app.org_id')::bigint) with check (org_id = current_setting('app.org_id')::bigint);
grant select, insert, delete on price_history to :app_role;
grant update (applied_at) on price_history to :app_role;

-- Prices of traders have a history as those of hospitals; the end of a supplier's price is a row without a new one.
alter table price_history alter column new_price drop not null;
alter table price_history drop constraint price_history_kind;
alter table price_history add constraint price_history_kind check (price_kind in ('purchase', 'charge', 'sale'));

-- What a supplier asked to be changed in a hospital's catalogue and the hospital passed: written by nobody until somebody there adopts it.
create table catalogue_proposal (
  org_id bigint not null, id bigint not null default nextval('row_id_seq'),
  code text not null, proposal_type text not null, specification_id bigint not null, supplier_id bigint not null, changed_field text, old_value text, new_value text,
  application_id bigint not null, application_sn text not null, effect text, applied_by text, applied_at timestamptz not null default posting_now(),
  state text not null default 'pending', decided_by text, decided_at timestamptz, reason text, version int not null default 1,
  constraint catalogue_proposal_pk primary key (org_id, id), constraint catalogue_proposal_code unique (org_id, code),
  constraint catalogue_proposal_type check (proposal_type in ('change', 'consign')),
  constraint catalogue_proposal_specification foreign key (specification_id) references specification (id));
create index catalogue_proposal_application on catalogue_proposal (org_id, application_id);
create index catalogue_proposal_model on catalogue_proposal (org_id, specification_id);
alter table catalogue_proposal enable row level security;
create policy own_rows on catalogue_proposal using (org_id = current_setting('app.org_id')::bigint) with check (org_id = current_setting('app.org_id')::bigint);
grant select, insert, update, delete on catalogue_proposal to :app_role;

-- How a hospital's charge price follows from its purchase price: for the house, a class of products, one product; bands are [from, to).
create table markup_rule (
  org_id bigint not null, id bigint not null default nextval('row_id_seq'),
  code text not null, scope text not null, custom_type_id bigint, specification_id bigint, method text not null default 'band', price_from numeric(18,4), price_to numeric(18,4),
  rate numeric(9,6), fixed_amount numeric(18,4), cap numeric(18,4), rounding text not null default 'fen', valid_from date not null, valid_to date, policy_basis text, remark text,
  audit_state text not null default 'pending', created_by text, reviewed_by text, version int not null default 1,
  constraint markup_rule_pk primary key (org_id, id), constraint markup_rule_code unique (org_id, code),
  constraint markup_rule_type foreign key (org_id, custom_type_id) references custom_type (org_id, id),
  constraint markup_rule_specification foreign key (specification_id) references specification (id),
  constraint markup_rule_scope check (scope in ('house', 'class', 'single')), constraint markup_rule_method check (method in ('zero', 'band', 'fixed')),
  constraint markup_rule_rounding check (rounding in ('fen', 'jiao', 'yuan')), constraint markup_rule_audit check (audit_state in ('pending', 'passed')));

-- What share of a supplier's settlements is charged as service fee, by class of goods and period.
create table supplier_rate (
  org_id bigint not null, id bigint not null default nextval('row_id_seq'),
  supplier_id bigint not null, fee_class text not null, fee_base text not null default 'settled', rate numeric(9,6) not null, floor_amount numeric(18,2), cap_amount numeric(18,2), payment_days int, settle_day int,
  contract_no text, valid_from date not null, valid_to date, attachments text[] not null default '{}', remark text, audit_state text not null default 'pending', stop_reason text,
  changed_by text, changed_at timestamptz not null default posting_now(), version int not null default 1,
  constraint supplier_rate_pk primary key (org_id, id),
  constraint supplier_rate_supplier foreign key (supplier_id) references organisation (id),
  constraint supplier_rate_range check (rate between 0 and 1), constraint supplier_rate_audit check (audit_state in ('pending', 'passed')));
create index supplier_rate_of on supplier_rate (org_id, supplier_id, fee_class, valid_from);
create table supplier_rate_step (
  org_id bigint not null, id bigint not null default nextval('row_id_seq'),
  supplier_id bigint not null, fee_class text not null, deed text not null, old_value text not null, new_value text not null, reason text, by_name text not null, done_at timestamptz not null default posting_now(), version int not null default 1,
  constraint supplier_rate_step_pk primary key (org_id, id));

do $$ declare t text; begin
  foreach t in array array['markup_rule', 'supplier_rate', 'supplier_rate_step'] loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy own_rows on %I using (org_id = current_setting(''app.org_id'')::bigint) with check (org_id = current_setting(''app.org_id'')::bigint)', t);
  end loop;
end $$;
grant select, insert, update, delete on markup_rule, supplier_rate to :app_role;
grant select, insert on supplier_rate_step to :app_role;
-- Rates are written with four places of a percent.
alter table hospital_product alter column markup_rate type numeric(9,6);
alter table custom_type alter column markup_rate type numeric(9,6);

-- What a dealer trades is checked against the chain of authorisations: four lights, counted from the dealer's own books and sent here by it.
create table dealer_check (
  id bigint not null default nextval('reference_id_seq'), dealer_id bigint not null, product_id bigint not null, supplier_id bigint,
  scope_light text not null, certificate_light text not null, chain_light text not null, first_light text not null,
  authorisation_no text, authorised_from text, area text, authorisation_begins date, authorisation_ends date, chain_level int, two_invoices boolean not null default false,
  problem text, state text not null default 'pending', checked_by text, checked_at timestamptz, opinion text, asked_paper text, due_on date,
  applied_at timestamptz not null default now(), version int not null default 1,
  constraint dealer_check_pk primary key (id), constraint dealer_check_once unique (dealer_id, product_id),
  constraint dealer_check_product foreign key (product_id) references product (id),
  constraint dealer_check_state check (state in ('pending', 'passed', 'asked', 'refused')));
create index dealer_check_list on dealer_check (state, id desc);
grant select, insert, update, delete on dealer_check to :app_role;

-- 合格证明: papers of a lot, uploaded once by its maker or importer and shown by every later keeper.
create table quality_certificate (
  id bigint not null default nextval('reference_id_seq'), specification_id bigint not null, lot_no text not null, sterilisation_lot_no text, production_date date, expiry_date date,
  certificate_type text not null, certificate_no text, issuer text, issued_on date, attachments text[] not null default '{}', uploader_id bigint not null, uploaded_by text not null,
  uploaded_at timestamptz not null default now(), is_current boolean not null default true, state text not null default 'pending', audited_by text, audited_at timestamptz, reason text,
  remark text, version int not null default 1,
  constraint quality_certificate_pk primary key (id), constraint quality_certificate_specification foreign key (specification_id) references specification (id),
  constraint quality_certificate_state check (state in ('pending', 'passed', 'refused')));
create index quality_certificate_lot on quality_certificate (specification_id, lot_no, certificate_type);
grant select, insert, update, delete on quality_certificate to :app_role;

alter table dealer_product add column own_code text, add column lowest_price numeric(18,4), add column sales_tax_rate smallint, add column default_location text, add column is_consigned boolean not null default false, add column remark text;

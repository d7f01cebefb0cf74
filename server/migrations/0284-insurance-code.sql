-- 国家医保医用耗材代码 as each organisation keeps them: published codes, and which of its specifications each is said to be.
create table insurance_code (
  org_id bigint not null, id bigint not null default nextval('row_id_seq'),
  code text not null, first_class text, second_class text, third_class text, generic_name text, material text, feature text,
  certificate_no text, manufacturer text, product_name text, model text, platform_code text, pay_class text, is_collective boolean not null default false,
  valid_from date, valid_to date, remark text, specification_id bigint,
  match_state text not null default 'none', matched_by text, matched_at timestamptz, batch_at timestamptz, changed_at timestamptz not null default now(), version int not null default 1,
  constraint insurance_code_pk primary key (org_id, id),
  constraint insurance_code_form check (code ~ '^C\d{19}(\d{7})?$'),
  constraint insurance_code_specification foreign key (specification_id) references specification (id));
-- One code may be several specifications of one certificate, but each once; a specification has one valid code.
create unique index insurance_code_once on insurance_code (org_id, code, specification_id) nulls not distinct;
create unique index insurance_code_valid on insurance_code (org_id, specification_id) where match_state = 'matched';
create index insurance_code_list on insurance_code (org_id, match_state, code);
alter table insurance_code enable row level security;
create policy own_rows on insurance_code using (org_id = current_setting('app.org_id')::bigint) with check (org_id = current_setting('app.org_id')::bigint);
grant select, insert, update, delete on insurance_code to :app_role;
-- What an organisation trades in or uses: the specifications of its catalogue.
create view own_specification with (security_invoker = true) as
select h.org_id, h.specification_id from hospital_product h
union
select d.org_id, d.specification_id from dealer_product d
union
select p.manufacturer_id, s.id from specification s join product p on p.id = s.product_id;
grant select on own_specification to :app_role;

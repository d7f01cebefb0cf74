-- What makers and dealers authorised their dealers to sell, as the gates of those dealers' customers ask it. Written by
-- whoever grants, from its dealer_authorisation; never scans, prices or remarks.
create table granted_authorisation (
  id bigint not null,
  org_id bigint not null,
  dealer_id bigint not null,
  product_id bigint,
  manufacturer_id bigint,
  class_code text,
  hospital_id bigint,
  area_codes text[] not null default '{}',
  authorisation_no text not null,
  may_pass_on boolean not null,
  valid_from date not null,
  valid_to date not null,
  status text not null,
  version int not null,
  -- Without its relation, which a merge replaces and a refusal deletes, a row says nothing: the view joins it.
  constraint granted_authorisation_pk primary key (id)
);
create index granted_authorisation_dealer on granted_authorisation (dealer_id);
alter table granted_authorisation enable row level security;
create policy reached_rows on granted_authorisation using (reaches(org_id)) with check (reaches(org_id));
grant select, insert, update on granted_authorisation to :app_role;

insert into granted_authorisation
select
  a.id, a.org_id, a.dealer_id, a.product_id, a.manufacturer_id, a.class_code, a.hospital_id, a.area_codes,
  a.authorisation_no, a.may_pass_on, a.valid_from, a.valid_to, a.status, a.version
from dealer_authorisation a;

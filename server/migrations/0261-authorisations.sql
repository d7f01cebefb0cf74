-- What a dealer was authorised to sell is sent to it, and what it gives on may not exceed that. Areas are divisions: the leading digits of their codes.
alter table dealer_authorisation add column area_codes text[] not null default '{}';
alter table dealer_authorisation add column sent_version int not null default 0;
create index dealer_authorisation_unsent on dealer_authorisation (org_id) where sent_version <> version;

create table authorisation_held (
  org_id bigint not null, id bigint not null default nextval('row_id_seq'),
  from_org_id bigint not null, of_id bigint not null, product_id bigint not null, hospital_id bigint, area text, area_codes text[] not null default '{}',
  is_exclusive boolean not null default false, authorisation_no text not null, valid_from date not null, valid_to date not null, status text not null default 'enabled',
  received_at timestamptz not null default now(),
  constraint authorisation_held_pk primary key (org_id, id),
  constraint authorisation_held_once unique (org_id, from_org_id, of_id));
create index authorisation_held_product on authorisation_held (org_id, product_id, valid_to);
alter table authorisation_held enable row level security;
create policy own_rows on authorisation_held using (org_id = current_setting('app.org_id')::bigint) with check (org_id = current_setting('app.org_id')::bigint);
grant select, insert, update, delete on authorisation_held to :app_role;

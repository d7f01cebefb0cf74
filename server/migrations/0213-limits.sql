-- What a level of service allows besides users and stores, and who was given which level when.
alter table vip_level add column product_limit int;
alter table vip_level add column call_limit int;
alter table vip_level add column sms_limit int;
alter table vip_level add column storage_gb numeric(18,3);
alter table vip_level add column trial_days int;
create table vip_grant (
  id bigint not null default nextval('reference_id_seq'),
  vip_level_id bigint not null, granted_org_id bigint not null, granted_on date not null, until date not null,
  way text not null default 'paid', contract_no text, handled_by text not null, version int not null default 1,
  constraint vip_grant_pk primary key (id),
  constraint vip_grant_level foreign key (vip_level_id) references vip_level (id),
  constraint vip_grant_org foreign key (granted_org_id) references organisation (id));
create index vip_grant_list on vip_grant (vip_level_id, id desc);
grant select, insert, update, delete on vip_grant to :app_role;
create index outbound_call_day on outbound_call (org_id, system, at);

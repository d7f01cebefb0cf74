-- Licences of organisations and people, what is demanded of whom, and who may sell what where.

-- The kinds of licences that the trade knows: which the law demands, and how their expiry is met where nobody says
-- otherwise.
create table licence_kind (
  licence_type text not null,
  at int not null,
  lawful boolean not null default false,
  -- Of whom a kind of licence is asked, and which kinds stand in for one another: a public hospital has no business
  -- licence, a maker abroad no production licence. A kind that is asked of nobody is the affair of products.
  holders int[] not null default '{}',
  stands_as text,
  constraint licence_kind_pk primary key (licence_type)
);
grant select on licence_kind to :app_role;
insert into licence_kind (licence_type, at, lawful, holders, stands_as) values
  ('营业执照', 1, true, '{2,3}', 'identity'),
  ('医疗器械经营许可证', 2, true, '{2}', 'permit'),
  ('第二类医疗器械经营备案凭证', 3, true, '{2}', 'permit'),
  ('医疗器械生产许可证', 4, true, '{3}', 'permit'),
  ('第一类医疗器械生产备案凭证', 5, true, '{3}', 'permit'),
  ('医疗器械注册证/备案凭证', 6, true, '{}', null),
  ('医疗机构执业许可证', 7, true, '{1}', 'practice'),
  ('诊所备案凭证', 8, false, '{1}', 'practice'),
  ('事业单位法人证书', 9, false, '{1}', 'identity'),
  ('民办非企业单位登记证书', 10, false, '{1}', 'identity'),
  ('放射诊疗许可证', 11, false, '{1}', null),
  ('大型医用设备配置许可证', 12, false, '{1}', null),
  ('授权书', 13, false, '{2}', null),
  ('进口总代理授权书', 14, false, '{3}', 'permit'),
  ('进口代理人授权', 15, false, '{3}', 'permit'),
  ('产品授权书', 16, false, '{3}', null),
  ('受托生产协议', 17, false, '{3}', null),
  ('质量保证协议', 18, false, '{2,3}', null),
  ('质量体系调查表', 19, false, '{2,3}', null),
  ('质量体系认证证书', 20, false, '{2,3}', null),
  ('法人授权委托书（销售人员）', 21, false, '{2,3}', null),
  ('销售人员身份证', 22, false, '{2,3}', null),
  ('法人授权委托书（跟台人员）', 23, false, '{2}', null),
  ('采购人员委托书', 24, false, '{1,2}', null),
  ('收货地址及开票信息', 25, false, '{1}', null),
  ('医联体合作协议', 26, false, '{1}', null),
  ('随货同行单样式及印章备案', 27, false, '{2}', null),
  ('开票信息/开户许可证', 28, false, '{2,3}', null),
  ('其他', 29, false, '{1,2,3}', null);

-- How an organisation watches each kind: when it warns, and what an expired licence stops. What is left empty is as
-- the platform has it; a kind without a row is as its preset.
create table licence_setting (
  org_id bigint not null,
  id bigint not null default nextval('reference_id_seq'),
  licence_type text not null,
  is_required boolean not null default false,
  first_days int,
  second_days int not null default 30,
  daily_days int not null default 7,
  reminded_role_id bigint,
  control text,
  at_order boolean not null default true,
  at_arrival boolean not null default true,
  at_receipt boolean not null default true,
  at_sale boolean not null default true,
  at_issue boolean not null default true,
  grace_days int not null default 0,
  updated_by text,
  updated_at timestamptz,
  -- For which classes of devices a kind of licence is watched; none: for all.
  device_classes text[] not null default '{}',
  -- A kind of licence may be watched when goods are used, and its expiry sent by short message besides the message
  -- inside.
  at_use boolean not null default false,
  reminded_by text not null default 'inside',
  status text not null default 'enabled',
  version int not null default 1,
  constraint licence_setting_pk primary key (org_id, id),
  constraint licence_setting_once unique (org_id, licence_type),
  constraint licence_setting_reminded_by check (reminded_by in ('inside', 'sms'))
);
call isolate_by_organisation('licence_setting');
grant select, insert, update, delete on licence_setting to :app_role;

-- An archive: each organisation keeps its own licences (holder = itself) and its copies of its partners'.
create table licence (
  org_id bigint not null,
  id bigint not null default nextval('reference_id_seq'),
  holder_id bigint not null,
  licence_type text not null,
  licence_no text not null,
  issuer text,
  issued_on date,
  valid_from date not null,
  valid_to date,
  long_term boolean not null default false,
  scope text,
  grantor_id bigint,
  grantee_id bigint,
  authorised_hospital_id bigint,
  person_name text,
  attachments text[] not null default '{}',
  audit_state text not null default 'passed',
  remark text,
  -- The life of a licence: written, handed in, judged, renewed. A renewal stands beside the licence that it follows,
  -- which keeps its days.
  licence_name text,
  legal_person text,
  manager text,
  quality_manager text,
  domicile text,
  premises text,
  warehouse_address text,
  previous_id bigint,
  origin text not null default 'own',
  owner_org_id bigint,
  owner_licence_id bigint,
  grant_sn text,
  audit_reason text,
  audited_by text,
  audited_at timestamptz,
  updated_by text,
  updated_at timestamptz not null default now(),
  reminded_on date,
  subjects text[] not null default '{}',
  campus text,
  copy_no text,
  status text not null default 'enabled',
  version int not null default 1,
  constraint licence_pk primary key (org_id, id)
);
create index licence_previous on licence (org_id, previous_id) where previous_id is not null;
create index licence_holder on licence (org_id, holder_id, licence_type);
create index licence_grant on licence (org_id, owner_org_id, grant_sn) where origin = 'granted';
create unique index licence_once
  on licence (org_id, holder_id, licence_type, licence_no, copy_no, valid_from) nulls not distinct;
call isolate_by_organisation('licence');
grant select, insert, update, delete on licence to :app_role;

-- What an authorisation covers: which goods, where, for whom and until when. What was received of suppliers hangs on
-- licences of the archive like what was given to dealers.
create table licence_line (
  org_id bigint not null,
  id bigint not null default nextval('reference_id_seq'),
  licence_id bigint not null,
  product_id bigint,
  manufacturer_id bigint,
  -- A line may cover all goods of a maker or of a class.
  class_code text,
  hospital_id bigint,
  area text,
  area_codes text[] not null default '{}',
  is_exclusive boolean not null default false,
  may_pass_on boolean not null default true,
  valid_from date,
  valid_to date,
  remark text,
  from_org_id bigint,
  of_id bigint,
  received_at timestamptz,
  status text not null default 'enabled',
  version int not null default 1,
  constraint licence_line_pk primary key (org_id, id),
  constraint licence_line_once unique (org_id, from_org_id, of_id),
  constraint licence_line_licence foreign key (org_id, licence_id) references licence (org_id, id) on delete cascade,
  constraint licence_line_product foreign key (product_id) references product (id),
  constraint licence_line_days check (valid_to >= valid_from)
);
create index licence_line_licence on licence_line (org_id, licence_id);
call isolate_by_organisation('licence_line');
grant select, insert, update, delete on licence_line to :app_role;

-- Licences of its own that the platform looks at before they count: those that it was let in by.
create table licence_audit (
  id bigint not null default nextval('reference_id_seq'),
  organisation_id bigint not null,
  licence_id bigint not null,
  licence_type text not null,
  licence_no text not null,
  issuer text,
  valid_from date not null,
  valid_to date,
  scope text,
  attachments text[] not null default '{}',
  submitted_by text,
  submitted_at timestamptz not null default now(),
  state text not null default 'pending',
  decided_by text,
  decided_at timestamptz,
  reason text,
  version int not null default 1,
  constraint licence_audit_pk primary key (id)
);
create index licence_audit_licence on licence_audit (licence_id);
create index licence_audit_state on licence_audit (state, id desc);
grant select, insert, update on licence_audit to :app_role;

-- What partners looked at of the licences that they were given, at whoever gave and at whoever looked.
create table licence_access (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  grant_org_id bigint not null,
  grant_sn text not null,
  viewer_org_id bigint not null,
  line_no int not null,
  licence_type text not null,
  action text not null,
  user_name text not null,
  at timestamptz not null default now(),
  constraint licence_access_pk primary key (org_id, id),
  constraint licence_access_action check (action in ('view', 'print'))
);
create index licence_access_grant on licence_access (org_id, grant_org_id, grant_sn);
call isolate_by_organisation('licence_access');
grant select, insert on licence_access to :app_role;

-- Which reminders of a licence were sent: each step once, the daily one once a day.
create table licence_reminder (
  org_id bigint not null,
  licence_id bigint not null,
  step text not null,
  reminded_on date not null,
  constraint licence_reminder_pk primary key (org_id, licence_id, step)
);
call isolate_by_organisation('licence_reminder');
grant select, insert, update, delete on licence_reminder to :app_role;

-- Renewals as they were written down, one by one or by a workbook: which licence, and what the new one says.
create table licence_renewal (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  holder_id bigint not null,
  holder_code text,
  licence_type text not null,
  old_no text not null,
  licence_no text not null,
  issued_on date,
  valid_from date not null,
  valid_to date,
  licence_id bigint,
  renewed_by text not null,
  renewed_at timestamptz not null default now(),
  version int not null default 1,
  constraint licence_renewal_pk primary key (org_id, id)
);
call isolate_by_organisation('licence_renewal');
grant select, insert, update on licence_renewal to :app_role;

-- Which products of ours a dealer may sell to which hospital, in which area, alone or beside others.
create table dealer_authorisation (
  org_id bigint not null,
  id bigint not null default nextval('reference_id_seq'),
  dealer_id bigint not null,
  product_id bigint,
  hospital_id bigint,
  area text,
  is_exclusive boolean not null default false,
  authorisation_no text not null,
  valid_from date not null,
  valid_to date not null,
  remark text,
  -- What a dealer was authorised to sell is sent to it, and what it gives on may not exceed that. Areas are
  -- divisions: the leading digits of their codes.
  area_codes text[] not null default '{}',
  sent_version int not null default 0,
  licence_id bigint,
  may_pass_on boolean not null default true,
  -- What is given to a dealer may be all goods of a maker or a class, as licences have it: one rule says of which
  -- goods a line speaks.
  manufacturer_id bigint,
  class_code text,
  status text not null default 'enabled',
  version int not null default 1,
  constraint dealer_authorisation_pk primary key (org_id, id),
  constraint dealer_authorisation_relation foreign key (dealer_id) references org_relation (id),
  constraint dealer_authorisation_product foreign key (product_id) references product (id),
  constraint dealer_authorisation_days check (valid_to >= valid_from),
  constraint dealer_authorisation_goods
    check (product_id is not null or manufacturer_id is not null or class_code is not null)
);
create index dealer_authorisation_product_ix on dealer_authorisation (org_id, product_id, valid_to);
create index dealer_authorisation_dealer on dealer_authorisation (org_id, dealer_id, id desc);
create index dealer_authorisation_unsent on dealer_authorisation (org_id) where sent_version <> version;
create index dealer_authorisation_licence on dealer_authorisation (org_id, licence_id);
call isolate_by_organisation('dealer_authorisation');
grant select, insert, update, delete on dealer_authorisation to :app_role;

-- What a dealer trades is checked against the chain of authorisations: four lights, counted from the dealer's own
-- books and sent here by it.
create table dealer_check (
  id bigint not null default nextval('reference_id_seq'),
  dealer_id bigint not null,
  product_id bigint not null,
  supplier_id bigint,
  scope_light text not null,
  certificate_light text not null,
  chain_light text not null,
  first_light text not null,
  authorisation_no text,
  authorised_from text,
  area text,
  authorisation_begins date,
  authorisation_ends date,
  chain_level int,
  two_invoices boolean not null default false,
  problem text,
  state text not null default 'pending',
  checked_by text,
  checked_at timestamptz,
  opinion text,
  asked_licence text,
  due_on date,
  applied_at timestamptz not null default now(),
  version int not null default 1,
  constraint dealer_check_pk primary key (id),
  constraint dealer_check_once unique (dealer_id, product_id),
  constraint dealer_check_product foreign key (product_id) references product (id),
  constraint dealer_check_state check (state in ('pending', 'passed', 'asked', 'refused'))
);
create index dealer_check_list on dealer_check (state, id desc);
grant select, insert, update, delete on dealer_check to :app_role;

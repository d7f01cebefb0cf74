-- The life of a licence: written, handed in, judged, renewed. A renewal stands beside the paper that it follows, which keeps its days.
alter table licence
  add column licence_name text, add column legal_person text, add column manager text, add column quality_manager text, add column domicile text,
  add column premises text, add column warehouse_address text, add column previous_id bigint, add column origin text not null default 'own',
  add column owner_org_id bigint, add column owner_licence_id bigint, add column grant_sn text, add column audit_reason text, add column audited_by text, add column audited_at timestamptz,
  add column updated_by text, add column updated_at timestamptz not null default now(), add column reminded_on date;
create index licence_previous on licence (org_id, previous_id) where previous_id is not null;
create index licence_holder on licence (org_id, holder_id, licence_type);

-- The kinds of papers that the trade knows: which the law demands, and how their expiry is met where nobody says otherwise.
create table licence_kind (
  licence_type text not null, at int not null, lawful boolean not null default false,
  constraint licence_kind_pk primary key (licence_type));
grant select on licence_kind to :app_role;
insert into licence_kind (licence_type, at, lawful)
select k, row_number() over (), k in ('营业执照','医疗器械经营许可证','第二类医疗器械经营备案凭证','医疗器械生产许可证','第一类医疗器械生产备案凭证','医疗器械注册证/备案凭证','医疗机构执业许可证')
  from unnest(array['营业执照','医疗器械经营许可证','第二类医疗器械经营备案凭证','医疗器械生产许可证','第一类医疗器械生产备案凭证','医疗器械注册证/备案凭证','医疗机构执业许可证','诊所备案凭证',
    '事业单位法人证书','民办非企业单位登记证书','放射诊疗许可证','大型医用设备配置许可证','授权书','进口总代理授权书','进口代理人授权','产品授权书','受托生产协议','质量保证协议','质量体系调查表',
    '质量体系认证证书','法人授权委托书（销售人员）','销售人员身份证','法人授权委托书（跟台人员）','采购人员委托书','收货地址及开票信息','医联体合作协议','随货同行单样式及印章备案',
    '开票信息/开户许可证','其他']) k;

-- How an organisation watches each kind: when it warns, and what an expired paper stops. What is left empty is as the platform has it;
-- a kind without a row is as its preset.
create table licence_setting (
  org_id bigint not null, id bigint not null default nextval('reference_id_seq'), licence_type text not null, is_required boolean not null default false,
  first_days int, second_days int not null default 30, daily_days int not null default 7, told_role_id bigint, control text,
  at_order boolean not null default true, at_arrival boolean not null default true, at_receipt boolean not null default true,
  at_sale boolean not null default true, at_issue boolean not null default true, grace_days int not null default 0,
  updated_by text, updated_at timestamptz, status text not null default 'enabled', version int not null default 1,
  constraint licence_setting_pk primary key (org_id, id), constraint licence_setting_once unique (org_id, licence_type));
alter table licence_setting enable row level security;
create policy own_rows on licence_setting using (org_id = current_setting('app.org_id')::bigint) with check (org_id = current_setting('app.org_id')::bigint);
grant select, insert, update, delete on licence_setting to :app_role;

-- Days before its end on which a paper of a kind begins to warn.
create function licence_lead(org bigint, kind text) returns int language sql stable
return coalesce((select s.first_days from licence_setting s where s.org_id = org and s.licence_type = kind and s.status = 'enabled'), warning_days(org, 'licence_warning_days'));

-- Papers of its own that the platform looks at before they count: those that it was let in by.
create table licence_audit (
  id bigint not null default nextval('reference_id_seq'), organisation_id bigint not null, licence_id bigint not null, licence_type text not null, licence_no text not null,
  issuer text, valid_from date not null, valid_to date, scope text, attachments text[] not null default '{}', submitted_by text, submitted_at timestamptz not null default now(),
  state text not null default 'pending', decided_by text, decided_at timestamptz, reason text, version int not null default 1,
  constraint licence_audit_pk primary key (id));
create index licence_audit_licence on licence_audit (licence_id);
create index licence_audit_state on licence_audit (state, id desc);
grant select, insert, update on licence_audit to :app_role;

-- On which papers of the other side a document relied when it was done, with their days as they were.
create table paper_licence (
  org_id bigint not null, document_id bigint not null, licence_id bigint not null, action text not null, licence_type text not null, licence_no text not null, valid_to date, graced boolean not null default false,
  constraint paper_licence_pk primary key (org_id, document_id, licence_id));
create index paper_licence_licence on paper_licence (org_id, licence_id);
alter table paper_licence enable row level security;
create policy own_rows on paper_licence using (org_id = current_setting('app.org_id')::bigint) with check (org_id = current_setting('app.org_id')::bigint);
grant select, insert on paper_licence to :app_role;

-- Warnings of papers with what they are: whose, of which kind, for which product.
alter table warning add column reminded_on date, add column responsible text;
create view licence_validity with (security_invoker = true) as
select w.org_id, w.id, w.category, case when w.level = 'expired' then 'red' when w.level = 'urgent' then 'orange' else 'yellow' end as level, w.severity,
       case when w.category = 'PRODUCTREGISTRATION' then 'product' when w.partner_id = w.org_id then 'own' else 'partner' end as whose,
       w.partner_id, coalesce(l.licence_type, '医疗器械注册证/备案凭证') as licence_type, w.code, case when w.category = 'PRODUCTREGISTRATION' then w.object_name end as product_name,
       case when w.category = 'CERTIFICATIONEARLY' then split_part(w.object_key, '-', 2)::bigint end as licence_id,
       case when w.category = 'PRODUCTREGISTRATION' then split_part(w.object_key, '-', 2)::bigint end as certificate_id,
       w.expiry_date as valid_to, w.responsible, w.state, w.settled_severity, w.handled_by, w.handled_at, w.note, w.reminded_on, w.first_at, w.version
  from warning w
  left join licence l on w.category = 'CERTIFICATIONEARLY' and l.org_id = w.org_id and l.id = split_part(w.object_key, '-', 2)::bigint
 where w.category in ('CERTIFICATIONEARLY', 'PRODUCTREGISTRATION') and w.state <> 'closed';
grant select on licence_validity to :app_role;

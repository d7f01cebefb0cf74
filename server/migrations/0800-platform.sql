-- What the platform keeps for all: value lists, settings, rules of hospitals, courses, files, exports, logs and calls
-- to other systems.

-- Value lists: for which kinds of organisation, and whether an organisation may keep words of its own.
create table dictionary (
  id bigint not null default nextval('reference_id_seq'),
  code text not null,
  name text not null,
  is_system boolean not null default false,
  description text,
  allows_own boolean not null default false,
  orgs text[] not null default '{}',
  status text not null default 'enabled',
  version int not null default 1,
  constraint dictionary_pk primary key (id),
  constraint dictionary_code unique (code)
);
grant select, insert, update, delete on dictionary to :app_role;

-- The words of a value list; those with kept_by_id are the own words of one organisation.
create table dictionary_item (
  id bigint not null default nextval('reference_id_seq'),
  dictionary_id bigint not null,
  code text not null,
  name text not null,
  short_name text,
  sort_no int not null default 0,
  extra text,
  parent_id bigint,
  pinyin text,
  uses int not null default 0,
  kept_by_id bigint,
  status text not null default 'enabled',
  version int not null default 1,
  constraint dictionary_item_pk primary key (id),
  constraint dictionary_item_dictionary foreign key (dictionary_id) references dictionary (id)
);
create unique index dictionary_item_once on dictionary_item (dictionary_id, code) where kept_by_id is null;
create unique index dictionary_item_own on dictionary_item (kept_by_id, dictionary_id, name)
  where kept_by_id is not null;
alter table dictionary_item enable row level security;
create policy known_rows on dictionary_item
  using (kept_by_id is null or kept_by_id = nullif(current_setting('app.org_id', true), '')::bigint)
  with check (kept_by_id is null or kept_by_id = nullif(current_setting('app.org_id', true), '')::bigint);
grant select, insert, update, delete on dictionary_item to :app_role;
-- System lists say what the program itself knows.
insert into dictionary (code, name, is_system, description) values
  ('tax_rate', '税率', true, '百分数'),
  ('relation_code', '机构关系代码', true, '前一位是买方，后一位是卖方的类型'),
  ('source_type', '单据来源类型', true, null),
  ('bill_type', '出入库单据类型', true, null),
  ('warning_category', '预警类别', true, null),
  ('payment_status', '付款列表状态', true, null),
  ('restore_type', '数据恢复类型', true, null),
  ('clinical_subject', '诊疗科目', false, '医疗机构诊疗科目名录');
insert into dictionary_item (dictionary_id, code, name, sort_no)
select d.id, i.code, i.name, i.at
from (values
  ('tax_rate', 6, '13', '13%'), ('tax_rate', 5, '9', '9%'), ('tax_rate', 4, '6', '6%'), ('tax_rate', 3, '3', '3%'),
  ('tax_rate', 2, '1', '1%'), ('tax_rate', 1, '0', '0%'), ('relation_code', 6, 'HV', '医院与厂商'),
  ('relation_code', 5, 'HD', '医院与经销商'), ('relation_code', 4, 'HH', '医院与医院'), ('relation_code', 3, 'DH', '经销商与医院'),
  ('relation_code', 2, 'DV', '经销商与厂商'), ('relation_code', 1, 'DD', '经销商与经销商'), ('source_type', 13, '13', '采购记录'),
  ('source_type', 12, '12', '预付款'), ('source_type', 11, '11', '出库发票'), ('source_type', 10, '10', '入库发票'),
  ('source_type', 9, '9', '入库'), ('source_type', 8, '8', '调拨'), ('source_type', 7, '7', '出库'),
  ('source_type', 6, '6', '到货记录'), ('source_type', 5, '5', '骨科'), ('source_type', 4, '4', '销售订单'),
  ('source_type', 3, '3', '采购订单'), ('source_type', 2, '2', '销售记录'), ('source_type', 1, '1', '发放'),
  ('source_type', 0, '0', '无来源'), ('bill_type', 12, 'ADVANCEODO', '预销售出库'),
  ('bill_type', 11, 'DEPARTMENTUSEODO', '科室使用'), ('bill_type', 10, 'ORTHOPAEDICBACKODO', '骨科退回'),
  ('bill_type', 9, 'GIVEODO', '赠送出库'), ('bill_type', 8, 'GRANTODO', '发放出库'), ('bill_type', 7, 'ALLOTODO', '调拨出库'),
  ('bill_type', 6, 'SALERETURN', '销售退货'), ('bill_type', 5, 'OTHERSALEODO', '其他出库'),
  ('bill_type', 4, 'SALEODO', '销售出库'), ('bill_type', 3, 'ALLOTGRN', '调拨入库'),
  ('bill_type', 2, 'PURCHASERETURN', '采购退货'), ('bill_type', 1, 'PURCHASEGRN', '采购入库'),
  ('warning_category', 4, 'PRODUCTINVENTORY', '库存预警'), ('warning_category', 3, 'PRODUCTEXPIRY', '效期预警'),
  ('warning_category', 2, 'PRODUCTREGISTRATION', '注册证预警'), ('warning_category', 1, 'CERTIFICATIONEARLY', '资质预警'),
  ('payment_status', 3, '3', '付款完成'), ('payment_status', 2, '2', '已申请待付款'), ('payment_status', 1, '1', '待申请'),
  ('restore_type', 5, 'RESTOREHOSPITAL', '医院'), ('restore_type', 4, 'RESTOREDEALER', '经销商'),
  ('restore_type', 3, 'RESTORESPECIFICATION', '规格'), ('restore_type', 2, 'RESTOREVENDER', '厂商'),
  ('restore_type', 1, 'RESTOREPRODUCT', '产品')
) i(list, at, code, name)
join dictionary d on d.code = i.list;

-- The national list of subjects (医疗机构诊疗科目名录). Those of the second level as far as published copies agree about
-- them.
insert into dictionary_item (dictionary_id, code, name, sort_no)
select d.id, i.code, i.name, row_number() over (order by i.code collate "C")
from (values
  ('01', '预防保健科'), ('02', '全科医疗科'), ('03', '内科'), ('03.01', '呼吸内科专业'), ('03.02', '消化内科专业'), ('03.03', '神经内科专业'),
  ('03.04', '心血管内科专业'), ('03.05', '血液内科专业'), ('03.06', '肾病学专业'), ('03.07', '内分泌专业'), ('03.08', '免疫学专业'),
  ('03.09', '变态反应专业'), ('03.10', '老年病专业'), ('04', '外科'), ('04.01', '普通外科专业'), ('04.02', '神经外科专业'),
  ('04.03', '骨科专业'), ('04.04', '泌尿外科专业'), ('04.05', '胸外科专业'), ('04.06', '心脏大血管外科专业'), ('04.07', '烧伤科专业'),
  ('04.08', '整形外科专业'), ('05', '妇产科'), ('05.01', '妇科专业'), ('05.02', '产科专业'), ('05.03', '计划生育专业'), ('05.04', '优生学专业'),
  ('05.05', '生殖健康与不孕症专业'), ('06', '妇女保健科'), ('06.01', '青春期保健专业'), ('06.02', '围产期保健专业'), ('06.03', '更年期保健专业'),
  ('06.04', '妇女心理卫生专业'), ('06.05', '妇女营养专业'), ('07', '儿科'), ('07.01', '新生儿专业'), ('07.02', '小儿传染病专业'),
  ('07.03', '小儿消化专业'), ('07.04', '小儿呼吸专业'), ('07.05', '小儿心脏病专业'), ('07.06', '小儿肾病专业'), ('07.07', '小儿血液病专业'),
  ('07.08', '小儿神经病学专业'), ('07.09', '小儿内分泌专业'), ('07.10', '小儿遗传病专业'), ('07.11', '小儿免疫专业'), ('08', '小儿外科'),
  ('08.01', '小儿普通外科专业'), ('08.02', '小儿骨科专业'), ('08.03', '小儿泌尿外科专业'), ('08.04', '小儿胸心外科专业'), ('08.05', '小儿神经外科专业'),
  ('09', '儿童保健科'), ('09.01', '儿童生长发育专业'), ('09.02', '儿童营养专业'), ('09.03', '儿童心理卫生专业'), ('09.04', '儿童五官保健专业'),
  ('09.05', '儿童康复专业'), ('10', '眼科'), ('11', '耳鼻咽喉科'), ('11.01', '耳科专业'), ('11.02', '鼻科专业'), ('11.03', '咽喉科专业'),
  ('12', '口腔科'), ('12.01', '牙体牙髓病专业'), ('12.02', '牙周病专业'), ('12.03', '口腔粘膜病专业'), ('12.04', '儿童口腔专业'),
  ('12.05', '口腔颌面外科专业'), ('12.06', '口腔修复专业'), ('12.07', '口腔正畸专业'), ('12.08', '口腔种植专业'), ('12.09', '口腔麻醉专业'),
  ('12.10', '口腔颌面医学影像专业'), ('12.11', '口腔病理专业'), ('12.12', '预防口腔专业'), ('13', '皮肤科'), ('13.01', '皮肤病专业'),
  ('13.02', '性传播疾病专业'), ('14', '医疗美容科'), ('15', '精神科'), ('15.01', '精神病专业'), ('15.02', '精神卫生专业'),
  ('15.03', '药物依赖专业'), ('15.04', '精神康复专业'), ('15.05', '社区防治专业'), ('15.06', '临床心理专业'), ('15.07', '司法精神专业'),
  ('16', '传染科'), ('16.01', '肠道传染病专业'), ('16.02', '呼吸道传染病专业'), ('16.03', '肝炎专业'), ('16.04', '虫媒传染病专业'),
  ('16.05', '动物源性传染病专业'), ('16.06', '蠕虫病专业'), ('17', '结核病科'), ('18', '地方病科'), ('19', '肿瘤科'), ('20', '急诊医学科'),
  ('21', '康复医学科'), ('22', '运动医学科'), ('23', '职业病科'), ('23.01', '职业中毒专业'), ('23.02', '尘肺专业'), ('23.03', '放射病专业'),
  ('23.04', '物理因素损伤专业'), ('23.05', '职业健康监护专业'), ('24', '临终关怀科'), ('25', '特种医学与军事医学科'), ('26', '麻醉科'), ('27', '疼痛科'),
  ('28', '重症医学科'), ('30', '医学检验科'), ('30.01', '临床体液、血液专业'), ('30.02', '临床微生物学专业'), ('30.03', '临床化学检验专业'),
  ('30.04', '临床免疫、血清学专业'), ('30.05', '临床细胞分子遗传学专业'), ('31', '病理科'), ('32', '医学影像科'), ('32.01', 'X线诊断专业'),
  ('32.02', 'CT诊断专业'), ('32.03', '磁共振成像诊断专业'), ('32.04', '核医学专业'), ('32.05', '超声诊断专业'), ('32.06', '心电诊断专业'),
  ('32.07', '脑电及脑血流图诊断专业'), ('32.08', '神经肌肉电图专业'), ('32.09', '介入放射学专业'), ('32.10', '放射治疗专业'), ('50', '中医科'),
  ('50.01', '中医内科专业'), ('50.02', '中医外科专业'), ('50.03', '中医妇产科专业'), ('50.04', '中医儿科专业'), ('50.05', '中医皮肤科专业'),
  ('50.06', '中医眼科专业'), ('50.07', '中医耳鼻咽喉科专业'), ('50.08', '中医口腔科专业'), ('50.09', '中医肿瘤科专业'), ('50.12', '中医老年病科专业'),
  ('50.13', '针灸科专业'), ('50.14', '推拿科专业'), ('51', '民族医学科'), ('52', '中西医结合科')
) i(code, name)
join dictionary d on d.code = 'clinical_subject';

-- Settings that the platform has for each organisation, with their presets.
create table config_item (
  place int not null,
  name text not null,
  title text not null,
  category text not null,
  value_kind text not null,
  choices text[] not null default '{}',
  least numeric,
  most numeric,
  preset text not null,
  constraint config_item_pk primary key (place)
);
grant select, insert, update, delete on config_item to :app_role;

-- What the platform set for an organisation.
create table org_config (
  id bigint not null,
  org_id bigint not null,
  name text not null,
  value text not null,
  valid_from date not null,
  changed_by text,
  changed_at timestamptz not null default now(),
  version int not null default 1,
  constraint org_config_pk primary key (id),
  constraint org_config_once unique (org_id, name)
);
grant select, insert, update, delete on org_config to :app_role;

-- The rules a hospital tunes, as they come with the program.
create table rule_item (
  place int not null,
  name text not null,
  title text not null,
  category text not null,
  control text,
  controls text[] not null,
  figure text,
  unit text,
  note text not null,
  control_from text,
  figure_from text,
  constraint rule_item_pk primary key (place)
);
grant select on rule_item to :app_role;

-- What a hospital says of a rule: for all of it, a store, a department or a class of goods.
create table hospital_rule (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  name text not null,
  control text,
  figure text,
  warehouse_id bigint,
  department_id bigint,
  custom_type_id bigint,
  reason text,
  changed_by text,
  changed_at timestamptz not null default posting_now(),
  status text not null default 'enabled',
  version int not null default 1,
  constraint hospital_rule_pk primary key (org_id, id),
  constraint hospital_rule_once unique nulls not distinct (org_id, name, warehouse_id, department_id, custom_type_id),
  constraint hospital_rule_control check (control in ('refuse', 'warn', 'off'))
);
call isolate_by_organisation('hospital_rule');
grant select, insert, update, delete on hospital_rule to :app_role;

-- What was changed: before and after, by whom, why.
create table hospital_rule_change (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  name text not null,
  title text not null,
  scope_name text not null,
  old_value text not null,
  new_value text not null,
  reason text,
  changed_by text not null,
  changed_at timestamptz not null default posting_now(),
  version int not null default 1,
  constraint hospital_rule_change_pk primary key (org_id, id)
);
call isolate_by_organisation('hospital_rule_change');
grant select, insert on hospital_rule_change to :app_role;

-- Courses of the help centre.
create table video_course (
  id bigint not null default nextval('reference_id_seq'),
  title text not null,
  category text,
  orgs text[] not null default '{}',
  route text,
  video text[] not null default '{}',
  cover text[] not null default '{}',
  manual text[] not null default '{}',
  body text,
  sort_no int not null default 0,
  state text not null default 'draft',
  published_at timestamptz,
  uploaded_by text,
  -- How long a film is, and how often it was begun by anybody: once a person and day.
  seconds int,
  plays int not null default 0,
  likes int not null default 0,
  uploaded_at timestamptz not null default posting_now(),
  version int not null default 1,
  constraint video_course_pk primary key (id)
);
grant select, insert, update, delete on video_course to :app_role;

-- How far a person has watched a course on a day.
create table course_play (
  org_id bigint not null,
  user_id bigint not null,
  course_id bigint not null,
  day date not null,
  position int not null default 0,
  constraint course_play_pk primary key (org_id, user_id, course_id, day)
);
create index course_play_person on course_play (org_id, user_id, course_id, day desc);
call isolate_by_organisation('course_play');
grant select, insert, update, delete on course_play to :app_role;

-- Who likes a course: a person once; the course keeps the count.
create table course_like (
  org_id bigint not null,
  user_id bigint not null,
  course_id bigint not null,
  at timestamptz not null default now(),
  constraint course_like_pk primary key (org_id, user_id, course_id)
);
call isolate_by_organisation('course_like');
grant select, insert, update, delete on course_like to :app_role;

-- Versions of the programs for phones and devices.
create table app_version (
  id bigint not null default nextval('reference_id_seq'),
  name text not null,
  platform text not null,
  version_name text not null,
  version_no int not null,
  package text[] not null default '{}',
  checksum text,
  notes text,
  is_forced boolean not null default false,
  least_version_no int not null default 0,
  only_orgs text[] not null default '{}',
  state text not null default 'draft',
  published_at timestamptz,
  published_by text,
  -- How often a package was fetched, and when a course was uploaded.
  downloads int not null default 0,
  publish_at timestamptz,
  version int not null default 1,
  constraint app_version_pk primary key (id),
  constraint app_version_once unique (name, platform, version_no)
);
create index app_version_due on app_version (publish_at) where state = 'draft' and publish_at is not null;
grant select, insert, update, delete on app_version to :app_role;

-- Master data that was thrown away, until it is brought back.
create table recycle_bin (
  id bigint not null default nextval('reference_id_seq'),
  restore_type text not null,
  kind text not null,
  object_id bigint not null,
  name text not null,
  code text,
  holder_id bigint,
  operation text not null,
  content jsonb not null,
  children jsonb not null default '{}',
  related_count int not null default 0,
  deleted_by text not null,
  deleted_at timestamptz not null default now(),
  reason text,
  state text not null default 'waiting',
  restored_by text,
  restored_at timestamptz,
  -- Why master data was thrown away, apart from why it came back; when a version is to be published.
  delete_reason text,
  version int not null default 1,
  constraint recycle_bin_pk primary key (id)
);
create index recycle_bin_object on recycle_bin (kind, object_id);
grant select, insert, update, delete on recycle_bin to :app_role;

-- How a person arranged the columns of a table.
create table table_layout (
  org_id bigint not null,
  user_id bigint not null,
  project_name text not null,
  table_id text not null,
  columns jsonb not null,
  constraint table_layout_pk primary key (org_id, user_id, project_name, table_id)
);
call isolate_by_organisation('table_layout');
grant select, insert, update, delete on table_layout to :app_role;

-- What people uploaded: the bytes lie in the file store under `name`, which nobody can guess; here stands whose they
-- are. Files of the platform may be meant for everybody (product pictures, courses, announcements).
create table stored_file (
  org_id bigint not null,
  name text not null,
  original_name text not null,
  content_type text not null,
  size bigint not null,
  digest text not null,
  uploaded_by bigint not null,
  uploaded_at timestamptz not null default posting_now(),
  is_shared boolean not null default false,
  -- A file that somebody had made for himself, an export, is his alone: its name may be known to others of the
  -- organisation.
  only_for bigint,
  -- Files of a document that was sent to another organisation go with its copy: the receiver has a row of its own
  -- over the same bytes. They count in the space of whoever sent them.
  came_from bigint,
  constraint stored_file_pk primary key (org_id, name)
);
alter table stored_file enable row level security;
create policy shared_rows on stored_file for select using (is_shared);
create policy own_rows on stored_file
  using (org_id = current_setting('app.org_id')::bigint
    and (only_for is null or only_for = current_setting('app.user_id')::bigint))
  with check (org_id = current_setting('app.org_id')::bigint);
grant select, insert, delete on stored_file to :app_role;
grant update (is_shared) on stored_file to :app_role;

-- Long exports are made behind the page: how far each is, and the file that came of it.
create table export_job (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  user_id bigint not null,
  title text not null,
  path text not null,
  query jsonb not null default '{}',
  state text not null default 'running',
  rows_done int not null default 0,
  rows_total int,
  file_name text,
  error text,
  created_at timestamptz not null default now(),
  touched_at timestamptz not null default now(),
  ended_at timestamptz,
  -- An export whose process went down is made anew by another: how often it was begun.
  tries int not null default 1,
  constraint export_job_pk primary key (org_id, id),
  constraint export_job_state check (state in ('running', 'done', 'failed'))
);
create index export_job_running on export_job (touched_at) where state = 'running';
create index export_job_ended on export_job (ended_at) where file_name is not null;
-- Everybody's own exports, newest first.
create index export_job_mine on export_job (org_id, user_id, id desc);
call isolate_by_organisation('export_job');
grant select, insert, update on export_job to :app_role;

-- What somebody asks of a report again and again, and when it is made for him by itself.
create table report_scheme (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  user_id bigint not null,
  report text not null,
  name text not null,
  query text,
  schedule text,
  due_on date,
  created_at timestamptz not null default now(),
  version int not null default 1,
  constraint report_scheme_pk primary key (org_id, id),
  constraint report_scheme_schedule check (schedule in ('daily', 'weekly', 'monthly'))
);
create unique index report_scheme_once on report_scheme (org_id, user_id, name);
create index report_scheme_due on report_scheme (due_on) where due_on is not null;
call isolate_by_organisation('report_scheme');
grant select, insert, update, delete on report_scheme to :app_role;

-- Who did what when. It only grows.
create table operation_log (
  org_id bigint not null,
  id bigint not null default nextval('operation_log_id_seq'),
  user_id bigint,
  actor_name text not null,
  subject text not null,
  action text not null,
  object_key text,
  before jsonb,
  after jsonb,
  address text,
  at timestamptz not null default posting_now(),
  login text,
  subject_name text,
  action_name text,
  action_kind text not null default 'other',
  summary text,
  result text not null default 'done',
  error text,
  agent text,
  path text,
  took_ms int,
  -- Whose action it was, where the platform keeps a copy of other organisations' sign-ins.
  of_org_id bigint,
  -- What people call the thing that was changed, beside its key; and the log as people read it.
  object_name text,
  constraint operation_log_pk primary key (org_id, id)
);
create index operation_log_list on operation_log (org_id, id desc);
create index operation_log_at on operation_log (org_id, at desc, id desc);
create index operation_log_key on operation_log (org_id, object_key, id desc);
create index operation_log_user on operation_log (org_id, user_id, id desc);
call isolate_by_organisation('operation_log');
grant select, insert on operation_log to :app_role;

-- Every call to another system: asked for in the transaction of the action, tried until it succeeds or a person
-- closes it, always under the same key. The payload is kept only as long as it may be sent again.
create table outbound_call (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  call_key text not null,
  system text not null,
  name text not null,
  direction text not null default 'push',
  subject text,
  object_no text,
  payload jsonb,
  request text,
  response text,
  http_status int,
  error_kind text,
  error text,
  took_ms int,
  tries int not null default 0,
  automatic int not null default 0,
  at timestamptz not null default now(),
  failed_at timestamptz,
  next_at timestamptz default now(),
  expires_at timestamptz,
  state text not null default 'pending',
  handled_by text,
  handled_at timestamptz,
  note text,
  version int not null default 1,
  constraint outbound_call_pk primary key (org_id, id),
  constraint outbound_call_key unique (org_id, call_key),
  constraint outbound_call_state check (state in ('pending', 'retrying', 'waiting', 'succeeded', 'done', 'ignored'))
);
create index outbound_call_due on outbound_call (next_at) where state in ('pending', 'retrying');
create index outbound_call_failed on outbound_call (org_id, state, id desc) where failed_at is not null;
create index outbound_call_day on outbound_call (org_id, system, at);
call isolate_by_organisation('outbound_call');
grant select, insert, update, delete on outbound_call to :app_role;

-- Each attempt of such a call.
create table outbound_attempt (
  org_id bigint not null,
  outbound_call_id bigint not null,
  attempt_no int not null,
  at timestamptz not null default now(),
  took_ms int not null,
  is_ok boolean not null,
  http_status int,
  error text,
  by_name text,
  constraint outbound_attempt_pk primary key (org_id, outbound_call_id, attempt_no),
  constraint outbound_attempt_call foreign key (org_id, outbound_call_id) references outbound_call (org_id, id)
);
create index outbound_attempt_at on outbound_attempt (org_id, at);
call isolate_by_organisation('outbound_attempt');
grant select, insert, update, delete on outbound_attempt to :app_role;

-- Trouble that somebody has to look at.
create table error_record (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  error_kind text not null,
  level text not null default 'warning',
  source text not null,
  description text not null,
  object text not null,
  operator text,
  first_at timestamptz not null default now(),
  last_at timestamptz not null default now(),
  times int not null default 1,
  assigned_id bigint,
  handled_by text,
  handled_at timestamptz,
  note text,
  state text not null default 'waiting',
  -- Trouble that has a cause which can be tried again.
  object_no text,
  warehouse_id bigint,
  outbound_call_id bigint,
  intercompany_message_id bigint,
  -- The trouble of a message that could not be worked: tried again with it.
  cabinet_event_id bigint,
  version int not null default 1,
  constraint error_record_pk primary key (org_id, id)
);
create index error_record_list on error_record (org_id, state, id desc);
create index error_record_object on error_record (org_id, object, error_kind);
create index error_record_call on error_record (org_id, outbound_call_id) where outbound_call_id is not null;
create index error_record_message on error_record (org_id, intercompany_message_id)
  where intercompany_message_id is not null;
call isolate_by_organisation('error_record');
grant select, insert, update, delete on error_record to :app_role;

-- What a hospital may practise: the national list of subjects (医疗机构诊疗科目名录), those that its licence names, and the classes of
-- devices that the platform says belong to some of them alone. A licence may have a copy for each campus.
insert into dictionary (code, name, is_system, description) values ('clinical_subject', '诊疗科目', false, '医疗机构诊疗科目名录');
insert into dictionary_item (dictionary_id, code, name, sort_no)
select d.id, i.code, i.name, row_number() over (order by i.code)
  from (values
    ('01', '预防保健科'), ('02', '全科医疗科'), ('03', '内科'), ('03.01', '呼吸内科专业'), ('03.02', '消化内科专业'), ('03.03', '神经内科专业'), ('03.04', '心血管内科专业'),
    ('03.05', '血液内科专业'), ('03.06', '肾病学专业'), ('03.07', '内分泌专业'), ('03.08', '免疫学专业'), ('03.09', '变态反应专业'), ('03.10', '老年病专业'),
    ('04', '外科'), ('04.01', '普通外科专业'), ('04.02', '神经外科专业'), ('04.03', '骨科专业'), ('04.04', '泌尿外科专业'), ('04.05', '胸外科专业'),
    ('04.06', '心脏大血管外科专业'), ('04.07', '烧伤科专业'), ('04.08', '整形外科专业'), ('05', '妇产科'), ('05.01', '妇科专业'), ('05.02', '产科专业'),
    ('05.03', '计划生育专业'), ('05.04', '优生学专业'), ('05.05', '生殖健康与不孕症专业'), ('06', '妇女保健科'), ('07', '儿科'), ('08', '小儿外科'), ('09', '儿童保健科'),
    ('10', '眼科'), ('11', '耳鼻咽喉科'), ('12', '口腔科'), ('13', '皮肤科'), ('14', '医疗美容科'), ('15', '精神科'), ('16', '传染科'), ('17', '结核病科'), ('18', '地方病科'),
    ('19', '肿瘤科'), ('20', '急诊医学科'), ('21', '康复医学科'), ('22', '运动医学科'), ('23', '职业病科'), ('24', '临终关怀科'), ('25', '特种医学与军事医学科'),
    ('26', '麻醉科'), ('27', '疼痛科'), ('28', '重症医学科'), ('30', '医学检验科'), ('31', '病理科'), ('32', '医学影像科'), ('50', '中医科'), ('51', '民族医学科'),
    ('52', '中西医结合科')) i(code, name)
  join dictionary d on d.code = 'clinical_subject';

alter table licence add column subjects text[] not null default '{}', add column campus text, add column copy_no text;
alter table licence drop constraint licence_once;
create unique index licence_once on licence (org_id, holder_id, licence_type, licence_no, copy_no, valid_from) nulls not distinct;
alter table device_class add column subjects text[] not null default '{}';

-- A maker is abroad when all certificates in his name are of imported goods; nobody says it of one who has none.
create function maker_abroad(holder bigint) returns boolean language sql stable
begin atomic
  select bool_and(c.certificate_no ~ '(械注进|械备进|[(（]进[)）])') from registration_certificate c where c.holder_org_id = holder;
end;

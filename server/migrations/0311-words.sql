-- Value lists: for which kinds of organisation, items under items, how often an item is used, and, where the platform lets them,
-- words that an organisation keeps for itself. System lists say what the program itself knows.
alter table dictionary add column allows_own boolean not null default false;
alter table dictionary add column orgs text[] not null default '{}';
alter table dictionary_item add column parent_id bigint;
alter table dictionary_item add column pinyin text;
alter table dictionary_item add column uses int not null default 0;
alter table dictionary_item add column kept_by_id bigint;
alter table dictionary_item drop constraint dictionary_item_once;
create unique index dictionary_item_once on dictionary_item (dictionary_id, code) where kept_by_id is null;
create unique index dictionary_item_own on dictionary_item (kept_by_id, dictionary_id, name) where kept_by_id is not null;
alter table dictionary_item enable row level security;
create policy known_rows on dictionary_item
  using (kept_by_id is null or kept_by_id = nullif(current_setting('app.org_id', true), '')::bigint)
  with check (kept_by_id is null or kept_by_id = nullif(current_setting('app.org_id', true), '')::bigint);

insert into dictionary (code, name, is_system, description) values
  ('tax_rate', '税率', true, '百分数'),
  ('relation_code', '机构关系代码', true, '前一位是买方，后一位是卖方的类型'),
  ('source_type', '单据来源类型', true, null),
  ('bill_type', '出入库单据类型', true, null),
  ('warning_category', '预警类别', true, null),
  ('payment_status', '付款列表状态', true, null),
  ('restore_type', '数据恢复类型', true, null);
insert into dictionary_item (dictionary_id, code, name, sort_no)
select d.id, i.code, i.name, i.at from (values
  ('tax_rate', 1, '0', '0%'), ('tax_rate', 2, '1', '1%'), ('tax_rate', 3, '3', '3%'), ('tax_rate', 4, '6', '6%'), ('tax_rate', 5, '9', '9%'), ('tax_rate', 6, '13', '13%'),
  ('relation_code', 1, 'DD', '经销商与经销商'), ('relation_code', 2, 'DV', '经销商与厂商'), ('relation_code', 3, 'DH', '经销商与医院'),
  ('relation_code', 4, 'HH', '医院与医院'), ('relation_code', 5, 'HD', '医院与经销商'), ('relation_code', 6, 'HV', '医院与厂商'),
  ('source_type', 0, '0', '无来源'), ('source_type', 1, '1', '发放'), ('source_type', 2, '2', '销售记录'), ('source_type', 3, '3', '采购订单'),
  ('source_type', 4, '4', '销售订单'), ('source_type', 5, '5', '骨科'), ('source_type', 6, '6', '到货记录'), ('source_type', 7, '7', '出库'),
  ('source_type', 8, '8', '调拨'), ('source_type', 9, '9', '入库'), ('source_type', 10, '10', '入库发票'), ('source_type', 11, '11', '出库发票'),
  ('source_type', 12, '12', '预付款'), ('source_type', 13, '13', '采购记录'),
  ('bill_type', 1, 'PURCHASEGRN', '采购入库'), ('bill_type', 2, 'PURCHASERETURN', '采购退货'), ('bill_type', 3, 'ALLOTGRN', '调拨入库'),
  ('bill_type', 4, 'SALEODO', '销售出库'), ('bill_type', 5, 'OTHERSALEODO', '其他出库'), ('bill_type', 6, 'SALERETURN', '销售退货'),
  ('bill_type', 7, 'ALLOTODO', '调拨出库'), ('bill_type', 8, 'GRANTODO', '发放出库'), ('bill_type', 9, 'GIVEODO', '赠送出库'),
  ('bill_type', 10, 'ORTHOPAEDICBACKODO', '骨科退回'), ('bill_type', 11, 'DEPARTMENTUSEODO', '科室使用'), ('bill_type', 12, 'ADVANCEODO', '预销售出库'),
  ('warning_category', 1, 'CERTIFICATIONEARLY', '资质预警'), ('warning_category', 2, 'PRODUCTREGISTRATION', '注册证预警'),
  ('warning_category', 3, 'PRODUCTEXPIRY', '效期预警'), ('warning_category', 4, 'PRODUCTINVENTORY', '库存预警'),
  ('payment_status', 1, '1', '待申请'), ('payment_status', 2, '2', '已申请待付款'), ('payment_status', 3, '3', '付款完成'),
  ('restore_type', 1, 'RESTOREPRODUCT', '产品'), ('restore_type', 2, 'RESTOREVENDER', '厂商'), ('restore_type', 3, 'RESTORESPECIFICATION', '规格'),
  ('restore_type', 4, 'RESTOREDEALER', '经销商'), ('restore_type', 5, 'RESTOREHOSPITAL', '医院')) i(list, at, code, name)
  join dictionary d on d.code = i.list;

-- How a template lays a sheet out: margins, type, the picture of the house, and its columns in their order with their widths.
alter table print_template
  add column margin_top int, add column margin_right int, add column margin_bottom int, add column margin_left int,
  add column typeface text, add column type_size text, add column logo text[] not null default '{}', add column column_layout text,
  add constraint print_template_margins check (margin_top between 0 and 60 and margin_right between 0 and 60 and margin_bottom between 0 and 60 and margin_left between 0 and 60);
-- Templates said which columns they leave out; they say now which they print.
update print_template t set column_layout = (
    select string_agg(label, '、' order by ord) from unnest(s.labels) with ordinality u(label, ord)
     where label <> all(regexp_split_to_array(t.hidden_columns, '\s*[、,，;；\n]\s*')))
  from (values
    ('/newprint/inboundOrder', array['产品名称', '规格型号', '生产厂家', '注册证号', '批号/序列号', '生产日期', '有效期至', '单位', '数量', '含税单价', '税率', '金额', '货位']),
    ('/newprint/outboundOrder', array['产品名称', '规格型号', '注册人/生产企业', '生产许可证号', '注册证号', '批号/序列号', '生产日期', '有效期至', '单位', '数量', '含税单价', '金额', '储运条件', 'UDI-DI', '备注']),
    ('/newprint/planOrder', array['产品编码', '产品名称', '规格型号', '生产厂家', '供应商', '单位', '当前库存', '在途数量', '近30天用量', '下限', '上限', '建议数量', '计划数量', '参考单价', '金额', '备注']),
    ('/newprint/inquiryManagement', array['产品编码', '产品名称', '规格型号', '生产厂家', '注册证号', '单位', '数量', '含税单价', '税率', '金额', '交货天数', '供应商A报价', '供应商B报价', '供应商C报价', '供应商D报价', '供应商E报价', '最低价', '上次采购价', '差异率', '推荐供应商', '备注']),
    ('/newprint/priceAdjustment', array['产品编码', '产品名称', '规格型号', '生产厂家', '单位', '原进价', '新进价', '变动幅度', '原收费价', '新收费价', '原销售价', '新销售价', '备注']),
    ('/newprint/admission', array['产品编码', '产品名称', '规格型号', '生产厂家', '注册证号', '注册证有效期至', '单位', '申报价', '议定价', '挂网价', '医保耗材编码', '预计月用量', '备注']),
    ('/newprint/supplierApplication', array['产品编码', '产品名称', '规格型号', '生产厂家', '单位', '变更字段', '原值', '申请值', '原价格', '申请价格', '调整幅度', '审批结果', '不通过原因', '备注']),
    ('/newprint/firstTierOrg', array['证照类型', '证照编号', '发证机关', '发证日期', '有效期至', '核对']),
    ('/newprint/firstSellProduct', array['产品编码', '规格型号', '包装规格', '参考进价', '参考售价', '备注']),
    ('/newprint/stopSale', array['产品名称', '规格型号', '生产厂家', '批号/序列号', '有效期至', '货位', '单位', '停售数量', '复检合格', '复检不合格']),
    ('/newprint/purchaseOrder', array['产品编码', '产品名称', '规格型号', '生产厂家', '注册证号', '单位', '包装规格', '数量', '已终止数量', '含税单价', '税率', '金额', '要求到货日期', '备注']),
    ('/newprint/saleOrder', array['产品名称', '规格型号', '生产厂家', '注册证号', '单位', '订购数量', '已出库数量', '未出库数量', '含税单价', '税率', '金额', '备注']),
    ('/newprint/contractPrint', array['产品名称', '规格型号', '生产厂家', '注册证号', '单位', '数量', '含税单价', '税率', '金额', '交货期', '备注']),
    ('/newprint/grantOdoReturnPrint', array['产品名称', '规格型号', '生产厂家', '批号/序列号', '唯一码', '有效期至', '单位', '发放数量', '退库数量', '单价', '金额', '包装完好', '退库原因', '备注']),
    ('/newprint/inventoryRecord', array['货位', '产品编码', '产品名称', '规格型号', '生产厂家', '批号', '有效期至', '质量状态', '单位', '账面数量', '实盘数量', '盈亏数量', '成本单价', '盈亏金额', '原因']),
    ('/newprint/weighing', array['托盘编号', '产品名称', '规格型号', '批号', '皮重(g)', '单件重量(g)', '本次重量(g)', '单位', '本次数量', '账面数量', '变动类型', '差异数量', '差异原因']),
    ('/newprint/settlementGrnPrint', array['产品名称', '规格型号', '生产厂家', '批号/序列号', '单位', '数量', '结算单价', '税率', '金额', '备注']),
    ('/newprint/settlementInwarehousePrint', array['财务分类', '品种数', '数量', '不含税金额', '税额', '价税合计', '发票号码']),
    ('/newprint/paymentApplicationPrint', array['发票号码', '开票日期', '入库/结算单号', '不含税金额', '税额', '价税合计', '已付金额', '本次申请', '未付余额']),
    ('/newprint/cabinetInfo', array['柜门号', '层/货位', '产品名称', '规格型号', '生产厂家', '批号', '最近有效期至', '单位', '下限', '上限', '当前库存', '实盘数量', '差异']),
    ('/newprint/noticePrint', array['正文']),
    ('/newprint/recallPrint', array['产品名称', '规格型号', '注册证号', '批号', '序列号范围', '生产日期', '有效期至', '处理要求', '备注'])
  ) s(sheet, labels)
 where s.sheet = t.sheet and t.hidden_columns is not null;
alter table print_template drop column hidden_columns;

-- A state of a template by which something was printed, kept as long as its papers are; the platform's are kept by whoever printed by them.
create table print_template_version (
  org_id bigint not null, template_id bigint not null, revision int not null, layout jsonb not null, kept_at timestamptz not null default now(),
  constraint print_template_version_pk primary key (org_id, template_id, revision));
-- By which template a paper was printed first on a sheet; none: as the sheet itself is. Printed again, it looks the same.
create table document_first_print (
  org_id bigint not null, document_id bigint not null, sheet text not null, template_id bigint, revision int, at timestamptz not null default now(),
  constraint document_first_print_pk primary key (org_id, document_id, sheet));
do $$ declare t text; begin
  foreach t in array array['print_template_version', 'document_first_print'] loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy own_rows on %I using (org_id = current_setting(''app.org_id'')::bigint) with check (org_id = current_setting(''app.org_id'')::bigint)', t);
  end loop;
end $$;
grant select, insert on print_template_version, document_first_print to :app_role;

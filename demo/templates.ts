import type { Sql } from 'postgres'

/** Print templates of the demo organisations: the platform's for all, and one of their own each. */
export async function seedTemplates(owner: Sql): Promise<void> {
  await owner`
    insert into print_template (org_id, name, sheet, paper, column_layout, signatures, note, is_default, for_everybody)
    select o.id, case o.system_type when 0 then '平台默认入库单' when 1 then '本院入库单' else '本公司随货同行单' end,
           case when o.system_type in (0, 1) then '/newprint/inboundOrder' else '/newprint/outboundOrder' end,
             case when o.system_type = 1 then 'A4' else 'form140' end,
           case o.system_type when 1 then ${columns} end,
           case o.system_type when 1 then '制单人、验收员、库管员、科主任' end,
             case when o.system_type in (2, 3) then '货物请当面点清，质量问题请于 3 日内联系发货单位' end, true, o.system_type = 0
      from organisation o
    on conflict do nothing`
  // Labels: the platform's are the built-in ones; hospitals want the charge code, dealers can choose a label with
  // price.
  await owner`
    insert into print_template (org_id, name, sheet, paper, carrier, column_layout, is_default, for_everybody)
    select o.id, v.name, v.sheet, v.paper, v.carrier, v.lines, v.name like '%默认%' or o.system_type = 1,
      o.system_type = 0
      from organisation o
      join (values (0, '平台默认条码标签', '/newprint/BarCodePrint', null, null, null),
                   (1, '本院条码标签', '/newprint/BarCodePrint', '60x40', 'gs1datamatrix', ${labelLines}),
                   (2, '价签', '/newprint/BarCodePrint', '60x40', 'gs1datamatrix', ${priceLines})) v(type, name, sheet,
                     paper, carrier, lines) on v.type = o.system_type
    on conflict do nothing`
  // Contracts of the hospitals: their own terms and period of validity.
  await owner`
    insert into print_template (org_id, name, sheet, signatures, is_default, clauses, signing_place, valid_days)
    select o.id, '本院购销合同', '/newprint/contractPrint', '授权代表、日期', true, ${clauses}, o.division_name, 365
      from organisation o where o.system_type = 1
    on conflict do nothing`
}

/** The hospitals' receipts: the columns their storekeepers need, without tax. */
const columns =
  '产品名称 36、规格型号、生产厂家、注册证号、批号/序列号、有效期至 18、单位 8、数量 12、含税单价、金额、货位'

const labelLines = '产品名称、规格型号、批号、有效期至、编码、收费编码、供应商、产权、仓库/货位、生产厂家、机构简称'
const priceLines = '产品名称、规格型号、含价：销售价、批号、有效期至、编码、生产厂家'

const clauses = `第一条 供货
{乙方}按本合同产品清单向{甲方}供货，交货地点为{交货地点}。
乙方随货提供随货同行单、合格证明文件；植入类产品提供可追溯的产品标识。
第二条 价款与结算
合同总金额{合同总金额}元（大写：{合同总金额大写}）。甲方验收入库并收到合法发票后按月结算。
第三条 质量责任
产品不符合注册要求或在有效期内出现质量问题的，乙方负责退换并承担费用。
第四条 合同期限
本合同自{签订日期}起至{有效期止}止，合同编号{合同编号}。`

import type { Sql } from 'postgres'

/** How the organisations of the demo want their sheets printed: the platform's for everybody, and one of their own each. */
export async function seedTemplates(owner: Sql): Promise<void> {
  await owner`
    insert into print_template (org_id, name, sheet, paper, signatures, note, is_default, for_everybody)
    select o.id, case o.system_type when 0 then '平台默认入库单' when 1 then '本院入库单' else '本公司随货同行单' end,
           case when o.system_type in (0, 1) then '/newprint/inboundOrder' else '/newprint/outboundOrder' end, case when o.system_type = 1 then 'A4' else 'form140' end,
           case o.system_type when 1 then '制单人、验收员、库管员、科主任' end, case when o.system_type in (2, 3) then '货物请当面点清，质量问题请于 3 日内联系发货单位' end, true, o.system_type = 0
      from organisation o
    on conflict do nothing`
}

import type { Sql } from 'postgres'

/** One in this many codes is still to be confirmed, one to be matched, and one no longer valid. */
const OPEN_EVERY = 6

/** The classes behind the first digits of the demo's codes: the class has two digits, its subclass four. */
const classes: Readonly<Record<string, readonly [first: string, second: string]>> = {
  '0201': ['血管介入治疗类材料', '冠脉与血管介入材料'],
  '0301': ['骨科材料', '关节类材料'],
  '0302': ['骨科材料', '脊柱类材料'],
  '0303': ['骨科材料', '创伤类材料'],
  '0304': ['骨科材料', '骨水泥与椎体成形材料'],
  '0501': ['心脏节律管理材料', '起搏器与电极导线'],
  '0801': ['腔镜与吻合类材料', '吻合器与穿刺器'],
  '0901': ['缝合与修补类材料', '缝合线'],
  '0902': ['缝合与修补类材料', '补片'],
  '1001': ['眼科材料', '眼内植入与填充材料'],
  '1101': ['呼吸与麻醉类材料', '气道管理材料'],
  '1201': ['止血类材料', '可吸收止血材料'],
  '1301': ['注射与引流类材料', '注射、输液与导管材料'],
  '1401': ['功能性敷料', '伤口敷料'],
  '1501': ['基础卫生材料', '防护与手术用品'],
}

/** The published insurance codes of each organisation's goods: most confirmed, some proposed, some not yet matched. */
export async function publishInsuranceCodes(owner: Sql): Promise<void> {
  const named = Object.entries(classes).map(([digits, [first, second]]) => ({ digits, first, second }))
  await owner`
    insert into insurance_code (org_id, code, first_class, second_class, third_class, generic_name, material, feature,
      certificate_no, manufacturer, product_name, model, platform_code, pay_class, is_collective,
                                specification_id, match_state, matched_by, matched_at, valid_from, batch_at)
    select x.org_id, x.insurance_code, k.first, k.second, x.generic, x.product, case when x.is_sterile then '医用材料（无菌）'
      else '医用材料' end, left(x.name, 100), x.certificate_no, x.maker, x.product, x.name,
           'SPT' || substr(x.insurance_code, 2, 10), case x.place % 3 when 0 then 'a' when 1 then 'b' else 'none' end,
             x.is_collective,
           case when x.place % ${OPEN_EVERY} = 1 then null else x.id end,
           case x.place % ${OPEN_EVERY} when 0 then 'waiting' when 1 then 'none' when 2 then 'gone' else 'matched' end,
           case when x.place % ${OPEN_EVERY} > 1 then '系统导入' end, case when x.place % ${OPEN_EVERY} > 1 then now() end,
             date '2026-01-01', now()
      from (select w.org_id, s.id, s.name, s.insurance_code, p.name as product,
        coalesce(p.generic_name, p.name) as generic, p.is_sterile, p.is_collective, o.name as maker, c.certificate_no,
                   row_number() over (partition by w.org_id order by s.id) as place
              from own_specification w
              join specification s on s.id = w.specification_id and s.insurance_code is not null
              join product p on p.id = s.product_id
              join organisation o on o.id = p.manufacturer_id
              left join registration_certificate c on c.id = s.registration_certificate_id) x
      left join jsonb_to_recordset(${owner.json(named)}) as k(digits text, first text, second text)
        on k.digits = substr(x.insurance_code, 2, 4)
    on conflict do nothing`
}

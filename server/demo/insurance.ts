import type { Sql } from 'postgres'

/** Of so many codes one is still to be confirmed, one to be matched, and one no longer valid. */
const OPEN_EVERY = 6

/** The published codes of what each house trades in: most confirmed, some proposed, some of which nobody has said what they are. */
export async function publishInsuranceCodes(owner: Sql): Promise<void> {
  await owner`
    insert into insurance_code (org_id, code, generic_name, certificate_no, manufacturer, product_name, model, pay_class, specification_id, match_state, matched_by, matched_at, valid_from, batch_at)
    select x.org_id, x.insurance_code, x.product, x.certificate_no, x.maker, x.product, x.name, case x.place % 3 when 0 then 'a' when 1 then 'b' else 'none' end,
           case when x.place % ${OPEN_EVERY} = 1 then null else x.id end,
           case x.place % ${OPEN_EVERY} when 0 then 'waiting' when 1 then 'none' when 2 then 'gone' else 'matched' end,
           case when x.place % ${OPEN_EVERY} > 1 then '系统导入' end, case when x.place % ${OPEN_EVERY} > 1 then now() end, date '2026-01-01', now()
      from (select w.org_id, s.id, s.name, s.insurance_code, p.name as product, o.name as maker, c.certificate_no, row_number() over (partition by w.org_id order by s.id) as place
              from own_specification w
              join specification s on s.id = w.specification_id and s.insurance_code is not null
              join product p on p.id = s.product_id
              join organisation o on o.id = p.manufacturer_id
              left join registration_certificate c on c.id = s.registration_certificate_id) x
    on conflict do nothing`
}

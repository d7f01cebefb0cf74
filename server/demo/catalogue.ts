import type { Sql } from 'postgres'
import { recheckDealers } from '#modules/catalogue/dealer-check.server.ts'
import { addDays, today } from '#kernel/day.ts'

/** What of the catalogue follows from the trade: dealers' products are checked, and lots have their papers. */
export async function fillCatalogue(owner: Sql): Promise<void> {
  await recheckDealers(owner)
  // A few were looked at by a person.
  await owner`
    update dealer_check set state = 'asked', asked_paper = '授权书', due_on = ${addDays(today(), 14)}::date, checked_by = '产品主数据专员', checked_at = now()
     where id in (select id from dealer_check where state = 'pending' order by id limit 2)`
  await owner`
    insert into quality_certificate (specification_id, lot_no, production_date, expiry_date, certificate_type, certificate_no, issuer, issued_on, uploader_id, uploaded_by, state, audited_by, audited_at)
    select x.specification_id, x.lot_no, x.production_date, x.expiry_date, t.kind, t.prefix || '-' || x.lot_no, o.name, x.production_date, o.id, '质量负责人', case when x.place % 9 = 0 then 'pending' else 'passed' end,
           case when x.place % 9 <> 0 then '产品主数据专员' end, case when x.place % 9 <> 0 then now() end
      from (select l.specification_id, l.lot_no, min(k.production_date) as production_date, min(k.expiry_date) as expiry_date, row_number() over (order by l.specification_id, l.lot_no) as place
              from lot l join stock_lot k on k.lot_id = l.id group by 1, 2) x
      join specification s on s.id = x.specification_id join product p on p.id = s.product_id join organisation o on o.id = p.manufacturer_id
      join (values ('conformity', 'HGZ'), ('sterilisation', 'MJ')) t(kind, prefix) on t.kind = 'conformity' or p.is_sterile and x.place % 4 = 0
     where x.place % 3 <> 0 order by x.place`
  await bringIdentifiers(owner)
}

/** What the regulator published of the makers' goods: mostly what the catalogue says, here and there something else. */
async function bringIdentifiers(owner: Sql): Promise<void> {
  await owner`
    insert into udi_device (record_key, version_number, version_time, published_on, primary_di, product_name, specification, certificate_no, registrant, class_code, is_sterile, lot_on_label, serial_on_label, made_on_label,
           expiry_on_label, is_current, begins_on)
    select md5(s.udi_di), 1, date '2026-01-01', date '2025-12-20', s.udi_di, p.name, case when s.id % 17 = 0 then s.name || '（新）' else s.name end, c.certificate_no, o.name, p.class_code, p.is_sterile, s.lot_required,
           case when s.id % 13 = 0 then not s.serial_required else s.serial_required end, true, s.expiry_required, true, date '2026-01-01'
      from specification s join product p on p.id = s.product_id join organisation o on o.id = p.manufacturer_id left join registration_certificate c on c.id = s.registration_certificate_id
     where s.udi_di is not null and s.status = 'released' order by s.id`
  await owner`
    insert into udi_file (files, title, state, rows_done, added, concerned, created_by, created_at, ended_at)
    select '{}', 'UDID_FULL_RELEASE_20260101.zip', 'done', count(*), count(*), (select count(distinct b.specification_id) from udi_difference x join stock_balance b on b.specification_id = x.specification_id), '产品主数据专员', now() - interval '20 days', now() - interval '20 days'
      from udi_device`
}

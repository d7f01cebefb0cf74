import type { Sql } from 'postgres'
import { recheckDealers } from '#modules/trade/catalogue/assortment/dealer-product-check.server.ts'
import { checkPacks } from '#modules/trade/catalogue/udi/udi-packaging.server.ts'
import { addDays, today } from '#kernel/values/date.ts'

/** Catalogue data that follows from the trade: dealers' products are checked, and lots have their documents. */
export async function fillCatalogue(owner: Sql): Promise<void> {
  await recheckDealers(owner)
  // A few were checked by a person.
  await owner`
    update dealer_check set state = 'asked', asked_licence = '授权书', due_on = ${addDays(today(), 14)}::date,
      checked_by = '产品主数据专员', checked_at = now()
     where id in (select id from dealer_check where state = 'pending' order by id limit 2)`
  await owner`
    insert into quality_certificate (specification_id, lot_no, production_date, expiry_date, certificate_type,
      certificate_no, issuer, issued_on, uploader_id, uploaded_by, state, audited_by, audited_at)
    select x.specification_id, x.lot_no, x.production_date, x.expiry_date, t.kind, t.prefix || '-' || x.lot_no, o.name,
      x.production_date, o.id, '质量负责人', case when x.place % 9 = 0 then 'pending' else 'passed' end,
           case when x.place % 9 <> 0 then '产品主数据专员' end, case when x.place % 9 <> 0 then now() end
      from (select l.specification_id, l.lot_no, min(k.production_date) as production_date,
        min(k.expiry_date) as expiry_date, row_number() over (order by l.specification_id, l.lot_no) as place
              from lot l join stock_lot k on k.lot_id = l.id group by 1, 2) x
      join specification s on s.id = x.specification_id join product p on p.id = s.product_id
        join organisation o on o.id = p.manufacturer_id
      join (values ('conformity', 'HGZ'), ('sterilisation', 'MJ')) t(kind, prefix) on t.kind = 'conformity'
        or p.is_sterile and x.place % 4 = 0
     where x.place % 3 <> 0 order by x.place`
  await bringIdentifiers(owner)
  await createStores(owner)
  await keepFavourites(owner)
}

/** The regulator's entries about the makers' goods: mostly the same as the catalogue, sometimes different. */
async function bringIdentifiers(owner: Sql): Promise<void> {
  await owner`
    insert into udi_device (record_key, version_number, version_time, published_on, primary_di, product_name,
      specification, certificate_no, registrant, class_code, is_sterile, lot_on_label, serial_on_label, made_on_label,
           expiry_on_label, is_current, begins_on, packs)
    select md5(s.udi_di), 1, date '2026-01-01', date '2025-12-20', s.udi_di, p.name,
      case when s.id % 17 = 0 then s.name || '（新）' else s.name end, c.certificate_no, o.name, p.class_code,
      p.is_sterile, s.lot_required,
           case when s.id % 13 = 0 then not s.serial_required else s.serial_required end, true, s.expiry_required,
             true, date '2026-01-01',
           coalesce((select jsonb_agg(jsonb_build_object('di', n.udi_di, 'level', n.name, 'count',
             case when s.id % 11 = 0 then n.measure * 2 else n.measure end, 'holds',
             case when s.id % 19 <> 0 then coalesce(l.udi_di, s.udi_di) end) order by n.base_measure)
                       from pack_unit n left join pack_unit l on l.id = n.parent_id
                         where n.specification_id = s.id and n.udi_di is not null), '[]')
      from specification s join product p on p.id = s.product_id join organisation o on o.id = p.manufacturer_id left
        join registration_certificate c on c.id = s.registration_certificate_id
     where s.udi_di is not null and s.status = 'released' order by s.id`
  await checkPacks(owner)
  await owner`
    insert into udi_file (files, title, state, rows_done, added, concerned, packs_wrong, created_by, created_at,
      ended_at)
    select '{}', 'UDID_FULL_RELEASE_20260101.zip', 'done', count(*), count(*),
      (select count(distinct b.specification_id) from udi_difference x
      join stock_balance b on b.specification_id = x.specification_id),
      (select count(*) from udi_pack where problem is not null), '产品主数据专员', now() - interval '20 days',
      now() - interval '20 days'
      from udi_device`
}

/** Areas with shelves and locations for every central store, created before the first goods are put away. */
export async function createShelves(owner: Sql): Promise<void> {
  await owner`
    insert into store_area (org_id, warehouse_id, code, name, area_kind, storage_condition, temperature_min,
      temperature_max, humidity_min, humidity_max)
    select w.org_id, w.id, a.code, a.name, a.kind, a.condition, a.coldest, a.warmest, 35, 75
      from warehouse w join organisation o on o.id = w.org_id and o.kept_by_id is null
      cross join (values ('A', '合格品区', 'qualified', 'normal', 10, 30), ('C', '冷藏区', 'qualified', 'cold', 2, 8),
        ('D', '待验区', 'pending', 'normal', 10, 30),
        ('E', '不合格品区', 'unqualified', 'normal', 10, 30), ('F', '退货区', 'returned', 'normal', 10, 30)) a(code, name,
          kind, condition, coldest, warmest)
     where w.model = 'central' and w.status = 'enabled'`
  await owner`
    insert into shelf (org_id, warehouse_id, area, area_kind, code, name, shelf_type, layers, columns_count,
      storage_condition, pick_order)
    select w.org_id, w.id, a.area, a.kind, a.code, a.name, a.type, 3, 4, a.condition, a.place
      from warehouse w join organisation o on o.id = w.org_id and o.kept_by_id is null
      cross join (values ('A', 'qualified', '01', '普通货架', 'plain', 'normal', 1),
        ('A', 'qualified', '02', '普通货架', 'plain', 'normal', 2), ('C', 'qualified', '01', '冷藏柜', 'cold', 'cold', 3),
        ('D', 'pending', '01', '待验架', 'plain', 'normal', 9)) a(area, kind, code, name, type, condition, place)
     where w.model = 'central' and w.status = 'enabled'`
  await owner`
    insert into shelf_place (org_id, shelf_id, warehouse_id, layer, column_no, code)
    select s.org_id, s.id, s.warehouse_id, l, c,
      s.area || '-' || s.code || '-' || lpad(l::text, 2, '0') || '-' || lpad(c::text, 2, '0')
      from shelf s cross join generate_series(1, s.layers) l cross join generate_series(1, s.columns_count) c`
}

/** Binds the first locations to stocked goods; sets contact persons and permitted temperatures. */
async function createStores(owner: Sql): Promise<void> {
  await owner`
    update warehouse w set phone = e.phone, floor_area = case w.model when 'central' then 120 else 20 end,
      humidity_min = 35, humidity_max = 75,
           temperature_min = case when w.storage ~ '冷藏' and w.storage !~ '常温' then 2 when w.storage ~ '冷' then null
             else 10 end, temperature_max = case when w.storage ~ '冷藏' and w.storage !~ '常温' then 8
             when w.storage ~ '冷' then null when w.storage ~ '阴凉' then 20 else 30 end
      from employee e where e.org_id = w.org_id and e.id = w.manager_id`
  await owner`
    update shelf_place k set specification_id = x.specification_id, is_fixed = true
      from (select b.org_id, b.warehouse_id, b.specification_id,
        row_number() over (partition by b.org_id, b.warehouse_id order by b.specification_id) as place
              from (select distinct org_id, warehouse_id, specification_id from stock_balance) b
                join specification s on s.id = b.specification_id join product p on p.id = s.product_id
             where not p.is_cold_chain and coalesce(p.storage_condition, '') !~ '冷|阴凉') x
      join (select p.id, p.org_id, p.warehouse_id,
        row_number() over (partition by p.org_id, p.warehouse_id order by p.code) as place
              from shelf_place p join shelf s on s.org_id = p.org_id and s.id = p.shelf_id
                and s.storage_condition = 'normal' and s.area = 'A') y
        on y.org_id = x.org_id and y.warehouse_id = x.warehouse_id and y.place = x.place
     where k.org_id = y.org_id and k.id = y.id`
}

/** Each ward's favourites list: what it requested most. */
async function keepFavourites(owner: Sql): Promise<void> {
  await owner`
    insert into common_product (org_id, name, department_id, warehouse_id, created_by_id, created_by, last_claimed_on)
    select distinct on (d.org_id, d.department_id) d.org_id, '每周常规耗材', d.department_id, d.warehouse_id, d.created_by,
      '科室护士长', d.business_date
      from document d where d.kind = 'requisition' and d.role = 'own' and d.department_id is not null
        and d.warehouse_id is not null
     order by d.org_id, d.department_id, d.business_date desc, d.id`
  await owner`
    insert into common_product_line (org_id, common_product_id, specification_id, usual_quantity, sort_no)
    select org_id, id, specification_id, quantity, place
      from (select c.org_id, c.id, l.specification_id, ceil(avg(l.base_quantity)) as quantity,
        row_number() over (partition by c.org_id, c.id order by count(*) desc, l.specification_id) as place
              from common_product c join document d on d.org_id = c.org_id and d.kind = 'requisition'
                and d.role = 'own' and d.department_id = c.department_id
              join document_line l on l.org_id = d.org_id and l.document_id = d.id where l.base_quantity > 0
                group by 1, 2, 3) x
     where place <= 12`
}

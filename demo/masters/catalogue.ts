import { usualAccounts } from '#modules/trade/catalogue/classification/default-finance-categories.ts'
import type { TransactionSql } from 'postgres'
import { seedDeviceClasses } from '#modules/trade/catalogue/classification/device-class.server.ts'
import { addDays, today } from '#kernel/values/date.ts'

/**
 * Catalogue data beside the goods: the official classes, each organisation's own trees, and the history of each
 * product.
 */
export async function loadCatalogueLife(tx: TransactionSql): Promise<void> {
  await seedDeviceClasses(tx as never)
  // Two classes that the platform limited to certain subjects.
  await tx`
    update device_class c set subjects = array[k.subject] from (values ('16', '眼科'), ('17', '口腔科')) k(code, subject)
      where c.catalogue = '2017' and c.code = k.code`
  await loadSteps(tx)
  await loadReleases(tx)
  await loadRevisions(tx)
  await loadOwnTrees(tx)
  await loadHospitalTrees(tx)
}

/** Each product was created and moved on to its current step. */
async function loadSteps(tx: TransactionSql): Promise<void> {
  await tx`
    update product p set built_by_id = coalesce(p.built_by_id, p.manufacturer_id),
      created_at = now() - interval '400 days',
      state_since = now() - make_interval(days => case p.status when 'released' then 380 else 4 end),
           submitted_by = '商务经理',
             submitted_at = now() - make_interval(days => case p.status when 'pending' then 2 else 390 end),
             audited_by = case when p.status in ('released', 'unreleased', 'withdrawn') then '产品主数据专员' end,
           audited_at = case when p.status in ('released', 'unreleased', 'withdrawn')
             then now() - interval '385 days' end, issued_at = case when p.status in ('released', 'withdrawn')
             then now() - interval '380 days' end,
           withdrawn_on = case when p.status = 'withdrawn' then ${addDays(today(), -30)}::date end,
             withdrawn_reason = case when p.status = 'withdrawn' then '企业停产' end`
  await tx`update product set submitted_by = null, submitted_at = null where status = 'self_built'`
  await tx`
    insert into product_step (product_id, from_state, to_state, action, org_id, by_name, at)
    select p.id, s.from_state, s.to_state, s.action, case when s.by_platform then o.id else p.built_by_id end,
      case when s.by_platform then '产品主数据专员' else '商务经理' end, now() - make_interval(days => s.days)
      from product p join (select id from organisation where system_type = 0 order by id limit 1) o on true
      join (values ('self_built', 'pending', '提交', false, 390, 1), ('pending', 'unreleased', '审核通过', true, 385, 2),
        ('unreleased', 'released', '发布', true, 380, 3), ('released', 'withdrawn', '停用', true, 30, 4))
           s(from_state, to_state, action, by_platform, days, place)
        on s.place <= case p.status when 'pending' then 1 when 'unreleased' then 2 when 'released' then 3
          when 'withdrawn' then 4 else 0 end
     order by s.place, p.id`
  await tx`
    insert into product_pick (product_id, picker_id)
    select distinct s.product_id, c.org_id
      from (select org_id, specification_id from hospital_product union select org_id, specification_id
      from dealer_product) c
      join specification s on s.id = c.specification_id join organisation o on o.id = c.org_id
        where o.system_type in (1, 2)`
}

/** The batches in which the catalogue was published, and one in preparation. */
async function loadReleases(tx: TransactionSql): Promise<void> {
  const [first] = await tx<{ id: string }[]>`
    insert into product_release (code, note, created_by, created_by_id, created_at, reviewed_by, published_at, state)
    values ('FB000001', '首批产品目录', '产品主数据专员', 0, now() - interval '381 days', '平台管理员', now() - interval '380 days',
      'published') returning id`
  await tx`
    insert into product_release_line (product_release_id, product_id, check_result)
    select ${first!.id}, id, '通过' from product where status in ('released', 'withdrawn') order by id`
  const [gone] = await tx<{ id: string }[]>`
    insert into product_release (code, note, created_by, created_by_id, created_at, reviewed_by, published_at, state)
    values ('FB000002', '变更与停用', '产品主数据专员', 0, now() - interval '31 days', '平台管理员', now() - interval '30 days',
      'published') returning id`
  await tx`
    insert into product_release_line (product_release_id, product_id, change_kind, change_text, check_result)
    select ${gone!.id}, id, 'stop', coalesce(withdrawn_reason, '厂家停产'), '通过' from product where status = 'withdrawn'
      order by id`
  const [changed] = await tx<{ id: string; product_id: string; after_text: string }[]>`
    insert into product_revision (code, product_id, registrant_name, note, changed, before_text, after_text, org_id,
      applied_by, applied_by_id, applied_at, state, decided_by, decided_at, revision, effective_at)
    select 'CB0' || lpad(p.id::text, 8, '0'), p.id, o.name, '注册人名称变更', '注册人', '注册人：空', '注册人：' || o.name,
      p.manufacturer_id, '商务经理', 0, now() - interval '35 days', 'passed', '平台管理员', now() - interval '31 days', 2,
      now() - interval '30 days'
      from product p join organisation o on o.id = p.manufacturer_id where p.status = 'released' order by p.id desc
        limit 1 returning id, product_id, after_text`
  await tx`
    insert into product_release_line (product_release_id, product_id, product_revision_id, change_kind, change_text,
      check_result)
    values (${gone!.id}, ${changed!.product_id}, ${changed!.id}, 'change', ${changed!.after_text}, '通过')`
  await tx`insert into product_past (product_id, until_day, revision, name, former) select id,
    ${addDays(today(), -30)}, 1, name, '{"registrant_name": null}' from product where id = ${changed!.product_id}`
  await tx`update product p set registrant_name = o.name, revision = 2 from organisation o
    where o.id = p.manufacturer_id and p.id = ${changed!.product_id}`
  const [next] = await tx<{ id: string }[]>`
    insert into product_release (code, note, created_by, created_by_id, created_at)
      values ('FB000003', '本月新品', '产品主数据专员', 0, now() - interval '2 days') returning id`
  await tx`
    insert into product_release_line (product_release_id, product_id, check_result)
    select ${next!.id}, id, '产品资料不完整：注册证扫描件、产品图片' from product where status = 'unreleased' order by id limit 1`
}

/** A maker has one change request waiting and one granted long ago. */
async function loadRevisions(tx: TransactionSql): Promise<void> {
  await tx`
    insert into product_revision (code, product_id, storage_condition, note, changed, before_text, after_text, org_id,
      applied_by, applied_by_id, applied_at, state)
    select 'CB' || lpad(p.id::text, 8, '0'), p.id, '10～30℃，避光', '稳定性试验完成', '储存条件',
      '储存条件：' || coalesce(p.storage_condition, '空'), '储存条件：10～30℃，避光', p.manufacturer_id, '商务经理', 0,
      now() - interval '1 day', 'pending'
      from (select distinct on (manufacturer_id) * from product where status = 'released' order by manufacturer_id,
        id) p`
}

const groups = ['高值', '低值', '试剂'] as const

/** Each organisation's own grouping: expensive goods, cheap goods, reagents. */
async function loadOwnTrees(tx: TransactionSql): Promise<void> {
  await tx`
    insert into custom_type (org_id, tree, code, name, sort_no, is_high_value, created_by)
    select o.id, 'own', lpad(g.place::text, 2, '0'), g.name, g.place, g.place = 1, '系统管理员'
      from organisation o cross join unnest(${[...groups]}::text[]) with ordinality g(name, place)
        where o.kept_by_id is null`
  await tx`
    insert into typed_product (org_id, tree, custom_type_id, specification_id, valid_from, by_name)
    select c.org_id, 'own', c.id, s.id, ${addDays(today(), -300)}::date, '系统管理员'
      from custom_type c join product p on p.custom_type = c.name join specification s on s.product_id = p.id
      join organisation o on o.id = c.org_id
     where c.tree = 'own' and (o.system_type = 0 and p.status = 'released'
        or exists (select 1 from hospital_product h where h.org_id = c.org_id and h.specification_id = s.id)
        or exists (select 1 from dealer_product d where d.org_id = c.org_id and d.specification_id = s.id))`
}

/** The usual sub-accounts of a hospital's stock, and its management and purchasing modes. */
async function loadHospitalTrees(tx: TransactionSql): Promise<void> {
  await tx`
    insert into custom_type (org_id, tree, code, name, sort_no, account_code, account_name, is_chargeable, created_by)
    select o.id, 'account', lpad(a.place::text, 2, '0'), a.name, a.place, '1302' || lpad(a.place::text, 2, '0'),
      case when a.place <= 5 then '库存物品—卫生材料—' else '库存物品—' end || a.name, a.place <= 5, '系统管理员'
      from organisation o cross join unnest(${[...usualAccounts]}::text[]) with ordinality a(name, place)
        where o.system_type = 1 and o.kept_by_id is null`
  await tx`
    insert into custom_type (org_id, tree, code, name, sort_no, managed_by, created_by)
    select o.id, m.tree, lpad(m.place::text, 2, '0'), m.name, m.place, m.managed_by, '系统管理员'
      from organisation o cross
        join (values ('management', 1, '一物一码管理', 'unit'), ('management', 2, '批次管理', 'lot'),
        ('purchase', 1, '集中带量采购', null), ('purchase', 2, '挂网采购', null)) m(tree, place, name, managed_by)
     where o.system_type = 1 and o.kept_by_id is null`
  await tx`
    insert into typed_product (org_id, tree, custom_type_id, specification_id, valid_from, by_name)
    select c.org_id, c.tree, c.id, h.specification_id, ${addDays(today(), -300)}::date, '系统管理员'
      from hospital_product h join specification s on s.id = h.specification_id join product p on p.id = s.product_id
      join custom_type c on c.org_id = h.org_id
       and (c.tree = 'account' and c.name = case when p.is_reagent then '化验材料' else '其他卫生材料' end
         or c.tree = 'management' and c.managed_by = case when h.is_unit_coded then 'unit' else 'lot' end
         or c.tree = 'purchase' and c.name = case when p.is_collective then '集中带量采购' else '挂网采购' end)`
}

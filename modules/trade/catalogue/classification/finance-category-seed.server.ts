import type { Sql } from 'postgres'
import { usualAccounts } from '#modules/trade/catalogue/classification/default-finance-categories.ts'

/** Every hour: a new hospital's accounting tree is seeded with the usual sub-accounts, under 库存物品 and 库存物品—卫生材料. */
export const seedFinanceCategories = (owner: Sql): Promise<unknown> => owner`
  insert into custom_type (org_id, tree, code, name, sort_no, account_code, account_name, is_chargeable, created_by)
  select o.id, 'account', lpad(a.place::text, 2, '0'), a.name, a.place, '1302' || lpad(a.place::text, 2, '0'),
    case when a.place <= 5 then '库存物品—卫生材料—' else '库存物品—' end || a.name, a.place <= 5, '系统'
    from organisation o cross join unnest(${[...usualAccounts]}::text[]) with ordinality a(name, place)
   where o.system_type = 1 and o.kept_by_id is null and o.status = 'enabled'
     and not exists (select 1 from custom_type c where c.org_id = o.id and c.tree = 'account')
  on conflict do nothing`

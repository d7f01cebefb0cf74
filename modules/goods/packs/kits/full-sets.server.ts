import { today } from '#kernel/values/date.ts'
import type { Tx } from '#server/public/database.ts'
import type { Fragment } from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'

/**
 * The number of kits that the free stock of the stores would fill: the scarcest product decides. `t.id` is a template.
 */
export const fullSets = (tx: Tx, session: Session, template: Fragment) => tx`(select min(floor(coalesce(b.free, 0)
    / l.quantity))::int
  from operation_kit_line l
  left join lateral (select sum(x.available) as free from stock_on_hand x
    where x.org_id = l.org_id and x.specification_id = l.specification_id and x.quality_state = 'qualified'
      and x.warehouse_model not in ('advance', 'loan', 'consigned')
      and coalesce(x.expiry_date, 'infinity') >= ${today()}::date
      and not exists (select from container_place c where c.org_id = x.org_id and c.code = x.location)) b on true
 where l.org_id = ${session.org.id} and l.operation_kit_id = ${template})`

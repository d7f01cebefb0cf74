import { addDays, today } from '#kernel/values/date.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import type { RecordRules } from '#server/public/records.ts'

/** Days whose use the list shows. */
const LOOK_BACK = 30

export const packTemplateRules: RecordRules = {
  kind: 'packTemplate',
  columns: (tx, session) => {
    const packs = tx`from pack k join unit u on u.lot_id = k.lot_id and u.id = k.unit_id
      join warehouse w on w.org_id = k.org_id and w.id = u.warehouse_id
      where k.org_id = ${session.org.id} and k.template_id = t.id and u.status = 'in_stock'`
    return {
      product_name: tx`(select p.name from specification s join product p on p.id = s.product_id
        where s.id = t.specification_id)`,
      packs_in_stores: tx`(select count(*)::int ${packs} and w.model <> 'ward')`,
      packs_in_wards: tx`(select count(*)::int ${packs} and w.model = 'ward')`,
      packs_used: tx`(select count(*)::int from pack k
        join trace_event e on e.lot_id = k.lot_id and e.unit_id = k.unit_id and e.step = 'use'
         where k.org_id = ${session.org.id} and k.template_id = t.id
           and e.at >= ${addDays(today(), -LOOK_BACK)}::date)`,
    }
  },
  async check(tx, session, change) {
    const { specification_sn: specification, size } = change.after
    const [fact] = await tx<{ is_unit_coded: boolean; changed: boolean }[]>`
      select p.is_unit_coded, exists (
               select 1 from pack k join pack_template b on b.org_id = k.org_id and b.id = k.template_id
                where k.org_id = ${session.org.id} and k.template_id = ${change.id ?? null}
                  and (b.specification_id <> s.id or b.size <> ${String(size ?? '0')}::numeric)) as changed
        from specification s join product p on p.id = s.product_id where s.id = ${String(specification)}`
    if (fact?.is_unit_coded)
      return [{ field: 'specification_sn', msg: '一物一码产品逐件发放，不按定数包管理，请另选规格' }]
    if (fact?.changed) throw new BusinessError('rule', '已按该模板组包，规格和定数不能修改，请另建模板')
    return []
  },
}

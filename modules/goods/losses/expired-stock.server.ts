import { today } from '#kernel/values/date.ts'
import { type Decimal, isPositive } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { createSystemDraft } from '#server/public/drafts.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

type HeldBalance = {
  specification_id: string
  lot_id: string
  lot_no: string
  location: string
  owner_id: string
  quality_state: string
  free: Decimal
  codes: string[] | null
}

/** 提取过期库存: a draft that scraps everything expired in a warehouse that no other document has reserved. */
export async function scrapExpired(
  tx: Tx,
  session: Session,
  body: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  const org = session.org.id
  const warehouse = String(body.warehouse_model_inner_sn ?? '')
  const [store] = await tx<{ name: string }[]>`
    select name from warehouse where org_id = ${org} and id::text = ${warehouse}
      and model not in ('transit', 'consumed')`
  if (!store) throw new BusinessError('rule', '请选择仓库')
  if (session.warehouses !== 'all' && !session.warehouses.has(warehouse))
    throw new BusinessError('forbidden', `没有操作权限：请由仓库【${store.name}】的人员办理`)
  const rows = await tx<HeldBalance[]>`
    select b.specification_id, b.lot_id, l.lot_no, b.location, b.owner_id, b.quality_state,
           (b.quantity - coalesce((select sum(r.quantity) from reservation r
             where r.org_id = b.org_id and r.warehouse_id = b.warehouse_id and r.location = b.location
              and r.lot_id = b.lot_id and r.owner_id = b.owner_id and r.quality_state = b.quality_state),
                0))::numeric(18,3) as free,
           (select array_agg(c.bare order by c.bare) from unit u
             join lateral (select min(x.bare) as bare from unit_code x where x.lot_id = u.lot_id and x.unit_id = u.id
             and x.ended is null) c on true
             where u.lot_id = b.lot_id and u.holder_org_id = b.org_id and u.warehouse_id = b.warehouse_id
               and u.owner_id = b.owner_id and coalesce(u.place, '') = b.location and u.status = 'in_stock'
               and not exists (select 1 from reservation r where r.org_id = b.org_id and r.lot_id = b.lot_id
                 and c.bare = any(r.unit_codes))) as codes
      from stock_balance b
      join lot l on l.id = b.lot_id
      join stock_lot k on k.org_id = b.org_id and k.lot_id = b.lot_id
     where b.org_id = ${org} and b.warehouse_id = ${warehouse} and k.expiry_date < ${today()} and b.quantity > 0
     order by b.location, b.specification_id, l.lot_no`
  const open = rows.filter(row => isPositive(row.free))
  if (open.length === 0) throw new BusinessError('rule', `仓库【${store.name}】没有可报废的过期库存`)
  const lines = open.map(row => ({
    specification_sn: row.specification_id,
    lot_no: row.lot_no,
    lot_id: row.lot_id,
    owner_org_sn: row.owner_id,
    location: row.location,
    quality_state: row.quality_state,
    quantity: row.codes ? String(row.codes.length) : row.free,
    line_reason: '已过有效期',
    ...(row.codes ? { unit_codes: row.codes } : {}),
  }))
  const header = { warehouse_model_inner_sn: warehouse, scrap_type: 'expired', scrap_reason: '已过有效期' }
  const sn = await createSystemDraft(tx, session, 'scrap', header, lines)
  return { sn, documents: [sn] }
}

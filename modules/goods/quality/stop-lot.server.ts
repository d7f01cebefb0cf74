import { type Decimal, isPositive } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { lotAway } from '#modules/goods/quality/lot-outbound.server.ts'
import { runAction } from '#server/public/actions.ts'
import { createSystemDraft } from '#server/public/drafts.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

type HeldBalance = {
  warehouse_id: string
  location: string
  owner_id: string
  lot_id: string
  lot_no: string
  free: Decimal
  codes: string[] | null
}

type Stops = { readonly docs: readonly string[]; readonly away: string | null }

/**
 * One draft per warehouse with all available stock of the lot. Other places of the lot are noted on them as a hint for
 * a recall. Goods that suppliers lent for operations are not stopped, because they belong to the supplier: only a
 * recall holds them.
 */
export async function draftStops(tx: Tx, session: Session, body: Readonly<Record<string, unknown>>): Promise<Stops> {
  const { specification_sn, lot_no, stop_reason, notice_no } = body as Readonly<Record<string, string>>
  const org = session.org.id
  const rows = await tx<HeldBalance[]>`
    select b.warehouse_id, b.location, b.owner_id, b.lot_id, l.lot_no,
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
      from stock_balance b join known_lot(${specification_sn ?? null}, ${lot_no ?? null}) l on l.id = b.lot_id
      join warehouse w on w.org_id = b.org_id and w.id = b.warehouse_id
     where b.org_id = ${org} and b.specification_id = ${specification_sn ?? null}
       and b.quality_state = 'qualified' and w.model not in ('transit', 'consumed', 'loan')
       ${session.warehouses === 'all' ? tx`` : tx`and b.warehouse_id = any(${[...session.warehouses]}::bigint[])`}
     order by b.warehouse_id, b.location`
  const open = rows.filter(row => isPositive(row.free))
  if (open.length === 0) throw new BusinessError('rule', `批号${String(lot_no)}没有可停售的库存`)
  const away = await lotAway(tx, session, open[0]!.lot_id)
  const header = {
    stop_reason,
    notice_no: notice_no ?? null,
    description: `批号${String(lot_no)}全部停售${away === null ? '' : `；该批次另有：${away}`}`.slice(0, 500),
  }
  const docs: string[] = []
  for (const [warehouse, balances] of Map.groupBy(open, row => row.warehouse_id)) {
    const lines = balances.map(row => ({
      specification_sn: specification_sn!,
      lot_no: row.lot_no,
      // Given explicitly: its location is known, so no lookup is needed.
      lot_id: row.lot_id,
      owner_org_sn: row.owner_id,
      location: row.location,
      quality_state: 'qualified',
      quantity: row.codes ? String(row.codes.length) : row.free,
      ...(row.codes ? { unit_codes: row.codes } : {}),
    }))
    const sn = await createSystemDraft(
      tx,
      session,
      'stopSale',
      { ...header, warehouse_model_inner_sn: warehouse },
      lines,
    )
    docs.push(sn)
  }
  return { docs, away }
}

/** 按批次全部停售: the drafts are submitted at once, so that the goods are held from this moment on. */
export async function stopLot(
  tx: Tx,
  session: Session,
  body: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  const { docs, away } = await draftStops(tx, session, body)
  for (const sn of docs) await runAction(tx, session, 'stopSale', sn, 'submit')
  return {
    sn: docs[0],
    documents: docs,
    result: `已提交${docs.length}张停售单，货物即时占用${away === null ? '' : `；该批次另有：${away}。需要时请在通知公告管理发起召回`}`,
  }
}

import { today } from '#kernel/values/date.ts'
import type { Session } from '#server/access/session.ts'
import type { Packed } from '#server/traceability/resolve.ts'
import type { Tx } from '#server/database/transaction.ts'

/** A lot that may not move as it is: recalled, or here stopped, frozen as a whole or expired. */
export type HeldLot = {
  readonly specification_sn: string
  readonly lot_no: string
  readonly recall_sn: string | null
  readonly stopped: boolean
  readonly freezes: readonly string[]
  readonly expired_on: string | null
}
const MOST_LOTS = 50

/**
 * The held lots that a scan may mean by the numbers it prints: of its goods, or of any goods where it is the second
 * symbol of a label, which names none. A recall counts wherever the lot was, the rest as the organisation has it.
 */
export async function heldLots(
  tx: Tx,
  session: Session,
  goods: Packed | null,
  lots: readonly string[] | null,
): Promise<readonly HeldLot[]> {
  if (lots === null) return []
  const { id: org } = session.org
  return tx<HeldLot[]>`
    select h.specification_sn, h.lot_no, h.recall_sn, h.stopped, h.freezes, h.expired_on
      from (
        select t.specification_id as specification_sn, t.lot_no,
               coalesce(
                 (select f.recall_sn from recall_feedback f where f.org_id = ${org} and f.lot_id = t.id
                   and f.state in ('waiting', 'answered') order by f.id desc limit 1),
                 (select r.recall_sn from lot_recall r where r.lot_id = t.id limit 1)) as recall_sn,
               exists (select 1 from stock_balance b where b.org_id = ${org} and b.lot_id = t.id
                 and b.quality_state = 'stopped' and b.quantity > 0) as stopped,
               array(select f.reason from goods_freeze f where f.org_id = ${org} and f.lot_id = t.id and f.unit_id = 0
                 and f.state = 'frozen' order by f.id) as freezes,
               (select k.expiry_date::text from stock_lot k where k.org_id = ${org} and k.lot_id = t.id
                 and k.expiry_date < ${today()}::date) as expired_on
          from lot t
         where t.lot_no = any(${[...lots]})
           and ${goods === null ? tx`true` : tx`t.specification_id = ${goods.specification_sn}`}) h
     where h.recall_sn is not null or h.stopped or cardinality(h.freezes) > 0 or h.expired_on is not null
     limit ${MOST_LOTS}`
}

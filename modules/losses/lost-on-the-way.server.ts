import { compare, type Decimal } from '#kernel/decimal.ts'
import { Refusal } from '#kernel/refusal.ts'
import { sourceTypes } from '#kernel/source-type.ts'
import { refuseKept } from '#modules/kept-across.server.ts'
import type { Acting } from '#server/public/hooks.ts'
import { writeHistory } from '#server/public/documents.ts'
import { placesOf } from '#server/public/actions.ts'

const types: readonly number[] = [sourceTypes.GRANT_LOST, sourceTypes.ALLOT_LOST]
const isOnTheWay = ({ doc }: Acting): boolean => types.includes(doc.source_type)

type Waiting = { id: string; sn: string; touched: boolean; under_way: Decimal }

/** The receipt that still waits for what was sent, and how much of that is under way. */
async function waiting({ tx, session, doc }: Acting): Promise<Waiting | undefined> {
  const { transit } = await placesOf(tx, session.org.id)
  const [row] = await tx<Waiting[]>`
    select r.id, r.sn, r.touched,
           (select coalesce(sum(b.quantity), 0) from stock_balance b where b.org_id = r.org_id and b.warehouse_id = ${transit} and b.location = ${doc.source_sn})::numeric(18,3) as under_way
      from document r
     where r.org_id = ${session.org.id} and r.source_document_id = ${doc.source_document_id} and r.kind in ('wardReceipt', 'transferReceipt') and r.role = 'own' and r.state = 'submitted' limit 1`
  return row
}

/** 在途报损 is the sender's, over what the receiver said did not come; only where nothing came at all need nobody say so. */
export async function refuseEarlyLoss(acting: Acting): Promise<void> {
  if (!isOnTheWay(acting)) return
  await refuseKept(acting)
  const { session, doc } = acting
  if (session.warehouses !== 'all' && !session.warehouses.has(doc.to_warehouse_model_inner_sn ?? ''))
    throw new Refusal('forbidden', '没有操作权限：在途报损请由发出仓库的人员办理')
  const open = await waiting(acting)
  if (open && (open.touched || compare(doc.total_quantity as Decimal, open.under_way) < 0))
    throw new Refusal('blocked', `请先由收货方在${open.sn}确认实收数量，再对没有收到的部分报损`)
}

/** Where all that was sent is lost, nothing is left to be received. */
export async function dropWaiting(acting: Acting): Promise<void> {
  if (!isOnTheWay(acting)) return
  const { tx, session, doc } = acting
  const open = await waiting(acting)
  if (!open) return
  await tx`update document set state = 'cancelled', version = version + 1 where org_id = ${session.org.id} and id = ${open.id}`
  await writeHistory(tx, { ...session, userId: '0', userName: '系统' }, open.id, {
    action: 'cancel',
    label: '作废',
    from: 'submitted',
    to: 'cancelled',
    reason: `货物在途损失，已由报损单${doc.sn}处理`,
  })
}

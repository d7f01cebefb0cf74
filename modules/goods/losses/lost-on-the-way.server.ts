import { kindsOf } from '#kernel/measure/feeding.ts'
import { compare, type Decimal } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import { refuseKept } from '#modules/base/checks/in-transit-transfer.server.ts'
import type { ActionContext } from '#server/public/hooks.ts'
import { virtualLocations } from '#server/public/actions.ts'
import { transition } from '#server/public/documents.ts'

const types: readonly number[] = [sourceTypes.GRANT_LOST, sourceTypes.ALLOT_LOST]
const isOnTheWay = ({ doc }: ActionContext): boolean => types.includes(doc.source_type)

type Waiting = { id: string; kind: string; sn: string; touched: boolean; under_way: Decimal }

/** The receipt still waiting for the sent goods, and their quantity in transit. */
async function waiting({ tx, session, doc }: ActionContext): Promise<Waiting | undefined> {
  const { transit } = await virtualLocations(tx, session.org.id)
  const [row] = await tx<Waiting[]>`
    select r.id, r.kind, r.sn, r.touched,
           (select coalesce(sum(b.quantity), 0) from stock_balance b
             where b.org_id = r.org_id and b.warehouse_id = ${transit}
             and b.location = ${doc.source_sn})::numeric(18,3) as under_way
      from document r
     where r.org_id = ${session.org.id} and r.source_document_id = ${doc.source_document_id}
       and r.kind = any(${kindsOf('ward_received', 'moved_in')}) and r.role = 'own' and r.state = 'submitted' limit 1`
  return row
}

/**
 * 在途报损 is created by the sender, for goods that the receiver reported as not arrived; only if nothing arrived at all is
 * no report needed.
 */
export async function refuseEarlyLoss(ctx: ActionContext): Promise<void> {
  if (!isOnTheWay(ctx)) return
  await refuseKept(ctx)
  const { session, doc } = ctx
  if (session.warehouses !== 'all' && !session.warehouses.has(doc.to_warehouse_model_inner_sn ?? ''))
    throw new BusinessError('forbidden', '没有操作权限：在途报损请由发出仓库的人员办理')
  const open = await waiting(ctx)
  if (open && (open.touched || compare(doc.total_quantity as Decimal, open.under_way) < 0))
    throw new BusinessError('blocked', `请先由收货方在${open.sn}确认实收数量，再对没有收到的部分报损`)
}

/** If everything sent is lost, nothing is left to receive. */
export async function dropWaiting(ctx: ActionContext): Promise<void> {
  if (!isOnTheWay(ctx)) return
  const { tx, session, doc } = ctx
  const open = await waiting(ctx)
  if (!open) return
  await transition(tx, { ...session, userId: '0', userName: '系统' }, open, {
    action: 'cancel',
    label: '作废',
    from: ['submitted'],
    to: 'cancelled',
    reason: `货物在途损失，已由报损单${doc.sn}处理`,
  })
}

import { BusinessError } from '#kernel/rules/errors.ts'
import type { ActionCheck, ActionContext } from '#server/public/hooks.ts'

/** Goods of a tenant leave the lessor's warehouse only by the tenant's notice. */
async function refuseTenantsGoods({ tx, session, doc, definition }: ActionContext): Promise<void> {
  const others = doc.lines.find(line => line.owner_org_sn !== null && line.owner_org_sn !== session.org.id)
  if (!others || doc.role !== 'own' || definition.posting.stockDirection === 'in') return
  const [row] = await tx<{ model: string }[]>`
    select model from warehouse where org_id = ${session.org.id} and id = ${doc.warehouse_model_inner_sn}`
  if (row?.model === 'leased')
    throw new BusinessError('rule', `第${others.line_no}行：租赁库的货物属于承租方，只能按出库通知出库`)
}

export const leasedStockCheck: ActionCheck = { check: refuseTenantsGoods }

import { purchaseReturn } from '#modules/trade/returns/purchase-return.doc.ts'
import { type ContextOf, documentHooks } from '#server/public/hooks.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { withRedNeed } from '#modules/trade/returns/red-need.server.ts'

type Context = ContextOf<typeof purchaseReturn>

/** Exchanged goods come on their original order, which must still be open. */
async function mustComeAgain({ tx, session, doc }: Context): Promise<void> {
  if (doc.is_exchange !== true) return
  const ids = doc.lines.flatMap(line => line.order_document_id ?? [])
  const open = await tx<{ id: string }[]>`
    select id from document where org_id = ${session.org.id} and id = any(${ids}::bigint[]) and role = 'own'
      and state in ('reviewed', 'partial', 'completed')`
  const closed = doc.lines.find(line => !open.some(order => order.id === line.order_document_id))
  if (!closed) return
  const msg = `第${closed.line_no}行没有可再到货的采购订单（没有订单或订单已终止），请取消换货，另下采购订单`
  throw new BusinessError('rule', msg, [{ line: closed.line_no, field: 'source_line_no', msg }])
}

export const purchaseReturnRules = documentHooks(purchaseReturn, {
  validate: { submit: mustComeAgain, review: mustComeAgain },
  prepare: { review: ctx => withRedNeed(ctx, 'purchaseGrn', 'inboundInvoice') },
})

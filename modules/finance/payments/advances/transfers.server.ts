import { byName, transition } from '#server/public/documents.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { keepVoucher, refuseClosedVoucher } from '#modules/finance/accounting/voucher-rules.server.ts'
import type { Side } from '#modules/finance/payments/advances/advance-balance.server.ts'
import type { ActionContext, DocumentHooks } from '#server/public/hooks.ts'

const advancesNamed = ({ doc }: ActionContext): string[] => doc.lines.map(line => String(byName(line).advance_sn ?? ''))

/** A transfer may only fill an advance of the same partner that was created for it. */
const checkFilled =
  (side: Side) =>
  async (ctx: ActionContext): Promise<void> => {
    const { tx, session, doc } = ctx
    const found = await tx<{ sn: string }[]>`
      select sn from document
       where org_id = ${session.org.id} and kind = ${side.advance} and role = 'own' and sn = any(${advancesNamed(ctx)})
         and counterparty_id = ${doc.counterparty_sn} and coalesce(fields->>'turned_from', '') <> ''
         and state in ('reviewed', 'completed')`
    const wrong = doc.lines.find(line => !found.some(({ sn }) => sn === byName(line).advance_sn))
    if (wrong) throw new BusinessError('rule', `第${wrong.line_no}行：请在发票、期初或收款单上办理转入`)
  }

/** Refuses to undo the transfer once the advance was partly used or refunded. */
const refuseUsed =
  (side: Side) =>
  async (ctx: ActionContext): Promise<void> => {
    const { tx, session, spec } = ctx
    const [used] = await tx<{ sn: string }[]>`
      select d.sn from document d join line_progress g on g.org_id = d.org_id and g.document_id = d.id
       where d.org_id = ${session.org.id} and d.kind = ${side.advance} and d.sn = any(${advancesNamed(ctx)})
         and g.line_no = 0 and g.purpose in ('offset', 'refund') and g.taken <> 0 limit 1`
    if (used) throw new BusinessError('blocked', `${used.sn}已核销或退款，不能${spec.label}，请先撤销核销或退款`)
  }

/** Voids advances whose transfer was taken back. */
const voidAdvances =
  (side: Side) =>
  async (ctx: ActionContext): Promise<void> => {
    const { tx, session, doc, spec } = ctx
    const advances = await tx<{ id: string }[]>`
      select id from document
       where org_id = ${session.org.id} and kind = ${side.advance} and role = 'own' and sn = any(${advancesNamed(ctx)})`
    for (const { id } of advances)
      await transition(
        tx,
        session,
        { id, kind: side.advance },
        { action: 'cancel', label: '作废', from: ['reviewed'], to: 'cancelled', reason: `${spec.label}（${doc.sn}）` },
      )
  }

/** 转预付单, 转预收单. */
export const transferRules = (side: Side): DocumentHooks => ({
  kind: side.transfer,
  validate: {
    submit: checkFilled(side),
    review: checkFilled(side),
    unreview: refuseUsed(side),
    redReverse: refuseUsed(side),
    unrecord: refuseClosedVoucher,
  },
  afterAction: { unreview: voidAdvances(side), redReverse: voidAdvances(side), record: keepVoucher },
})

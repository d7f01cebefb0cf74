import { salesOrder } from '#modules/trade/sales/sales-order.doc.ts'
import { type ActionContext, type ContextOf, documentHooks } from '#server/public/hooks.ts'
import { isPositive } from '#kernel/values/decimal.ts'
import { salesOrderSheet } from '#modules/trade/sales/sales-order-sheet.server.ts'
import { moneyText } from '#kernel/values/format-money.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { needsApprovedCustomer } from '#modules/base/checks/initial-approval.server.ts'
import { mustBeAuthorised } from '#modules/trade/licensing/authorised-sale.server.ts'
import { needsCustomerPlace } from '#modules/trade/shipping/delivery-address.server.ts'
import { freeRefilled, refillOfHospital } from '#modules/trade/sales/refill-order.server.ts'
import { overdueReceivable } from '#modules/trade/sales/overdue.server.ts'
import { checkScope } from '#modules/trade/licensing/business-scope.server.ts'
import { enqueueMessage } from '#server/public/intercompany.ts'

type Context = ContextOf<typeof salesOrder>

type Update = {
  readonly action: string
  readonly label: string
  readonly answer: string | null
  readonly promised?: string | null
  readonly to?: 'stopped'
  /** Lines of the customer's order that we do not execute any further. */
  readonly stops?: readonly number[]
}

/** Shows our action on a customer's order on the customer's own order, with the reason, and in its history. */
async function notifyBuyer(
  { tx, session, doc, reason }: ActionContext,
  { action, label, answer, promised = null, to, stops }: Update,
): Promise<void> {
  if (!doc.source_sn || !doc.source_org_sn || doc.source_org_sn === session.org.id) return
  await enqueueMessage(tx, session, doc.source_org_sn, doc.id, {
    message: 'act',
    kind: 'purchaseOrder',
    sn: doc.source_sn,
    action,
    label,
    reason,
    actor: session.userName,
    sets: stops ? {} : { supplier_answer: answer, promised_date: promised },
    ...(to ? { to } : {}),
    ...(stops ? { stops } : {}),
  })
}

/** The customer reads the day that we promise; an order refused before and accepted after all is no longer refused. */
async function notifyAcceptance(ctx: Context): Promise<void> {
  const { tx, session, doc } = ctx
  const promised = (doc.promised_date as string | null | undefined) ?? null
  const [refused] = await tx`
    select 1 from document_history where org_id = ${session.org.id} and document_id = ${doc.id} and action = 'reject'
      limit 1`
  if (!refused && promised === null) return
  const label = `供应商${refused ? '重新' : ''}接受${promised === null ? '' : `，承诺${promised}交货`}`
  await notifyBuyer(ctx, { action: 'supplierAccept', label, answer: null, promised })
}

/** 终止行: the lines of the customer's order behind ours end as well; with the last of them the order does. */
async function notifyStoppedLines(ctx: ActionContext): Promise<void> {
  const { doc } = ctx
  const named = (ctx.dialogValues?.stop_lines ?? []) as readonly string[]
  const stops = doc.lines.flatMap(line =>
    named.includes(String(line.line_no)) && line.source_line_no !== null ? [line.source_line_no] : [],
  )
  if (stops.length > 0)
    await notifyBuyer(ctx, {
      action: 'supplierStop',
      label: `供应商已终止第${stops.join('、')}行`,
      answer: null,
      stops,
    })
}

/** A promised day holds as long as the order is accepted. */
async function takeBackPromise(ctx: Context): Promise<void> {
  if (!ctx.doc.promised_date) return
  await notifyBuyer(ctx, { action: 'supplierReopen', label: '供应商反审核，交货日期待重新确认', answer: null })
}

/** An order beyond the customer's credit needs a confirmation, or is refused, as the organisation sets it. */
async function askCredit({ tx, session, doc, settings, warnings: questions }: ActionContext): Promise<void> {
  if (!doc.counterparty_sn || settings.credit_check === 'off') return
  const [over] = await tx<{ free: string }[]>`
    select (r.credit_limit - coalesce(c.used, 0))::numeric(18,2) as free
      from org_relation r left join credit_use c on c.org_id = r.org_id and c.counterparty_id = r.partner_id
     where r.org_id = ${session.org.id} and r.partner_id = ${doc.counterparty_sn} and r.status = 'enabled'
       and r.credit_limit is not null
       and coalesce(c.used, 0) + ${doc.taxed_amount}::numeric > r.credit_limit limit 1`
  if (!over) return
  const msg = `客户信用额度不足：可用${moneyText(over.free)}元，本单${moneyText(doc.taxed_amount)}元`
  if (settings.credit_check === 'refuse') throw new BusinessError('rule', msg)
  questions.push({ rule: 'credit', msg })
}

/** 账期: overdue debts of the customer block the next order, or need a confirmation. */
async function askOverdue({ tx, session, doc, settings, spec, warnings: questions }: ActionContext): Promise<void> {
  if (!doc.counterparty_sn || settings.credit_check === 'off') return
  const late = await overdueReceivable(tx, session.org.id, tx`i.counterparty_id = ${doc.counterparty_sn}`)
  if (!isPositive(late.owed)) return
  const owed = `客户存在逾期应收款${moneyText(late.owed)}元（最早${late.since}到期）`
  if (settings.credit_check === 'refuse') throw new BusinessError('rule', `${owed}，不能${spec.label}`)
  questions.push({ rule: 'overdue', msg: `${owed}，是否继续？` })
}

export const salesOrderRules = documentHooks(salesOrder, {
  printFields: salesOrderSheet,
  calls: { refill: refillOfHospital },
  afterDelete: freeRefilled,
  validate: {
    submit: [needsCustomerPlace, needsApprovedCustomer, mustBeAuthorised, checkScope],
    review: [needsCustomerPlace, needsApprovedCustomer, mustBeAuthorised, checkScope, askCredit, askOverdue],
  },
  afterAction: {
    review: notifyAcceptance,
    unreview: takeBackPromise,
    cancel: ({ tx, session, doc }) => freeRefilled(tx, session, doc),
    reject: ctx => notifyBuyer(ctx, { action: 'supplierReject', label: '供应商已拒绝', answer: 'rejected' }),
    stop: ctx => notifyBuyer(ctx, { action: 'supplierStop', label: '供应商已终止', answer: 'stopped', to: 'stopped' }),
    stopLine: notifyStoppedLines,
  },
})

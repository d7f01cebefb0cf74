import { salesOrderSheet } from '#modules/sales/sales-order-sheet.server.ts'
import { moneyText } from '#kernel/money-text.ts'
import { Refusal } from '#kernel/refusal.ts'
import { needsApprovedCustomer } from '#modules/first-approval.server.ts'
import { mustBeAuthorised } from '#modules/authorised-sale.server.ts'
import { overdueReceivable } from '#modules/sales/overdue.server.ts'
import { judgeScope } from '#modules/licence-scope.server.ts'
import type { Acting, DocumentRules } from '#server/public/hooks.ts'
import { handOver } from '#server/public/intercompany.ts'

type Told = { readonly action: string; readonly label: string; readonly answer: string | null; readonly to?: 'stopped' }

/** What we did with a customer's order stands on his own, with the reason, and in its history. */
async function tellBuyer({ tx, session, doc, reason }: Acting, { action, label, answer, to }: Told): Promise<void> {
  if (!doc.source_sn || !doc.source_org_sn || doc.source_org_sn === session.org.id) return
  await handOver(tx, session, doc.source_org_sn, doc.id, {
    message: 'act',
    kind: 'purchaseOrder',
    sn: doc.source_sn,
    action,
    label,
    reason,
    actor: session.userName,
    sets: { supplier_answer: answer },
    ...(to ? { to } : {}),
  })
}

/** An order refused before and accepted after all is no longer refused. */
async function takeBackRefusal(acting: Acting): Promise<void> {
  const { tx, session, doc } = acting
  const [refused] = await tx`
    select 1 from document_history where org_id = ${session.org.id} and document_id = ${doc.id} and action = 'reject' limit 1`
  if (refused) await tellBuyer(acting, { action: 'supplierAccept', label: '供应商重新接受', answer: null })
}

/** An order beyond the customer's credit is asked about, or refused where the organisation wants it so. */
async function askCredit({ tx, session, doc, settings, questions }: Acting): Promise<void> {
  if (!doc.counterparty_sn || settings.credit_check === 'off') return
  const [over] = await tx<{ free: string }[]>`
    select (r.credit_limit - coalesce(c.used, 0))::numeric(18,2) as free
      from org_relation r left join credit_use c on c.org_id = r.org_id and c.counterparty_id = r.partner_id
     where r.org_id = ${session.org.id} and r.partner_id = ${doc.counterparty_sn} and r.status = 'enabled' and r.credit_limit is not null
       and coalesce(c.used, 0) + ${doc.taxed_amount}::numeric > r.credit_limit limit 1`
  if (!over) return
  const msg = `客户信用额度不足：可用${moneyText(over.free)}元，本单${moneyText(doc.taxed_amount)}元`
  if (settings.credit_check === 'refuse') throw new Refusal('rule', msg)
  questions.push({ rule: 'credit', msg })
}

/** 账期: what the customer owes past its term stops the next order, or is asked about. */
async function askOverdue({ tx, session, doc, settings, questions }: Acting): Promise<void> {
  if (!doc.counterparty_sn || settings.credit_check === 'off') return
  const late = await overdueReceivable(tx, session.org.id, tx`d.counterparty_id = ${doc.counterparty_sn}`)
  if (!late) return
  const owed = `客户存在逾期应收款${moneyText(late.owed)}元（最早${late.since}到期）`
  if (settings.credit_check === 'refuse') throw new Refusal('rule', `${owed}，不能审核`)
  questions.push({ rule: 'overdue', msg: `${owed}，是否继续？` })
}

export const salesOrderRules: DocumentRules = {
  kind: 'salesOrder',
  print: salesOrderSheet,
  before: {
    review: async acting => {
      await needsApprovedCustomer(acting)
      await mustBeAuthorised(acting)
      await judgeScope(acting)
      await askCredit(acting)
      await askOverdue(acting)
    },
  },
  after: {
    review: takeBackRefusal,
    reject: acting => tellBuyer(acting, { action: 'supplierReject', label: '供应商已拒绝', answer: 'rejected' }),
    stop: acting =>
      tellBuyer(acting, { action: 'supplierStop', label: '供应商已终止', answer: 'stopped', to: 'stopped' }),
  },
}

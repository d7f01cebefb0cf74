import { byName } from '#server/public/documents.ts'
import { absolute, compare, type Decimal, isZero, plain } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import type { ActionContext } from '#server/public/hooks.ts'

/** The limits that the tax office sets for our invoices, whatever they are issued over. */

/** One invoice has a maximum amount, if the tax office set a limit. */
export async function refuseAboveLimit({ doc, settings }: ActionContext): Promise<void> {
  const limit = settings.invoice_limit as Decimal
  if (!isZero(limit) && compare(absolute(doc.taxed_amount), limit) > 0)
    throw new BusinessError('rule', `超过单张开票限额${plain(limit)}，请拆分`)
}

/**
 * Special invoices are for general taxpayers; a customer with another taxpayer kind in its master data gets a plain
 * one.
 */
export async function refuseSpecial({ tx, session, doc }: ActionContext): Promise<void> {
  if (byName(doc).invoice_type !== 'e_special' && byName(doc).invoice_type !== 'special') return
  const [file] = await tx`
    select 1 from org_relation where org_id = ${session.org.id} and partner_id = ${doc.counterparty_sn}
      and status = 'enabled'
     group by partner_id having bool_or(taxpayer_kind is not null) and not bool_or(taxpayer_kind = 'general')`
  const msg = '该客户不能开具专用发票（客户资料中不是一般纳税人），请改开普通发票，或先在往来单位中修改纳税人类型'
  if (file) throw new BusinessError('rule', msg, [{ field: 'invoice_type', msg }])
}

import { byName, patchDocument, textOf } from '#server/public/documents.ts'
import { type ActionContext, type ContextOf, documentHooks } from '#server/public/hooks.ts'
import { today } from '#kernel/values/date.ts'
import { EARLY, paymentApplication } from '#modules/finance/payments/payment-application.doc.ts'
import { payment } from '#modules/finance/payments/payment.doc.ts'
import { receipt } from '#modules/finance/payments/receipt.doc.ts'
import type { RecordRules } from '#server/public/records.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { keepAllowance, largeAllowance } from '#modules/finance/payments/allowances.server.ts'
import { printedApplication } from '#modules/finance/payments/application-print.server.ts'
import {
  refuseTurned,
  refuseTurnedRest,
  turnToAdvance,
  turnToRefund,
} from '#modules/finance/payments/advances/turn-to-advance.server.ts'
import { autoMatch } from '#modules/finance/payments/auto-match.server.ts'
import { refuseHeldApplication, refuseHeldPayment } from '#modules/finance/payments/held-payments.server.ts'
import { bookNet, keepNet, refuseWrongNet } from '#modules/finance/payments/net-payment.server.ts'
import { match, unmatch } from '#modules/finance/payments/rematch.server.ts'
import { recordBooked } from '#modules/finance/payments/booked-payments.server.ts'
import { proposeWithheld } from '#modules/finance/payments/withheld.server.ts'
import { refuseUnnumbered } from '#modules/finance/accounting/unnumbered-invoice.server.ts'
import { keepVoucher, refuseClosedVoucher } from '#modules/finance/accounting/voucher-rules.server.ts'
import { may } from '#server/public/session.ts'

/** Once paid in full, the uses behind the invoice are completed. */
async function movePaid(ctx: ActionContext, from: string, to: string): Promise<void> {
  const { tx, session, doc } = ctx
  await tx`
    update settlement_line s set state = ${to}
      from document_line p
      join document_line a on a.org_id = p.org_id and a.document_id = p.source_document_id
        and a.line_no = p.source_line_no
      join document i on i.org_id = a.org_id and i.id = a.source_document_id
      join document_line v on v.org_id = i.org_id and v.document_id = i.id
      join document_line g on g.org_id = v.org_id and g.document_id = v.source_document_id
        and g.line_no = v.source_line_no
     where p.org_id = ${session.org.id} and p.document_id = ${doc.id} and (i.state = 'completed') = ${to === 'paid'}
       and s.org_id = ${session.org.id} and s.settlement_id = g.source_document_id
         and s.settlement_line_no = g.source_line_no and s.state = ${from}`
}

/** A bank's serial number is unique per account, separately for outgoing and incoming money. */
export async function refuseRepeatedTransfer(ctx: ActionContext): Promise<void> {
  const { tx, session, doc } = ctx
  const serial = textOf(ctx.doc, 'bank_serial_no')
  if (!serial) return
  const account = doc.kind === 'payment' ? 'pay_account' : 'receive_account'
  const [other] = await tx<{ sn: string }[]>`
    select sn from document where org_id = ${session.org.id} and kind = ${doc.kind} and role = 'own'
      and id <> ${doc.id} and state not in ('cancelled', 'deleted', 'reversed') and red_of_id is null
       and fields->>'bank_serial_no' = ${serial}
       and coalesce(fields->>${account}, '') = ${textOf(ctx.doc, account) ?? ''}
         limit 1`
  if (other)
    throw new BusinessError('duplicate', `银行流水号${serial}已使用（${other.sn}）`, [
      { field: 'bank_serial_no', msg: `银行流水号${serial}已使用（${other.sn}）` },
    ])
}

/** Payment to an account other than the one in the supplier's master data needs a confirmation. */
async function askPayee(ctx: ActionContext): Promise<void> {
  const { tx, doc, warnings: questions } = ctx
  const [file] = await tx<{ name: string; bank_account: string | null }[]>`
    select name, bank_account from organisation where id = ${doc.counterparty_sn}`
  const [name, account] = [textOf(ctx.doc, 'payee_name'), textOf(ctx.doc, 'payee_account')]
  if ((name && name !== file?.name) || (account && account !== file?.bank_account))
    questions.push({ rule: 'payeeAccount', msg: '收款账户与供应商档案不一致' })
}

/**
 * An advance that was offset or refunded must have been paid: its payment cannot be taken back while they are valid.
 */
async function refuseUsedAdvance({ tx, session, doc, spec }: ActionContext): Promise<void> {
  const [used] = await tx<{ sn: string }[]>`
    select a.sn from document_line l join document a on a.org_id = l.org_id and a.id = l.source_document_id
      join line_progress g on g.org_id = a.org_id and g.document_id = a.id and g.line_no = 0
     where l.org_id = ${session.org.id} and l.document_id = ${doc.id} and a.kind = 'prepayment'
       and g.purpose in ('offset', 'refund') and g.taken <> 0 limit 1`
  if (used) throw new BusinessError('blocked', `预付款${used.sn}已核销或已退款，不能${spec.label}，请先撤销核销或退款`)
}

/** 退汇, 冲正: the money came back, and the payment has to be paid again or reversed. */
async function forgetPaid({ tx, session, doc }: ActionContext): Promise<void> {
  await patchDocument(tx, session, doc, { paid_on: null, bank_serial_no: null, bank_fee: null }, 'withAction')
}

/** 付款日期 is the day on which was paid: today, where nobody says another one. */
async function keepDayPaid({ tx, session, doc }: ContextOf<typeof payment>): Promise<void> {
  if (!doc.paid_on) await patchDocument(tx, session, doc, { paid_on: today() }, 'withAction')
}

export const paymentRules = documentHooks(payment, {
  afterSave: async (tx, session, sn) => {
    await proposeWithheld(tx, session, sn)
    await keepAllowance('payment')(tx, session, sn)
  },
  secondLevel: largeAllowance,
  validate: {
    submit: [refuseRepeatedTransfer, refuseHeldPayment],
    review: [refuseRepeatedTransfer, refuseHeldPayment, askPayee],
    pay: refuseRepeatedTransfer,
    unreview: [refuseUsedAdvance, refuseTurned],
    redReverse: [refuseUsedAdvance, refuseTurned],
    unrecord: refuseClosedVoucher,
  },
  afterAction: {
    review: ctx => movePaid(ctx, 'invoiced', 'paid'),
    unreview: ctx => movePaid(ctx, 'paid', 'invoiced'),
    redReverse: ctx => movePaid(ctx, 'paid', 'invoiced'),
    pay: keepDayPaid,
    record: keepVoucher,
    payReturned: forgetPaid,
  },
})

type Due = { sn: string; invoice_no: string | null; due_date: string }

/** The documents of the application that are not due yet. */
async function earlyOf({ tx, session, doc }: ActionContext): Promise<readonly Due[]> {
  const sources = doc.lines.flatMap(line => (line.source_document_id ? [line.source_document_id] : []))
  // An invoice is due as a whole, an opening line by line.
  return tx<Due[]>`
    select distinct d.sn, coalesce(l.fields->>'invoice_no', d.fields->>'invoice_no') as invoice_no,
           coalesce(l.fields->>'due_date', d.fields->>'due_date') as due_date
      from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
     where d.org_id = ${session.org.id} and d.id = any(${[...new Set(sources)]}::bigint[])
       and l.line_no = any(${doc.lines.flatMap(line => line.source_line_no ?? [])})
       and coalesce(l.fields->>'due_date', d.fields->>'due_date') > ${today()}
     order by d.sn, invoice_no`
}

/** Early payment needs a special right, and a confirmation. */
async function askEarly(ctx: ContextOf<typeof paymentApplication>): Promise<void> {
  const { session, doc, warnings: questions } = ctx
  // A user without the right to pay early is refused, so there is nothing to ask.
  if (!byName(doc).is_early || !may(session, `paymentApplication.${EARLY}`)) return
  for (const { sn, invoice_no, due_date } of await earlyOf(ctx))
    questions.push({ rule: 'notDue', msg: `发票${invoice_no ?? sn}未到付款期（${due_date}到期）` })
}

/** A transfer needs a name, a bank and an account. */
async function needsBank(ctx: ActionContext): Promise<void> {
  const byBank = !['cash', 'cheque'].includes(textOf(ctx.doc, 'payment_method') ?? '')
  const missing = ['payee_name', 'payee_bank', 'payee_account'].find(name => !textOf(ctx.doc, name))
  if (byBank && missing)
    throw new BusinessError('rule', '供应商银行账户信息不完整', [{ field: missing, msg: '供应商银行账户信息不完整' }])
}

export const paymentApplicationRules = documentHooks(paymentApplication, {
  printFields: printedApplication,
  prepare: { submit: async ctx => ({ ...ctx.doc, is_early: (await earlyOf(ctx)).length > 0 }) },
  afterSave: keepNet,
  validate: {
    submit: [needsBank, refuseHeldApplication, refuseWrongNet, askEarly],
    review: [refuseHeldApplication, refuseWrongNet],
  },
  afterAction: { record: recordBooked },
  afterState: { review: bookNet },
})

export const receiptRules = documentHooks(receipt, {
  afterSave: keepAllowance('receipt'),
  secondLevel: largeAllowance,
  calls: { autoMatch },
  validate: {
    submit: [refuseRepeatedTransfer, refuseUnnumbered],
    review: [refuseRepeatedTransfer, refuseUnnumbered],
    unreview: refuseTurned,
    redReverse: refuseTurned,
    match: refuseTurnedRest,
    unmatch: [refuseTurnedRest, refuseTurned],
    unrecord: refuseClosedVoucher,
  },
  afterAction: { record: keepVoucher, match, unmatch },
  afterState: { turn: turnToAdvance, refund: turnToRefund },
})

/** Everybody who works with payments may read balances with partners, because their pages show them. */
export const accountBalanceRules: RecordRules = {
  kind: 'accountBalance',
  readFlag: [paymentApplication, payment, receipt].flatMap(({ screens }) =>
    screens.map(({ route }) => `page:${route}`),
  ),
}

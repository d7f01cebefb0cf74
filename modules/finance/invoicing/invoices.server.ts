import {
  byName,
  loadLines,
  ofKind,
  patchDocument,
  patchLines,
  type StoredLine,
  textOf,
  type TypedDocument,
} from '#server/public/documents.ts'
import { inboundInvoice } from '#modules/finance/invoicing/inbound-invoice.doc.ts'
import { outboundInvoice } from '#modules/finance/invoicing/outbound-invoice.doc.ts'
import { type ActionContext, atReviewOnly, type ContextOf, documentHooks } from '#server/public/hooks.ts'
import { printedCheck } from '#modules/finance/invoicing/invoice-check-print.server.ts'
import { absolute, compare, type Decimal, divide, isZero, multiply, plain, subtract } from '#kernel/values/decimal.ts'
import { addDays, today } from '#kernel/values/date.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { invoiceDifference, largestLine } from '#modules/base/vocabulary/validators.ts'
import { autoMatch } from '#modules/finance/invoicing/auto-match.server.ts'
import {
  refuseBlueOverReturns,
  refuseSettledReversal,
  refuseWrongRed,
} from '#modules/finance/invoicing/red-invoices.server.ts'
import { turnToAdvance, turnToRefund } from '#modules/finance/payments/advances/turn-to-advance.server.ts'
import { answerOwner } from '#modules/finance/accounting/answer-owner.server.ts'
import { creditDays } from '#modules/finance/accounting/credit-days.server.ts'
import { keepVoucher, refuseClosedVoucher } from '#modules/finance/accounting/voucher-rules.server.ts'
import { ofAnothersMaking, twoInvoicesOf } from '#modules/base/checks/two-invoice-rule.server.ts'
import { checkPeriodOpen } from '#server/public/actions.ts'
import { readInvoices } from '#modules/finance/invoicing/reading/read-invoices.server.ts'
import {
  keepApproval,
  keepMatch,
  needsSecondPerson,
  refuseNoDifference,
} from '#modules/finance/invoicing/three-way-match.server.ts'
import { refuseAboveLimit, refuseSpecial } from '#modules/finance/invoicing/buyer-rules.server.ts'
import { coverBareLines } from '#modules/finance/invoicing/invoice-matching.server.ts'
import { splitByLimit } from '#modules/finance/invoicing/electronic/split.server.ts'
import { sendNumbered } from '#modules/finance/invoicing/electronic/outcome.server.ts'
import {
  closeRequest,
  refuseRequest,
  refuseWhileIssued,
  requestInvoice,
} from '#modules/finance/invoicing/electronic/request-invoice.server.ts'
import {
  compareWithSources,
  isOfSettlement,
  withSourceAmounts,
} from '#modules/finance/invoicing/matched-lines.server.ts'
import { isSentTo } from '#server/public/intercompany.ts'

const LINE_TAX_TOLERANCE = '0.06'
type InvoiceContext = ActionContext<TypedDocument<typeof inboundInvoice> | TypedDocument<typeof outboundInvoice>>

async function write({ tx, session, doc }: ActionContext, values: Readonly<Record<string, string | boolean | null>>) {
  await patchDocument(tx, session, doc, values, 'withAction')
}

/** An invoice number is unique in an organisation: code + number, or the 20 digits. */
async function refuseRepeatedNumber(ctx: InvoiceContext): Promise<void> {
  const { tx, session, doc } = ctx
  const number = textOf(ctx.doc, 'invoice_no')
  if (!number) return
  const [other] = await tx<{ sn: string }[]>`
    select sn from document where org_id = ${session.org.id} and kind = ${doc.kind} and role = 'own'
      and id <> ${doc.id} and state not in ('cancelled', 'deleted', 'draft') and red_of_id is null
       and fields->>'invoice_no' = ${number}
         and coalesce(fields->>'invoice_code', '') = ${textOf(ctx.doc, 'invoice_code') ?? ''} limit 1`
  if (other)
    throw new BusinessError('duplicate', `发票号码${number}已存在（${other.sn}）`, [
      { field: 'invoice_no', msg: `发票号码${number}已存在（${other.sn}）` },
    ])
}

/** A line's amount is its price times its quantity, but for the cents by which invoices round. */
function refuseOtherAmount(line: StoredLine, tolerance: Decimal): void {
  const expected = multiply(line.price, line.quantity, 2)
  const most = compare(tolerance, LINE_TAX_TOLERANCE) > 0 ? tolerance : LINE_TAX_TOLERANCE
  if (compare(absolute(subtract(line.taxed_amount, expected, 2)), most) <= 0) return
  const msg = `第${line.line_no}行：价税合计与单价、数量不符，应约为${plain(expected)}元`
  throw new BusinessError('rule', msg, [{ field: 'taxed_amount', line: line.line_no, msg }])
}

/** |invoice − Σ lines| within the organisation's tolerance; per line |tax − untaxed × rate| within 0.06. */
async function refuseDifference(ctx: InvoiceContext): Promise<void> {
  const { doc, settings } = ctx
  const difference = absolute(invoiceDifference(doc))
  if (compare(difference, settings.invoice_tolerance as Decimal) > 0)
    throw new BusinessError(
      'rule',
      isOfSettlement(ctx.doc)
        ? `发票金额与结算金额差额${difference}超出容差`
        : `发票金额与${doc.kind === 'inboundInvoice' ? '入库' : '出库'}金额差异${plain(difference)}元，超出允许尾差` +
            `${plain(String(settings.invoice_tolerance))}元`,
      [{ field: 'invoice_amount', msg: `与明细合计差${difference}元` }],
    )
  for (const line of doc.lines) {
    refuseOtherAmount(line, settings.invoice_tolerance as Decimal)
    const expected = divide(multiply(line.untaxed_amount, String(line.tax_rate), 4), '100', 2)
    if (compare(absolute(subtract(line.tax_amount, expected, 2)), LINE_TAX_TOLERANCE) > 0)
      throw new BusinessError('rule', `第${line.line_no}行：税额与税率不符，应约为${plain(expected)}元`, [
        { field: 'tax_amount', line: line.line_no, msg: `税额应约为${plain(expected)}元` },
      ])
  }
}

/**
 * 两票制, if switched on: a dealer's invoice for goods of another manufacturer names the manufacturer's invoice to the
 * dealer.
 */
async function needsFirstInvoice(ctx: InvoiceContext, seller: string | null): Promise<void> {
  const { doc, settings } = ctx
  // An invoice that the supplier sent has its own attachments; one that we enter ourselves needs the picture of the
  // first invoice.
  const shown = doc.attachments.length > 0 || doc.created_by === '0'
  if (!settings.two_invoice_system || (textOf(ctx.doc, 'first_invoice_no') && shown)) return
  const how = twoInvoicesOf(settings)
  const foreign = (await ofAnothersMaking(ctx, doc.lines, seller)).some(one => how(one.isHighValue) !== 'off')
  const field = textOf(ctx.doc, 'first_invoice_no') ? 'attachments' : 'first_invoice_no'
  if (!foreign) return
  const msg = '请填写第一票发票号码并上传'
  if (settings.two_invoice_check !== 'warn') throw new BusinessError('rule', msg, [{ field, msg }])
  ctx.warnings.push({ rule: 'twoInvoice', msg: '没有生产厂家的第一票发票号码或图片，是否继续？' })
}

const needsSellersFirstInvoice = (ctx: InvoiceContext) => needsFirstInvoice(ctx, ctx.doc.counterparty_sn)
const needsOurFirstInvoice = (ctx: InvoiceContext) => needsFirstInvoice(ctx, ctx.session.org.id)

/** Refuses lines without a receipt: goods that were never received are not owed. */
function refuseUncovered({ doc }: ActionContext): void {
  const bare = doc.lines.find(line => !line.source_document_id)
  if (!bare) return
  const msg = `第${bare.line_no}行【${bare.product_name ?? ''}】货物尚未入库，收货入库后再核对发票`
  throw new BusinessError('rule', msg, [{ line: bare.line_no, field: 'source_sn', msg }])
}

/** If an invoice names its buyer, the buyer must be us. */
async function refuseOtherBuyer(ctx: InvoiceContext): Promise<void> {
  const { tx, session } = ctx
  const [name, taxNo] = [textOf(ctx.doc, 'buyer_name'), textOf(ctx.doc, 'buyer_tax_no')]
  if (!name && !taxNo) return
  const [own] = await tx<{ name: string; social_credit_code: string }[]>`
    select name, social_credit_code from organisation where id = ${session.org.id}`
  const refuse = (field: string, msg: string) => {
    throw new BusinessError('rule', msg, [{ field, msg }])
  }
  if (name && name !== own!.name) refuse('buyer_name', `发票购买方【${name}】与本机构名称不一致`)
  if (taxNo && taxNo !== own!.social_credit_code) refuse('buyer_tax_no', `发票购买方税号${taxNo}与本机构税号不一致`)
}

/** An invoice that differs from the settled amount by less than the tolerance passes after confirmation. */
async function askDifference(ctx: InvoiceContext): Promise<void> {
  const difference = invoiceDifference(ctx.doc)
  if (!isOfSettlement(ctx.doc) || isZero(difference)) return
  ctx.warnings.push({
    rule: 'invoiceDifference',
    msg: `发票金额与结算金额差额${difference}元，在容差内，确认通过？`,
  })
}

/**
 * The 尾差 is owed with the invoice: it is on its largest line and may be applied for and paid. Each line keeps the
 * amount of its source.
 */
async function keepRounding({ tx, session, doc }: InvoiceContext): Promise<void> {
  const difference = invoiceDifference(doc)
  const largest = largestLine(doc)
  const lines = doc.lines.map(({ line_no, source_amount }) => ({
    line_no,
    values: { rounding: line_no === largest ? difference : '0', source_amount },
  }))
  await patchDocument(tx, session, doc, { rounding: difference }, 'withAction')
  await patchLines(tx, session, doc, lines, 'withAction')
}

/** 核对结果, and the reason why a difference was accepted. */
async function keepCheck(ctx: ContextOf<typeof inboundInvoice>): Promise<void> {
  const { check_result } = ctx.doc
  const reason = ctx.reason ?? textOf(ctx.doc, 'difference_reason')
  await write(ctx, {
    check_result: String(check_result),
    ...(check_result === 'agrees' ? {} : { difference_reason: reason }),
  })
}

/** 到期日 = review day + 账期. */
async function keepDueDate(ctx: ActionContext): Promise<void> {
  await write(ctx, { due_date: addDays(today(), await creditDays(ctx)) })
}

/**
 * The settled uses behind an invoice of settlement receipts become 已开票 once their line is fully invoiced, and revert
 * when it is not.
 */
async function moveSettled(ctx: ActionContext, from: string, to: string): Promise<void> {
  const { tx, session, doc } = ctx
  await tx`
    update settlement_line s set state = ${to}
      from document_line l join document_line g on g.org_id = l.org_id and g.document_id = l.source_document_id
        and g.line_no = l.source_line_no
      left join line_progress p on p.org_id = g.org_id and p.document_id = g.document_id and p.line_no = g.line_no
        and p.purpose = 'invoice'
     where l.org_id = ${session.org.id} and l.document_id = ${doc.id} and s.org_id = ${session.org.id}
       and s.settlement_id = g.source_document_id and s.settlement_line_no = g.source_line_no and s.state = ${from}
       and (abs(coalesce(p.taken, 0)) >= abs(g.base_quantity)) = ${to === 'invoiced'}`
}

/** The supplier who sent the invoice sees on its own invoice what happened to it here. */
async function notifyIssuer(ctx: ActionContext, label: string, state: string | null): Promise<void> {
  const { tx, session, doc, reason } = ctx
  const sets = state === null ? {} : { check_state: state, answer_reason: null }
  await answerOwner(tx, session, doc, { action: 'customerCheck', label, reason, sets })
}

type Certified = { readonly state: string | null; readonly period: string | null }

/** How the invoice stands certified, whatever the dialog says now. */
async function certifiedAs({ tx, session, doc }: ActionContext): Promise<Certified> {
  const [row] = await tx<Certified[]>`
    select fields->>'certify_state' as state, fields->>'certify_period' as period from document
     where org_id = ${session.org.id} and id = ${doc.id}`
  return row!
}

/** The tax moves in the voucher of a month: neither into a closed one nor out of it. */
async function refuseClosedMonth(ctx: ContextOf<typeof inboundInvoice>): Promise<void> {
  const { tx, session, doc } = ctx
  const before = await certifiedAs(ctx)
  const months = [
    ...(before.state === 'certified' ? [before.period] : []),
    ...(doc.certify_state === 'certified' ? [doc.certify_period] : []),
  ]
  for (const month of months) await checkPeriodOpen(tx, session.org.id, `${String(month)}-01`)
}

/** A certified invoice stands in the voucher of its month: it is taken out of there before it is taken back. */
async function refuseCertified(ctx: ActionContext): Promise<void> {
  if ((await certifiedAs(ctx)).state === 'certified')
    throw new BusinessError('rule', '发票已认证，不能反审核，请先用【勾选认证】改为未认证')
}

/** Keeps who certified it and when; what is not certified any more has neither. */
async function keepCertified({ tx, session, doc }: ContextOf<typeof inboundInvoice>): Promise<void> {
  const isCertified = doc.certify_state === 'certified'
  const values = isCertified
    ? { certified_on: doc.certified_on ?? today(), certified_by: session.userName }
    : { certify_period: null, certified_on: null, certified_by: null }
  await patchDocument(tx, session, doc, values, 'withAction')
}

/** The reversal has no source amounts; over a certified invoice it returns the deducted tax: 进项税额转出. */
async function keepReversal({ tx, session, doc }: InvoiceContext): Promise<void> {
  const [red] = await tx<{ id: string }[]>`
    select max(id) as id from document where org_id = ${session.org.id} and red_of_id = ${doc.id}`
  const { id } = red!
  const lines = await loadLines(tx, session.org.id, [id])
  const bare = (lines.get(id) ?? []).map(({ line_no }) => ({ line_no, values: { source_amount: null } }))
  await patchLines(tx, session, { ...doc, id }, bare, 'withAction')
  if (byName(doc).certify_state === 'certified')
    await patchDocument(tx, session, { ...doc, id }, { tax_transfer_out: true }, 'withAction')
}

export const inboundInvoiceRules = documentHooks(inboundInvoice, {
  printFields: printedCheck,
  calls: { readInvoice: readInvoices, autoMatch },
  // An invoice that came before its receipt is matched to the receipt at the check.
  prepare: {
    approveMatch: coverBareLines,
    review: async ctx => withSourceAmounts({ ...ctx, doc: ofKind(inboundInvoice, await coverBareLines(ctx)) }),
  },
  validate: {
    unrecord: refuseClosedVoucher,
    certify: refuseClosedMonth,
    unreview: refuseCertified,
    redReverse: refuseSettledReversal,
    approveMatch: refuseNoDifference,
    submit: [
      refuseRepeatedNumber,
      refuseDifference,
      refuseBlueOverReturns,
      refuseOtherBuyer,
      refuseWrongRed,
      compareWithSources,
    ],
    review: [
      refuseRepeatedNumber,
      refuseDifference,
      atReviewOnly(refuseUncovered),
      refuseOtherBuyer,
      needsSellersFirstInvoice,
      refuseWrongRed,
      askDifference,
      compareWithSources,
      // The agreement of a second person is only known after submit.
      atReviewOnly(needsSecondPerson),
    ],
  },
  afterAction: {
    submit: keepMatch,
    approveMatch: keepApproval,
    review: async ctx => {
      await keepRounding(ctx)
      await keepCheck(ctx)
      await keepDueDate(ctx)
      await moveSettled(ctx, 'received', 'invoiced')
      await notifyIssuer(ctx, '客户核对通过', 'passed')
    },
    reject: ctx => notifyIssuer(ctx, '客户已退回', 'returned'),
    unreview: async ctx => {
      await moveSettled(ctx, 'invoiced', 'received')
      await notifyIssuer(ctx, '客户撤销核对', 'sent')
    },
    redReverse: async ctx => {
      await moveSettled(ctx, 'invoiced', 'received')
      await keepReversal(ctx)
      await notifyIssuer(ctx, '客户已红冲', 'returned')
    },
    record: async ctx => {
      await keepVoucher(ctx)
      await notifyIssuer(ctx, '客户已入账', 'recorded')
    },
    unrecord: ctx => notifyIssuer(ctx, '客户取消入账', 'passed'),
    certify: keepCertified,
  },
  // The issuer reads in the history of its invoice how to correct its own books.
  afterState: {
    toAdvance: async ctx => {
      await turnToAdvance(ctx)
      await moveSettled(ctx, 'paid', 'invoiced')
      await notifyIssuer(ctx, '客户已将该发票的付款转为预付，请办理转预收', null)
    },
    refundPaid: async ctx => {
      await turnToRefund(ctx)
      await moveSettled(ctx, 'paid', 'invoiced')
      await notifyIssuer(ctx, '客户要求退回该发票的付款，请办理退款', null)
    },
  },
})

/** 未送核: the customer does not have the invoice for its check. */
const notSent = { check_state: 'unsent', answer_reason: null }

/** 送医院核对, once it was taken back from the check. */
async function sendAgain(ctx: ActionContext): Promise<void> {
  if (!(await sendNumbered(ctx.tx, ctx.session, ctx.doc.id)))
    throw new BusinessError('rule', '发票尚未开具，或医院未开通系统，不能送核')
  await noteSent(ctx)
}

/** From here on a customer on the platform has the invoice for its check. */
async function noteSent(ctx: ActionContext): Promise<void> {
  const { tx, session, doc } = ctx
  const sent = doc.counterparty_sn !== null && (await isSentTo(tx, session.org.id, doc.id, doc.counterparty_sn))
  await write(ctx, { check_state: sent ? 'sent' : 'unsent', answer_reason: null })
}

/** After the review a number is written only once; before it, it may be corrected. */
async function refuseSecondNumber({ tx, session, doc }: ActionContext): Promise<void> {
  if (doc.state !== 'reviewed') return
  const [row] = await tx<{ invoice_no: string | null }[]>`
    select fields->>'invoice_no' as invoice_no from document where org_id = ${session.org.id} and id = ${doc.id}`
  if (row?.invoice_no) throw new BusinessError('rule', '已登记票号，反审核后才能修改')
}

export const outboundInvoiceRules = documentHooks(outboundInvoice, {
  prepare: { review: withSourceAmounts },
  validate: {
    unrecord: refuseClosedVoucher,
    issue: refuseRequest,
    manual: [refuseSecondNumber, refuseRepeatedNumber, refuseWhileIssued],
    unreview: refuseWhileIssued,
    redReverse: [refuseWhileIssued, refuseSettledReversal],
    submit: [
      refuseRepeatedNumber,
      refuseDifference,
      refuseAboveLimit,
      refuseSpecial,
      refuseBlueOverReturns,
      refuseWrongRed,
      compareWithSources,
    ],
    review: [
      refuseRepeatedNumber,
      refuseDifference,
      refuseAboveLimit,
      refuseSpecial,
      needsOurFirstInvoice,
      refuseWrongRed,
      compareWithSources,
    ],
  },
  afterAction: {
    review: async ctx => {
      await keepRounding(ctx)
      await noteSent(ctx)
    },
    split: splitByLimit,
    send: sendAgain,
    withdraw: ctx => write(ctx, notSent),
    issue: requestInvoice,
    // A number written by hand after the review closes the request, and the invoice is sent to the customer now.
    manual: async ctx => {
      if (ctx.doc.state !== 'reviewed') return
      await closeRequest(ctx)
      await sendNumbered(ctx.tx, ctx.session, ctx.doc.id)
      await noteSent(ctx)
    },
    unreview: async ctx => {
      await closeRequest(ctx)
      await write(ctx, notSent)
    },
    redReverse: async ctx => {
      await closeRequest(ctx)
      await keepReversal(ctx)
    },
    record: keepVoucher,
  },
  afterState: { toAdvance: turnToAdvance, refundPaid: turnToRefund },
})

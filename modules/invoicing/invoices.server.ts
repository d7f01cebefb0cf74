import { absolute, compare, type Decimal, divide, isZero, multiply, subtract } from '#kernel/decimal.ts'
import { addDays, today } from '#kernel/day.ts'
import { Refusal } from '#kernel/refusal.ts'
import { sourceTypes } from '#kernel/source-type.ts'
import { invoiceDifference, largestLine } from '#modules/guards.ts'
import { autoMatch } from '#modules/invoicing/auto-match.server.ts'
import { refuseBlueOverReturns, refuseWrongRed } from '#modules/invoicing/red-invoices.server.ts'
import { keepVoucher, refuseClosedVoucher } from '#modules/vouchers.server.ts'
import { ofAnothersMaking, twoInvoicesOf } from '#modules/two-invoices.server.ts'
import type { Acting, DocumentRules } from '#server/public/hooks.ts'
import { coverBareLines } from '#modules/invoicing/invoice-matching.server.ts'
import { handOver } from '#server/public/intercompany.ts'

const LINE_TAX_TOLERANCE = '0.06'
const text = (acting: Acting, name: string): string | null => (acting.doc[name] as string | null | undefined) ?? null
const isOfSettlement = ({ doc }: Acting): boolean => doc.source_type === sourceTypes.SETTLEMENT_GRN

async function write({ tx, session, doc }: Acting, values: Readonly<Record<string, string | boolean | null>>) {
  await tx`update document set fields = fields || ${tx.json(values)} where org_id = ${session.org.id} and id = ${doc.id}`
}

/** An invoice number stands once in an organisation: code + number, or the 20 digits. */
async function refuseRepeatedNumber(acting: Acting): Promise<void> {
  const { tx, session, doc } = acting
  const number = text(acting, 'invoice_no')
  if (!number) return
  const [other] = await tx<{ sn: string }[]>`
    select sn from document where org_id = ${session.org.id} and kind = ${doc.kind} and role = 'own' and id <> ${doc.id} and state not in ('cancelled', 'deleted', 'draft') and red_of_id is null
       and fields->>'invoice_no' = ${number} and coalesce(fields->>'invoice_code', '') = ${text(acting, 'invoice_code') ?? ''} limit 1`
  if (other)
    throw new Refusal('duplicate', `发票号码${number}已存在（${other.sn}）`, [
      { field: 'invoice_no', msg: `发票号码${number}已存在（${other.sn}）` },
    ])
}

/** |invoice − Σ lines| within the organisation's tolerance; per line |tax − untaxed × rate| within 0.06. */
async function refuseDifference(acting: Acting): Promise<void> {
  const { doc, settings } = acting
  const difference = absolute(invoiceDifference(doc as never))
  if (compare(difference, settings.invoice_tolerance as Decimal) > 0)
    throw new Refusal(
      'rule',
      isOfSettlement(acting)
        ? `发票金额与结算金额差额${difference}超出容差`
        : `发票金额与${doc.kind === 'inboundInvoice' ? '入库' : '出库'}金额差异${Number(difference)}元，超出允许尾差${Number(settings.invoice_tolerance)}元`,
      [{ field: 'invoice_amount', msg: `与明细合计差${difference}元` }],
    )
  for (const line of doc.lines) {
    const expected = divide(multiply(line.untaxed_amount, String(line.tax_rate), 4), '100', 2)
    if (compare(absolute(subtract(line.tax_amount, expected, 2)), LINE_TAX_TOLERANCE) > 0)
      throw new Refusal('rule', `第${line.line_no}行：税额与税率不符，应约为${Number(expected)}元`, [
        { field: 'tax_amount', line: line.line_no, msg: `税额应约为${Number(expected)}元` },
      ])
  }
}

/** One sheet of paper bears so much and no more, where the tax office set a limit. */
async function refuseAboveLimit({ doc, settings }: Acting): Promise<void> {
  const limit = settings.invoice_limit as Decimal
  if (!isZero(limit) && compare(absolute(doc.taxed_amount), limit) > 0)
    throw new Refusal('rule', `超过单张开票限额${Number(limit)}，请拆分`)
}

/** 两票制, where it is on: what a dealer bills of another's making names the maker's invoice to him. */
async function needsFirstInvoice(acting: Acting, seller: string | null): Promise<void> {
  const { doc, settings } = acting
  // What the supplier sent bears his own papers; what we write ourselves shows the picture of the first invoice.
  const shown = doc.attachments.length > 0 || doc.created_by === '0'
  if (!settings.two_invoice_system || (text(acting, 'first_invoice_no') && shown)) return
  const how = twoInvoicesOf(settings)
  const foreign = (await ofAnothersMaking(acting, doc.lines, seller)).some(one => how(one.isHighValue) !== 'off')
  const field = text(acting, 'first_invoice_no') ? 'attachments' : 'first_invoice_no'
  if (!foreign) return
  const msg = '请填写第一票发票号码并上传'
  if (settings.two_invoice_check !== 'warn') throw new Refusal('rule', msg, [{ field, msg }])
  acting.questions.push({ rule: 'twoInvoice', msg: '没有生产厂家的第一票发票号码或图片，是否继续？' })
}

/** What is billed and was never received is not owed. */
function refuseUncovered({ doc }: Acting): void {
  const bare = doc.lines.find(line => !line.source_document_id)
  if (!bare) return
  const msg = `第${bare.line_no}行【${bare.product_name ?? ''}】货物尚未入库，收货入库后再核对发票`
  throw new Refusal('rule', msg, [{ line: bare.line_no, field: 'source_sn', msg }])
}

/** An invoice that says whom it is made out to is made out to us. */
async function refuseOtherBuyer(acting: Acting): Promise<void> {
  const { tx, session } = acting
  const [name, taxNo] = [text(acting, 'buyer_name'), text(acting, 'buyer_tax_no')]
  if (!name && !taxNo) return
  const [own] = await tx<{ name: string; social_credit_code: string }[]>`
    select name, social_credit_code from organisation where id = ${session.org.id}`
  const refuse = (field: string, msg: string) => {
    throw new Refusal('rule', msg, [{ field, msg }])
  }
  if (name && name !== own!.name) refuse('buyer_name', `发票购买方【${name}】与本机构名称不一致`)
  if (taxNo && taxNo !== own!.social_credit_code) refuse('buyer_tax_no', `发票购买方税号${taxNo}与本机构税号不一致`)
}

/** A settled amount that the invoice misses by less than the tolerance passes once somebody has looked at it. */
async function askDifference(acting: Acting): Promise<void> {
  const difference = invoiceDifference(acting.doc as never)
  if (!isOfSettlement(acting) || isZero(difference)) return
  acting.questions.push({
    rule: 'invoiceDifference',
    msg: `发票金额与结算金额差额${difference}元，在容差内，确认通过？`,
  })
}

/** The 尾差 is owed with the invoice: it stands on its largest line and may be asked for and paid. */
async function keepRounding({ tx, session, doc }: Acting): Promise<void> {
  const difference = invoiceDifference(doc as never)
  await tx`update document set rounding = ${difference} where org_id = ${session.org.id} and id = ${doc.id}`
  await tx`
    update document_line set rounding = case when line_no = ${largestLine(doc as never)} then ${difference}::numeric else 0 end
     where org_id = ${session.org.id} and document_id = ${doc.id}`
}

/** 核对结果, and why a difference was let pass. */
async function keepCheck(acting: Acting): Promise<void> {
  const agrees = isZero(invoiceDifference(acting.doc as never))
  const reason = acting.reason ?? text(acting, 'difference_reason')
  await write(acting, {
    check_result: agrees ? 'agrees' : 'confirmed',
    ...(agrees ? {} : { difference_reason: reason }),
  })
}

/** 到期日 = review day + the partner's 账期; the house's own where none was agreed. */
async function keepDueDate(acting: Acting): Promise<void> {
  const { tx, session, doc, settings } = acting
  const [relation] = await tx<{ payment_days: number }[]>`
    select payment_days from org_relation where org_id = ${session.org.id} and partner_id = ${doc.counterparty_sn} order by payment_days desc limit 1`
  await write(acting, { due_date: addDays(today(), relation?.payment_days || settings.default_payment_days) })
}

/** The settled uses behind an invoice of settlement receipts become 已开票 once their line is invoiced whole, and stop being so when it is not. */
async function moveSettled(acting: Acting, from: string, to: string): Promise<void> {
  const { tx, session, doc } = acting
  await tx`
    update settlement_line s set state = ${to}
      from document_line l join document_line g on g.org_id = l.org_id and g.document_id = l.source_document_id and g.line_no = l.source_line_no
      left join line_progress p on p.org_id = g.org_id and p.document_id = g.document_id and p.line_no = g.line_no and p.purpose = 'invoice'
     where l.org_id = ${session.org.id} and l.document_id = ${doc.id} and s.org_id = ${session.org.id} and s.settlement_id = g.source_document_id and s.settlement_line_no = g.source_line_no and s.state = ${from}
       and (abs(coalesce(p.taken, 0)) >= abs(g.base_quantity)) = ${to === 'invoiced'}`
}

/** The supplier who sent the invoice reads on his own what became of it here. */
async function tellIssuer(acting: Acting, label: string, state: string): Promise<void> {
  const { tx, session, doc, reason } = acting
  if (!doc.source_document_id) return
  const [copy] = await tx<{ kind: string; sn: string; from_org_id: string }[]>`
    select kind, sn, from_org_id from document where org_id = ${session.org.id} and id = ${doc.source_document_id} and role = 'counterparty' and state <> 'cancelled'`
  if (!copy) return
  const sets = { check_state: state, answer_reason: null }
  const said = { action: 'customerCheck', label, reason, actor: session.userName, sets }
  await handOver(tx, session, copy.from_org_id, doc.id, { message: 'act', kind: copy.kind, sn: copy.sn, ...said })
}

/** A red paper over a certified invoice gives the deducted tax back: 进项税额转出. */
async function markTransferOut({ tx, session, doc }: Acting): Promise<void> {
  if (doc.certify_state !== 'certified') return
  await tx`
    update document set fields = fields || '{"tax_transfer_out":true}'
     where org_id = ${session.org.id} and id = (select max(id) from document where org_id = ${session.org.id} and red_of_id = ${doc.id})`
}

export const inboundInvoiceRules: DocumentRules = {
  kind: 'inboundInvoice',
  calls: { autoMatch },
  // Billed before it was received, it finds its receipt at the check.
  prepare: { review: coverBareLines },
  before: {
    unrecord: refuseClosedVoucher,
    submit: async acting => {
      await refuseRepeatedNumber(acting)
      await refuseDifference(acting)
      await refuseBlueOverReturns(acting)
      await refuseWrongRed(acting)
    },
    review: async acting => {
      await refuseRepeatedNumber(acting)
      await refuseDifference(acting)
      refuseUncovered(acting)
      await refuseOtherBuyer(acting)
      await needsFirstInvoice(acting, acting.doc.counterparty_sn)
      await refuseWrongRed(acting)
      await askDifference(acting)
    },
  },
  after: {
    review: async acting => {
      await keepRounding(acting)
      await keepCheck(acting)
      await keepDueDate(acting)
      await moveSettled(acting, 'received', 'invoiced')
      await tellIssuer(acting, '客户核对通过', 'passed')
    },
    reject: acting => tellIssuer(acting, '客户已退回', 'returned'),
    unreview: async acting => {
      await moveSettled(acting, 'invoiced', 'received')
      await tellIssuer(acting, '客户撤销核对', 'sent')
    },
    redReverse: async acting => {
      await moveSettled(acting, 'invoiced', 'received')
      await markTransferOut(acting)
      await tellIssuer(acting, '客户已红冲', 'returned')
    },
    record: async acting => {
      await keepVoucher(acting)
      await tellIssuer(acting, '客户已入账', 'recorded')
    },
    unrecord: acting => tellIssuer(acting, '客户取消入账', 'passed'),
  },
}

/** A special invoice is for general taxpayers; a customer whose file says that it is none gets a plain one. */
async function refuseSpecial({ tx, session, doc }: Acting): Promise<void> {
  if (doc.invoice_type !== 'e_special' && doc.invoice_type !== 'special') return
  const [file] = await tx`
    select 1 from org_relation where org_id = ${session.org.id} and partner_id = ${doc.counterparty_sn} and status = 'enabled'
     group by partner_id having bool_or(taxpayer_kind is not null) and not bool_or(taxpayer_kind = 'general')`
  const msg = '该客户不能开具专用发票（客户资料中不是一般纳税人），请改开普通发票，或先在往来单位中修改纳税人类型'
  if (file) throw new Refusal('rule', msg, [{ field: 'invoice_type', msg }])
}

/** A customer on the platform has the invoice to check from here on. */
async function noteSent(acting: Acting): Promise<void> {
  const { doc, written } = acting
  const sent = doc.counterparty_sn !== null && written.followUps.includes(doc.counterparty_sn)
  await write(acting, { check_state: sent ? 'sent' : null, answer_reason: null })
}

export const outboundInvoiceRules: DocumentRules = {
  kind: 'outboundInvoice',
  before: {
    unrecord: refuseClosedVoucher,
    submit: async acting => {
      await refuseRepeatedNumber(acting)
      await refuseDifference(acting)
      await refuseAboveLimit(acting)
      await refuseSpecial(acting)
      await refuseBlueOverReturns(acting)
      await refuseWrongRed(acting)
    },
    review: async acting => {
      await refuseRepeatedNumber(acting)
      await refuseDifference(acting)
      await refuseAboveLimit(acting)
      await refuseSpecial(acting)
      await needsFirstInvoice(acting, acting.session.org.id)
      await refuseWrongRed(acting)
    },
  },
  after: {
    review: async acting => {
      await keepRounding(acting)
      await noteSent(acting)
    },
    unreview: acting => write(acting, { check_state: null, answer_reason: null }),
    record: keepVoucher,
  },
}

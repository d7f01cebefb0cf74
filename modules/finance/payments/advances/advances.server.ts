import { byName, patchDocument, type StoredDocument, textOf } from '#server/public/documents.ts'
import { sourceKindsOf } from '#kernel/measure/feeding.ts'
import { compare, type Decimal, isPositive, share, subtract, sum } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import { refuseUnnumbered } from '#modules/finance/accounting/unnumbered-invoice.server.ts'
import { OLD_DAYS } from '#modules/finance/payments/advances/prepaid-columns.server.ts'
import { keepVoucher, refuseClosedVoucher } from '#modules/finance/accounting/voucher-rules.server.ts'
import {
  balanceOf,
  customer,
  draftRefund,
  type Side,
  supplier,
} from '#modules/finance/payments/advances/advance-balance.server.ts'
import { allocated, type OpenLine } from '#modules/finance/payments/auto-match.server.ts'
import { transferRules } from '#modules/finance/payments/advances/transfers.server.ts'
import { refuseTurned } from '#modules/finance/payments/advances/turn-to-advance.server.ts'
import { refuseRepeatedTransfer } from '#modules/finance/payments/payments.server.ts'
import type { Tx } from '#server/public/database.ts'
import { buildDraft, createDraft, definitionOf, saveDraft } from '#server/public/drafts.ts'
import type { ActionContext, DocumentHooks } from '#server/public/hooks.ts'
import type { Session } from '#server/public/session.ts'

const refuse = (field: string, msg: string): never => {
  throw new BusinessError('rule', msg, [{ field, msg }])
}

type Order = { readonly id: string; readonly counterparty_id: string; readonly taxed_amount: Decimal }

/**
 * The order of the same partner that an advance names, locked, so that two advances of one order wait for each other.
 */
async function orderOf(tx: Tx, org: string, side: Side, sn: string, partner: string | null): Promise<Order> {
  const [order] = await tx<Order[]>`
    select id, counterparty_id, taxed_amount from document
     where org_id = ${org} and kind = ${side.order} and role = 'own' and sn = ${sn}
       and state in ('submitted', 'reviewed', 'partial', 'completed') for update`
  if (!order) return refuse('order_sn', `${side.orderTitle}${sn}不存在或未提交`)
  if (partner !== null && order.counterparty_id !== partner)
    refuse('order_sn', `${side.orderTitle}${sn}不是该往来单位的订单`)
  return order
}

/** The amount that other advances of an order claim: their requested amount less the refunds. */
async function heldOf(tx: Tx, org: string, side: Side, order: string, but: string): Promise<Decimal> {
  const [held] = await tx<{ amount: Decimal }[]>`
    select coalesce(sum(d.taxed_amount - coalesce((select p.taken from line_progress p where p.org_id = d.org_id
             and p.document_id = d.id and p.line_no = 0 and p.purpose = 'refund'), 0)), 0)::numeric(18,2) as amount
      from document d
     where d.org_id = ${org} and d.kind = ${side.advance} and d.role = 'own' and d.fields->>'order_sn' = ${order}
       and d.id <> ${but} and d.state in ('submitted', 'reviewed', 'partial', 'completed') and d.red_of_id is null`
  return held!.amount
}

/** All advances of an order together must not exceed it. */
const withinOrder =
  (side: Side) =>
  async (ctx: ActionContext): Promise<void> => {
    const { tx, session, doc } = ctx
    const sn = textOf(ctx.doc, 'order_sn')
    if (sn === null) return
    const order = await orderOf(tx, session.org.id, side, sn, doc.counterparty_sn)
    const held = await heldOf(tx, session.org.id, side, sn, doc.id)
    const left = subtract(order.taxed_amount, held, 2)
    if (compare(doc.taxed_amount, left) > 0) throw new BusinessError('rule', side.overOrder(left, order.taxed_amount))
  }

/** Stores the order's value and the amount requested for it before, as they are at submit. */
const withOrder =
  (side: Side) =>
  async (ctx: ActionContext): Promise<StoredDocument> => {
    const { tx, session, doc } = ctx
    const sn = textOf(ctx.doc, 'order_sn')
    const order = sn === null ? null : await orderOf(tx, session.org.id, side, sn, doc.counterparty_sn)
    const values = {
      order_amount: order?.taxed_amount ?? null,
      order_prepaid: order === null ? null : await heldOf(tx, session.org.id, side, sn!, doc.id),
      ...(side.advance === 'prepayment'
        ? { prepaid_ratio: order === null ? null : share('1', doc.taxed_amount, order.taxed_amount, 4) }
        : {}),
    }
    await patchDocument(tx, session, doc, values, 'withAction')
    return { ...doc, ...values }
  }

/** Money in advance may only be paid to an account in the supplier's master data. */
async function refuseOtherPayee(ctx: ActionContext): Promise<void> {
  const account = textOf(ctx.doc, 'payee_account')
  if (account === null) return
  const [file] = await ctx.tx<{ bank_account: string | null }[]>`
    select bank_account from organisation where id = ${ctx.doc.counterparty_sn}`
  if (file?.bank_account !== account) refuse('payee_account', '收款账户未在供应商档案登记')
}

/** A supplier that owes an invoice for an old prepayment gets another one only for a reason. */
async function askOldPrepayments({ tx, session, doc, warnings, reason, body }: ActionContext): Promise<void> {
  if (byName(doc).turned_from) return
  const [old] = await tx<{ sn: string }[]>`
    select sn from document
     where org_id = ${session.org.id} and kind = 'prepayment' and role = 'own' and id <> ${doc.id}
       and counterparty_id = ${doc.counterparty_sn} and state = 'completed'
       and coalesce(fields->>'invoice_state', 'none') = 'none'
       and business_date < ${doc.business_date}::date - ${OLD_DAYS}::int order by business_date limit 1`
  if (!old) return
  if (body.confirm && !reason)
    throw new BusinessError('rule', `预付款${old.sn}已超过${OLD_DAYS}天未到票，请填写再次预付的原因`)
  warnings.push({ rule: 'oldPrepayment', msg: `预付款${old.sn}已超过${OLD_DAYS}天未到票，是否仍预付？请填写原因` })
}

/** Asks before an advance is paid to a supplier to whom we owe money. */
async function askPayables({ tx, session, doc, warnings }: ActionContext): Promise<void> {
  // It is not paid again: the money that settled an invoice becomes money in advance.
  if (byName(doc).turned_from) return
  const [owed] = await tx<{ amount: Decimal }[]>`
    select coalesce(sum(amount), 0)::numeric(18,2) as amount from account_balance
     where org_id = ${session.org.id} and counterparty_id = ${doc.counterparty_sn}
       and account in ('payable_estimated', 'payable_invoiced')`
  if (compare(owed!.amount, doc.taxed_amount) >= 0)
    warnings.push({ rule: 'payableLeft', msg: `该供应商存在应付余额${owed!.amount}，是否仍预付？` })
}

/** 付款: drafts the payment of the part that is not paid yet. */
async function makePayment({ tx, session, doc }: ActionContext): Promise<void> {
  const waiting = await tx<{ sn: string }[]>`
    select d.sn from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
     where d.org_id = ${session.org.id} and d.kind = 'payment' and l.source_document_id = ${doc.id}
       and d.state in ('draft', 'submitted', 'rejected') limit 1`
  if (waiting[0]) throw new BusinessError('rule', `已生成付款单${waiting[0].sn}，请先办理`)
  const target = definitionOf('payment')
  const header = {
    source_sn: doc.sn,
    source_type: sourceTypes.ADVANCE_PAYMENT,
    payment_method: byName(doc).payment_method,
    payee_name: byName(doc).payee_name,
    payee_bank: byName(doc).payee_bank,
    payee_account: byName(doc).payee_account,
  }
  const draft = await buildDraft(tx, session, target, header, null)
  await saveDraft(tx, session, target, draft, 'draft', `来自预付款单${doc.sn}`)
}

/** Stores the invoices that cover a prepayment, as the buyer enters them; this books nothing. */
async function linkInvoices(ctx: ActionContext): Promise<void> {
  const { tx, session, doc } = ctx
  const named = String(byName(doc).linked_invoices ?? '')
    .split(/[\s,，、;；]+/)
    .filter(Boolean)
  if (named.length === 0) refuse('linked_invoices', '请填写要关联的发票')
  const found = await tx<{ sn: string; invoice_no: string | null; taxed_amount: Decimal }[]>`
    select sn, fields->>'invoice_no' as invoice_no, taxed_amount + rounding as taxed_amount from document
     where org_id = ${session.org.id} and kind = 'inboundInvoice' and role = 'own' and red_of_id is null
       and counterparty_id = ${doc.counterparty_sn} and state in ('submitted', 'reviewed', 'partial', 'completed')
       and (sn = any(${named}) or fields->>'invoice_no' = any(${named})) order by id`
  const missing = named.find(name => !found.some(({ sn, invoice_no }) => sn === name || invoice_no === name))
  if (missing !== undefined) throw new BusinessError('rule', `没有该供应商的发票${missing}，请先登记发票`)
  const whole = sum(
    found.map(({ taxed_amount }) => taxed_amount),
    2,
  )
  const values = {
    covering_invoices: found.map(({ sn, invoice_no }) => invoice_no ?? sn).join('、'),
    invoice_state: compare(whole, doc.taxed_amount) >= 0 ? 'all' : 'part',
    linked_invoices: null,
  }
  await patchDocument(tx, session, doc, values, 'withAction')
}

/** 转移订单: binds the advance to another order of the same supplier, or to none. */
async function moveToOrder(ctx: ActionContext): Promise<void> {
  const { tx, session, doc } = ctx
  const sn = textOf(ctx.doc, 'moved_order')
  if (sn !== null) {
    const order = await orderOf(tx, session.org.id, supplier, sn, doc.counterparty_sn)
    const left = subtract(order.taxed_amount, await heldOf(tx, session.org.id, supplier, sn, doc.id), 2)
    if (compare(doc.taxed_amount, left) > 0)
      throw new BusinessError('rule', supplier.overOrder(left, order.taxed_amount))
  }
  await patchDocument(tx, session, doc, { order_sn: sn, moved_order: null }, 'withAction')
}

/**
 * Open lines of the partner's invoices and openings that an advance may settle, the oldest first; one bound to an order
 * settles only invoices over that order's goods.
 */
const openItems = (tx: Tx, org: string, side: Side, partner: string, order: string | null) => tx<OpenLine[]>`
  select x.id, x.sn, x.invoice_no, x.line_no, x.left from (
    select d.id, d.sn, coalesce(l.fields->>'invoice_no', d.fields->>'invoice_no') as invoice_no, l.line_no,
           coalesce(l.fields->>'opened_on', d.fields->>'invoice_date', d.business_date::text) as day,
           (l.taxed_amount + l.rounding + coalesce((select sum(r.taxed_amount) from document m
             join document_line r on r.org_id = m.org_id and r.document_id = m.id
              where m.org_id = l.org_id and m.red_of_id = l.document_id and r.line_no = l.line_no), 0)
             - coalesce((select max(g.taken) from line_progress g where g.org_id = l.org_id
               and g.document_id = l.document_id and g.line_no = l.line_no
               and g.purpose in ('apply', 'pay')), 0))::numeric(18,2) as left
      from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
     where d.org_id = ${org} and d.kind = any(${sourceKindsOf(side.transfer, 'pay')}) and d.role = 'own'
       and d.red_of_id is null
       and d.counterparty_id = ${partner} and d.state in ('reviewed', 'partial')
       ${order === null ? tx`` : tx`and exists (${boundTo(tx, order)})`}) x
   where x.left > 0 order by x.day, x.id, x.line_no limit 5000`

/** True if the line `l` is for goods of this order. */
const boundTo = (tx: Tx, order: string) => tx`
  select 1 from document o where o.org_id = l.org_id and o.id = l.order_document_id and o.sn = ${order}`

/** 核销: drafts an offset of the advance's balance against the oldest open invoices, for a person to check. */
const draftOffset =
  (side: Side) =>
  async (ctx: ActionContext): Promise<void> => {
    const { tx, session, doc } = ctx
    const balances = await balanceOf(tx, session.org.id, doc.id)
    if (balances.length === 0) throw new BusinessError('rule', `${doc.sn}没有未核销余额`)
    let open: readonly OpenLine[] = await openItems(
      tx,
      session.org.id,
      side,
      doc.counterparty_sn!,
      side.advance === 'prepayment' ? textOf(ctx.doc, 'order_sn') : null,
    )
    if (open.length === 0) throw new BusinessError('rule', '没有可核销的发票')
    const lines: Record<string, unknown>[] = []
    for (const { line_no, left } of balances) {
      const { taken } = allocated(left, open)
      for (const { sn, line_no: source_line_no, part } of taken)
        lines.push({
          source_sn: sn,
          source_line_no,
          taxed_amount: part,
          advance_sn: doc.sn,
          advance_line_no: line_no,
        })
      open = open
        .map(each => {
          const used = taken.find(({ id, line_no: no }) => id === each.id && no === each.line_no)
          return used ? { ...each, left: subtract(each.left, used.part, 2) } : each
        })
        .filter(({ left: rest }) => isPositive(rest))
    }
    const target = definitionOf(side.offset)
    const draft = await buildDraft(tx, session, target, { counterparty_sn: doc.counterparty_sn }, lines)
    await saveDraft(tx, session, target, draft, 'draft', `来自${ctx.definition.title}${doc.sn}`)
  }

/** Refuses to undo an advance that was partly used or refunded. */
async function refuseUsed({ tx, session, doc, spec }: ActionContext): Promise<void> {
  const used = await tx`
    select 1 from line_progress where org_id = ${session.org.id} and document_id = ${doc.id} and line_no = 0
       and purpose in ('offset', 'refund') and taken <> 0`
  if (used.length > 0) throw new BusinessError('blocked', `预收款已核销或退款，不能${spec.label}`)
}

type Named = {
  readonly sn: string
  readonly state: string
  readonly counterparty_id: string
  readonly order_sn: string | null
}

/**
 * The advances that lines name must belong to this partner, have a balance, and be bound to no order other than the
 * invoice's.
 */
const checkAdvances =
  (side: Side) =>
  async ({ tx, session, doc }: ActionContext): Promise<void> => {
    const named = [...new Set(doc.lines.map(line => String(byName(line).advance_sn ?? '')))]
    const found = await tx<Named[]>`
    select sn, state, counterparty_id, fields->>'order_sn' as order_sn from document
     where org_id = ${session.org.id} and kind = ${side.advance} and role = 'own' and sn = any(${named})`
    const bySn = new Map(found.map(advance => [advance.sn, advance]))
    const usable = side.advance === 'prepayment' ? 'completed' : 'reviewed'
    for (const line of doc.lines) {
      const advance = bySn.get(String(byName(line).advance_sn ?? ''))
      const refuseLine = (msg: string): never => {
        throw new BusinessError('rule', `第${line.line_no}行：${msg}`, [
          { line: line.line_no, field: 'advance_sn', msg },
        ])
      }
      if (!advance || advance.counterparty_id !== doc.counterparty_sn)
        return refuseLine(`没有该往来单位的单据${String(byName(line).advance_sn)}`)
      if (advance.state !== usable)
        refuseLine(`${advance.sn}${side.advance === 'prepayment' ? '未付款' : '未审核'}，不能核销`)
    }
    if (side.advance === 'prereceipt') return
    const bound = doc.lines.filter(line => bySn.get(String(byName(line).advance_sn))?.order_sn)
    const unbound = await tx<{ line_no: number; sn: string }[]>`
    select k.line_no, k.order_sn as sn
      from document d, jsonb_to_recordset(${tx.json(
        bound.map(line => ({
          line_no: line.line_no,
          document_id: line.source_document_id,
          source_line_no: line.source_line_no,
          order_sn: bySn.get(String(byName(line).advance_sn))!.order_sn,
        })),
      )}) as k(line_no int, document_id bigint, source_line_no int, order_sn text)
     where d.org_id = ${session.org.id} and d.id = ${doc.id} and not exists (
       select 1 from document_line l join document o on o.org_id = l.org_id and o.id = l.order_document_id
        where l.org_id = d.org_id and l.document_id = k.document_id and l.line_no = k.source_line_no
          and o.sn = k.order_sn) order by k.line_no limit 1`
    if (unbound[0])
      throw new BusinessError(
        'rule',
        `第${unbound[0].line_no}行：预付款限于采购订单${unbound[0].sn}的发票，请先转移订单`,
      )
  }

/** 按订单申请: drafts an advance of a share of an order. */
async function fromOrder(tx: Tx, session: Session, body: Readonly<Record<string, unknown>>) {
  const sn = String(body.order_sn ?? '').trim()
  const order = await orderOf(tx, session.org.id, supplier, sn, null)
  const amount = share(order.taxed_amount, String(body.prepaid_percent ?? '0') as Decimal, '1', 2)
  if (!isPositive(amount)) refuse('prepaid_percent', '预付比例必须大于0')
  const header = { counterparty_sn: order.counterparty_id, order_sn: sn }
  return createDraft(tx, session, definitionOf('prepayment'), {
    ...header,
    lines: [{ summary_text: `${sn}预付款`, taxed_amount: amount }],
  })
}

const booked = { record: keepVoucher }
export const advanceRules: readonly DocumentHooks[] = [
  {
    kind: 'prepayment',
    calls: { fromOrder },
    prepare: { submit: withOrder(supplier) },
    validate: {
      submit: [withinOrder(supplier), refuseOtherPayee, askOldPrepayments],
      review: [withinOrder(supplier), refuseOtherPayee, askPayables],
      unrecord: refuseClosedVoucher,
    },
    afterAction: {
      ...booked,
      pay: makePayment,
      linkInvoice: linkInvoices,
      move: moveToOrder,
      offset: draftOffset(supplier),
      refund: ({ tx, session, doc }) => draftRefund(tx, session, supplier, doc),
    },
  },
  {
    kind: 'prereceipt',
    prepare: { submit: withOrder(customer) },
    validate: {
      submit: [withinOrder(customer), refuseRepeatedTransfer],
      review: [withinOrder(customer), refuseRepeatedTransfer],
      unreview: refuseUsed,
      redReverse: refuseUsed,
      unrecord: refuseClosedVoucher,
    },
    afterAction: {
      ...booked,
      offset: draftOffset(customer),
      refund: ({ tx, session, doc }) => draftRefund(tx, session, customer, doc),
    },
  },
  ...[supplier, customer].flatMap((side): DocumentHooks[] => [
    {
      kind: side.offset,
      validate: {
        submit: [checkAdvances(side), refuseUnnumbered],
        review: [checkAdvances(side), refuseUnnumbered],
        unreview: refuseTurned,
        redReverse: refuseTurned,
        unrecord: refuseClosedVoucher,
      },
      afterAction: booked,
    },
    transferRules(side),
    {
      kind: side.refund,
      validate: { submit: refuseRepeatedTransfer, review: refuseRepeatedTransfer, unrecord: refuseClosedVoucher },
      afterAction: booked,
    },
  ]),
]

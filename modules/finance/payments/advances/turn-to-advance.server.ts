import { byName, loadDocument, patchDocument } from '#server/public/documents.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { today } from '#kernel/values/date.ts'
import { type Decimal, isPositive, sum } from '#kernel/values/decimal.ts'
import {
  customer,
  draftRefund,
  type Side,
  supplier,
} from '#modules/finance/payments/advances/advance-balance.server.ts'
import { createAndReview } from '#server/public/actions.ts'
import { definitionOf } from '#server/public/drafts.ts'
import type { ActionContext } from '#server/public/hooks.ts'
import { systemSession } from '#server/public/session.ts'

type Part = { readonly line_no: number; readonly amount: Decimal }

/**
 * The side on which settled money of a document becomes money in advance, and its source type there: both taken from
 * the transfers' definitions.
 */
function turned(kind: string): { readonly side: Side; readonly type: number } {
  const known = [supplier, customer].flatMap(side =>
    definitionOf(side.transfer).sourcing!.sources!.flatMap(({ from, sourceType }) =>
      from === kind ? [{ side, type: sourceType }] : [],
    ),
  )
  return known[0]!
}

/** The line of an opening whose money becomes an advance; null for the whole document. */
const turnedLine = ({ doc }: ActionContext): number | null =>
  (byName(doc).turned_line as number | null | undefined) ?? null

/** The settled amounts of an invoice or an opening, line by line, each in its own sign. */
const settledParts = (ctx: ActionContext) => ctx.tx<Part[]>`
  select line_no, taken::numeric(18,2) as amount from line_progress
   where org_id = ${ctx.session.org.id} and document_id = ${ctx.doc.id} and line_no > 0 and purpose = 'pay'
     and taken <> 0 and line_no = coalesce(${turnedLine(ctx)}::int, line_no)
   order by line_no`

/** The part of a receipt that is matched with no invoice and that nothing else took since. */
const leftParts = ({ tx, session, doc }: ActionContext) => tx<Part[]>`
  select l.line_no, (l.taxed_amount - coalesce(g.taken, 0))::numeric(18,2) as amount
    from document_line l left join line_progress g on g.org_id = l.org_id and g.document_id = l.document_id
      and g.line_no = l.line_no and g.purpose = 'offset'
   where l.org_id = ${session.org.id} and l.document_id = ${doc.id} and l.source_line_no is null
     and l.taxed_amount > coalesce(g.taken, 0)
   order by l.line_no`

const isOpening = (doc: { readonly kind: string }): boolean => doc.kind.startsWith('opening')

/** The name of the document for users: 发票, 期初应付, with its number and, if one was chosen, its line. */
const nameOf = (ctx: ActionContext): string => {
  const { doc, definition } = ctx
  if (!isOpening(doc)) return `发票${doc.sn}`
  const line = turnedLine(ctx)
  return `${definition.title}${doc.sn}${line === null ? '' : `第${line}行`}`
}

async function partsOf(ctx: ActionContext): Promise<readonly Part[]> {
  const { doc } = ctx
  const parts = doc.kind === 'receipt' ? await leftParts(ctx) : await settledParts(ctx)
  if (parts.length === 0)
    throw new BusinessError(
      'rule',
      doc.kind === 'receipt' ? `${doc.sn}没有未核销的余额` : `${nameOf(ctx)}没有已结的金额`,
    )
  return parts
}

/**
 * Money in advance is the amount that was paid: if lines of both signs were settled, it is their difference. A credit
 * that was only set off brought no money.
 */
function paidOf(ctx: ActionContext, parts: readonly Part[]): Decimal {
  const paid = sum(
    parts.map(({ amount }) => amount),
    2,
  )
  if (!isPositive(paid))
    throw new BusinessError('rule', `${nameOf(ctx)}已结的金额合计${paid}，没有付出的款可转，请取消核销后再办理`)
  return paid
}

/** Creates the advance, and the document that fills it from `ctx.doc`. Returns the advance's number. */
async function turn(ctx: ActionContext, orderSn: string | null): Promise<string> {
  const { tx, session, doc, reason } = ctx
  const { side, type } = turned(doc.kind)
  const by = { ...systemSession(session.org), userName: session.userName }
  const parts = await partsOf(ctx)
  const paid = paidOf(ctx, parts)
  const named = `${ctx.definition.title}${doc.sn}`
  const remark = reason ? `${named}转入：${reason}` : `${named}转入`
  const origin = doc.kind === 'receipt' ? 'receipt' : isOpening(doc) ? 'opening' : 'invoice'
  const head = { counterparty_sn: doc.counterparty_sn, turned_from: doc.sn, remark }
  const own =
    side.advance === 'prepayment'
      ? { purpose_text: `${named}已付款转预付` }
      : { origin, order_sn: orderSn, paid_on: (byName(doc).paid_on as string | null | undefined) ?? today() }
  const summary_text =
    doc.kind === 'receipt'
      ? '收款余额'
      : isOpening(doc)
        ? nameOf(ctx)
        : `发票${String(byName(doc).invoice_no ?? doc.sn)}`
  const lines = [{ summary_text, taxed_amount: paid }]
  const advance = await createAndReview(tx, by, side.advance, { ...head, ...own }, lines)
  await createAndReview(
    tx,
    by,
    side.transfer,
    { source_sn: doc.sn, source_type: type, origin, remark },
    parts.map(({ line_no, amount }) => ({
      source_sn: doc.sn,
      source_line_no: line_no,
      taxed_amount: amount,
      advance_sn: advance,
      advance_line_no: 1,
    })),
  )
  if (turnedLine(ctx) !== null) await patchDocument(tx, session, doc, { turned_line: null }, 'derived')
  return advance
}

const orderOf = ({ doc }: ActionContext): string | null =>
  (byName(doc).turned_order as string | null | undefined) || null

/** 转预付, 转预收: the money stays with the partner, for other invoices. */
export async function turnToAdvance(ctx: ActionContext): Promise<void> {
  await turn(ctx, orderOf(ctx))
}

/** 退款: the same, with a draft of the refund for the bank's slip. */
export async function turnToRefund(ctx: ActionContext): Promise<void> {
  const { tx, session, doc } = ctx
  const { side } = turned(doc.kind)
  const sn = await turn(ctx, null)
  await draftRefund(tx, session, side, await loadDocument(tx, session.org.id, definitionOf(side.advance), sn))
}

/**
 * A payment, a receipt or an offset cannot be taken back once the money it settled with became money in advance: it
 * does not settle the invoice any more.
 */
export async function refuseTurned({ tx, session, doc, spec }: ActionContext): Promise<void> {
  const [row] = await tx<{ named: string; sn: string }[]>`
    select case when i.kind like 'opening%' then document_title(i.kind) || i.sn
        else '发票' || coalesce(i.fields->>'invoice_no', i.sn) end as named, t.sn
      from document_line l
      left join document_line a on a.org_id = l.org_id and a.document_id = l.source_document_id
        and a.line_no = l.source_line_no and ${doc.kind} = 'payment'
      join document i on i.org_id = l.org_id and i.id = coalesce(a.source_document_id, l.source_document_id)
      join line_progress g on g.org_id = i.org_id and g.document_id = i.id
        and g.line_no = coalesce(a.source_line_no, l.source_line_no) and g.purpose = 'pay'
      join document_line x on x.org_id = i.org_id and x.source_document_id = i.id
      join document t on t.org_id = x.org_id and t.id = x.document_id
        and t.kind = any(${[supplier.transfer, customer.transfer]}) and t.state = 'reviewed'
     where l.org_id = ${session.org.id} and l.document_id = ${doc.id} and abs(g.taken) < abs(l.taxed_amount)
     order by t.id desc limit 1`
  if (row)
    throw new BusinessError(
      'blocked',
      `${row.named}的款已转为预付预收（${row.sn}），不能${spec.label}；请先用转出的款核销它，或撤销转入`,
    )
}

/** Refuses to match on the receipt the rest that became a prereceipt: it is matched on the prereceipt. */
export async function refuseTurnedRest({ tx, session, doc, spec }: ActionContext): Promise<void> {
  const [row] = await tx<{ sn: string }[]>`
    select t.sn from document_line x join document t on t.org_id = x.org_id and t.id = x.document_id
     where x.org_id = ${session.org.id} and x.source_document_id = ${doc.id} and t.kind = 'prereceiptTransfer'
       and t.state = 'reviewed' limit 1`
  if (row)
    throw new BusinessError('blocked', `余额已转为预收款单（${row.sn}），不能${spec.label}，请在预收款管理中核销`)
}

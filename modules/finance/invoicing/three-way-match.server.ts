import { byName, patchDocument, patchLines } from '#server/public/documents.ts'
import { absolute, compare, type Decimal, divide, isZero, multiply, plain, subtract } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { worthOfLines } from '#modules/finance/invoicing/matched-lines.server.ts'
import type { ActionContext } from '#server/public/hooks.ts'

/** A smaller difference of a line's amount counts as rounding. */
const ONE_CENT = '0.01'

/** An invoice's line beside the order and the receipt that it belongs to; prices in the unit of the line, with tax. */
type Compared = {
  readonly line_no: number
  readonly product_name: string
  readonly price: Decimal
  readonly taxed_amount: Decimal
  readonly order_sn: string | null
  readonly order_price: Decimal | null
  readonly receipt_price: Decimal
  /** The line's quantity at the order's price, if that is not the receipt's; otherwise at the receipt's. */
  readonly amount: Decimal
  readonly is_priced_as_received: boolean
  readonly ordered: Decimal | null
  /** Base units that all invoices, this one included, invoiced on that line of the order. */
  readonly invoiced: Decimal | null
  /** The quantity invoiced beyond the order's, at the order's price; null if the order has no price. */
  readonly over_amount: Decimal | null
}
/** The invoice to compare, and the settings by which it is compared. */
export type Invoice = Pick<ActionContext, 'tx' | 'session' | 'definition' | 'doc' | 'settings'>

/** One statement, whatever the number of lines. */
const factsOf = ({ tx, session, doc }: Invoice) => tx<Compared[]>`
  select x.*, case when x.order_base_price <> 0 then round((x.invoiced - x.ordered) * x.order_base_price, 2) end
           as over_amount
    from (
  select l.line_no, p.name as product_name, l.price, l.taxed_amount, o.sn as order_sn,
         round(case when ol.base_quantity <> 0 and l.quantity <> 0
           then ol.price * ol.quantity / ol.base_quantity * l.base_quantity / l.quantity end, 4) as order_price,
         round(s.price * s.quantity / s.base_quantity * l.base_quantity / l.quantity, 4) as receipt_price,
         round(coalesce(case when ol.base_quantity <> 0 then ol.price * ol.quantity / ol.base_quantity end,
           s.price * s.quantity / s.base_quantity) * l.base_quantity, 2) as amount,
         coalesce(ol.base_quantity = 0 or abs(ol.price * ol.quantity / nullif(ol.base_quantity, 0)
           - s.price * s.quantity / s.base_quantity) < 0.000001, true) as is_priced_as_received,
         case when ol.base_quantity <> 0 then ol.price * ol.quantity / ol.base_quantity end as order_base_price,
         ol.base_quantity as ordered,
         case when ol.line_no is not null then (
           select coalesce(sum(g.taken), 0) from document_line r join line_progress g on g.org_id = r.org_id
             and g.document_id = r.document_id and g.line_no = r.line_no and g.purpose = 'invoice'
            where r.org_id = s.org_id and r.order_document_id = s.order_document_id
              and r.order_line_no = s.order_line_no)
           + sum(l.base_quantity) filter (where ol.line_no is not null)
               over (partition by s.order_document_id, s.order_line_no) end as invoiced
    from document_line l
    join document_line s on s.org_id = l.org_id and s.document_id = l.source_document_id
      and s.line_no = l.source_line_no
    join specification z on z.id = l.specification_id join product p on p.id = z.product_id
    left join document_line ol on ol.org_id = s.org_id and ol.document_id = s.order_document_id
      and ol.line_no = s.order_line_no
    left join document o on o.org_id = ol.org_id and o.id = ol.document_id
   where l.org_id = ${session.org.id} and l.document_id = ${doc.id} and l.quantity > 0 and s.base_quantity <> 0) x
   order by x.line_no`

/**
 * If the receipt has the order's price, a line is worth what is left of the receipt's amount, its last cents included.
 */
async function compared(invoice: Invoice): Promise<readonly Compared[]> {
  const lines = await factsOf(invoice)
  if (lines.length === 0) return lines
  const worth = await worthOfLines(invoice)
  return lines.map(line =>
    line.is_priced_as_received ? { ...line, amount: worth.get(line.line_no) ?? line.amount } : line,
  )
}

const percent = (fraction: Decimal): string => `${plain(multiply(fraction, '100', 2))}%`
/** How far a price is from another, as a fraction of it. */
const gapOf = (price: Decimal, from: Decimal): Decimal =>
  isZero(from) ? '0.0000' : divide(subtract(price, from, 4), from, 4)
/**
 * True if a value differs from another by more than the tolerance, in percent of it; exactly the tolerance is allowed.
 */
const beyond = (value: Decimal, from: Decimal, tolerance: Decimal): boolean =>
  compare(multiply(absolute(subtract(value, from, 4)), '100', 6), multiply(absolute(from), tolerance, 6)) > 0
const isMoreThanACent = (amount: Decimal): boolean => compare(absolute(amount), ONE_CENT) > 0

/**
 * The difference between a line's price or amount and the ordered, else the received one, beyond the tolerance and a
 * cent.
 */
function priceDifference(line: Compared, tolerance: Decimal): readonly string[] {
  const { price, taxed_amount, amount, order_sn, order_price, receipt_price } = line
  const more = subtract(taxed_amount, amount, 2)
  if (!isMoreThanACent(more) || !beyond(taxed_amount, amount, tolerance)) return []
  const [from, of] = order_price ? [order_price, `订单${order_sn}`] : [receipt_price, '入库']
  const far = isZero(amount) ? `${plain(absolute(more))}元` : percent(gapOf(taxed_amount, amount))
  const [what, is, was] = compare(price, from) === 0 ? ['金额', taxed_amount, amount] : ['单价', price, from]
  return [`${named(line)}开票${what}${plain(is)}元，${of}${what}${plain(was)}元，相差${far}`]
}

/** The quantity invoiced beyond that of the order's line, beyond the tolerance and a cent's worth. */
function quantityDifference(line: Compared, tolerance: Decimal): readonly string[] {
  const { ordered, invoiced, over_amount, order_sn } = line
  if (!ordered || !invoiced || compare(invoiced, ordered) <= 0) return []
  if (!beyond(invoiced, ordered, tolerance) || (over_amount !== null && !isMoreThanACent(over_amount))) return []
  const over = `超出${percent(gapOf(invoiced, ordered))}`
  return [`${named(line)}累计开票${plain(invoiced)}，订单${order_sn}数量${plain(ordered)}，${over}`]
}
const named = ({ line_no, product_name }: Compared): string => `第${line_no}行【${product_name}】`

/** The differences beyond the tolerances, each in a sentence; empty if the organisation compares nothing. */
const differences = (lines: readonly Compared[], price: Decimal | '', quantity: Decimal | ''): readonly string[] =>
  lines.flatMap(line => [
    ...(price === '' ? [] : priceDifference(line, price)),
    ...(quantity === '' ? [] : quantityDifference(line, quantity)),
  ])

const toleranceOf = ({ settings }: Invoice) =>
  [settings.invoice_price_gap, settings.invoice_quantity_gap] as readonly [Decimal | '', Decimal | '']

/**
 * 三单匹配, when an invoice is submitted or comes from its supplier: stores its differences, line by line and in words,
 * before anybody reviews it.
 */
export async function keepMatch(invoice: Invoice): Promise<void> {
  const { tx, session, doc } = invoice
  const lines = await compared(invoice)
  const found = differences(lines, ...toleranceOf(invoice))
  const values = lines.map(({ line_no, price, order_price, receipt_price }) => ({
    line_no,
    values: { order_price, price_gap: gapOf(price, order_price ?? receipt_price) },
  }))
  if (values.length > 0) await patchLines(tx, session, doc, values, 'withAction')
  const said = found.join('；').slice(0, 2000)
  const state = found.length > 0 ? 'beyond' : 'within'
  await patchDocument(
    tx,
    session,
    doc,
    { match_state: state, match_note: said || null, match_approved_by: null, match_opinion: null },
    'withAction',
  )
}

/** Beyond the tolerances a second person must agree, who is neither the author nor the reviewer. */
export async function needsSecondPerson(ctx: ActionContext): Promise<void> {
  const [price, quantity] = toleranceOf(ctx)
  if (price === '' && quantity === '') return
  const found = differences(await compared(ctx), price, quantity)
  const { doc, session } = ctx
  if (found.length === 0) return
  if (byName(doc).match_state !== 'approved')
    throw new BusinessError('rule', `${found[0]}，超出容差，须由第二人差异审核`)
  const [approval] = await ctx.tx<{ user_id: string }[]>`
    select actor_id as user_id from document_history where org_id = ${session.org.id} and document_id = ${doc.id}
      and action = 'approveMatch' order by seq desc limit 1`
  if (approval?.user_id === session.userId && session.userId !== '0')
    throw new BusinessError('rule', '差异审核人不能再审核该发票，请由他人审核')
}

/** Refuses an approval of an invoice without differences. */
export async function refuseNoDifference(ctx: ActionContext): Promise<void> {
  if (differences(await compared(ctx), ...toleranceOf(ctx)).length === 0)
    throw new BusinessError('rule', '该发票没有超出容差的差异')
}

/** 差异审核: the person who agreed, and the reason. */
export async function keepApproval({ tx, session, doc, reason }: ActionContext): Promise<void> {
  const agreed = { match_state: 'approved', match_approved_by: session.userName, match_opinion: reason }
  await patchDocument(tx, session, doc, agreed, 'withAction')
}

import { absolute, compare, type Decimal, divide, isZero, multiply, plain, subtract } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { patchDocument, patchLines } from '#server/public/documents.ts'
import type { ActionContext } from '#server/public/hooks.ts'

/** An invoice's line beside the order and the receipt behind it; prices in the unit of the line, with tax. */
type Compared = {
  readonly line_no: number
  readonly product_name: string
  readonly price: Decimal
  readonly order_sn: string | null
  readonly order_price: Decimal | null
  readonly receipt_price: Decimal
  readonly ordered: Decimal | null
  /** Base units invoiced on that line of the order by everything, this invoice included. */
  readonly invoiced: Decimal | null
}

/** Two statements' worth of facts in one, whatever the number of lines. */
const compared = ({ tx, session, doc }: ActionContext) => tx<Compared[]>`
  select l.line_no, p.name as product_name, l.price, o.sn as order_sn,
         round(case when ol.base_quantity <> 0 and l.quantity <> 0
           then ol.price * ol.quantity / ol.base_quantity * l.base_quantity / l.quantity end, 4) as order_price,
         round(s.price * s.quantity / s.base_quantity * l.base_quantity / l.quantity, 4) as receipt_price,
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
   where l.org_id = ${session.org.id} and l.document_id = ${doc.id} and l.quantity > 0 and s.base_quantity <> 0
   order by l.line_no`

const percent = (fraction: Decimal): string => `${plain(multiply(fraction, '100', 2))}%`
/** How far a price is from another, as a fraction of it. */
const gapOf = (price: Decimal, from: Decimal): Decimal =>
  isZero(from) ? '0.0000' : divide(subtract(price, from, 4), from, 4)
/** Whether a value is further from another than the tolerance, in percent of it: at the tolerance exactly it is not. */
const beyond = (value: Decimal, from: Decimal, tolerance: Decimal): boolean =>
  !isZero(from) &&
  compare(multiply(absolute(subtract(value, from, 4)), '100', 6), multiply(absolute(from), tolerance, 6)) > 0

/** What is beyond the tolerances, each in a sentence; nothing where the organisation set none. */
function differences(lines: readonly Compared[], price: Decimal | '', quantity: Decimal | ''): readonly string[] {
  return lines.flatMap(line => {
    const said: string[] = []
    const [from, of] = line.order_price ? [line.order_price, `订单${line.order_sn}`] : [line.receipt_price, '入库']
    const gap = gapOf(line.price, from)
    const named = `第${line.line_no}行【${line.product_name}】`
    if (price !== '' && beyond(line.price, from, price))
      said.push(`${named}开票单价${plain(line.price)}元，${of}单价${plain(from)}元，相差${percent(gap)}`)
    const { ordered, invoiced } = line
    if (quantity === '' || !ordered || !invoiced || compare(invoiced, ordered) <= 0) return said
    if (beyond(invoiced, ordered, quantity))
      said.push(
        `${named}累计开票${plain(invoiced)}，订单${line.order_sn}数量${plain(ordered)}，超出${percent(gapOf(invoiced, ordered))}`,
      )
    return said
  })
}

const toleranceOf = ({ settings }: ActionContext) =>
  [settings.invoice_price_gap, settings.invoice_quantity_gap] as readonly [Decimal | '', Decimal | '']

/** 三单匹配 at submit: what differs stands on the invoice, line by line and in words, before anybody reviews it. */
export async function keepMatch(ctx: ActionContext): Promise<void> {
  const { tx, session, doc } = ctx
  const lines = await compared(ctx)
  const found = differences(lines, ...toleranceOf(ctx))
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

/** Beyond the tolerances a second person agrees, who is neither the author nor who reviews. */
export async function needsSecondPerson(ctx: ActionContext): Promise<void> {
  const [price, quantity] = toleranceOf(ctx)
  if (price === '' && quantity === '') return
  const found = differences(await compared(ctx), price, quantity)
  const { doc, session } = ctx
  if (found.length === 0) return
  if (doc.match_state !== 'approved') throw new BusinessError('rule', `${found[0]}，超出容差，须由第二人差异审核`)
  const [approval] = await ctx.tx<{ user_id: string }[]>`
    select actor_id as user_id from document_history where org_id = ${session.org.id} and document_id = ${doc.id}
      and action = 'approveMatch' order by seq desc limit 1`
  if (approval?.user_id === session.userId && session.userId !== '0')
    throw new BusinessError('rule', '差异审核人不能再审核该发票，请由他人审核')
}

/** 差异审核: who agreed, and why. */
export async function keepApproval({ tx, session, doc, reason }: ActionContext): Promise<void> {
  const agreed = { match_state: 'approved', match_approved_by: session.userName, match_opinion: reason }
  await patchDocument(tx, session, doc, agreed, 'withAction')
}

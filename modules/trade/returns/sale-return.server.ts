import {
  byName,
  loadDocuments,
  ofKind,
  patchDocument,
  replaceLines,
  type StoredDocument,
  type StoredLine,
  type TypedDocument,
  type TypedLine,
} from '#server/public/documents.ts'
import { saleReturn } from '#modules/trade/returns/sale-return.doc.ts'
import { type ActionContext, atReviewOnly, type ContextOf, documentHooks } from '#server/public/hooks.ts'
import {
  compare,
  type Decimal,
  isNegative,
  isPositive,
  isZero,
  plain,
  share,
  subtract,
  sum,
} from '#kernel/values/decimal.ts'
import { today } from '#kernel/values/date.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { withRedNeed } from '#modules/trade/returns/red-need.server.ts'
import { specificationFacts } from '#modules/base/items/item-data.server.ts'
import { enqueueMessage } from '#server/public/intercompany.ts'
import { employeeOf } from '#server/public/organisations.ts'

type Context = ContextOf<typeof saleReturn>
type SaleReturn = TypedDocument<typeof saleReturn>
type Line = TypedLine<typeof saleReturn>

const refusedOf = (line: Line): Decimal => (line.refused_quantity as Decimal | null | undefined) ?? '0'
const refuse = (line: StoredLine, field: string, msg: string): never => {
  throw new BusinessError('rule', msg, [{ line: line.line_no, field, msg }])
}

/** The documents behind the lines: our deliveries, or what the customer returned. */
async function sourcesOf({ tx, session, doc }: ActionContext): Promise<Map<string, StoredDocument>> {
  const ids = doc.lines.flatMap(line => (line.source_document_id ? [line.source_document_id] : []))
  return new Map((await loadDocuments(tx, session.org.id, [...new Set(ids)])).map(source => [source.id, source]))
}

const sourceLine = (sources: ReadonlyMap<string, StoredDocument>, line: StoredLine): StoredLine | undefined =>
  sources.get(line.source_document_id ?? '')?.lines.find(candidate => candidate.line_no === line.source_line_no)

/** True if the customer was sent our delivery: then the customer is responsible for the goods it has. */
async function wasNotified({ tx, session, doc }: ActionContext, deliveries: readonly string[]): Promise<boolean> {
  const rows = await tx`
    select 1 from intercompany_message
      where org_id = ${session.org.id} and document_id = any(${deliveries as string[]}::bigint[])
      and to_org_id = ${doc.counterparty_sn} and message = 'document' limit 1`
  return rows.length > 0
}

/** A customer on the platform returns no more of goods that it never received than it refused of them. */
async function refuseMoreThanRefused(ctx: ActionContext): Promise<void> {
  const { tx, session, doc } = ctx
  const rows = await tx<{ document_id: string; line_no: number; free: Decimal }[]>`
    select l.document_id, l.line_no,
           (coalesce((select sum(g.taken) from line_progress g
             where g.org_id = l.org_id and g.document_id = l.document_id and g.line_no = l.line_no
             and g.purpose in ('refuse', 'reject')), 0)
          - coalesce((select sum(x.base_quantity) from document_line x join document r on r.org_id = x.org_id
            and r.id = x.document_id
                       where x.org_id = l.org_id and x.source_document_id = l.document_id
                         and x.source_line_no = l.line_no and r.kind = 'saleReturn'
                         and r.state in ('reviewed', 'partial', 'completed', 'reversed') and r.id <> ${doc.id}),
                         0))::numeric(18,3) as free
      from document_line l
        where l.org_id = ${session.org.id}
        and l.document_id = any(${doc.lines.map(line => line.source_document_id!)}::bigint[])`
  for (const line of doc.lines) {
    const row = rows.find(
      candidate => candidate.document_id === line.source_document_id && candidate.line_no === line.source_line_no,
    )
    if (!row || compare(line.base_quantity, row.free) <= 0) continue
    const left = isNegative(row.free) ? '0' : plain(row.free)
    refuse(line, 'quantity', `第${line.line_no}行：退货数量不能大于客户拒收数量${left}，其余请由客户提交采购退货单`)
  }
}

/** The way the goods come back decides where they are moved from. */
async function wayOf(
  ctx: ActionContext,
  sources: ReadonlyMap<string, StoredDocument>,
): Promise<'customer' | 'door' | 'absent'> {
  if ([...sources.values()].some(source => source.role === 'counterparty')) return 'customer'
  return (await wasNotified(ctx, [...sources.keys()])) ? 'door' : 'absent'
}

/** The quantity that is forwarded to the customer, in base units. */
const awayOf = (line: Line, from: StoredLine): Decimal =>
  line.unit_inner_sn !== null && line.unit_inner_sn === from.unit_inner_sn
    ? share(from.base_quantity, refusedOf(line), from.quantity, 3)
    : refusedOf(line)

/**
 * The value of what stays is the returned value less the share of what is forwarded, so that both parts add up to
 * the whole to the cent.
 */
function withRestAmounts(line: Line, from: StoredLine | undefined): Line {
  if (!from || !isPositive(refusedOf(line)) || isZero(line.quantity)) return line
  const away = awayOf(line, from)
  const worth = (amount: Decimal) => subtract(amount, share(amount, away, from.base_quantity, 2), 2)
  const [taxed, untaxed] = [worth(from.taxed_amount), worth(from.untaxed_amount)]
  return { ...line, taxed_amount: taxed, untaxed_amount: untaxed, tax_amount: subtract(taxed, untaxed, 2) }
}

async function prepareSubmit(ctx: Context): Promise<SaleReturn> {
  const { tx, session, definition, doc } = ctx
  const sources = await sourcesOf(ctx)
  const way = await wayOf(ctx, sources)
  const lines = way === 'customer' ? doc.lines.map(line => withRestAmounts(line, sourceLine(sources, line))) : doc.lines
  await replaceLines(tx, session.org.id, definition, doc.id, lines)
  // Goods that were never received are already open on their order, so no exchange is needed.
  const said = { return_way: way, is_exchange: doc.is_exchange === true && way !== 'door' }
  await patchDocument(tx, session, doc, said, 'withAction')
  return { ...doc, ...said, lines }
}

/**
 * Only coded pieces that were sold may come back; and goods are forwarded to a customer only if it returned them
 * itself.
 */
async function checkLines(ctx: Context): Promise<void> {
  const { doc } = ctx
  const sources = await sourcesOf(ctx)
  for (const line of doc.lines) {
    const from = sourceLine(sources, line)
    const outsider =
      from && from.unit_codes.length > 0 ? line.unit_codes.find(code => !from.unit_codes.includes(code)) : undefined
    if (outsider) refuse(line, 'unit_codes', `院内码${outsider}：该产品非本客户购买`)
    if (!isPositive(refusedOf(line))) continue
    if (doc.return_way !== 'customer') refuse(line, 'refused_quantity', `第${line.line_no}行：只有客户退货单可以拒收`)
    if (from && compare(sum([line.base_quantity, awayOf(line, from)], 3), from.base_quantity) !== 0)
      refuse(
        line,
        'refused_quantity',
        `第${line.line_no}行：部分拒收时，退货数量与拒收数量之和应为客户退货数量${plain(from.quantity)}`,
      )
  }
  if (doc.return_way === 'door') await refuseMoreThanRefused(ctx)
}

/** Opened goods and goods that became warm are not good again. */
async function refuseUnfit({ tx, session, doc }: Context): Promise<void> {
  const facts = await specificationFacts(
    tx,
    doc.lines.map(line => line.specification_sn!),
    { org: session.org.id, counterparty: null, direction: 'none', day: doc.business_date },
  )
  for (const line of doc.lines) {
    const fact = facts.get(line.specification_sn!)
    const bad = (line.unqualified_quantity as Decimal | null | undefined) ?? '0'
    if (!fact || !isPositive(subtract(line.quantity, bad, 3))) continue
    if (fact.is_cold_chain && !doc.arrival_temperature)
      refuse(line, 'qualified_quantity', `第${line.line_no}行：冷链产品无温度记录，不能验收为合格`)
    if (fact.is_sterile && line.is_unpacked === true)
      refuse(line, 'qualified_quantity', `第${line.line_no}行：无菌产品已拆封，不能验收为合格`)
  }
}

/** The inspector, the time and the result are recorded on the document. */
async function keepConclusion({ tx, session, doc }: Context): Promise<void> {
  const total = (name: string) =>
    sum(
      doc.lines.map(line => (byName(line)[name] as Decimal | null | undefined) ?? '0'),
      3,
    )
  const [all, bad, away] = [total('quantity'), total('unqualified_quantity'), total('refused_quantity')]
  const conclusion = isZero(all)
    ? 'refused'
    : isZero(bad) && isZero(away)
      ? 'qualified'
      : compare(bad, all) === 0
        ? 'unqualified'
        : 'partly'
  const inspector = (doc.inspector_inner_sn as string | null) ?? (await employeeOf(tx, session))
  const value = {
    conclusion,
    inspected_on: (doc.inspected_on as string | null) ?? today(),
    ...(inspector ? { inspector_inner_sn: inspector } : {}),
  }
  await patchDocument(tx, session, doc, value, 'withAction')
}

/** Goods come back at the cost they left with. */
async function withCosts(ctx: Context, doc: SaleReturn): Promise<SaleReturn> {
  const { tx, session } = ctx
  if (doc.regime === 'consigned' || doc.return_way === 'door') return doc
  const behind = (line: Line) =>
    line.delivery_document_id && doc.return_way === 'customer'
      ? ([line.delivery_document_id, line.delivery_line_no] as const)
      : ([line.source_document_id, line.source_line_no] as const)
  const ids = [...new Set(doc.lines.flatMap(line => behind(line)[0] ?? []))]
  const rows = await tx<{ document_id: string; line_no: number; quantity: Decimal; value: Decimal }[]>`
    select document_id, line_no, -sum(quantity) as quantity, -sum(value) as value from stock_move
     where org_id = ${session.org.id} and document_id = any(${ids}::bigint[]) and step = 'ship' and quantity < 0
       group by 1, 2`
  return {
    ...doc,
    lines: doc.lines.map(line => {
      const [id, no] = behind(line)
      const left = rows.find(row => row.document_id === id && row.line_no === no)
      return {
        ...line,
        cost_amount: left ? share(left.value, line.base_quantity, left.quantity, 2) : line.untaxed_amount,
      }
    }),
  }
}

/** The customer sees on its document what was not accepted, and why. */
async function notifyCustomer({ tx, session, doc }: Context): Promise<void> {
  const refused = doc.lines.filter(line => isPositive(refusedOf(line)))
  if (refused.length === 0 || !doc.source_sn || !doc.counterparty_sn) return
  const reason = refused
    .map(
      line =>
        `【${line.product_name ?? ''}】批号${line.lot_no ?? ''}拒收${plain(refusedOf(line))}：` +
        `${String(line.refuse_reason ?? '')}`,
    )
    .join('；')
  await enqueueMessage(tx, session, doc.counterparty_sn, doc.id, {
    message: 'act',
    kind: 'purchaseReturn',
    sn: doc.source_sn,
    action: 'refuseReturn',
    label: '供应商拒收部分退货',
    reason,
    actor: session.userName,
    sets: { refuse_note: reason },
  })
}

export const saleReturnRules = documentHooks(saleReturn, {
  prepare: {
    submit: prepareSubmit,
    review: async ctx => withCosts(ctx, ofKind(saleReturn, await withRedNeed(ctx, 'saleOdo', 'outboundInvoice'))),
  },
  validate: {
    submit: checkLines,
    inspect: refuseUnfit,
    review: [checkLines, atReviewOnly(refuseUnfit)],
  },
  afterAction: { inspect: keepConclusion, review: notifyCustomer },
})

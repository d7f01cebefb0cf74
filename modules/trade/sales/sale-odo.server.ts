import { saleOdo } from '#modules/trade/sales/sale-odo.doc.ts'
import { type ActionContext, atReviewOnly, type ContextOf, documentHooks } from '#server/public/hooks.ts'
import { patchDocument, replaceLines, type TypedDocument } from '#server/public/documents.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { shipmentPrint } from '#modules/trade/shipping/shipment-print.server.ts'
import { needsApprovedCustomer } from '#modules/base/checks/initial-approval.server.ts'
import { mustBeAuthorised } from '#modules/trade/licensing/authorised-sale.server.ts'
import { checkScope } from '#modules/trade/licensing/business-scope.server.ts'
import { mustBeConfirmed } from '#modules/trade/sales/advance-sale-lines.server.ts'
import { netSettlementLines, openSettlementLines } from '#modules/finance/settlement/settlement-lines.server.ts'
import { ofAnothersMaking, refuseWithoutInvoice, twoInvoicesOf } from '#modules/base/checks/two-invoice-rule.server.ts'
import { policyOfOrganisation } from '#modules/trade/sales/organisation-policy.server.ts'
import { hasAccount } from '#server/public/intercompany.ts'
import { specificationFacts } from '#modules/base/items/item-data.server.ts'
import { employeeOf } from '#server/public/organisations.ts'

type Context = ContextOf<typeof saleOdo>
type SaleOdo = TypedDocument<typeof saleOdo>

/** 双人复核: outgoing goods are rechecked by someone other than the picker before they leave. */
async function needsRecheck(ctx: Context): Promise<void> {
  const { tx, session, doc, settings } = ctx
  if (settings.double_recheck === 'off') return
  const facts = await specificationFacts(
    tx,
    doc.lines.map(line => line.specification_sn!),
    { org: session.org.id, counterparty: null, direction: 'none', day: doc.business_date },
  )
  const careful = [...facts.values()].some(
    fact => settings.double_recheck === 'all' || fact.is_implant || fact.is_cold_chain,
  )
  if (careful && !doc.rechecker_inner_sn) throw new BusinessError('rule', '请先完成出库复核')
  if (careful && doc.rechecker_inner_sn === doc.picker_inner_sn && doc.picker_inner_sn)
    throw new BusinessError('rule', '复核人与拣货人不能为同一人')
}

/** Numbers of the invoices we received over lots, the newest for each. */
async function invoicesOver(
  { tx, session }: ActionContext,
  lots: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await tx<{ lot_id: string; invoice_no: string }[]>`
    select distinct on (l.lot_id) l.lot_id, coalesce(d.fields->>'invoice_no', d.sn) as invoice_no
      from document_line l join document d on d.org_id = l.org_id and d.id = l.document_id
     where l.org_id = ${session.org.id} and d.kind = 'inboundInvoice' and d.role = 'own' and d.red_of_id is null
       and d.state in ('reviewed', 'partial', 'completed')
       and l.lot_id = any(${lots as string[]}::bigint[]) order by l.lot_id, d.id desc`
  return new Map(rows.map(row => [row.lot_id, row.invoice_no]))
}

/**
 * Goods made by others carry the number of the manufacturer's invoice to us, if one is on file for their lot: the
 * customer gets it with the goods.
 */
async function withUpstreamInvoices(ctx: Context): Promise<SaleOdo> {
  const { tx, session, definition, doc } = ctx
  const bare = doc.lines.filter(line => !line.upstream_invoice_no && line.lot_id)
  const foreign = await ofAnothersMaking(ctx, bare, session.org.id)
  const found =
    foreign.length > 0 ? await invoicesOver(ctx, [...new Set(foreign.map(({ line }) => line.lot_id!))]) : null
  if (!found || found.size === 0) return doc
  const lines = doc.lines.map(line =>
    foreign.some(one => one.line === line) ? { ...line, upstream_invoice_no: found.get(line.lot_id!) ?? null } : line,
  )
  await replaceLines(tx, session.org.id, definition, doc.id, lines)
  return { ...doc, lines }
}

/**
 * 两票制, where we or the customer have it switched on: goods made by others leave with the number of the manufacturer's
 * invoice to us. Only this requirement is visible of the customer's rules.
 */
async function needsUpstreamInvoice(ctx: Context): Promise<void> {
  const { tx, session, doc, settings } = ctx
  const bare = doc.lines.filter(line => !line.upstream_invoice_no)
  const foreign = await ofAnothersMaking(ctx, bare, session.org.id)
  if (foreign.length === 0 || !doc.counterparty_sn) return
  const goods = foreign.map(({ line }) => line.specification_sn!)
  const organisation = (await hasAccount(tx, doc.counterparty_sn)) ? doc.counterparty_sn : null
  const asks = organisation
    ? await policyOfOrganisation(tx, session, organisation, { rule: 'twoInvoice', goods, say: twoInvoicesOf })
    : null
  const ours = twoInvoicesOf(settings)
  refuseWithoutInvoice(
    ctx,
    foreign.map(({ line, isHighValue }) => {
      const how = [ours(isHighValue), asks?.(line.specification_sn!)(isHighValue) ?? 'off']
      return {
        line: line.line_no,
        field: 'upstream_invoice_no',
        how: how.includes('refuse') ? 'refuse' : how.includes('warn') ? 'warn' : 'off',
        msg: `【${line.product_name ?? ''}】缺少上游发票，不符合两票制要求`,
      }
    }),
  )
}

/** 出库复核 is part of the review: the reviewer becomes 复核人 if no one rechecked before. */
async function keepRecheck(ctx: Context): Promise<void> {
  const { tx, session, doc } = ctx
  if (doc.rechecker_inner_sn) return
  const employee = await employeeOf(tx, session)
  const value = { ...(employee ? { rechecker_inner_sn: employee } : {}), recheck_result: 'passed' }
  await patchDocument(tx, session, doc, value, 'withAction')
}

export const saleOdoRules = documentHooks(saleOdo, {
  printFields: shipmentPrint,
  prepare: { submit: withUpstreamInvoices },
  validate: {
    submit: [needsApprovedCustomer, mustBeAuthorised, mustBeConfirmed, needsUpstreamInvoice, checkScope],
    // Goods are rechecked while the delivery waits.
    review: [mustBeAuthorised, mustBeConfirmed, needsUpstreamInvoice, checkScope, atReviewOnly(needsRecheck)],
  },
  // An outright sale of goods held on consignment is their use: 先销后结.
  afterAction: {
    review: async ctx => {
      await keepRecheck(ctx)
      await openSettlementLines(ctx)
    },
    unreview: netSettlementLines,
    redReverse: netSettlementLines,
  },
})

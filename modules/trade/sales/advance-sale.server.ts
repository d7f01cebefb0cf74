import { advanceSale } from '#modules/trade/sales/advance-sale.doc.ts'
import { type ActionContext, type ContextOf, documentHooks } from '#server/public/hooks.ts'
import { today } from '#kernel/values/date.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import { advanceStore } from '#modules/trade/shipping/advance-store.server.ts'
import { shipmentPrint } from '#modules/trade/shipping/shipment-print.server.ts'
import { needsApprovedCustomer } from '#modules/base/checks/initial-approval.server.ts'
import { mustBeAuthorised } from '#modules/trade/licensing/authorised-sale.server.ts'
import {
  confirmedLines,
  createLines,
  dropLines,
  refuseWhereUsed,
  unusedLines,
} from '#modules/trade/sales/advance-sale-lines.server.ts'
import { checkScope } from '#modules/trade/licensing/business-scope.server.ts'
import { keepVoucher, refuseClosedVoucher } from '#modules/finance/accounting/voucher-rules.server.ts'
import { buildDraft, definitionOf, saveDraft } from '#server/public/drafts.ts'
import { patchDocument, patchLines, type StoredDocument } from '#server/public/documents.ts'

type Context = ContextOf<typeof advanceSale>

async function withStore({ tx, session, doc }: ActionContext): Promise<StoredDocument> {
  const to = await advanceStore(tx, session.org.id)
  await patchDocument(tx, session, doc, { to_warehouse_model_inner_sn: to }, 'withAction')
  return { ...doc, to_warehouse_model_inner_sn: to }
}

/** 超期禁止预销售: a customer with overdue debts gets no more goods in advance, if the organisation sets it so. */
async function refuseLate({ tx, session, doc, settings }: ActionContext): Promise<void> {
  if (!settings.advance_overdue_stops) return
  const [late] = await tx<{ sn: string }[]>`
    select sn from document where org_id = ${session.org.id} and kind = 'advanceSale' and role = 'own'
      and state in ('reviewed', 'partial') and counterparty_id = ${doc.counterparty_sn}
       and fields->>'settle_date' < ${today()} and red_of_id is null order by sn limit 1`
  if (late) throw new BusinessError('rule', `客户存在超期未结清的预销售单（${late.sn}）`)
}

/** 确认价格 of the document confirms each line at its current price; lines finance already confirmed do not change. */
async function confirmLines(ctx: Context): Promise<void> {
  const { tx, session, doc } = ctx
  const values = { line_price_state: '2', line_confirmed_by: session.userName }
  const open = doc.lines.filter(line => line.line_price_state !== '2')
  const confirmed = open.map(({ line_no }) => ({ line_no, values }))
  await patchLines(tx, session, doc, confirmed, 'withAction')
  await keepConfirmer(ctx)
}

const unconfirmLines = ({ tx, session, doc }: ActionContext): Promise<void> => {
  const values = { line_price_state: '1', line_confirmed_by: null }
  const lines = doc.lines.map(({ line_no }) => ({ line_no, values }))
  return patchLines(tx, session, doc, lines, 'withAction')
}

/** A draft over what is still open of it. */
const toDocument =
  (kind: 'saleOdo' | 'advanceReturn') =>
  async ({ tx, session, doc, definition, settings }: Context): Promise<void> => {
    const lines =
      kind === 'saleOdo'
        ? confirmedLines(doc, settings.advance_price_confirmed === true)
        : await unusedLines(tx, session, doc)
    const target = definitionOf(kind)
    const header = { source_sn: doc.sn, source_type: sourceTypes.ADVANCE_SALE, handler_inner_sn: doc.handler_inner_sn }
    const draft = await buildDraft(tx, session, target, header, lines)
    await saveDraft(tx, session, target, draft, 'draft', `来自${definition.title}${doc.sn}`)
  }

async function keepConfirmer({ tx, session, doc }: ActionContext): Promise<void> {
  await patchDocument(tx, session, doc, { price_confirmed_by: session.userName }, 'withAction')
}

/** 取消记账 only in the current period: what was recorded in an earlier one stays there. */
async function refuseEarlierPeriod(ctx: Context): Promise<void> {
  await refuseClosedVoucher(ctx)
  const [period, current] = [String(ctx.doc.accounting_period ?? ''), today().slice(0, 7)]
  if (period !== '' && period < current)
    throw new BusinessError('rule', `单据已记入${period}期间，只能取消当期（${current}）的记账`)
}

export const advanceSaleRules = documentHooks(advanceSale, {
  printFields: shipmentPrint,
  prepare: { submit: withStore },
  validate: {
    submit: [needsApprovedCustomer, mustBeAuthorised, checkScope, refuseLate],
    review: [mustBeAuthorised, checkScope, refuseLate],
    unrecord: refuseEarlierPeriod,
    unreview: refuseWhereUsed,
    redReverse: refuseWhereUsed,
  },
  afterAction: {
    toSale: toDocument('saleOdo'),
    toBack: toDocument('advanceReturn'),
    priceConfirm: confirmLines,
    priceUnconfirm: async ctx => void (await unconfirmLines(ctx)),
    review: async ctx => void (await createLines(ctx)),
    unreview: async ctx => void (await dropLines(ctx)),
    redReverse: async ctx => void (await dropLines(ctx)),
    record: keepVoucher,
  },
})

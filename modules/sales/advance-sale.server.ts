import { today } from '#kernel/day.ts'
import { Refusal } from '#kernel/refusal.ts'
import { sourceTypes } from '#kernel/source-type.ts'
import { despatchSheet } from '#modules/despatch-sheet.server.ts'
import { needsApprovedCustomer } from '#modules/first-approval.server.ts'
import { mustBeAuthorised } from '#modules/authorised-sale.server.ts'
import {
  confirmedLines,
  dropLines,
  layLines,
  refuseWhereUsed,
  unusedLines,
} from '#modules/sales/advance-rest.server.ts'
import { judgeScope } from '#modules/licence-scope.server.ts'
import { keepVoucher, refuseClosedVoucher } from '#modules/vouchers.server.ts'
import type { Acting, DocumentRules } from '#server/public/hooks.ts'
import { composeDraft, definitionOf, storeDraft } from '#server/public/drafts.ts'
import type { StoredDoc } from '#server/public/documents.ts'
import type { Tx } from '#server/public/database.ts'

const STORE = { code: 'YUXIAOSHOU', name: '预销售库', model: 'advance' } as const

/** The one store of advance sales of a house; the first advance sale opens it. */
async function advanceStore(tx: Tx, org: string): Promise<string> {
  await tx`
    insert into warehouse (org_id, code, name, model) values (${org}, ${STORE.code}, ${STORE.name}, ${STORE.model}) on conflict (org_id, code) do nothing`
  const [row] = await tx<
    { id: string }[]
  >`select id from warehouse where org_id = ${org} and model = ${STORE.model} order by id limit 1`
  return row!.id
}

async function withStore({ tx, session, doc }: Acting): Promise<StoredDoc> {
  const to = await advanceStore(tx, session.org.id)
  await tx`update document set to_warehouse_id = ${to} where org_id = ${session.org.id} and id = ${doc.id}`
  return { ...doc, to_warehouse_model_inner_sn: to }
}

/** 超期禁止预销售: a customer who has not settled what is past its day gets nothing more in advance, where the house wants it so. */
async function refuseLate({ tx, session, doc, settings }: Acting): Promise<void> {
  if (!settings.advance_overdue_stops) return
  const [late] = await tx<{ sn: string }[]>`
    select sn from document where org_id = ${session.org.id} and kind = 'advanceSale' and role = 'own' and state in ('reviewed', 'partial') and counterparty_id = ${doc.counterparty_sn}
       and fields->>'settle_date' < ${today()} and red_of_id is null order by sn limit 1`
  if (late) throw new Refusal('rule', `客户存在超期未结清的预销售单（${late.sn}）`)
}

/** 确认价格 of the paper confirms each line at the price that it bears, and of what finance confirmed line by line nothing changes. */
async function confirmLines(acting: Acting): Promise<void> {
  const { tx, session, doc } = acting
  await tx`
    update document_line set fields = fields || ${tx.json({ line_price_state: '2', line_confirmed_by: session.userName })}
     where org_id = ${session.org.id} and document_id = ${doc.id} and coalesce(fields->>'line_price_state', '1') <> '2'`
  await keepConfirmer(acting)
}

const unconfirmLines = ({ tx, session, doc }: Acting): Promise<unknown> => tx`
  update document_line set fields = fields || '{"line_price_state": "1", "line_confirmed_by": null}' where org_id = ${session.org.id} and document_id = ${doc.id}`

/** A draft over what is still open of it. */
const toPaper =
  (kind: 'saleOdo' | 'advanceReturn') =>
  async ({ tx, session, doc, definition, settings }: Acting): Promise<void> => {
    const lines =
      kind === 'saleOdo'
        ? confirmedLines(doc, settings.advance_price_confirmed === true)
        : await unusedLines(tx, session, doc)
    const target = definitionOf(kind)
    const header = { source_sn: doc.sn, source_type: sourceTypes.ADVANCE_SALE, handler_inner_sn: doc.handler_inner_sn }
    const draft = await composeDraft(tx, session, target, header, lines)
    await storeDraft(tx, session, target, draft, 'draft', `来自${definition.title}${doc.sn}`)
  }

async function keepConfirmer({ tx, session, doc }: Acting): Promise<void> {
  await tx`
    update document set fields = fields || ${tx.json({ price_confirmed_by: session.userName })} where org_id = ${session.org.id} and id = ${doc.id}`
}

/** 取消记账 only in the current period: what an earlier one carried stays in it. */
async function refuseEarlierPeriod(acting: Acting): Promise<void> {
  await refuseClosedVoucher(acting)
  const [period, current] = [String(acting.doc.accounting_period ?? ''), today().slice(0, 7)]
  if (period !== '' && period < current)
    throw new Refusal('rule', `单据已记入${period}期间，只能取消当期（${current}）的记账`)
}

export const advanceSaleRules: DocumentRules = {
  kind: 'advanceSale',
  print: despatchSheet,
  prepare: { submit: withStore },
  before: {
    submit: async acting => {
      await needsApprovedCustomer(acting)
      await mustBeAuthorised(acting)
    },
    review: async acting => {
      await mustBeAuthorised(acting)
      await judgeScope(acting)
      await refuseLate(acting)
    },
    unrecord: refuseEarlierPeriod,
    unreview: refuseWhereUsed,
    redReverse: refuseWhereUsed,
  },
  after: {
    toSale: toPaper('saleOdo'),
    toBack: toPaper('advanceReturn'),
    priceConfirm: confirmLines,
    priceUnconfirm: async acting => void (await unconfirmLines(acting)),
    review: async acting => void (await layLines(acting)),
    unreview: async acting => void (await dropLines(acting)),
    redReverse: async acting => void (await dropLines(acting)),
    record: keepVoucher,
  },
}

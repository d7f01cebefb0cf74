import { overflow } from '#modules/goods/losses/overflow.doc.ts'
import { scrap } from '#modules/goods/losses/scrap.doc.ts'
import { loss } from '#modules/goods/losses/loss.doc.ts'
import { type ActionContext, type ContextOf, type DocumentHooks, documentHooks } from '#server/public/hooks.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { netSettlementLines, openSettlementLines } from '#modules/finance/settlement/settlement-lines.server.ts'
import { dropWaiting, refuseEarlyLoss } from '#modules/goods/losses/lost-on-the-way.server.ts'
import { scrapExpired } from '#modules/goods/losses/expired-stock.server.ts'

type Context = ContextOf<typeof loss> | ContextOf<typeof scrap>

/** Consigned goods whose loss the hospital bears are in the owner's next settlement like used goods. */
const billed =
  (settle: (ctx: Context) => Promise<void>) =>
  async (ctx: Context): Promise<void> => {
    if (ctx.session.org.type === 'H' && ctx.doc.bearer === 'hospital') await settle(ctx)
  }
const compensation = {
  review: billed(openSettlementLines),
  unreview: billed(netSettlementLines),
  redReverse: billed(netSettlementLines),
}

/** A loss or overflow made from a count must have exactly the counted lot and pieces. */
async function refuseOtherGoods({ tx, session, doc }: ActionContext): Promise<void> {
  const counts = doc.lines.flatMap(line => (line.source_document_id ? [line.source_document_id] : []))
  if (counts.length === 0) return
  const counted = await tx<
    { document_id: string; line_no: number; lot_id: string | null; lot_no: string | null; unit_codes: string[] }[]
  >`
    select document_id, line_no, lot_id, lot_no, unit_codes from document_line
     where org_id = ${session.org.id} and document_id = any(${[...new Set(counts)]}::bigint[])`
  for (const line of doc.lines) {
    const source = counted.find(
      row => row.document_id === line.source_document_id && row.line_no === line.source_line_no,
    )
    if (!source) continue
    const stray = line.unit_codes.find(code => source.unit_codes.length > 0 && !source.unit_codes.includes(code))
    // A lot not in the ledger is known by its number only.
    const other = source.lot_id === null ? line.lot_no !== source.lot_no : line.lot_id !== source.lot_id
    if (other || stray !== undefined)
      throw new BusinessError('rule', `第${line.line_no}行：盘点差异的批号和院内码不能更改`)
  }
}

export const lossRules = documentHooks(loss, {
  validate: {
    submit: [refuseEarlyLoss, refuseOtherGoods],
    review: refuseEarlyLoss,
  },
  afterAction: {
    ...compensation,
    review: async ctx => {
      await dropWaiting(ctx)
      await compensation.review(ctx)
    },
  },
})
export const scrapRules = documentHooks(scrap, {
  afterAction: compensation,
  calls: { fromExpired: scrapExpired },
})

/** A lot that was never received here needs proof of origin. */
async function refuseUnknownLots({ tx, session, doc }: ContextOf<typeof overflow>): Promise<void> {
  if (doc.attachments.length > 0 && doc.origin) return
  const lots = doc.lines.flatMap(line => (line.lot_id ? [line.lot_id] : []))
  const kept = await tx<{ lot_id: string }[]>`
    select lot_id from stock_lot where org_id = ${session.org.id} and lot_id = any(${lots}::bigint[])`
  const known = new Set(kept.map(row => row.lot_id))
  const outsider = doc.lines.find(line => !line.lot_id || !known.has(line.lot_id))
  if (!outsider) return
  const msg = `第${outsider.line_no}行【${outsider.product_name ?? ''}】批号${outsider.lot_no ?? ''}：该批次无入库记录，请填写来源说明并上传来源证明`
  throw new BusinessError('rule', msg, [{ line: outsider.line_no, field: 'lot_no', msg }])
}

export const overflowRules = documentHooks(overflow, {
  validate: {
    submit: [refuseUnknownLots, refuseOtherGoods],
  },
})

export const lossDocumentRules: readonly DocumentHooks[] = [lossRules, overflowRules, scrapRules]

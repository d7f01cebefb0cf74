import { Refusal } from '#kernel/refusal.ts'
import { netSettlementLines, openSettlementLines } from '#modules/settlement/settlement-lines.server.ts'
import type { Acting, DocumentRules } from '#server/engine/documents/acting.ts'

/** Consigned goods that the hospital pays for stand in the owner's next settlement like goods used. */
const billed =
  (settle: (acting: Acting) => Promise<void>) =>
  async (acting: Acting): Promise<void> => {
    if (acting.session.org.type === 'H' && acting.doc.bearer === 'hospital') await settle(acting)
  }
const compensation = {
  review: billed(openSettlementLines),
  unreview: billed(netSettlementLines),
  redReverse: billed(netSettlementLines),
}

export const lossRules: DocumentRules = { kind: 'loss', after: compensation }
export const scrapRules: DocumentRules = { kind: 'scrap', after: compensation }

/** A lot that never came in here needs proof of where it is from. */
async function refuseUnknownLots({ tx, session, doc }: Acting): Promise<void> {
  if (doc.attachments.length > 0 && doc.origin) return
  const lots = doc.lines.flatMap(line => (line.lot_id ? [line.lot_id] : []))
  const kept = await tx<{ lot_id: string }[]>`
    select lot_id from stock_lot where org_id = ${session.org.id} and lot_id = any(${lots}::bigint[])`
  const known = new Set(kept.map(row => row.lot_id))
  const stranger = doc.lines.find(line => !line.lot_id || !known.has(line.lot_id))
  if (!stranger) return
  const msg = `第${stranger.line_no}行【${stranger.product_name ?? ''}】批号${stranger.lot_no ?? ''}：该批次无入库记录，请填写来源说明并上传来源证明`
  throw new Refusal('rule', msg, [{ line: stranger.line_no, field: 'lot_no', msg }])
}

export const overflowRules: DocumentRules = { kind: 'overflow', before: { submit: refuseUnknownLots } }

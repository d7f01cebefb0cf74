import { Refusal } from '#kernel/refusal.ts'
import { netSettlementLines, openSettlementLines } from '#modules/settlement/settlement-lines.server.ts'
import type { Acting, DocumentRules } from '#server/engine/documents/acting.ts'
import { specificationFacts } from '#server/engine/documents/facts.ts'
import { employeeOf } from '#server/engine/identity/employee.ts'

/** 双人复核: outgoing goods are rechecked by another than the picker before they leave. */
async function needsRecheck(acting: Acting): Promise<void> {
  const { tx, session, doc, settings } = acting
  const careful =
    settings.double_recheck &&
    (
      await specificationFacts(
        tx,
        doc.lines.map(line => line.specification_sn!),
        { org: session.org.id, counterparty: null, direction: 'none', day: doc.business_date },
      )
    ).size > 0
  if (careful && !doc.rechecker_inner_sn) throw new Refusal('rule', '请先完成出库复核')
  if (careful && doc.rechecker_inner_sn === doc.picker_inner_sn && doc.picker_inner_sn)
    throw new Refusal('rule', '复核人与拣货人不能为同一人')
}

/** 出库复核 is part of the review: who reviewed stands as 复核人 when nobody rechecked before. */
async function keepRecheck(acting: Acting): Promise<void> {
  const { tx, session, doc } = acting
  if (doc.rechecker_inner_sn) return
  const employee = await employeeOf(tx, session)
  const value = { ...(employee ? { rechecker_inner_sn: employee } : {}), recheck_result: 'passed' }
  await tx`update document set fields = fields || ${tx.json(value)} where org_id = ${session.org.id} and id = ${doc.id}`
}

export const saleOdoRules: DocumentRules = {
  kind: 'saleOdo',
  before: { review: needsRecheck },
  // A purchased sale of goods held on consignment is their use: 先销后结.
  after: {
    review: async acting => {
      await keepRecheck(acting)
      await openSettlementLines(acting)
    },
    unreview: netSettlementLines,
    redReverse: netSettlementLines,
  },
}

import { Refusal } from '#kernel/refusal.ts'
import { needsApprovedCustomer } from '#modules/first-approval.server.ts'
import { mustBeAuthorised } from '#modules/authorised-sale.server.ts'
import { judgeScope } from '#modules/licence-scope.server.ts'
import { mustBeConfirmed } from '#modules/sales/advance-rest.server.ts'
import { netSettlementLines, openSettlementLines } from '#modules/settlement/settlement-lines.server.ts'
import type { Acting, DocumentRules } from '#server/engine/documents/acting.ts'
import { specificationFacts } from '#server/engine/documents/facts.ts'
import { employeeOf } from '#server/engine/identity/employee.ts'

/** 双人复核: outgoing goods are rechecked by another than the picker before they leave. */
async function needsRecheck(acting: Acting): Promise<void> {
  const { tx, session, doc, settings } = acting
  if (settings.double_recheck === 'off') return
  const facts = await specificationFacts(
    tx,
    doc.lines.map(line => line.specification_sn!),
    { org: session.org.id, counterparty: null, direction: 'none', day: doc.business_date },
  )
  const careful = [...facts.values()].some(
    fact => settings.double_recheck === 'all' || fact.is_implant || fact.is_cold_chain,
  )
  if (careful && !doc.rechecker_inner_sn) throw new Refusal('rule', '请先完成出库复核')
  if (careful && doc.rechecker_inner_sn === doc.picker_inner_sn && doc.picker_inner_sn)
    throw new Refusal('rule', '复核人与拣货人不能为同一人')
}

/** 两票制: what another made leaves with the number of his invoice to us, written on the line or found over its lot. */
async function needsUpstreamInvoice({ tx, session, doc, settings }: Acting): Promise<void> {
  if (!settings.two_invoice_system) return
  const bare = doc.lines.filter(line => !line.upstream_invoice_no && line.lot_id)
  const facts = await specificationFacts(
    tx,
    bare.map(line => line.specification_sn!),
    { org: session.org.id, counterparty: null, direction: 'none', day: doc.business_date },
  )
  const billed = await tx<{ lot_id: string }[]>`
    select distinct l.lot_id from document_line l join document d on d.org_id = l.org_id and d.id = l.document_id
     where l.org_id = ${session.org.id} and d.kind = 'inboundInvoice' and d.role = 'own' and d.red_of_id is null and d.state in ('reviewed', 'partial', 'completed')
       and l.lot_id = any(${bare.map(line => line.lot_id!)}::bigint[])`
  const lots = new Set(billed.map(row => row.lot_id))
  const line = bare.find(
    candidate =>
      !lots.has(candidate.lot_id!) && facts.get(candidate.specification_sn!)?.manufacturer_id !== session.org.id,
  )
  if (!line) return
  const msg = `【${line.product_name ?? ''}】缺少上游发票，不符合两票制要求`
  throw new Refusal('rule', msg, [{ line: line.line_no, field: 'upstream_invoice_no', msg }])
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
  before: {
    submit: async acting => {
      await needsApprovedCustomer(acting)
      await mustBeAuthorised(acting)
      await mustBeConfirmed(acting)
      await needsUpstreamInvoice(acting)
    },
    review: async acting => {
      await mustBeAuthorised(acting)
      await mustBeConfirmed(acting)
      await needsUpstreamInvoice(acting)
      await judgeScope(acting)
      await needsRecheck(acting)
    },
  },
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

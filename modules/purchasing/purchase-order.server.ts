import { purchaseOrderSheet } from '#modules/purchasing/purchase-order-sheet.server.ts'
import { Refusal } from '#kernel/refusal.ts'
import { needsFirstApproval } from '#modules/first-approval.server.ts'
import type { Acting, DocumentRules } from '#server/engine/documents/acting.ts'
import { specificationFacts } from '#server/engine/documents/facts.ts'
import { hasAccount } from '#server/engine/documents/hand-over.ts'

/** What a hospital admitted as bought is not ordered on consignment. */
async function refuseForeignRegime({ tx, session, doc }: Acting): Promise<void> {
  if (session.org.type !== 'H' || doc.regime !== 'consigned') return
  const facts = await specificationFacts(
    tx,
    doc.lines.map(line => line.specification_sn!),
    { org: session.org.id, counterparty: doc.counterparty_sn, direction: 'buy', day: doc.business_date },
  )
  for (const line of doc.lines) {
    const fact = facts.get(line.specification_sn ?? '')
    if (fact?.regime !== 'purchased') continue
    const msg = `第${line.line_no}行：【${fact.product_name}】${fact.name}在本院为买断管理，不能按寄售采购`
    throw new Refusal('rule', msg, [{ field: 'specification_sn', line: line.line_no, msg }])
  }
}

/** A supplier without an account is asked by telephone: 供应商答复 says so. An answer of before is forgotten. */
async function keepAnswer({ tx, session, doc }: Acting): Promise<void> {
  const offline = doc.counterparty_sn !== null && !(await hasAccount(tx, doc.counterparty_sn))
  const answer = { supplier_answer: offline ? 'offline' : null, answer_reason: null }
  await tx`update document set fields = fields || ${tx.json(answer)} where org_id = ${session.org.id} and id = ${doc.id}`
}

export const purchaseOrderRules: DocumentRules = {
  kind: 'purchaseOrder',
  print: purchaseOrderSheet,
  before: {
    submit: async acting => {
      await refuseForeignRegime(acting)
      await needsFirstApproval(acting)
    },
    review: needsFirstApproval,
  },
  after: { review: keepAnswer },
}

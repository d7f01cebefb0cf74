import { Refusal } from '#kernel/refusal.ts'
import type { Acting, DocumentRules } from '#server/engine/documents/acting.ts'
import { leaveMessage } from '#server/engine/messages.ts'
import { specificationFacts } from '#server/engine/documents/facts.ts'

/** Wards ask for what the hospital keeps: admitted, in its catalogue, not withdrawn. */
async function refuseForeignGoods({ tx, session, doc }: Acting): Promise<void> {
  const facts = await specificationFacts(
    tx,
    doc.lines.map(line => line.specification_sn!),
    { org: session.org.id, counterparty: null, direction: 'none', day: doc.business_date },
  )
  for (const line of doc.lines) {
    const fact = facts.get(line.specification_sn!)
    if (!fact) continue
    const gone = [fact.status, fact.product_status].some(status => status === 'withdrawn' || status === 'disabled')
    const admitted = fact.admission_state === 'admitted'
    if (fact.in_catalogue && admitted && !gone) continue
    const why = gone ? '已停用' : fact.in_catalogue ? '未准入' : '不在本院产品目录中'
    const msg = `第${line.line_no}行：【${fact.product_name}】${fact.name}${why}，不能申领`
    throw new Refusal('rule', msg, [{ line: line.line_no, field: 'specification_sn', msg }])
  }
}

/** The store learns that a ward waits; whoever asked knows it. */
async function tellStore({ tx, session, doc }: Acting): Promise<void> {
  const [department] = await tx<{ name: string }[]>`
    select name from department where org_id = ${session.org.id} and id = ${doc.department_inner_sn}`
  await leaveMessage(tx, session.org.id, {
    title: '收到新的物资申领单',
    body: `${department?.name ?? session.userName}提交了物资申领单${doc.sn}，请审核`,
    uri: 'voucher',
    objectId: doc.sn,
    kind: 'requisition',
    by: session.userId,
    // Those who keep the store, and the ward that asked.
    stores: [doc.warehouse_model_inner_sn, doc.to_warehouse_model_inner_sn],
    extra: { org_name: session.org.name, kind: 'requisition' },
  })
}

export const requisitionRules: DocumentRules = {
  kind: 'requisition',
  before: { submit: refuseForeignGoods },
  after: { submit: tellStore },
}

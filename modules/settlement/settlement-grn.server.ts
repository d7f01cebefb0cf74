import { compare, type Decimal, sum } from '#kernel/decimal.ts'
import { Refusal } from '#kernel/refusal.ts'
import { summarised } from '#modules/settlement/settlement-summary.server.ts'
import type { Acting, DocumentRules } from '#server/public/hooks.ts'

type Expected = { line_no: number; quantity: Decimal; price: Decimal; amount: Decimal }

/** What is left to receive of the settlement: its lines less what live receipts took and red ones gave back. */
const expectedOf = ({ tx, session, doc }: Acting, settlement: string) => tx<Expected[]>`
  select l.line_no, l.price, (l.base_quantity - coalesce(g.quantity, 0))::numeric(18,3) as quantity, (l.taxed_amount - coalesce(g.amount, 0))::numeric(18,2) as amount
    from document_line l
    left join lateral (
      select sum(x.base_quantity) as quantity, sum(x.taxed_amount) as amount from document_line x join document d on d.org_id = x.org_id and d.id = x.document_id
       where x.org_id = l.org_id and x.source_document_id = l.document_id and x.source_line_no = l.line_no
         and d.kind = 'settlementGrn' and d.id <> ${doc.id} and d.state in ('reviewed', 'partial', 'completed', 'reversed')) g on true
   where l.org_id = ${session.org.id} and l.document_id = ${settlement} order by l.line_no`

/** The receipt says what the settlement said, line by line and to the cent; only its header is ours to write. */
async function refuseOther(acting: Acting): Promise<void> {
  const { doc } = acting
  const settlements = [...new Set(doc.lines.map(line => line.source_document_id))]
  if (settlements.length !== 1 || !settlements[0])
    throw new Refusal('rule', '一张结算入库单只能对应一张结算单，请从结算单生成')
  const expected = await expectedOf(acting, settlements[0])
  const whole = sum(
    expected.map(line => line.amount),
    2,
  )
  if (compare(doc.taxed_amount, whole) !== 0)
    throw new Refusal('rule', `结算入库金额与结算单金额不一致：应为${whole}元，本单${doc.taxed_amount}元`)
  for (const line of doc.lines) {
    const stands = expected.find(candidate => candidate.line_no === line.source_line_no)
    if (stands && compare(stands.quantity, line.base_quantity) === 0 && compare(stands.price, line.price) === 0)
      continue
    const msg = `第${line.line_no}行：结算入库的数量和单价不能与结算单不同`
    throw new Refusal('rule', msg, [{ line: line.line_no, field: 'quantity', msg }])
  }
}

/** The lines of the settlement behind a 结算入库 become 已入库 with it. */
async function moveReceived(acting: Acting, from: string, to: string): Promise<void> {
  const { tx, session, doc } = acting
  await tx`
    update settlement_line s set state = ${to} from document_line l
     where s.org_id = ${session.org.id} and l.org_id = ${session.org.id} and l.document_id = ${doc.id}
       and s.settlement_id = l.source_document_id and s.settlement_line_no = l.source_line_no and s.state = ${from}`
}

export const settlementGrnRules: DocumentRules = {
  kind: 'settlementGrn',
  print: summarised,
  before: { submit: refuseOther, review: refuseOther },
  after: {
    review: acting => moveReceived(acting, 'settled', 'received'),
    unreview: acting => moveReceived(acting, 'received', 'settled'),
    redReverse: acting => moveReceived(acting, 'received', 'settled'),
  },
}

import { settlementGrn } from '#modules/finance/settlement/settlement-grn.doc.ts'
import { type ActionContext, documentHooks } from '#server/public/hooks.ts'
import { compare, type Decimal, sum } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { pushDocument } from '#modules/hospital/his/receipts/push-document.server.ts'
import { summarised } from '#modules/finance/settlement/settlement-summary.server.ts'

type Expected = { line_no: number; quantity: Decimal; price: Decimal; amount: Decimal }

/**
 * The quantities and amounts that are left to receive of the settlement: its lines less what active receipts took, plus
 * what reversals returned.
 */
const expectedOf = ({ tx, session, doc }: ActionContext, settlement: string) => tx<Expected[]>`
  select l.line_no, l.price, (l.base_quantity - coalesce(g.quantity, 0))::numeric(18,3) as quantity,
    (l.taxed_amount - coalesce(g.amount, 0))::numeric(18,2) as amount
    from document_line l
    left join lateral (
      select sum(x.base_quantity) as quantity, sum(x.taxed_amount) as amount from document_line x
        join document d on d.org_id = x.org_id and d.id = x.document_id
       where x.org_id = l.org_id and x.source_document_id = l.document_id and x.source_line_no = l.line_no
         and d.kind = 'settlementGrn' and d.id <> ${doc.id}
           and d.state in ('reviewed', 'partial', 'completed', 'reversed')) g on true
   where l.org_id = ${session.org.id} and l.document_id = ${settlement} order by l.line_no`

/** The receipt repeats the settlement, line by line and to the cent; only its header may be edited. */
async function refuseOther(ctx: ActionContext): Promise<void> {
  const { doc } = ctx
  const settlements = [...new Set(doc.lines.map(line => line.source_document_id))]
  if (settlements.length !== 1 || !settlements[0])
    throw new BusinessError('rule', '一张结算入库单只能对应一张结算单，请从结算单生成')
  const expected = await expectedOf(ctx, settlements[0])
  const whole = sum(
    expected.map(line => line.amount),
    2,
  )
  if (compare(doc.taxed_amount, whole) !== 0)
    throw new BusinessError('rule', `结算入库金额与结算单金额不一致：应为${whole}元，本单${doc.taxed_amount}元`)
  for (const line of doc.lines) {
    const stands = expected.find(candidate => candidate.line_no === line.source_line_no)
    if (stands && compare(stands.quantity, line.base_quantity) === 0 && compare(stands.price, line.price) === 0)
      continue
    const msg = `第${line.line_no}行：结算入库的数量和单价不能与结算单不同`
    throw new BusinessError('rule', msg, [{ line: line.line_no, field: 'quantity', msg }])
  }
}

/** The settlement lines behind a 结算入库 become 已入库 with it. */
async function moveReceived(ctx: ActionContext, from: string, to: string): Promise<void> {
  const { tx, session, doc } = ctx
  await tx`
    update settlement_line s set state = ${to} from document_line l
     where s.org_id = ${session.org.id} and l.org_id = ${session.org.id} and l.document_id = ${doc.id}
       and s.settlement_id = l.source_document_id and s.settlement_line_no = l.source_line_no and s.state = ${from}`
}

export const settlementGrnRules = documentHooks(settlementGrn, {
  printFields: summarised,
  validate: { submit: refuseOther, review: refuseOther },
  afterAction: {
    review: ctx => moveReceived(ctx, 'settled', 'received'),
    unreview: ctx => moveReceived(ctx, 'received', 'settled'),
    redReverse: ctx => moveReceived(ctx, 'received', 'settled'),
    pushHis: pushDocument,
  },
})

import type { stopSale } from '#modules/goods/quality/stop-sale.doc.ts'
import type { ActionContext, ContextOf } from '#server/public/hooks.ts'
import { compare, type Decimal, divide, isPositive, isZero, multiply, round, subtract } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import { createSystemDraft, type LineInput } from '#server/public/drafts.ts'
import type { StoredLine } from '#server/public/documents.ts'

type Context = ContextOf<typeof stopSale>

type Receipt = {
  readonly sn: string
  readonly line_no: number
  readonly specification_id: string
  readonly lot_no: string
  readonly owner_id: string | null
  readonly unit_codes: readonly string[]
  readonly price: Decimal
  readonly measure: Decimal
  left: Decimal
}

/** Receipts of the lots in question with the returnable quantity of each, the newest first. */
const receiptsOf = ({ tx, session }: ActionContext, lines: readonly StoredLine[]) => tx<Receipt[]>`
  select d.sn, l.line_no, l.specification_id, l.lot_no, case when d.regime = 'consigned' then d.counterparty_id
    else d.org_id end as owner_id, l.unit_codes, l.price,
         (l.base_quantity / l.quantity)::numeric(18,3) as measure,
           (l.base_quantity - coalesce(g.taken, 0))::numeric(18,3) as left
    from document_line l
    join document d on d.org_id = l.org_id and d.id = l.document_id
    left join lateral (select sum(p.taken) as taken from line_progress p
                        where p.org_id = l.org_id and p.document_id = l.document_id and p.line_no = l.line_no
                          and p.purpose in ('return', 'reverse')) g on true
   where l.org_id = ${session.org.id}
     and l.specification_id = any(${lines.map(line => String(line.specification_sn))}::bigint[])
     and l.lot_no = any(${lines.map(line => String(line.lot_no))})
     and d.kind = 'purchaseGrn' and d.role = 'own' and d.red_of_id is null
       and d.state in ('reviewed', 'partial', 'completed') and l.base_quantity > coalesce(g.taken, 0)
   order by d.id desc, l.line_no`

/**
 * In the unit of the receipt if it divides evenly, so that its amounts are exact to the cent; otherwise in base
 * units at their price.
 */
function inUnitOf(receipt: Receipt, base: Decimal): Partial<LineInput> {
  const entered = divide(base, receipt.measure, 3)
  return round(multiply(entered, receipt.measure, 3), 3) === round(base, 3)
    ? { quantity: entered }
    : { quantity: base, unit_inner_sn: receipt.specification_id, price: divide(receipt.price, receipt.measure, 4) }
}

type Allocation = { readonly sn: string; readonly line: LineInput }

/**
 * The receipts by which the blocked goods of a line came in: coded pieces by their codes, the rest by lot, newest
 * receipt first.
 */
function portionsOf(receipts: readonly Receipt[], stop: string, line: StoredLine, open: LineInput): Allocation[] {
  const codes = (open.unit_codes as readonly string[] | undefined) ?? []
  let rest = open.quantity as Decimal
  const portions: Allocation[] = []
  for (const receipt of receipts) {
    const same = receipt.specification_id === line.specification_sn && receipt.lot_no === line.lot_no
    const owned = line.owner_org_sn === null || receipt.owner_id === line.owner_org_sn
    if (!same || !owned || !isPositive(rest) || !isPositive(receipt.left)) continue
    const pieces = codes.filter(code => receipt.unit_codes.includes(code))
    const most = codes.length > 0 ? String(pieces.length) : rest
    const base = compare(most, receipt.left) > 0 ? receipt.left : round(most, 3)
    if (isZero(base)) continue
    rest = subtract(rest, base, 3)
    receipt.left = subtract(receipt.left, base, 3)
    portions.push({
      sn: receipt.sn,
      line: {
        ...inUnitOf(receipt, base),
        source_line_no: receipt.line_no,
        quality_state: open.quality_state,
        location: open.location,
        owner_org_sn: open.owner_org_sn,
        stop_sn: stop,
        stop_line_no: line.line_no,
        ...(pieces.length > 0 ? { unit_codes: pieces } : {}),
      },
    })
  }
  return portions
}

/**
 * Creates a draft purchase return for each receipt that brought in goods still blocked; returns the number of drafts.
 */
export async function createReturns(ctx: Context, open: readonly LineInput[]): Promise<number> {
  const { tx, session, doc } = ctx
  const [before] = await tx<{ sn: string }[]>`
    select d.sn from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
     where d.org_id = ${session.org.id} and d.kind = 'purchaseReturn' and d.role = 'own'
       and d.state in ('draft', 'submitted', 'rejected') and l.fields->>'stop_sn' = ${doc.sn} limit 1`
  if (before) throw new BusinessError('rule', `已有未完成的采购退货单${before.sn}，请先处理`)
  const lineOf = (each: LineInput) => doc.lines.find(line => line.line_no === each.source_line_no)!
  const receipts = await receiptsOf(ctx, open.map(lineOf))
  const portions = open.flatMap(each => portionsOf(receipts, doc.sn, lineOf(each), each))
  for (const [sn, parts] of Map.groupBy(portions, portion => portion.sn))
    await createSystemDraft(
      tx,
      session,
      'purchaseReturn',
      {
        source_sn: sn,
        source_type: sourceTypes.GRN,
        warehouse_model_inner_sn: doc.to_warehouse_model_inner_sn ?? doc.warehouse_model_inner_sn,
        return_type: doc.stop_reason === 'recall' ? 'recall' : 'quality',
        recall_no: doc.stop_reason === 'recall' ? doc.notice_no : null,
        return_reason: `停售单${doc.sn}转退供应商`,
      },
      parts.map(part => part.line),
    )
  return new Set(portions.map(portion => portion.sn)).size
}

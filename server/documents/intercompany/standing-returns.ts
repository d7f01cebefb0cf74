import { add, type Decimal, isPositive, least, subtract, zero } from '#kernel/values/decimal.ts'
import type { Tx } from '#server/database/transaction.ts'
import { refusalPurposes } from '#server/documents/intercompany/refused-goods.ts'

/**
 * How much of a refused line is taken back by returns of a kind, and how much the other side refused, in base units.
 */
export type Standing = { readonly returned: Decimal; readonly refused: Decimal; readonly sns: readonly string[] }

/** The valid returns of refused goods for each line of a sent document, and the quantity that was refused so far. */
export async function standingReturns(
  tx: Tx,
  org: string,
  document: string,
  { kind, header }: { readonly kind: string; readonly header: Readonly<Record<string, unknown>> },
): Promise<ReadonlyMap<number, Standing>> {
  const rows = await tx<(Standing & { line_no: number })[]>`
    with returned as (
      select l.source_line_no as line_no, sum(l.base_quantity) as quantity, array_agg(distinct d.sn) as sns
        from document_line l join document d on d.org_id = l.org_id and d.id = l.document_id
       where l.org_id = ${org} and l.source_document_id = ${document} and d.kind = ${kind} and d.role = 'own'
         and d.red_of_id is null and d.state not in ('cancelled', 'deleted', 'reversed')
         and d.fields @> ${tx.json(header)}
       group by 1
    ), refused as (
      select line_no, sum(taken) as quantity from line_progress
       where org_id = ${org} and document_id = ${document} and line_no > 0
         and purpose = any(${refusalPurposes as string[]})
       group by 1
    )
    select line_no, coalesce(r.quantity, 0)::numeric(18,3)::text as returned,
           coalesce(f.quantity, 0)::numeric(18,3)::text as refused, coalesce(r.sns, '{}') as sns
      from returned r full join refused f using (line_no)`
  return new Map(rows.map(({ line_no, ...standing }) => [line_no, standing]))
}

/**
 * How much of a quantity that was refused no return takes back yet: one refusal is one return, whether the driver noted
 * it first or the customer. `refused` is all that was refused of the line, this quantity included.
 */
export function beyondReturns(quantity: Decimal, refused: Decimal, standing: Standing | undefined): Decimal {
  const open = subtract(refused, standing?.returned ?? zero, 3)
  return isPositive(open) ? least(add(quantity, zero, 3), open) : zero
}

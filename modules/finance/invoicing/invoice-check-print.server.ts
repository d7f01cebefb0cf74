import { absolute, compare, subtract, sum } from '#kernel/values/decimal.ts'
import type { Tx } from '#server/public/database.ts'
import type { DocumentHooks } from '#server/public/hooks.ts'
import type { Session } from '#server/public/session.ts'

type Info = Readonly<Record<string, unknown>>
type Covered = {
  readonly line_no: number
  readonly source_price: string
  readonly source_amount: string
  readonly settlement_no: string | null
  readonly period: string | null
  readonly rounding: string
}

/** A total within so many yuan of what was settled is rounding. */
const ROUNDING = '0.05'

/**
 * For each line of an invoice, the price and amount at which it was received or settled, and under which settlement.
 */
const coveredOf = (tx: Tx, session: Session, sn: string) => tx<Covered[]>`
  select l.line_no, g.price::numeric(18,4)::text as source_price,
         coalesce(round(g.taxed_amount * l.base_quantity / nullif(g.base_quantity, 0), 2), 0)::text as source_amount,
         case when r.kind = 'settlementGrn' then g.source_sn end as settlement_no,
         concat_ws('至', r.fields->>'begin_date', r.fields->>'end_date') as period, l.rounding::text as rounding
    from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
    join document_line g on g.org_id = l.org_id and g.document_id = l.source_document_id
      and g.line_no = l.source_line_no
    join document r on r.org_id = g.org_id and r.id = g.document_id
   where d.org_id = ${session.org.id} and d.kind = 'inboundInvoice' and d.role = 'own' and d.sn = ${sn}
     and d.state <> 'deleted' order by l.line_no`

/**
 * 结算发票核对单: each line of the invoice beside the settled or received line. difference = invoiced - settled; if the
 * invoice as a whole differs by no more than 0.05, the difference is 尾差.
 */
export const printedCheck: NonNullable<DocumentHooks['printFields']> = async (tx, session, info): Promise<Info> => {
  const covered = new Map((await coveredOf(tx, session, String(info.sn))).map(row => [row.line_no, row]))
  const lines = (info.lines as readonly Info[]).map(line => {
    const of = covered.get(line.line_no as number)
    const amount = sum([String(line.taxed_amount), of?.rounding ?? '0'], 2)
    const difference_amount = subtract(amount, of?.source_amount ?? '0', 2)
    return {
      ...line,
      invoice_no: info.invoice_no,
      invoice_date: info.invoice_date,
      invoice_amount: amount,
      source_price: of?.source_price ?? null,
      source_amount: of?.source_amount ?? null,
      difference_amount,
    }
  })
  const whole = sum(
    lines.map(line => line.difference_amount),
    2,
  )
  const reason = compare(absolute(whole), ROUNDING) <= 0 ? '尾差' : (info.difference_reason ?? '')
  const named = (of: (row: Covered) => string | null) => [...new Set([...covered.values()].map(of))].filter(Boolean)
  const settlements = named(row => row.settlement_no)
  return {
    title: settlements.length > 0 ? '结算发票核对单' : '发票核对单',
    lines: lines.map(line => ({
      ...line,
      difference_note: compare(line.difference_amount, '0') === 0 ? null : reason,
    })),
    settlement_nos: settlements.join('、'),
    settlement_period: named(row => row.period).join('、'),
    difference_total: whole,
  }
}

import { isPositive } from '#kernel/values/decimal.ts'
import type { DocumentHooks } from '#server/public/hooks.ts'

type Line = Readonly<Record<string, unknown>>
const conclusions: Readonly<Record<string, string>> = { qualified: '合格', partly: '部分合格', unqualified: '不合格' }
const pending = new Set(['draft', 'submitted', 'rejected', 'cancelled'])

/**
 * When the goods of a receipt arrived, and what their inspection found: from the inspection, otherwise from the date
 * and data of the receipt itself.
 */
export const receiptSheet: NonNullable<DocumentHooks['printFields']> = async (tx, session, info) => {
  const [behind] = await tx<{ arrived_on: string | null; conclusion: string | null; orders: string | null }[]>`
    select min(o.fields->>'arrival_date') filter (where o.kind = 'inspectionOrder') as arrived_on,
      min(o.fields->>'conclusion') filter (where o.kind = 'inspectionOrder') as conclusion,
           string_agg(distinct o.sn, '、') filter (where o.kind = 'purchaseOrder') as orders from document d
      join document_line l on l.org_id = d.org_id and l.document_id = d.id
      join document o on o.org_id = l.org_id and o.id in (l.source_document_id, l.order_document_id)
     where d.org_id = ${session.org.id} and d.from_org_id = ${String(info.org_sn)} and d.sn = ${String(info.sn)}`
  const isPartly = (info.lines as readonly Line[]).some(line => isPositive(String(line.unqualified_quantity ?? '0')))
  const own = pending.has(String(info.state)) ? null : isPartly ? conclusions.partly : conclusions.qualified
  return {
    order_sns: behind?.orders ?? null,
    source_sn: [info.note_no, behind?.orders].includes(info.source_sn as string) ? null : info.source_sn,
    arrived_on: behind?.arrived_on ?? info.business_date,
    inspection_result: conclusions[behind?.conclusion ?? ''] ?? own,
  }
}

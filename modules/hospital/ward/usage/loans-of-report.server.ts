import type { Decimal } from '#kernel/values/decimal.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

type Row = Readonly<Record<string, unknown>>

/** A line that a supplier brought for an operation: what was counted at the door, and what went back. */
export type BroughtLine = {
  readonly source_sn: string
  readonly source_org_sn: string
  readonly source_line_no: number
  readonly supplier_name: string
  readonly kit_code: string | null
  readonly brought: Decimal
  readonly returned: Decimal
  readonly counted_before: Decimal | null
  readonly brought_at: string | null
  readonly sterilised_in: string | null
  readonly product_name: string | null
  readonly specification_name: string | null
  readonly manufacturer_name: string | null
  readonly lot_no: string | null
  readonly expiry_date: string | null
  readonly unit_codes: readonly string[]
  readonly unit_name: string | null
}

/** The name of a line of a supplier's delivery, as lines of a use give it. */
export const sourceKey = (line: Row): string =>
  [line.source_sn, line.source_org_sn, line.source_line_no].map(part => String(part ?? '')).join('|')

/**
 * Everything that suppliers brought for the operation of these lines of a use, used or not: the lines of their
 * presales, with what came back of each and what the hospital counted of it. Empty where nothing was lent.
 */
export const broughtFor = async (tx: Tx, session: Session, lines: readonly Row[]): Promise<readonly BroughtLine[]> => {
  const lent = lines.filter(line => line.loan_sn && line.source_sn)
  if (lent.length === 0) return []
  return tx<BroughtLine[]>`
    select d.sn as source_sn, d.from_org_id::text as source_org_sn, l.line_no as source_line_no,
           o.name as supplier_name, l.fields->>'kit_code' as kit_code, l.base_quantity as brought,
           coalesce((select sum(k.base_quantity) from document b
             join document_line k on k.org_id = b.org_id and k.document_id = b.id
            where b.org_id = d.org_id and b.kind = 'boneBack' and b.role = 'counterparty'
              and b.from_org_id = d.from_org_id and b.state in ('submitted', 'reviewed', 'partial', 'completed')
              and k.source_document_id = d.id and k.source_line_no = l.line_no), 0)::numeric(18,3) as returned,
           c.counted as counted_before, c.delivered_at as brought_at, c.lots as sterilised_in,
           p.name as product_name, s.name as specification_name, m.name as manufacturer_name, l.lot_no,
           l.expiry_date, l.unit_codes, s.unit_name
      from document d
      join organisation o on o.id = d.from_org_id
      join document_line l on l.org_id = d.org_id and l.document_id = d.id
      left join specification s on s.id = l.specification_id
      left join product p on p.id = s.product_id
      left join organisation m on m.id = p.manufacturer_id
      left join lateral (
        select sum(k.quantity)::numeric(18,3) as counted, max(a.fields->>'delivered_at') as delivered_at,
               string_agg(distinct k.fields->>'sterilisation_lot_no', '、') as lots
          from document a join document_line k on k.org_id = a.org_id and k.document_id = a.id
         where a.org_id = d.org_id and a.kind = 'bonePreAcceptance' and a.role = 'own'
           and a.counterparty_id = d.from_org_id and a.state in ('reviewed', 'partial', 'completed')
           and a.fields->>'plan_sn' = d.fields->>'plan_sn' and k.specification_id = l.specification_id
           and k.lot_no is not distinct from l.lot_no
           and (cardinality(l.unit_codes) = 0 or k.unit_codes && l.unit_codes)) c on true
     where d.org_id = ${session.org.id} and d.kind = 'bonePresale' and d.role = 'counterparty'
       and d.sn = any(${[...new Set(lent.map(line => String(line.source_sn)))]})
       and d.from_org_id = any(${[...new Set(lent.map(line => String(line.source_org_sn)))]}::bigint[])
     order by o.name, d.id, l.line_no`
}

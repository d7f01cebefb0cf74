import type { Decimal } from '#kernel/values/decimal.ts'
import { gs1Bracketed } from '#kernel/codes/encode.ts'
import { parseCode } from '#kernel/codes/parse-code.ts'
import { suppliersOf } from '#modules/goods/stock/balances/lot-suppliers.server.ts'
import { specificationFacts } from '#modules/base/items/item-data.server.ts'
import type { LineInput } from '#server/public/drafts.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

/** The head of a usage record, as far as its form copies it. */
export type UsageRecord = {
  readonly id: string
  readonly sn: string
  readonly surgery_no: string | null
  readonly business_date: string
  readonly department_inner_sn: string | null
  readonly fields: Readonly<Record<string, unknown>>
}

/** A usage record of an operation that is in force, by its number; `also`: one that is being reviewed just now. */
export async function usageRecord(
  tx: Tx,
  org: string,
  sn: string,
  also: string | null = null,
): Promise<UsageRecord | null> {
  const [row] = await tx<UsageRecord[]>`
    select d.id, d.sn, nullif(d.fields->>'surgery_no', '') as surgery_no, d.business_date::text as business_date,
           d.department_id as department_inner_sn, d.fields
      from document d
     where d.org_id = ${org} and d.kind = 'surgeryUse' and d.role = 'own' and d.sn = ${sn} and d.red_of_id is null
       and (d.state in ('reviewed', 'partial', 'completed') or d.id = ${also})`
  return row ?? null
}

type Implant = {
  readonly line_no: number
  readonly of_use_sn: string
  readonly specification_sn: string
  readonly lot_id: string | null
  readonly lot_no: string | null
  readonly production_date: string | null
  readonly expiry_date: string | null
  readonly unit_codes: readonly string[]
  readonly quantity: Decimal
  readonly owner_org_sn: string | null
  readonly implant_part: string | null
  readonly udi: string | null
}

/**
 * The implants that stayed in the patient, of all usage records of an operation, piece by piece where pieces have
 * codes: pieces that were opened and not implanted, or taken back, are left out. Of coded pieces the last ones of their
 * line count as opened.
 */
const implantsOf = (tx: Tx, org: string, { id, surgery_no }: UsageRecord) => tx<Implant[]>`
  select (row_number() over (order by d.id, l.line_no, p.place))::int as line_no, d.sn as of_use_sn,
         l.specification_id as specification_sn, l.lot_id, l.lot_no, k.production_date::text as production_date,
         coalesce(l.expiry_date, k.expiry_date)::text as expiry_date,
         case when p.code is null then '{}' else array[p.code] end as unit_codes, p.quantity,
         l.owner_org_id as owner_org_sn, nullif(l.fields->>'implant_part', '') as implant_part,
         (select u.code from unit_code x join unit_code u on u.lot_id = x.lot_id and u.unit_id = x.unit_id
           and u.kind = 'udi' where x.code = p.code limit 1) as udi
    from document d
    join document_line l on l.org_id = d.org_id and l.document_id = d.id
    join specification s on s.id = l.specification_id
    join product g on g.id = s.product_id and g.is_implant
    left join stock_lot k on k.org_id = l.org_id and k.lot_id = l.lot_id
    cross join lateral (
      select coalesce((l.fields->>'wasted_quantity')::numeric, 0) * l.base_quantity / nullif(l.quantity, 0) as wasted) w
    cross join lateral (
      select coalesce(- sum(x.base_quantity), 0) as quantity from document r
        join document_line x on x.org_id = r.org_id and x.document_id = r.id
       where r.org_id = d.org_id and r.red_of_id = d.id and r.state <> 'cancelled' and x.line_no = l.line_no) b
    cross join lateral (
      select c.code, c.place, 1::numeric(18,3) as quantity from unnest(l.unit_codes) with ordinality c(code, place)
       where c.place <= cardinality(l.unit_codes) - w.wasted and not exists (
         select 1 from document r join document_line x on x.org_id = r.org_id and x.document_id = r.id
          where r.org_id = d.org_id and r.red_of_id = d.id and r.state <> 'cancelled' and x.line_no = l.line_no
            and c.code = any(x.unit_codes))
      union all
      select null, 1, (l.base_quantity - w.wasted - b.quantity)::numeric(18,3) where cardinality(l.unit_codes) = 0) p
   where d.org_id = ${org} and d.kind = 'surgeryUse' and d.role = 'own' and d.red_of_id is null and p.quantity > 0
     and (d.id = ${id} or (${surgery_no}::text is not null and d.fields->>'surgery_no' = ${surgery_no}
       and d.state in ('reviewed', 'partial', 'completed')))
   order by d.id, l.line_no, p.place`

/** UDI-PI: lot, days and serial in GS1 element strings, as far as they are known. */
function productionIdentifier({ lot_no, production_date, expiry_date, udi }: Implant): string {
  const parsed = udi === null ? null : parseCode(udi)
  const serial = parsed?.ok ? (parsed.elements.find(({ ai }) => ai === '21')?.value ?? null) : null
  const day = (text: string) => text.slice(2).replaceAll('-', '')
  const parts = [
    ...(production_date ? [{ ai: '11', value: day(production_date) }] : []),
    ...(expiry_date ? [{ ai: '17', value: day(expiry_date) }] : []),
    ...(lot_no ? [{ ai: '10', value: lot_no }] : []),
    ...(serial ? [{ ai: '21', value: serial }] : []),
  ]
  try {
    return gs1Bracketed(parts)
  } catch {
    // A lot that no GS1 symbol can carry is read from its own column.
    return ''
  }
}

/** The lines of a form: the implants of its operation, with their supplier and the certificate of the day. */
export async function formLines(tx: Tx, session: Session, use: UsageRecord): Promise<LineInput[]> {
  const org = session.org.id
  const implants = await implantsOf(tx, org, use)
  const suppliers = await suppliersOf(tx, session, implants as never)
  const facts = await specificationFacts(
    tx,
    implants.map(line => line.specification_sn),
    { org, counterparty: null, direction: 'none', day: use.business_date },
  )
  return implants.map(line => ({
    line_no: line.line_no,
    specification_sn: line.specification_sn,
    lot_id: line.lot_id,
    lot_no: line.lot_no,
    production_date: line.production_date,
    expiry_date: line.expiry_date,
    unit_codes: line.unit_codes,
    quantity: line.quantity,
    supplier_sn: suppliers.get(line.line_no) ?? null,
    certificate_no: facts.get(line.specification_sn)?.certificate_no ?? null,
    udi_pi: productionIdentifier(line),
    implant_part: line.implant_part,
    of_use_sn: line.of_use_sn,
  }))
}

import { kindsOf } from '#kernel/measure/feeding.ts'
import type { DocumentHooks } from '#server/public/hooks.ts'

/** The orders the goods are shipped on: ours to the customer, and the customer's to us behind it. */
export const shipmentPrint: NonNullable<DocumentHooks['printFields']> = async (tx, session, info) => {
  const org = session.org.id
  const [orders] = await tx<{ sale_order_sns: string | null; hospital_order_sns: string | null }[]>`
    with behind as (
      select distinct o.kind, o.sn, o.source_sn from document d
        join document_line l on l.org_id = d.org_id and l.document_id = d.id
        join document o on o.org_id = l.org_id and o.id in (l.order_document_id, l.source_document_id)
       where d.org_id = ${org} and d.from_org_id = ${String(info.org_sn)} and d.sn = ${String(info.sn)}
         and o.kind = any(${kindsOf('ordered', 'ordered_here')}))
    select string_agg(distinct sn, '、') filter (where kind = any(${kindsOf('ordered_here')})) as sale_order_sns,
           string_agg(distinct case when kind = any(${kindsOf('ordered')}) then sn else source_sn end, '、')
             as hospital_order_sns
             from behind`
  const said = [orders?.sale_order_sns, orders?.hospital_order_sns]
  return { ...orders, source_sn: said.includes(info.source_sn as string) ? null : info.source_sn }
}

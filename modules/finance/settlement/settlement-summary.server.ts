import { compare, type Decimal } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

type Info = Readonly<Record<string, unknown>>
const SUMMARY = '/newprint/settlementInwarehousePrint'
const inForce = ['reviewed', 'partial', 'completed']

/**
 * The amount that was received under a settlement, with the sign of reversals, must equal the settled amount: otherwise
 * the voucher would show another total.
 */
async function refuseOther(tx: Tx, session: Session, sn: string): Promise<void> {
  const [row] = await tx<{ settled: Decimal; received: Decimal }[]>`
    select s.taxed_amount::text as settled,
           (select coalesce(sum(l.taxed_amount), 0)::numeric(18,2)::text from document_line l
             join document g on g.org_id = l.org_id and g.id = l.document_id
             where l.org_id = s.org_id and l.source_document_id = s.id and g.kind = 'settlementGrn' and g.role = 'own'
               and g.state in ('reviewed', 'partial', 'completed', 'reversed')) as received
      from document d join document_line x on x.org_id = d.org_id and x.document_id = d.id
      join document s on s.org_id = d.org_id and s.id = x.source_document_id
     where d.org_id = ${session.org.id} and d.kind = 'settlementGrn' and d.role = 'own' and d.sn = ${sn} limit 1`
  if (row && compare(row.settled, row.received) !== 0)
    throw new BusinessError('rule', `汇总金额与结算单不一致：结算单${row.settled}元，已入库${row.received}元，不能打印`)
}

/** By the accounting class of each size on the day of the receipt. */
const classesOf = (tx: Tx, session: Session, sn: string) => tx<Record<string, string>[]>`
  select row_number() over (order by c.name nulls last)::int as line_no, coalesce(c.name, '未分类') as finance_class_name,
    count(distinct l.specification_id)::text as size_count,
         sum(l.quantity)::numeric(18,3)::text as quantity,
           sum(l.untaxed_amount)::numeric(18,2)::text as untaxed_amount,
           sum(l.tax_amount)::numeric(18,2)::text as tax_amount,
           sum(l.taxed_amount)::numeric(18,2)::text as taxed_amount,
         string_agg(distinct i.invoice_no, '、') as invoice_nos
    from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
    left join lateral (
      select y.name from typed_product k join custom_type y on y.org_id = k.org_id and y.id = k.custom_type_id
       where k.org_id = d.org_id and k.tree = 'account' and k.specification_id = l.specification_id and d.business_date
         between k.valid_from and coalesce(k.valid_to, 'infinity'::date) limit 1) c on true
    left join lateral (
      select string_agg(distinct v.fields->>'invoice_no', '、') as invoice_no from document_line x
        join document v on v.org_id = x.org_id and v.id = x.document_id
       where x.org_id = l.org_id and x.source_document_id = l.document_id and x.source_line_no = l.line_no
         and v.kind = 'inboundInvoice' and v.role = 'own' and v.state = any(${inForce})) i on true
   where d.org_id = ${session.org.id} and d.kind = 'settlementGrn' and d.role = 'own' and d.sn = ${sn} group by c.name
     order by c.name nulls last`

/** The summary that finance keeps with its voucher: of receipts in force, and of exactly the settled total. */
export async function summarised(tx: Tx, session: Session, info: Info, route: string | null): Promise<Info> {
  if (route !== SUMMARY) return {}
  const sn = String(info.sn)
  if (![...inForce, 'reversed'].includes(String(info.state)))
    throw new BusinessError('rule', `结算入库单${sn}尚未审核，不能打印汇总单`)
  if (!info.red_of_sn && info.state !== 'reversed') await refuseOther(tx, session, sn)
  return { lines: await classesOf(tx, session, sn) }
}

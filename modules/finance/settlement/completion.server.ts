import type { Tx } from '#server/public/database.ts'
import type { DocumentHooks } from '#server/public/hooks.ts'

const idsOf = (rows: readonly { readonly id: string }[]): string[] => rows.map(({ id }) => id)

/** The settlements behind receipts, and behind invoices over receipts. */
const behind = async (tx: Tx, org: string, ids: readonly string[]): Promise<string[]> =>
  idsOf(
    await tx<{ id: string }[]>`
      select s.id from document s where s.org_id = ${org} and s.kind = 'settlement' and s.role = 'own' and s.id in (
        select x.source_document_id from document_line x
         where x.org_id = ${org} and x.document_id = any(${[...ids]}::bigint[])
        union
        select x.source_document_id from document_line y
          join document_line x on x.org_id = y.org_id and x.document_id = y.source_document_id
           and x.line_no = y.source_line_no
         where y.org_id = ${org} and y.document_id = any(${[...ids]}::bigint[]))
       order by s.id`,
  )

/**
 * Settlements that are over: each line received, each received line invoiced, and nothing open of those invoices, by
 * whatever it was settled (payments, money in advance, fees kept back, allowances), less what red ones took back. One
 * whose sum is nothing owes nothing once it is received; a negative one is over when its red invoice was offset. An
 * invoice that waits counts as open: at its review it still does.
 */
const complete = async (tx: Tx, org: string, ids: readonly string[]): Promise<string[]> =>
  idsOf(
    await tx<{ id: string }[]>`
      select d.id from document d
       where d.org_id = ${org} and d.id = any(${[...ids]}::bigint[])
         and not exists (
           select 1 from document_line l
             left join line_progress p on p.org_id = l.org_id and p.document_id = l.document_id
               and p.line_no = l.line_no and p.purpose = 'settle'
            where l.org_id = d.org_id and l.document_id = d.id and coalesce(p.taken, 0) <> l.base_quantity)
         and (d.taxed_amount = 0 or not exists (
           select 1 from document_line x
             join document g on g.org_id = x.org_id and g.id = x.document_id and g.kind = 'settlementGrn'
               and g.role = 'own' and g.red_of_id is null
               and g.state in ('submitted', 'reviewed', 'partial', 'completed')
             left join line_progress v on v.org_id = x.org_id and v.document_id = x.document_id
               and v.line_no = x.line_no and v.purpose = 'invoice'
            where x.org_id = d.org_id and x.source_document_id = d.id
              and (abs(coalesce(v.taken, 0)) < abs(x.base_quantity) or exists (
                select 1 from document_line y
                  join document i on i.org_id = y.org_id and i.id = y.document_id and i.kind = 'inboundInvoice'
                    and i.role = 'own' and i.red_of_id is null
                    and i.state in ('submitted', 'reviewed', 'partial', 'completed')
                  left join line_progress q on q.org_id = y.org_id and q.document_id = y.document_id
                    and q.line_no = y.line_no and q.purpose = 'pay'
                 where y.org_id = x.org_id and y.source_document_id = x.document_id and y.source_line_no = x.line_no
                   and y.taxed_amount + y.rounding + coalesce((select sum(r.taxed_amount + r.rounding)
                     from document m join document_line r on r.org_id = m.org_id and r.document_id = m.id
                      where m.org_id = i.org_id and m.red_of_id = i.id and r.line_no = y.line_no
                        and m.state not in ('draft', 'cancelled', 'deleted')), 0) <> coalesce(q.taken, 0)))))`,
  )

/** 已完成 of a settlement: all of it is paid. */
export const settledInFull: NonNullable<DocumentHooks['completion']> = {
  after: ['settlementGrn', 'inboundInvoice'],
  behind,
  complete,
}

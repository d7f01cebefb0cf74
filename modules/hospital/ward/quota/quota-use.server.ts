import type { Fragment } from '#server/public/records.ts'
import type { Tx } from '#server/public/database.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'

/** Goods that came by requisition were counted when they were requested. */
const asked = [sourceTypes.REQUISITION, sourceTypes.DISPATCH]
export const issuedStates = ['reviewed', 'partial', 'completed', 'stopped', 'reversed']
export const askedStates = ['submitted', 'reviewed', 'partial', 'completed', 'stopped']

/** The requested quantity of a line `l` of a requisition `d`: of a stopped one only the issued quantity. */
export const askedFor = (tx: Tx): Fragment => tx`
  case when d.state = 'stopped' then coalesce((
    select sum(g.taken) from line_progress g where g.org_id = l.org_id and g.document_id = l.document_id
      and g.line_no = l.line_no and g.purpose = 'grant'), 0) else l.base_quantity end`

/** The month of a day, as a range of business dates of `d`. */
export const inMonth = (tx: Tx, day: string): Fragment => tx`
  d.business_date >= ${`${day.slice(0, 7)}-01`}::date
  and d.business_date < ${`${day.slice(0, 7)}-01`}::date + interval '1 month'`

/** True if a specification is of a class or one below it; a quota without a class is for all goods. */
export const inClass = (tx: Tx, org: string, quota: Fragment, specification: Fragment): Fragment => tx`(
  ${quota} is null or exists (
    with recursive branch as (
      select ${quota} as id
      union select c.id from branch b join custom_type c on c.org_id = ${org} and c.parent_id = b.id)
    select 1 from typed_product y
     where y.org_id = ${org} and y.specification_id = ${specification} and y.valid_to is null
       and y.custom_type_id in (select id from branch)))`

/**
 * The amount used of a department's quota `q` in the month of a day, at the catalogue's prices: requested goods (of a
 * stopped requisition only the issued ones) and goods issued without a request, less returned and reversed ones.
 * `except`: a document that is being judged does not count itself.
 */
export const quotaUsed = (tx: Tx, org: string, day: string, except: string | null = null): Fragment => tx`(
  select coalesce(sum(round(x.quantity * h.purchase_price, 2)), 0)::numeric(18,2) from (
    select l.specification_id, ${askedFor(tx)} as quantity
      from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
     where d.org_id = ${org} and d.kind = 'requisition' and d.role = 'own' and d.department_id = q.department_id
       and d.state = any(${askedStates}) and d.id is distinct from ${except} and ${inMonth(tx, day)}
    union all
    select l.specification_id, l.base_quantity
      from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
      left join document o on o.org_id = d.org_id and o.id = d.red_of_id
     where d.org_id = ${org} and d.kind = 'grantOdo' and d.role = 'own' and d.department_id = q.department_id
       and d.state = any(${['submitted', ...issuedStates]}) and d.id is distinct from ${except}
       and coalesce(o.source_type, d.source_type, 0) <> all(${[...asked]}::int[]) and ${inMonth(tx, day)}
    union all
    select l.specification_id, -l.base_quantity
      from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
     where d.org_id = ${org} and d.kind = 'grantReturn' and d.role = 'own' and d.department_id = q.department_id
       and d.state = any(${issuedStates}) and ${inMonth(tx, day)}) x
    join hospital_product h on h.org_id = ${org} and h.specification_id = x.specification_id
   where ${inClass(tx, org, tx`q.custom_type_id`, tx`x.specification_id`)})`

/** Quotas `q` that hold on a day. */
export const inForce = (tx: Tx, day: string): Fragment => tx`
  q.status = 'enabled' and q.valid_from <= ${day}::date and coalesce(q.valid_to, 'infinity'::date) >= ${day}::date`

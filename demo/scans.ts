import type { Sql } from 'postgres'

/** One document in so many was typed, the others were scanned. */
const TYPED_EVERY = 12

/** 录入方式: the demo's people scanned the pieces of most of their documents. */
export async function noteDemoScans(owner: Sql): Promise<void> {
  await owner`
    insert into code_scan (org_id, code, scanned_by, scanned_at, document_id)
    select distinct d.org_id, c.code, d.created_by, d.created_at, d.id
      from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
     cross join unnest(l.unit_codes) c(code)
     where d.role = 'own' and d.id % ${TYPED_EVERY} > 0
       and not exists (select from code_scan k where k.org_id = d.org_id and k.document_id = d.id)`
}

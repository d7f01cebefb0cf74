import { patchLines } from '#server/public/documents.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

const LACKING = '该批号缺少合格证明'

/**
 * Notes each line of sterile goods and implants whose lot has no certificate of conformity on file: 该批号缺少合格证明. `paper`
 * is the inspection. Two statements for any number of lines; the document's version does not change, because no user
 * edited it.
 */
export async function noteLots(tx: Tx, session: Session, licence: string): Promise<void> {
  const org = session.org.id
  const changed = await tx<{ line_no: number; lacks: boolean }[]>`
    select * from (
      select x.line_no, x.fields ? 'lot_note' as noted,
             (p.is_sterile or p.is_implant) and x.lot_no is not null and not exists (
               select 1 from quality_certificate q
                where q.specification_id = x.specification_id and q.lot_no = x.lot_no
                  and q.certificate_type = 'conformity' and q.is_current and q.state <> 'refused') as lacks
        from document d join document_line x on x.org_id = d.org_id and x.document_id = d.id
        join specification s on s.id = x.specification_id join product p on p.id = s.product_id
       where d.org_id = ${org} and d.kind = 'inspectionOrder' and d.role = 'own'
         and d.state in ('draft', 'rejected', 'submitted') and d.id = ${licence}) n
     where lacks is distinct from noted`
  const notes = changed.map(({ line_no, lacks }) => ({ line_no, values: { lot_note: lacks ? LACKING : null } }))
  await patchLines(tx, session, { id: licence, kind: 'inspectionOrder' }, notes, 'derived')
}

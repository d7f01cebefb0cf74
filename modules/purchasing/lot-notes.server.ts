import type { Tx } from '#server/public/database.ts'

const LACKING = '该批号缺少合格证明'

/**
 * Beside each line of sterile goods and implants whose lot has no certificate of conformity on file: 该批号缺少合格证明. `paper` is the
 * inspection. One statement whatever the lines.
 */
export const noteLots = (tx: Tx, org: string, paper: string) => tx`
  update document_line l
     set fields = case when n.lacks then l.fields || jsonb_build_object('lot_note', ${LACKING}::text) else l.fields - 'lot_note' end
    from (select x.document_id, x.line_no,
                 (p.is_sterile or p.is_implant) and x.lot_no is not null and not exists (
                   select 1 from quality_certificate q where q.specification_id = x.specification_id and q.lot_no = x.lot_no and q.certificate_type = 'conformity' and q.is_current and q.state <> 'refused') as lacks
            from document d join document_line x on x.org_id = d.org_id and x.document_id = d.id
            join specification s on s.id = x.specification_id join product p on p.id = s.product_id
           where d.org_id = ${org} and d.kind = 'inspectionOrder' and d.role = 'own' and d.state in ('draft', 'rejected', 'submitted')
             and d.id = ${paper}) n
   where l.org_id = ${org} and l.document_id = n.document_id and l.line_no = n.line_no and n.lacks is distinct from (l.fields ? 'lot_note')`

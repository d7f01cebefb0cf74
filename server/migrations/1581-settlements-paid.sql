-- A settlement is completed when all of it is paid, no more when it is received: those that were received and are not
-- paid are partly executed.
update document d set state = 'partial', version = d.version + 1
where d.kind = 'settlement'
  and d.role = 'own'
  and d.state = 'completed'
  and d.taxed_amount <> 0
  and exists (
    select 1
    from document_line x
    join document g on g.org_id = x.org_id
      and g.id = x.document_id
      and g.kind = 'settlementGrn'
      and g.role = 'own'
      and g.red_of_id is null
      and g.state in ('submitted', 'reviewed', 'partial', 'completed')
    left join line_progress v on v.org_id = x.org_id
      and v.document_id = x.document_id
      and v.line_no = x.line_no
      and v.purpose = 'invoice'
    where x.org_id = d.org_id
      and x.source_document_id = d.id
      and (
        abs(coalesce(v.taken, 0)) < abs(x.base_quantity)
        or exists (
          select 1
          from document_line y
          join document i on i.org_id = y.org_id
            and i.id = y.document_id
            and i.kind = 'inboundInvoice'
            and i.role = 'own'
            and i.red_of_id is null
            and i.state in ('submitted', 'reviewed', 'partial', 'completed')
          left join line_progress q on q.org_id = y.org_id
            and q.document_id = y.document_id
            and q.line_no = y.line_no
            and q.purpose = 'pay'
          where y.org_id = x.org_id
            and y.source_document_id = x.document_id
            and y.source_line_no = x.line_no
            and y.taxed_amount + y.rounding + coalesce(
              (
                select sum(r.taxed_amount + r.rounding)
                from document m
                join document_line r on r.org_id = m.org_id and r.document_id = m.id
                where m.org_id = i.org_id
                  and m.red_of_id = i.id
                  and r.line_no = y.line_no
                  and m.state not in ('draft', 'cancelled', 'deleted')
              ), 0
            ) <> coalesce(q.taken, 0)
        )
      )
  );

-- A settlement of nothing is complete once it is received, though its sum never moved.
update document d set state = 'completed', version = d.version + 1
where d.kind = 'settlement'
  and d.role = 'own'
  and d.state in ('reviewed', 'partial')
  and d.taxed_amount = 0
  and d.line_count > 0
  and not exists (
    select 1
    from document_line l
    left join line_progress p on p.org_id = l.org_id
      and p.document_id = l.document_id
      and p.line_no = l.line_no
      and p.purpose = 'settle'
    where l.org_id = d.org_id and l.document_id = d.id and coalesce(p.taken, 0) <> l.base_quantity
  );

-- The supplier's copy stands where the hospital's settlement does.
update document c set state = d.state, version = c.version + 1, reviewed_at = coalesce(c.reviewed_at, d.reviewed_at)
from document d
where c.kind = 'settlement'
  and c.role = 'counterparty'
  and c.state = 'submitted'
  and d.org_id = c.from_org_id
  and d.kind = c.kind
  and d.sn = c.sn
  and d.role = 'own'
  and d.state in ('reviewed', 'partial', 'completed', 'stopped');

-- Goods that went out for operations, a row a delivery on the day it left, with what became of it until now: the
-- supplier reads what he lent, the hospital what was lent to it. No patient and no doctor.
select
  coalesce(d.business_date, {{ day_of(d.reviewed_at) }}) as day,
  c.name as counterparty_name,
  d.counterparty_id::text as counterparty_sn,
  coalesce(d.fields ->> 'plan_sn', d.sn) as operation_key,
  coalesce(d.total_quantity, 0)::numeric(18, 3) as out_quantity,
  coalesce(u.taken, 0)::numeric(18, 3) as used_quantity,
  coalesce(r.taken, b.quantity, 0)::numeric(18, 3) as back_quantity
from
  document d
  left join organisation c on c.id = case
    when d.role = 'own' then d.counterparty_id
    else d.from_org_id
  end
  left join {{ own(line_progress, u, document_id = d.id, line_no = 0, purpose = 'use') }}
  left join {{ own(line_progress, r, document_id = d.id, line_no = 0, purpose = 'return') }}
  left join lateral (
    select
      sum(k.total_quantity) as quantity
    from
      document k
    where
      k.org_id = :organisation
      and {{ takes_back(k.kind, lent) }}
      and k.role = 'counterparty'
      and k.from_org_id = d.from_org_id
      and k.source_sn = d.sn
      and k.state in ('reviewed', 'partial', 'completed')
  ) b on d.role = 'counterparty'
where
  d.org_id = :organisation
  and {{ adds(d.kind, lent) }}
  and d.state in ('reviewed', 'partial', 'completed', 'stopped')
  and coalesce(d.business_date, {{ day_of(d.reviewed_at) }}) between :begin_date and :end_date
  and {{ store_scope(d.warehouse_id) }}
  and {{ author_scope(d.created_by, d.submitted_by) }}
  and {{ asked(d.warehouse_id, :warehouse_model_inner_sn) }}
  and {{ asked(c.id, :counterparty_sn) }}

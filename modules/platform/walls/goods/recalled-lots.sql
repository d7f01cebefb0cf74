select
  p.name as product_name,
  r.lot_no,
  r.recall_level,
  r.on_hand,
  r.used,
  r.returned
from
  recall_feedback r {{ product_of(r.specification_id) }}
where
  r.org_id = :organisation
  and r.state in ('waiting', 'answered')
order by
  r.id desc

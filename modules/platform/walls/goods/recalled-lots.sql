select
  p.name as product_name,
  {{ columns_of(r, lot_no, recall_level, on_hand, used, returned) }}
from
  recall_feedback r {{ product_of(r.specification_id) }}
where
  r.org_id = :organisation
  and r.state in ('waiting', 'answered')
order by
  r.id desc

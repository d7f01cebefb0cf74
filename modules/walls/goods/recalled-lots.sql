select
  p.name as product_name,
  r.lot_no,
  r.recall_level,
  r.on_hand,
  r.used,
  r.returned
from
  recall_feedback r
  join specification s on s.id = r.specification_id
  join product p on p.id = s.product_id
where
  r.org_id = :organisation
  and r.state in ('waiting', 'answered')
order by
  r.id desc

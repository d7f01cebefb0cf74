select
  d.day,
  d.open_count
from
  warning_day d
where
  d.org_id = :organisation
  and d.day between :begin_date and :end_date
  and {{ asked(d.category, :category) }}

-- The closing of a period calls the same function.
select
  s.category,
  document_title (s.document_kind) as document_name,
  s.document_no,
  o.name as counterparty_name,
  s.happened_on,
  s.amount::numeric(18, 2) as open_amount,
  s.uses::numeric(18, 3) as open_count,
  {{ columns_of(s, note, control, document_kind) }}
from
  month_standing (:organisation, :period) s
  left join organisation o on o.id = s.counterparty_id
where
  :category is null
  or s.category = :category
order by
  {{ columns_of(s, category, happened_on, document_no) }}

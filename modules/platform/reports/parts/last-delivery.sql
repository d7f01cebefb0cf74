-- The last delivery of the lot `g`, or :settled its last delivery or settlement, with its line. Found by the moves that
-- brought it, of which a lot has few however many documents name it.
select
  d.counterparty_id,
  {{ columns_of(l, document_id, line_no, price, taxed_amount, base_quantity) }}
from
  stock_move m {{ document_of(m.document_id) }}
  join {{ own(document_line, l, document_id = m.document_id, line_no = m.line_no) }}
where
  m.org_id = :organisation
  and m.lot_id = g.lot_id
  and m.step in ('receive', 'title')
  and m.quantity > 0
  and (
    {{ feeds(d.kind, delivered) }}
    or :settled
    and {{ feeds(d.kind, titled) }}
  )
  and d.role = 'own'
  and d.red_of_id is null
  and d.state in ('reviewed', 'partial', 'completed')
  and d.counterparty_id is not null
order by
  m.id desc
limit
  1

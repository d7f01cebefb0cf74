-- The kind of the document behind each move: what the moves of a month were is known without their documents. The
-- version before writes none; what it writes while an installation is renewed is added within the hour.
alter table stock_move
add column document_kind text;

update stock_move m
set
  document_kind = d.kind
from
  document d
where
  d.org_id = m.org_id
  and d.id = m.document_id;

create index stock_move_unnamed on stock_move (org_id, id)
where
  document_kind is null;

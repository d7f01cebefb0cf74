-- GS1 tells lots apart by small letters and capitals. Until now all were kept in capitals, whatever their labels say:
-- such a lot is `folded`, and is found in either case where no lot is written exactly so (`known_lot`). That is the
-- default, because versions run side by side while an installation is renewed and the one before still writes capitals;
-- this one says otherwise of each lot that it writes.
alter table lot add column folded boolean not null default true;

-- Certificates and documents that wait name lots in capitals as well, which may not have come in yet.
insert into lot (specification_id, lot_no)
select c.specification_id, c.lot_no
from quality_certificate c
where c.lot_no ~ '[A-Z]'
union
select l.specification_id, l.lot_no
from document d
join document_line l on l.org_id = d.org_id and l.document_id = d.id
where d.state in ('draft', 'submitted', 'rejected') and l.lot_id is null and l.specification_id is not null
  and l.lot_no ~ '[A-Z]'
order by 1, 2
on conflict (specification_id, lot_no) do nothing;

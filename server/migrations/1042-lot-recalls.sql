-- Lots under an open recall, for everybody: whoever never held one must not take it in either. Kept by lot, as the
-- chain is; a row goes when its recall is closed or withdrawn.
create table lot_recall (
  lot_id bigint not null,
  org_id bigint not null,
  document_id bigint not null,
  recall_sn text not null,
  constraint lot_recall_pk primary key (lot_id, org_id, document_id)
);
grant select, insert, delete on lot_recall to :app_role;

insert into lot_recall (lot_id, org_id, document_id, recall_sn)
select distinct x.lot_id, x.org_id, x.document_id, d.sn
from recall_delivery x
join document d on d.org_id = x.org_id and d.id = x.document_id
where d.state = 'partial';

-- Where grants are settled, a use of what they brought is settled already: which settled grant a use drew on, and how
-- much of it. Taken back, it is free again.
create table settlement_cover (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  grant_line_id bigint not null,
  use_document_id bigint not null,
  use_line_no int not null,
  unit_code text,
  quantity numeric(18,3) not null,
  constraint settlement_cover_pk primary key (org_id, id),
  constraint settlement_cover_grant foreign key (org_id, grant_line_id) references settlement_line (org_id, id),
  constraint settlement_cover_use foreign key (org_id, use_document_id) references document (org_id, id),
  constraint settlement_cover_quantity check (quantity > 0)
);
create index settlement_cover_of_grant on settlement_cover (org_id, grant_line_id);
create index settlement_cover_of_use on settlement_cover (org_id, use_document_id);
call isolate_by_organisation('settlement_cover');
grant select, insert, update, delete on settlement_cover to :app_role;

create index settlement_line_lot on settlement_line (org_id, lot_id);

-- Goods of a store may also be spent when they are received there.
alter table warehouse drop constraint warehouse_accounting;
alter table warehouse add constraint warehouse_accounting check (accounting in ('use', 'issue', 'receipt'));

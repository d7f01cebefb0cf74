-- 补货异常: what was done about something that went wrong in supplying a store. An occurrence is computed from the
-- ledgers and has no row of its own: `occurrence` names what kind it is, of which store, goods or document.
create table restock_handling (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  occurrence text not null,
  note text not null,
  handled_by text not null,
  handled_at timestamptz not null default posting_now(),
  constraint restock_handling_pk primary key (org_id, id),
  constraint restock_handling_once unique (org_id, occurrence)
);
call isolate_by_organisation('restock_handling');
grant select, insert, update on restock_handling to :app_role;

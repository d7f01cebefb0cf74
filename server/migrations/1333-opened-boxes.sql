-- Outer boxes that were opened, by the code on the box: whose pieces came out of it, and of which lot. One box is
-- opened once.
create table opened_box (
  org_id bigint not null,
  code text not null,
  document_id bigint not null,
  lot_id bigint not null,
  piece_codes text[] not null default '{}',
  opened_at timestamptz not null default posting_now(),
  constraint opened_box_pk primary key (org_id, code)
);
create index opened_box_document on opened_box (org_id, document_id);
create index opened_box_piece on opened_box using gin (piece_codes);
call isolate_by_organisation('opened_box');
grant select, insert, delete on opened_box to :app_role;

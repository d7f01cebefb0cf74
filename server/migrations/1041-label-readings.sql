-- What the label of a piece prints besides its identity, as it was scanned last: held against the lines that the
-- piece arrives on, however often they are edited after.
create table label_reading (
  org_id bigint not null,
  bare text not null,
  lot_no text,
  production_date date,
  expiry_date date,
  read_at timestamptz not null default posting_now(),
  constraint label_reading_pk primary key (org_id, bare)
);
call isolate_by_organisation('label_reading');
grant select, insert, update on label_reading to :app_role;

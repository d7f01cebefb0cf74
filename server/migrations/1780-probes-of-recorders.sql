-- A recorder may have several probes, and measure twice in a minute: each reading is kept.
alter table temperature_reading
  add column reading_no int not null default 0,
  drop constraint temperature_reading_pk,
  add constraint temperature_reading_pk primary key (org_id, document_id, read_at, reading_no);

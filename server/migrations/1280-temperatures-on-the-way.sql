-- What recorders measured on the way of a shipment; read from their files, replaced when these are read again.
create table temperature_reading (
  org_id bigint not null,
  document_id bigint not null,
  read_at timestamptz not null,
  celsius numeric(6,2) not null,
  humidity numeric(5,2),
  is_outside boolean not null default false,
  constraint temperature_reading_pk primary key (org_id, document_id, read_at)
);
call isolate_by_organisation('temperature_reading');
grant select, insert, delete on temperature_reading to :app_role;

-- Which shipments took goods of a delivery, and in which boxes.
create index document_waybill on document (org_id, (fields->>'waybill_no'))
  where kind = 'logistics' and fields ? 'waybill_no';

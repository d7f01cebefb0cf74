-- Renewals chain: the new paper names the one before; sizes move to it on its first day, the old one stays for goods made under it. Changes are noted on the paper.
alter table registration_certificate add column previous_id bigint, add column audited_by text, add column audit_reason text, add column moved_on date;
create index registration_certificate_previous on registration_certificate (previous_id) where previous_id is not null;
create index registration_certificate_previous_no on registration_certificate (previous_certificate_no) where previous_certificate_no is not null;
create table certificate_change (
  id bigint not null default nextval('reference_id_seq'), registration_certificate_id bigint not null, changed_on date not null, document_no text not null,
  item text not null, before_text text, after_text text not null, by_name text not null, at timestamptz not null default now(), version int not null default 1,
  constraint certificate_change_pk primary key (id), constraint certificate_change_once unique (registration_certificate_id, document_no, item),
  constraint certificate_change_certificate foreign key (registration_certificate_id) references registration_certificate (id));
grant select, insert, update, delete on certificate_change to :app_role;

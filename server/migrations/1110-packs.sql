-- A code may stand for more than one piece: a fixed-quantity pack of goods that have no codes of their own.
alter table unit add column quantity numeric(18,3) not null default 1;
alter table unit add constraint unit_quantity check (quantity > 0);

-- How many base units the codes of a line stand for, where they are packs; else one each.
alter table document_line add column coded_quantity numeric(18,3);
alter table reservation add column coded_quantity numeric(18,3);

-- What a hospital packs: how much of which specification makes one pack.
create table pack_template (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  code text not null,
  name text not null,
  specification_id bigint not null,
  size numeric(18,3) not null,
  department_id bigint,
  used_on_receipt boolean not null default false,
  status text not null default 'enabled',
  remark text,
  version int not null default 1,
  constraint pack_template_pk primary key (org_id, id),
  constraint pack_template_code unique (org_id, code),
  constraint pack_template_name unique (org_id, name),
  constraint pack_template_size check (size > 1),
  constraint pack_template_specification foreign key (specification_id) references specification (id)
);
call isolate_by_organisation('pack_template');
grant select, insert, update, delete on pack_template to :app_role;

-- The packs that were made, each under its code; what became of one says its unit.
create table pack (
  org_id bigint not null,
  code text not null,
  template_id bigint not null,
  document_id bigint not null,
  lot_id bigint not null,
  unit_id bigint not null,
  size numeric(18,3) not null,
  made_at timestamptz not null default posting_now(),
  constraint pack_pk primary key (org_id, code),
  constraint pack_template foreign key (org_id, template_id) references pack_template (org_id, id)
);
create index pack_document on pack (org_id, document_id);
create index pack_of_template on pack (org_id, template_id);
call isolate_by_organisation('pack');
grant select, insert, delete on pack to :app_role;

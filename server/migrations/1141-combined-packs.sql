-- Packs of several products: a template has lines, and each line of such a pack is a unit of its own lot, under the
-- code of the whole.
alter table pack_template add column pack_type text not null default 'single';
alter table pack_template add constraint pack_template_kind check (pack_type in ('single', 'combined'));
alter table pack_template alter column specification_id drop not null;
alter table pack_template alter column size drop not null;

create table pack_template_line (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  pack_template_id bigint not null,
  specification_id bigint not null,
  quantity numeric(18,3) not null,
  sort_no int not null default 0,
  version int not null default 1,
  constraint pack_template_line_pk primary key (org_id, id),
  constraint pack_template_line_once unique (org_id, pack_template_id, specification_id),
  constraint pack_template_line_of foreign key (org_id, pack_template_id) references pack_template (org_id, id)
    on delete cascade,
  constraint pack_template_line_specification foreign key (specification_id) references specification (id),
  constraint pack_template_line_quantity check (quantity > 0)
);
call isolate_by_organisation('pack_template_line');
grant select, insert, update, delete on pack_template_line to :app_role;

alter table pack add column pack_code text;
create index pack_whole on pack (org_id, pack_code) where pack_code is not null;
create index pack_by_unit on pack (org_id, unit_id, lot_id);

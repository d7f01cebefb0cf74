-- Goods with a code a piece go into kits of operations, and a piece may be the first part of one kit after another:
-- a kit has a number of its own, beside the unit that it stands under. Kits that were made so far are renumbered.
alter table made_kit_line drop constraint made_kit_line_of;
alter table made_kit drop constraint made_kit_pk;
alter table made_kit add column unit_id bigint;
update made_kit set unit_id = id, id = nextval('row_id_seq');
update made_kit_line l set made_kit_id = m.id
  from made_kit m
 where m.org_id = l.org_id and m.unit_id = l.made_kit_id;
alter table made_kit alter column unit_id set not null;
alter table made_kit alter column id set default nextval('row_id_seq');
alter table made_kit add constraint made_kit_pk primary key (org_id, id);
alter table made_kit_line add constraint made_kit_line_of
  foreign key (org_id, made_kit_id) references made_kit (org_id, id) on delete cascade;

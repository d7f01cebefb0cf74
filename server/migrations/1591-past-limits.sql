-- Limits of goods in a store that hold no more: what a store held in their days is judged by them. Of rows that are
-- older than the column, it is not known since when they held.
create table past_limit (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  warehouse_id bigint not null,
  specification_id bigint not null,
  min_quantity numeric(18,3) not null,
  max_quantity numeric(18,3) not null,
  held_from timestamptz,
  held_until timestamptz not null default posting_now(),
  constraint past_limit_pk primary key (org_id, id)
);
create index past_limit_goods on past_limit (org_id, warehouse_id, specification_id, held_until);
call isolate_by_organisation('past_limit');
grant select, insert on past_limit to :app_role;

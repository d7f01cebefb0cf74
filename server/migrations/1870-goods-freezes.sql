-- Goods that an organisation holds back by itself: a lot as a whole (unit 0), or one of its pieces. A row stays when
-- the goods are released, with who released them and why.
create table goods_freeze (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  specification_id bigint not null,
  lot_id bigint not null,
  unit_id bigint not null default 0,
  code text,
  reason text not null,
  state text not null default 'frozen',
  frozen_user_id bigint not null,
  frozen_by text,
  frozen_at timestamptz not null default now(),
  release_reason text,
  released_by text,
  released_at timestamptz,
  version int not null default 1,
  constraint goods_freeze_pk primary key (org_id, id),
  constraint goods_freeze_state check (state in ('frozen', 'released'))
);
create unique index goods_freeze_once on goods_freeze (org_id, lot_id, unit_id)
where
  state = 'frozen';
call isolate_by_organisation('goods_freeze');
grant select, insert, update on goods_freeze to :app_role;

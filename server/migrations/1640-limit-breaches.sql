-- When goods in a ward's store were beyond their limits, of the months that are sealed: `low` at or below the lower one
-- with what was on its way while nobody had asked for them, `over` above the upper one. Followed month by month, so
-- that a report of a month reads none before it. `on_hand` and `coming` are those of its beginning; `ended_at` is empty
-- while it lasts.
create table limit_breach (
  org_id bigint not null,
  warehouse_id bigint not null,
  specification_id bigint not null,
  side text not null,
  begun_at timestamptz not null,
  ended_at timestamptz,
  on_hand numeric(18,3) not null,
  coming numeric(18,3) not null,
  constraint limit_breach_pk primary key (org_id, warehouse_id, specification_id, side, begun_at),
  constraint limit_breach_side check (side in ('low', 'over'))
);
-- Those that overlap a period, and those that last.
create index limit_breach_time on limit_breach (org_id, begun_at, ended_at);
create index limit_breach_lasting on limit_breach (org_id, warehouse_id, specification_id) where ended_at is null;
call isolate_by_organisation('limit_breach');
grant select on limit_breach to :app_role;

-- Whether they are followed up to the beginning of this month; months sealed by an earlier version are followed later.
alter table month_sealed add column has_breaches boolean not null default false;

-- What was asked for in a time.
create index document_requisition on document (org_id, submitted_at) where kind = 'requisition';

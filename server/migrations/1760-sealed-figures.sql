-- What the measures of a closed month were when it was closed: a sealed statement, which stays as it is when a later
-- version, or a correction, makes the month another. `month` is its first day; yuan.
create table sealed_figure (
  org_id bigint not null,
  month date not null,
  measure text not null,
  amount numeric(18,2) not null,
  sealed_at timestamptz not null default now(),
  constraint sealed_figure_pk primary key (org_id, month, measure)
);
call isolate_by_organisation('sealed_figure');
grant select on sealed_figure to :app_role;

-- How many warnings of each category stood open at the end of a day: today's count is written again with every recount.
create table warning_day (
  org_id bigint not null,
  day date not null,
  category text not null,
  open_count int not null,
  constraint warning_day_pk primary key (org_id, day, category)
);
call isolate_by_organisation('warning_day');
grant select, insert, update on warning_day to :app_role;

-- When a warning was closed because its cause had gone; handled_at says when somebody settled it before.
alter table warning add column closed_at timestamptz;

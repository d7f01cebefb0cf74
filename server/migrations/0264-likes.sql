-- Who likes a course: a person once; the course keeps the count.
alter table video_course add column likes int not null default 0;
create table course_like (
  org_id bigint not null, user_id bigint not null, course_id bigint not null, at timestamptz not null default now(),
  constraint course_like_pk primary key (org_id, user_id, course_id));
alter table course_like enable row level security;
create policy own_rows on course_like using (org_id = current_setting('app.org_id')::bigint) with check (org_id = current_setting('app.org_id')::bigint);
grant select, insert, update, delete on course_like to :app_role;

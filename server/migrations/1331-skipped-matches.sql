-- The days on which goods needed no pair with the HIS (无需对照): a use is judged by those of its day.
create table his_match_skip (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  specification_id bigint not null,
  valid_from date not null,
  valid_to date,
  constraint his_match_skip_pk primary key (org_id, id)
);
create index his_match_skip_of on his_match_skip (org_id, specification_id);
call isolate_by_organisation('his_match_skip');
grant select, insert, update on his_match_skip to :app_role;

insert into his_match_skip (org_id, specification_id, valid_from)
select m.org_id, m.specification_id, coalesce((m.matched_at at time zone 'Asia/Shanghai')::date, '2000-01-01'::date)
from his_match m
where m.match_state = 'skipped';

-- Who made an account or a role, and when; when a template of roles or a system role was changed. Rows from before are
-- known as far as the log of operations has them.
alter table app_user add column created_at timestamptz;
alter table app_user alter column created_at set default posting_now();
alter table role add column code text;
alter table role add column created_by text;
alter table role add column created_at timestamptz;
alter table role alter column created_at set default posting_now();
alter table role_template add column changed_at timestamptz;
alter table role_template add column revision int not null default 1;
alter table system_role add column changed_by text;
alter table system_role add column changed_at timestamptz;
update app_user t
set created_at = l.at
from (
  select object_key, min(at) as at
  from operation_log
  where subject = 'user' and action = 'add' and result = 'done'
  group by object_key
) l
where l.object_key = t.id::text;
update role t
set created_at = l.at, created_by = l.actor_name
from (
  select distinct on (object_key) object_key, at, actor_name
  from operation_log
  where subject = 'role' and action = 'add' and result = 'done'
  order by object_key, at
) l
where l.object_key = t.id::text;
call keep_names_apart('role', 'code');

-- The head of a department, one of the organisation's employees, and the telephone of the department. The head has no
-- foreign key: employees name their department by one, and two that lead back are filled in no order.
alter table department add column leader_id bigint;
alter table department add column phone text;

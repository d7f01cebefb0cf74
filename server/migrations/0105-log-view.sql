-- What people call the thing that was changed, beside its key; and the log as people read it.
alter table operation_log add column object_name text;
-- Newest first is by id, so ids of several connections must not run side by side in cached ranges; above all that were given before.
create sequence operation_log_id_seq start 1000000000000 cache 1;
grant usage on sequence operation_log_id_seq to :app_role;
alter table operation_log alter column id set default nextval('operation_log_id_seq');

create view operation_log_entry with (security_invoker = true) as
select g.org_id, g.id, g.at, coalesce(g.of_org_id, g.org_id) as deed_org_id, g.user_id, g.actor_name, g.login, g.subject, coalesce(g.subject_name, g.subject) as subject_name,
       g.action_kind, coalesce(g.action_name, g.action) as action_name, g.object_key, coalesce(g.object_name, g.object_key) as object_name, g.summary,
       g.result, g.error, g.address, g.agent, g.path, g.took_ms, g.before::text as before, g.after::text as after
  from operation_log g;
grant select on operation_log_entry to :app_role;

-- The platform's settings of every organisation: what was set, else the preset.
create view org_config_item with (security_invoker = true) as
select
  o.id * 1000 + i.place as id, o.id as holder_id, o.system_type, i.category, i.title, i.name, i.value_kind,
  i.choices, i.least, i.most, p.preset, coalesce(c.value, p.preset) as value, c.valid_from, c.valid_to,
  coalesce(c.authorisation, '{}') as authorisation, c.changed_by, c.changed_at, coalesce(c.version, 1) as version
from organisation o
cross join config_item i
cross join lateral (
  select case when o.system_type > 1 then coalesce(i.trade_preset, i.preset) else i.preset end
) p(preset)
left join org_config c on c.org_id = o.id and c.name = i.name;
grant select on org_config_item to :app_role;

-- The rules of an organisation. A rule of the whole organisation has a row only once somebody changed it; until then
-- the platform's setting or the preset holds. 申领审批级数 is the entry of 审核设置 for requisitions of the whole hospital: both
-- pages show the same value.
create view hospital_rule_item with (security_invoker = true) as
select
  o.id as org_id, 900000000000000000 + i.place as id, i.place, i.name, i.title, i.category, i.unit, i.note,
  coalesce(
    r.control,
    case cc.value when '拦截' then 'refuse' when '强制' then 'refuse' when '仅警告' then 'warn' when '关闭' then 'off' end,
    i.control
  ) as control,
  case
    when i.name = 'claimLevels'
      then coalesce(
        (
          select
            case
              when a.needs_review
                then greatest(
                  1, (select count(*) from audit_level l where l.org_id = a.org_id and l.audit_setting_id = a.id)
                )::text
              else '0'
            end
          from audit_setting a
          where a.org_id = o.id
            and a.document_kind = 'requisition'
            and a.warehouse_id is null
            and a.department_id is null
            and a.status = 'enabled'
          limit 1
        ),
        i.figure
      )
    else coalesce(r.figure, cf.value, i.figure)
  end as figure,
  null::bigint as warehouse_id, null::bigint as department_id, null::bigint as custom_type_id,
  coalesce(r.status, 'enabled') as status,
  concat_ws(
    ' ', i.figure || coalesce(i.unit, ''),
    case
      when cardinality(i.controls) > 1
        then case i.control when 'refuse' then '禁止' when 'warn' then '提醒' else '不控制' end
    end
  ) as preset,
  r.reason, r.changed_by, r.changed_at, coalesce(r.version, 1) as version
from organisation o
cross join rule_item i
left join hospital_rule r on r.org_id = o.id and r.id = 900000000000000000 + i.place
left join org_config cc on cc.org_id = o.id
  and cc.name = i.control_from
  and cc.valid_from <= (posting_now() at time zone 'Asia/Shanghai')::date
left join org_config cf on cf.org_id = o.id
  and cf.name = i.figure_from
  and cf.valid_from <= (posting_now() at time zone 'Asia/Shanghai')::date
where strpos(i.orgs, substr('PHDV', o.system_type + 1, 1)) > 0
union all
select
  r.org_id, r.id, i.place, i.name, i.title, i.category, i.unit, i.note, r.control, r.figure, r.warehouse_id,
  r.department_id, r.custom_type_id, r.status,
  case when o.system_type = 1 then '同全院' else '同全公司' end, r.reason, r.changed_by, r.changed_at, r.version
from hospital_rule r
join organisation o on o.id = r.org_id
join rule_item i on i.name = r.name
where r.id < 900000000000000000;
grant select on hospital_rule_item to :app_role;

-- Exports with the day until which their files are kept.
create view export_task with (security_invoker = true) as
select
  j.org_id, j.id, j.user_id, j.title, j.path, j.state, j.rows_done, j.rows_total, j.file_name, j.error,
  j.created_at, j.ended_at, j.ended_at + interval '7 days' as kept_until
from export_job j;
grant select on export_task to :app_role;

-- The log as people read it.
create view operation_log_entry with (security_invoker = true) as
select
  g.org_id, g.id, g.at, coalesce(g.of_org_id, g.org_id) as actor_org_id, g.user_id, g.actor_name, g.login, g.subject,
  coalesce(g.subject_name, '其他') as subject_name, g.action_kind,
  coalesce(g.action_name, '其他操作') as action_name, g.object_key,
  -- A document's key is its number, which people read; a record's key means nothing to them and is not shown.
  coalesce(g.object_name, case when g.object_key !~ '^\d+$' then g.object_key end) as object_name, g.summary,
  g.result, g.error, g.address, g.agent, g.path, g.took_ms, g.before::text as before, g.after::text as after
from operation_log g;
grant select on operation_log_entry to :app_role;

-- Attempts of calls to other systems, with a key of their own.
create view outbound_attempt_entry with (security_invoker = true) as
select
  org_id, outbound_call_id * 1000 + attempt_no as id, outbound_call_id, attempt_no, at, took_ms, is_ok, http_status,
  error, coalesce(by_name, '系统自动') as by_name
from outbound_attempt;
grant select on outbound_attempt_entry to :app_role;

-- The jobs in the background, and which of them a server runs at this moment.
create view background_job_state with (security_invoker = true) as
select
  id, name, title, every_seconds, coalesce(lease_expires_at > now(), false) as is_running, started_at, last_success_at,
  last_failure_at, last_error, took_ms, runs, failures,
  coalesce(last_failure_at > coalesce(last_success_at, '-infinity'), false) as is_failing
from background_job;
grant select on background_job_state to :app_role;

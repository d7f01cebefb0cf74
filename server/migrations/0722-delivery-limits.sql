-- Requisitions and dispatches have a moment by which goods are due; those past it are found by it once.
create index document_due on document ((fields->>'due_at')) where kind in ('requisition', 'dispatch') and fields->>'due_at' is not null and fields->>'is_overdue' is null;

-- 申领审批级数 is what 审核设置 says of requisitions of the whole house: one truth, told on both pages.
create or replace view hospital_rule_item with (security_invoker = true) as
select o.id as org_id, 900000000000000000 + i.place as id, i.place, i.name, i.title, i.category, i.unit, i.note,
       coalesce(r.control, case sc.value #>> '{}' when 'true' then 'refuse' when 'false' then 'off' else sc.value #>> '{}' end,
                case cc.value when '拦截' then 'refuse' when '强制' then 'refuse' when '仅警告' then 'warn' when '关闭' then 'off' end, i.control) as control,
       case when i.name = 'claimLevels' then coalesce((
              select case when a.needs_review then greatest(1, (select count(*) from audit_level l where l.org_id = a.org_id and l.audit_setting_id = a.id))::text else '0' end
                from audit_setting a where a.org_id = o.id and a.document_kind = 'requisition' and a.warehouse_id is null and a.department_id is null and a.status = 'enabled' limit 1), i.figure)
            else coalesce(r.figure, case sf.value #>> '{}' when 'true' then '是' when 'false' then '否' else sf.value #>> '{}' end, cf.value, i.figure) end as figure,
       null::bigint as warehouse_id, null::bigint as department_id, null::bigint as custom_type_id, coalesce(r.status, 'enabled') as status,
       concat_ws(' ', i.figure || coalesce(i.unit, ''), case when cardinality(i.controls) > 1 then case i.control when 'refuse' then '禁止' when 'warn' then '提醒' else '不控制' end end) as preset,
       r.reason, r.changed_by, r.changed_at, coalesce(r.version, 1) as version
  from organisation o cross join rule_item i
  left join hospital_rule r on r.org_id = o.id and r.id = 900000000000000000 + i.place
  left join setting sc on sc.org_id = o.id and sc.name = i.control_from
  left join setting sf on sf.org_id = o.id and sf.name = i.figure_from
  left join org_config cc on cc.org_id = o.id and cc.name = i.control_from and cc.valid_from <= (posting_now() at time zone 'Asia/Shanghai')::date
  left join org_config cf on cf.org_id = o.id and cf.name = i.figure_from and cf.valid_from <= (posting_now() at time zone 'Asia/Shanghai')::date
 where o.system_type = 1
union all
select r.org_id, r.id, i.place, i.name, i.title, i.category, i.unit, i.note, r.control, r.figure, r.warehouse_id, r.department_id, r.custom_type_id, r.status, '同全院', r.reason, r.changed_by, r.changed_at, r.version
  from hospital_rule r join rule_item i on i.name = r.name where r.id < 900000000000000000;

-- A paper that is not there has no number.
create or replace view licence_validity with (security_invoker = true) as
select w.org_id, w.id, w.category, case when w.level = 'missing' then 'missing' when w.level = 'expired' then 'red' when w.level = 'urgent' then 'orange' else 'yellow' end as level, w.severity,
       case when w.category = 'PRODUCTREGISTRATION' then 'product' when w.partner_id = w.org_id then 'own' else 'partner' end as whose,
       w.partner_id, case when w.level = 'missing' then split_part(w.object_key, '-', 3) else coalesce(l.licence_type, '医疗器械注册证/备案凭证') end as licence_type,
       case when w.level <> 'missing' then w.code end as code,
       case when w.category = 'PRODUCTREGISTRATION' then w.object_name end as product_name, l.id as licence_id,
       case when w.category = 'PRODUCTREGISTRATION' then split_part(w.object_key, '-', 2)::bigint end as certificate_id,
       w.expiry_date as valid_to, w.responsible, w.state, w.settled_severity, w.handled_by, w.handled_at, w.note, w.reminded_on, w.first_at, w.version
  from warning w
  left join licence l on w.category = 'CERTIFICATIONEARLY' and w.level <> 'missing' and l.org_id = w.org_id and l.id = split_part(w.object_key, '-', 2)::bigint
 where w.category in ('CERTIFICATIONEARLY', 'PRODUCTREGISTRATION') and w.state <> 'closed';

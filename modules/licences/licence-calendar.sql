-- $1 organisation, $2 kind of paper, $3 kind of organisation: days of the next twelve months on which papers end that nobody has renewed.
select l.valid_to, count(*)::int as papers, count(*) filter (where l.holder_id = $1)::int as own, string_agg(distinct l.licence_type, '、' order by l.licence_type) as licence_types
  from licence l join organisation o on o.id = l.holder_id
 where l.org_id = $1 and l.status = 'enabled' and l.audit_state = 'passed' and not l.long_term
   and l.valid_to >= (posting_now() at time zone 'Asia/Shanghai')::date and l.valid_to < (posting_now() at time zone 'Asia/Shanghai')::date + interval '12 months'
   and ($2::text is null or l.licence_type like '%' || $2 || '%') and ($3::text is null or o.system_type = $3::int)
   and not exists (select 1 from licence n where n.org_id = l.org_id and n.previous_id = l.id and n.audit_state = 'passed' and n.status = 'enabled')
 group by l.valid_to order by l.valid_to

-- Quality is judged line by line: of an arrival the lines that something is wrong with, of an inspection every line and what became of its unqualified part.
-- What was decided stands on the paper's line; a row here is what two people would change at once.
create table quality_line (
  org_id bigint not null, id bigint not null default nextval('reference_id_seq'), document_id bigint not null, line_no int not null, version int not null default 1,
  constraint quality_line_pk primary key (org_id, id), constraint quality_line_once unique (org_id, document_id, line_no),
  constraint quality_line_document foreign key (org_id, document_id) references document (org_id, id));
alter table quality_line enable row level security;
create policy own_rows on quality_line using (org_id = current_setting('app.org_id')::bigint) with check (org_id = current_setting('app.org_id')::bigint);
grant select, insert, update, delete on quality_line to :app_role;

insert into quality_line (org_id, document_id, line_no)
select d.org_id, d.id, l.line_no from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
 where d.kind in ('arrivalOrder', 'inspectionOrder') and d.role = 'own' and d.state not in ('draft', 'cancelled', 'deleted');
-- The state that people set by hand for a whole inspection was said of its unqualified lines.
update document_line l set fields = l.fields || jsonb_strip_nulls(jsonb_build_object('disposed_on', to_char(d.business_date, 'YYYY-MM-DD'), 'line_disposal_note', d.fields->>'disposal_note'))
  from document d where d.org_id = l.org_id and d.id = l.document_id and d.kind = 'inspectionOrder' and d.role = 'own' and d.fields->>'disposal_state' = '3'
   and coalesce((l.fields->>'unqualified_quantity')::numeric, 0) > 0;

create view arrival_quality_line with (security_invoker = true) as
select q.org_id, q.id, d.sn as arrival_no, d.counterparty_id, d.fields->>'delivery_note_no' as delivery_note_no, d.business_date, d.warehouse_id, d.created_by, d.submitted_by, q.line_no,
       s.product_id, l.specification_id, l.lot_no, l.expiry_date, l.unit_id, (l.quantity + coalesce((l.fields->>'refused_quantity')::numeric, 0))::numeric(18,3) as quantity,
       coalesce((l.fields->>'refused_quantity')::numeric, 0)::numeric(18,3) as refused_quantity, l.fields->>'line_abnormal' as line_abnormal,
       coalesce(l.fields->>'line_note', d.fields->>'abnormal_note') as line_note, l.fields->>'line_decision' as line_decision,
       case when l.fields->>'line_decision' = 'pending' then null else l.fields->>'line_opinion' end as line_opinion,
       l.fields->>'line_decided_by' as line_decided_by, (l.fields->>'line_decided_at')::timestamptz as line_decided_at,
       case l.fields->>'line_decision' when 'pending' then 'pending' when 'hold' then 'hold' else 'done' end as handling, d.state as arrival_state, q.document_id, q.version
  from quality_line q
  join document d on d.org_id = q.org_id and d.id = q.document_id and d.kind = 'arrivalOrder' and d.state not in ('cancelled', 'deleted')
  join document_line l on l.org_id = q.org_id and l.document_id = q.document_id and l.line_no = q.line_no and l.fields ? 'line_abnormal' and l.fields->>'line_abnormal' is not null
  join specification s on s.id = l.specification_id;
grant select on arrival_quality_line to :app_role;

-- What of the unqualified part of a line lies in stock is disposed of by papers over its receipts; what was sent back at inspection never came in.
create view inspection_quality_line with (security_invoker = true) as
select q.org_id, q.id, d.sn as inspection_no, d.source_sn as arrival_no, d.counterparty_id, d.business_date, d.warehouse_id, d.created_by, d.submitted_by, q.line_no, s.product_id, l.specification_id, l.lot_no,
       l.unit_id, l.quantity, (l.fields->>'qualified_quantity')::numeric(18,3) as qualified_quantity, b.bad as unqualified_quantity, l.fields->>'unqualified_reason' as unqualified_reason,
       l.fields->>'disposition' as disposition,
       case when b.bad = 0 or d.state not in ('reviewed', 'partial', 'completed') then null
            when l.fields->>'disposed_on' is not null then '3'
            when l.fields->>'disposition' in ('return', 'exchange') then '2'
            when p.ended >= b.bad_base then '3' when p.papers is not null then '2' else '1' end as line_disposal_state,
       p.papers as disposal_papers, l.fields->>'exchange_no' as exchange_no, (l.fields->>'disposed_on')::date as disposed_on, l.fields->>'disposed_by' as disposed_by,
       l.fields->>'line_disposal_note' as line_disposal_note, array(select jsonb_array_elements_text(coalesce(l.fields->'disposal_proof', '[]'))) as disposal_proof,
       d.handler_id, coalesce(u.name, case when d.reviewed_by = 0 then '系统' end) as reviewed_by_name, (d.reviewed_at at time zone 'Asia/Shanghai')::date as reviewed_on, d.state as inspection_state, q.document_id, q.version
  from quality_line q
  join document d on d.org_id = q.org_id and d.id = q.document_id and d.kind = 'inspectionOrder' and d.state not in ('draft', 'cancelled', 'deleted')
  join document_line l on l.org_id = q.org_id and l.document_id = q.document_id and l.line_no = q.line_no
  join specification s on s.id = l.specification_id
  left join app_user u on u.id = d.reviewed_by
  cross join lateral (
    select coalesce((l.fields->>'unqualified_quantity')::numeric, 0)::numeric(18,3) as bad,
           round(coalesce((l.fields->>'unqualified_quantity')::numeric, 0) * l.base_quantity / nullif(l.quantity, 0), 3) as bad_base) b
  left join lateral (
    select string_agg(distinct x.sn, '、') as papers, coalesce(sum(pl.base_quantity - coalesce(r.taken, 0)) filter (where x.state = 'completed'), 0) as ended
      from document_line g
      join document gd on gd.org_id = g.org_id and gd.id = g.document_id and gd.kind = 'purchaseGrn' and gd.role = 'own' and gd.red_of_id is null
      join document_line pl on pl.org_id = g.org_id and pl.source_document_id = g.document_id and pl.source_line_no = g.line_no and pl.quality_state = 'unqualified'
      join document x on x.org_id = pl.org_id and x.id = pl.document_id and x.kind in ('scrap', 'purchaseReturn') and x.role = 'own' and x.red_of_id is null
                     and x.state not in ('cancelled', 'deleted', 'reversed')
      left join line_progress r on r.org_id = pl.org_id and r.document_id = pl.document_id and r.line_no = pl.line_no and r.purpose = 'refuse'
     where b.bad > 0 and g.org_id = l.org_id and g.source_document_id = l.document_id and g.source_line_no = l.line_no) p on true;
grant select on inspection_quality_line to :app_role;

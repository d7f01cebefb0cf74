-- Stores in which nothing moves while they are counted. The lock holds as long as the paper behind it is on its way.
create table store_lock (
  org_id bigint not null, warehouse_id bigint not null, document_id bigint not null,
  constraint store_lock_pk primary key (org_id, warehouse_id, document_id),
  constraint store_lock_document foreign key (org_id, document_id) references document (org_id, id));
alter table store_lock enable row level security;
create policy own_rows on store_lock using (org_id = current_setting('app.org_id')::bigint) with check (org_id = current_setting('app.org_id')::bigint);
grant select, insert, delete on store_lock to :app_role;

-- Lines of finished counts, each with what became of its difference.
create view stock_take_line with (security_invoker = true) as
select d.org_id, concat_ws('-', d.id, l.line_no) as id, d.sn as take_no, d.warehouse_id, d.business_date, l.location, s.product_id, l.specification_id, l.lot_no, l.expiry_date,
       s.unit_name, l.owner_org_id, l.quality_state,
       (l.fields->>'book_quantity')::numeric(18,3) as book_quantity, (l.fields->>'moved_quantity')::numeric(18,3) as moved_quantity,
       (l.fields->>'counted_quantity')::numeric(18,3) as counted_quantity, (l.fields->>'difference')::numeric(18,3) as difference,
       (l.fields->>'difference_amount')::numeric(18,2) as difference_amount, l.fields->>'direction' as direction, l.fields->>'line_reason' as line_reason,
       l.unit_codes, l.fields->>'counted_by' as counted_by, (l.fields->>'counted_at')::timestamptz as counted_at, l.fields->>'recounted_by' as recounted_by,
       f.kind as handled_by, f.sn as handled_no, f.state as handled_state, (d.fields->>'match_rate')::numeric(9,4) as match_rate
  from document d
  join document_line l on l.org_id = d.org_id and l.document_id = d.id
  join specification s on s.id = l.specification_id
  left join lateral (
    select x.kind, x.sn, x.state from document_line y join document x on x.org_id = y.org_id and x.id = y.document_id
     where y.org_id = d.org_id and y.source_document_id = d.id and y.source_line_no = l.line_no and x.role = 'own' and x.red_of_id is null and x.state not in ('deleted', 'cancelled')
     order by x.id desc limit 1) f on true
 where d.kind = 'stockTake' and d.role = 'own' and d.state in ('reviewed', 'partial', 'completed');
grant select on stock_take_line to :app_role;

-- Lines of advance sales that stand with customers: finance confirms the price of each, and what a customer used of one is noted on it.
-- What was confirmed and used stands on the paper's line; a row here is what two people would change at once.
create table advance_line (
  org_id bigint not null, id bigint not null default nextval('reference_id_seq'), document_id bigint not null, line_no int not null, version int not null default 1,
  constraint advance_line_pk primary key (org_id, id), constraint advance_line_once unique (org_id, document_id, line_no),
  constraint advance_line_document foreign key (org_id, document_id) references document (org_id, id));
alter table advance_line enable row level security;
create policy own_rows on advance_line using (org_id = current_setting('app.org_id')::bigint) with check (org_id = current_setting('app.org_id')::bigint);
grant select, insert, update, delete on advance_line to :app_role;

insert into advance_line (org_id, document_id, line_no)
select d.org_id, d.id, l.line_no from document d join document_line l on l.org_id = d.org_id and l.document_id = d.id
 where d.kind = 'advanceSale' and d.role = 'own' and d.state in ('reviewed', 'partial', 'completed') and d.red_of_id is null;
update document_line l set fields = l.fields || jsonb_build_object('line_price_state', d.fields->>'price_state', 'line_confirmed_by', d.fields->>'price_confirmed_by')
  from document d where d.org_id = l.org_id and d.id = l.document_id and d.kind = 'advanceSale' and d.role = 'own' and d.fields->>'price_state' = '2';

-- Quantities in the unit of the line: what was sold and brought back of it, and what is left.
create view advance_line_shown with (security_invoker = true) as
select a.org_id, a.id, d.sn as sale_no, d.counterparty_id, d.handler_id, d.business_date, (d.fields->>'settle_date')::date as settle_date, a.line_no, s.product_id, l.specification_id, l.lot_no, l.unit_codes,
       l.unit_id, l.quantity, g.turned as turned_quantity, g.returned as returned_quantity, l.quantity - g.turned - g.returned as open_quantity, l.price, l.tax_rate,
       coalesce(l.fields->>'line_price_state', '1') as line_price_state, l.fields->>'line_confirmed_by' as line_confirmed_by,
       coalesce((l.fields->>'used_quantity')::numeric(18,3), 0) as used_quantity, array(select jsonb_array_elements_text(coalesce(l.fields->'used_codes', '[]'))) as used_codes,
       (l.fields->>'used_on')::date as used_on, case when coalesce((l.fields->>'used_quantity')::numeric, 0) > 0 then 'used' else 'none' end as use_state, d.state, a.document_id, a.version
  from advance_line a
  join document d on d.org_id = a.org_id and d.id = a.document_id
  join document_line l on l.org_id = a.org_id and l.document_id = a.document_id and l.line_no = a.line_no
  join specification s on s.id = l.specification_id
  cross join lateral (
    select round(coalesce(sum(p.taken) filter (where p.purpose = 'turn'), 0) * l.quantity / l.base_quantity, 3) as turned,
           round(coalesce(sum(p.taken) filter (where p.purpose = 'return'), 0) * l.quantity / l.base_quantity, 3) as returned
      from line_progress p where p.org_id = l.org_id and p.document_id = l.document_id and p.line_no = l.line_no) g;
grant select on advance_line_shown to :app_role;

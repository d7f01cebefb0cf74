-- The documents of all organisations as the platform reads them, for kinds that allow it (`overseen`): without
-- patients, prices, remarks and files. The views have the names of the tables, so that a list reads them in place of
-- the tables (`oversee_as`); their columns have the same types. Only the platform finds rows in them.

-- Kinds of documents that the platform reads over all organisations.
create function overseen_kinds() returns text[] language sql immutable parallel safe
return array[:overseen_kinds]::text[];

-- Names of own fields of such a kind, of its header or its lines, that are kept from the platform.
create function kept_from_platform(kind text) returns text[] language sql immutable parallel safe
return case
  when kind is null then null
  :kept_from_platform
  else array[]::text[]
end;

create view overseen.document as
select
  d.org_id, d.id, d.kind, d.sn, d.role, d.from_org_id, d.state, d.counterparty_id, d.warehouse_id, d.to_warehouse_id,
  d.department_id, d.handler_id, d.business_date, d.regime, d.source_type, d.source_sn, d.source_org_id,
  d.source_document_id, d.red_of_id, 0::numeric(18, 2) as untaxed_amount, 0::numeric(18, 2) as tax_amount,
  0::numeric(18, 2) as taxed_amount, d.line_count, d.total_quantity, null::text as remark, '{}'::text[] as attachments,
  d.fields - kept_from_platform(d.kind) as fields, d.touched, d.last_line_no, d.created_by, d.created_at,
  d.submitted_by, d.submitted_at, d.reviewed_by, d.reviewed_at, d.review_level, d.review_levels,
  0::numeric(18, 2) as rounding, d.former_authors, d.version
from public.document d
where d.kind = any(overseen_kinds())
  and d.role = 'own'
  and current_setting('app.reach', true) = 'network';
grant select on overseen.document to :app_role;

create view overseen.document_line as
select
  l.org_id, l.document_id, l.line_no, l.specification_id, l.lot_id, l.lot_no, l.production_date, l.expiry_date,
  l.unit_codes, l.unit_id, l.quantity, l.base_quantity, 0::numeric(18, 4) as price, l.tax_rate,
  0::numeric(18, 2) as untaxed_amount, 0::numeric(18, 2) as tax_amount, 0::numeric(18, 2) as taxed_amount,
  l.owner_org_id, l.quality_state, l.location, l.source_sn, l.source_org_id, l.source_document_id, l.source_line_no,
  l.order_document_id, l.order_line_no, l.delivery_document_id, l.delivery_line_no, null::text as remark,
  l.fields - kept_from_platform(d.kind) as fields, 0::numeric(18, 2) as rounding, l.coded_quantity
from public.document_line l
join overseen.document d on d.org_id = l.org_id and d.id = l.document_id;
grant select on overseen.document_line to :app_role;

create view overseen.line_progress as
select p.*
from public.line_progress p
join overseen.document d on d.org_id = p.org_id and d.id = p.document_id;
grant select on overseen.line_progress to :app_role;

-- Reasons are free text, which may name a patient.
create view overseen.document_history as
select
  h.org_id, h.document_id, h.seq, h.action, h.label, h.from_state, h.to_state, h.actor_id, h.actor_name,
  h.actor_org_name, null::text as reason, null::jsonb as confirmed, h.at
from public.document_history h
join overseen.document d on d.org_id = h.org_id and d.id = h.document_id;
grant select on overseen.document_history to :app_role;

-- Names that such documents are shown with.
create view overseen.warehouse as
select w.* from public.warehouse w where current_setting('app.reach', true) = 'network';
grant select on overseen.warehouse to :app_role;

create view overseen.department as
select d.* from public.department d where current_setting('app.reach', true) = 'network';
grant select on overseen.department to :app_role;

create view overseen.employee as
select e.org_id, e.id, e.name from public.employee e where current_setting('app.reach', true) = 'network';
grant select on overseen.employee to :app_role;

-- Sets the transaction to read over all organisations: only the documents that the platform may read, nothing else.
create function oversee_as(p_org bigint, p_user bigint) returns void language plpgsql
as $$
begin
  perform act_as(p_org, p_user);
  set local search_path = overseen, public;
end $$;

-- Lines of goods that are kept by the piece, over all organisations, and whether each was scanned; no other data of
-- them.
create view network_coded_line as
select
  d.org_id, d.business_date,
  cardinality(l.unit_codes) > 0 and not exists (
    select from unnest(l.unit_codes) c(code)
    where not exists (
      select from public.code_scan k where k.org_id = d.org_id and k.document_id = d.id and k.code = c.code
    )
  ) as is_scanned
from public.document d
join public.document_line l on l.org_id = d.org_id and l.document_id = d.id
join public.specification s on s.id = l.specification_id
join public.product p on p.id = s.product_id
where d.role = 'own'
  and d.kind = any(
    public.adding('delivered') || public.adding('granted') || public.adding('ward_received') || public.adding('used')
    || public.adding('shipped')
  )
  and d.red_of_id is null
  and d.state in ('reviewed', 'partial', 'completed', 'reversed')
  and p.is_unit_coded
  and current_setting('app.reach', true) = 'network';
grant select on network_coded_line to :app_role;

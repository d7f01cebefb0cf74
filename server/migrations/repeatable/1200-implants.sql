-- Forms of implants in hospitals as the platform may see them: how many, for which operation, how complete. The view
-- passes by the row policies for readers who reach the whole network, and has no column of a patient
-- (tests/tidy/schema.test.ts lists the code that names it).
create view published_implant_form as
select
  d.id, d.sn, d.org_id as hospital_id, d.business_date, d.fields->>'surgery_name' as surgery_name,
  d.total_quantity as implant_quantity, coalesce(d.fields->>'label_state', 'none') as label_state,
  coalesce(d.fields->>'signed_by', 'none') as signed_by, coalesce(p.times, 0) as print_times,
  coalesce(d.fields->>'form_version', '1')::int as form_version, d.created_at, d.state
from document d
left join document_print p on p.org_id = d.org_id and p.document_id = d.id
where d.kind = 'patientImplantForm' and d.role = 'own' and d.state <> 'deleted' and reaches(d.org_id);
grant select on published_implant_form to :app_role;

-- The content of a patient's card for anybody who scans it, by a token that nobody can guess: the goods, their
-- certificate and lot, and how to reach the hospital. It has neither the patient nor the operation.
create view published_implant_card as
select
  d.fields->>'card_token' as token, l.line_no, p.name as product_name, s.name as specification_name,
  l.fields->>'certificate_no' as certificate_no, l.lot_no, o.registrant_phone as hospital_phone
from document d
join document_line l on l.org_id = d.org_id and l.document_id = d.id
join specification s on s.id = l.specification_id
join product p on p.id = s.product_id
join organisation o on o.id = d.org_id
where d.kind = 'patientImplantForm' and d.role = 'own' and d.state in ('reviewed', 'stopped');
grant select on published_implant_card to :app_role;

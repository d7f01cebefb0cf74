-- 两票制核验 asks of goods of high value where a hospital set nothing; whoever set it before had all goods in mind and keeps that.
update hospital_rule set figure = '否' where name = 'twoInvoice' and figure is null;
insert into setting (org_id, name, value)
select s.org_id, 'two_invoice_high_value', 'false' from setting s where s.name = 'two_invoice_system' and s.value = 'true' on conflict do nothing;

-- What was granted for an application shows its scans on the application as well.
update document_line l set fields = l.fields || jsonb_build_object('scans', coalesce(k.fields->'scans', '[]'))
  from document d
  join document g on g.org_id = d.org_id and g.kind = 'licenceEmpower' and g.role = 'counterparty' and g.from_org_id::text = d.fields->>'partner_sn' and g.fields->>'application_sn' = d.sn
  join document_line k on k.org_id = g.org_id and k.document_id = g.id
 where d.kind = 'licenceApplication' and d.role = 'own' and l.org_id = d.org_id and l.document_id = d.id and l.fields->>'line_result' = 'granted'
   and k.fields->>'licence_no' = l.fields->>'their_licence_no' and k.fields->>'licence_type' = l.fields->>'licence_type';

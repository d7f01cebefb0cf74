-- 认证: the invoices whose input tax was certified for a month, for the voucher of that month.
create index document_certified on document (org_id, (fields->>'certify_period'))
  where fields->>'certify_state' = 'certified';

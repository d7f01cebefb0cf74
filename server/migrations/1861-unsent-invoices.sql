-- Invoices that were sent to nobody yet say so.
update document
set fields = fields || '{"check_state": "unsent"}'
where kind = 'outboundInvoice' and role = 'own' and state in ('draft', 'submitted', 'rejected')
  and not fields ? 'check_state';

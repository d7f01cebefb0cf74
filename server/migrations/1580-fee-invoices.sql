-- Whoever collects service fees issues invoices over them: what its channel calls a fee, the tax class and the rate.
alter table e_invoice_channel add column fee_item text;
alter table e_invoice_channel add column fee_tax_code text;
alter table e_invoice_channel add column fee_tax_rate smallint;

-- The file of an organisation as its trade asks for it.
alter table organisation add column short_name text;
alter table organisation add column business_mode text;
alter table organisation add column business_scope text;
alter table organisation add column warehouse_address text;
alter table organisation add column principal text;
alter table organisation add column quality_head text;
alter table organisation add column invoice_contact text;

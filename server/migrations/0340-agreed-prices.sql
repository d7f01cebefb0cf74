-- Agreed prices come from papers: of which sort each is, from how many on, which paper wrote it, and which one ended it early.
alter table price_agreement add column price_type text not null default 'agreed';
alter table price_agreement add column document_id bigint;
alter table price_agreement add column min_order numeric(18,3);
alter table price_agreement add column ended_by_id bigint;
alter table price_agreement add column was_valid_to date;
alter table price_agreement add constraint price_agreement_type check (price_type in ('volume', 'awarded', 'agreed', 'temporary'));
alter table price_agreement drop constraint price_agreement_once;
alter table price_agreement add constraint price_agreement_once unique (org_id, seller_id, buyer_id, specification_id, price_type, valid_from);
create index price_agreement_document on price_agreement (org_id, document_id) where document_id is not null;

-- Enquiries and answers whose hour may have come: few, and looked at every few seconds.
create index document_closing on document (org_id, kind, id) where kind in ('enquiry', 'quotation') and state in ('draft', 'submitted', 'reviewed') and role = 'own';

-- An organisation may ask the platform for a relation to trade: with whom, under which, on which days, by which authorisation.
alter table org_change add column partner_id bigint, add column relation text, add column valid_from date, add column valid_to date;

-- A code that was a specification's before keeps its days as a row of the past, and may become the same specification's again.
drop index insurance_code_once;
create unique index insurance_code_once on insurance_code (org_id, code, specification_id) nulls not distinct where match_state <> 'past';

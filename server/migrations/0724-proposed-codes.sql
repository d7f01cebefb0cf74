-- Codes that a supplier confirmed for its own goods are proposed to the hospitals that buy them: by whom, and whether it was told.
alter table insurance_code add column proposed_by_id bigint, add column told_at timestamptz;
update insurance_code c set told_at = now() from organisation o where o.id = c.org_id and o.system_type = 1 and c.match_state = 'matched';
create index insurance_code_untold on insurance_code (org_id) where match_state = 'matched' and told_at is null;

-- The vouchers of a month ask both ledgers for the moments of the month.
create index account_entry_org_at on account_entry (org_id, at);
create index consigned_move_org_at on consigned_move (org_id, at);

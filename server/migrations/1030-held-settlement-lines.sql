-- Why a use is not settled for the time being.
alter table settlement_line add column held_reason text;

-- Where goods are charged before they are used, a use is checked from its submit on and counts from its review on;
-- taken back before that, it never was one.
alter table use_check add column in_advance boolean not null default false;

-- Whether the HIS itself said no to a request; a HIS that cannot be reached says nothing.
alter table charge_request add column is_refused boolean not null default false;

-- The lot of a piece was wrong: the piece goes on under the right one, and remembers what it was known as before.
alter table unit add column former_lot_id bigint, add column former_unit_id bigint;

-- Since when the limits of goods in a store hold: what was there before is not judged by them. Null is since ever, as
-- rows have it that are older than this column.
alter table warehouse_product add column limits_since timestamptz;
alter table warehouse_product alter column limits_since set default posting_now();

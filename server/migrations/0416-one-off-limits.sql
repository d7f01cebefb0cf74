-- 临时采购: what was admitted for one purchase is admitted for so many, in base units.
alter table hospital_product add column admitted_limit numeric(18,3);

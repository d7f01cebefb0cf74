-- A rate may have steps: the part of a period's base above this amount is charged at the row's rate.
alter table supplier_rate add column base_from numeric(18,2) not null default 0;
alter table supplier_rate add constraint supplier_rate_from check (base_from >= 0);

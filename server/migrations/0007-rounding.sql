-- 尾差: what an invoice says beyond its lines is owed and paid with them. It stands on the line of the largest amount and on the
-- paper; the money of a line that may be asked for is taxed_amount + rounding.
alter table document add column rounding numeric(18,2) not null default 0;
alter table document_line add column rounding numeric(18,2) not null default 0;

-- 江苏省苏州市吴中区 beside its code: what people read and search.
alter table organisation add column division_name text not null default '';
alter table registration add column division_name text not null default '';

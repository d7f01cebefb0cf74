-- By CASE: under row-level security a condition with COALESCE counts as one that might tell of rows, and may not choose what an
-- index reads; reports then read every move since the first.
create or replace function month_start(p_month date) returns timestamptz language sql immutable as $$
  select case when p_month is null then '-infinity'::timestamptz else p_month::timestamp at time zone 'Asia/Shanghai' end
$$;

-- Moves posted after the day they are of: reports by business day look for them among what was posted since the period.
create index stock_move_behind on stock_move (org_id, at) where business_date < (at at time zone 'Asia/Shanghai')::date;

-- The stock at the beginning of a month stands by its location as well, so that the stock of a past day is found
-- from it and not from all moves since. What stands is made anew, month by month, from the moves.
alter table month_opening
add column location text not null default '';

alter table month_opening
drop constraint month_opening_pk;

truncate month_opening;

alter table month_opening
add constraint month_opening_pk primary key (
  org_id,
  month,
  warehouse_id,
  specification_id,
  lot_id,
  owner_id,
  quality_state,
  location
);

do $$
declare
  v_month date;
begin
  for v_month in
    select month from month_sealed order by month
  loop
    insert into month_opening (org_id, month, warehouse_id, location, specification_id, lot_id, owner_id,
      quality_state, quantity, value)
    select org_id, v_month, warehouse_id, location, specification_id, lot_id, owner_id, quality_state, sum(quantity),
      sum(value)
      from (select org_id, warehouse_id, location, specification_id, lot_id, owner_id, quality_state, quantity, value
              from month_opening where month = v_month - interval '1 month'
            union all
            select org_id, warehouse_id, location, specification_id, lot_id, owner_id, quality_state, quantity, value
              from stock_move
             where at >= month_start((v_month - interval '1 month')::date) and at < month_start(v_month)) x
     group by org_id, warehouse_id, location, specification_id, lot_id, owner_id, quality_state
    having sum(quantity) <> 0 or sum(value) <> 0;
  end loop;
end $$;

-- Who brought a lot last, and at which price, of the few moves that brought it.
create index stock_move_brought on stock_move (org_id, lot_id, id desc)
where
  step in ('receive', 'title')
  and quantity > 0;

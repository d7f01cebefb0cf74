-- What happened to goods in one store, in order of time: their stock is followed back through it, and what was used of
-- them is found by it, as by the index of uses alone that it replaces.
create index stock_move_store on stock_move (org_id, warehouse_id, specification_id, at);

drop index stock_move_use;

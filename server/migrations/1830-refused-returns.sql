-- Figures of a month read what partners did not take back in it; such moves are rare.
create index stock_move_refused on stock_move (org_id, at)
where
  step = 'arrive_reject';

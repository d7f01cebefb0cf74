-- What was left is counted once the whole opening is worked.
grant update (stock_after) on cabinet_transaction to :app_role;

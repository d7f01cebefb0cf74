-- Goods that another hospital or dealer sent at cost count as transferred in.
create or replace function stock_side(kind text, quantity numeric, undone boolean) returns text language sql immutable parallel safe
return case
  when quantity = 0 then null
  when kind = 'stopSale' then null
  when kind in ('purchaseGrn', 'settlementGrn', 'bonePurchaseGrn') then 'purchase_in'
  when kind = 'saleReturn' then 'return_in'
  when kind = 'grantReturn' then case when (quantity < 0) <> undone then 'transfer_out' else 'return_in' end
  when kind in ('transfer', 'transferReceipt', 'transferReturn', 'transferArrival', 'wardReceipt') then case when (quantity < 0) <> undone then 'transfer_out' else 'transfer_in' end
  when kind in ('saleOdo', 'boneSale', 'grantOdo', 'dispatch') then 'issue_out'
  when kind = 'purchaseReturn' then 'purchase_back'
  when kind in ('departmentUse', 'surgeryUse') then 'use_out'
  when (quantity < 0) <> undone then 'other_out'
  else 'other_in'
end;

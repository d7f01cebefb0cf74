-- What a hospital has on loan for operations is kept in a store of its own.
alter table warehouse drop constraint warehouse_model;
alter table warehouse add constraint warehouse_model
  check (
    model in (
      'central', 'ward', 'cabinet', 'consigned', 'virtual', 'transit', 'consumed', 'stopSale', 'leased', 'advance',
      'loan'
    )
  );

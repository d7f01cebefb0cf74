-- Goods that were carried to a customer before he ordered them lie in a store of their own, under the number of their paper.
alter table warehouse drop constraint warehouse_model;
alter table warehouse add constraint warehouse_model check (model in ('central','ward','cabinet','consigned','virtual','transit','consumed','stopSale','leased','advance'));

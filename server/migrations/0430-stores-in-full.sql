-- What a store's page says beyond its name: whom to ring, how large it is, how warm and damp it may be, and when its goods are spent:
-- as they are used, or as they are granted to it.
alter table warehouse
  add column phone text, add column floor_area numeric(18,3), add column accounting text not null default 'use',
  add column temperature_min numeric(18,3), add column temperature_max numeric(18,3), add column humidity_min numeric(18,3), add column humidity_max numeric(18,3),
  add constraint warehouse_accounting check (accounting in ('use', 'issue'));

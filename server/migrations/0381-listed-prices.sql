-- What the province lists a product at, under which code, and what a hospital promised to buy of it in a volume-based procurement.
alter table hospital_product add column listing_code text, add column listed_price numeric(18,4), add column collective_batch text, add column collective_from date, add column collective_to date, add column agreed_quantity numeric(18,3),
  add column open_vial_days int, add column tests_per_kit int,
  add constraint hospital_product_listed check (listed_price is null or listed_price > 0);

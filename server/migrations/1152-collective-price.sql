-- What a hospital agreed to pay for goods of a volume-based procurement.
alter table hospital_product add column collective_price numeric(18,4);
alter table hospital_product add constraint hospital_product_collective_price
  check (collective_price is null or collective_price > 0);

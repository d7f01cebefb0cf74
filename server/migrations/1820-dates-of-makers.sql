-- What the maker of goods keeps as the dates of a lot: whoever else types it is asked where he types others. The dates
-- stand on the label of every piece; everybody reads them, and only the maker writes them.
create table maker_lot (
  lot_id bigint not null,
  org_id bigint not null,
  production_date date,
  expiry_date date,
  at timestamptz not null default posting_now(),
  constraint maker_lot_pk primary key (org_id, lot_id)
);
call isolate_by_organisation('maker_lot');
create policy shared_rows on maker_lot for select using (true);
grant select, insert, update on maker_lot to :app_role;

insert into maker_lot (lot_id, org_id, production_date, expiry_date, at)
select
  k.lot_id, k.org_id, k.production_date, k.expiry_date,
  coalesce((select h.first_at from lot_org h where h.lot_id = k.lot_id and h.org_id = k.org_id), posting_now())
from stock_lot k
join specification s on s.id = k.specification_id
join product p on p.id = s.product_id
where p.manufacturer_id = k.org_id;

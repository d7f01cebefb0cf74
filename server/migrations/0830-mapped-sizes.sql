-- A size that was mapped to another stands for it: figures, limits and warnings count both as one.
create view mapped_size with (security_invoker = true) as
select id as specification_id, mapped_to_id as stands_for_id from specification where mapped_to_id is not null;
grant select on mapped_size to :app_role;

create function same_sizes(size bigint) returns bigint[] language sql stable as $$
  select array(select z.id from specification z, (select coalesce((select o.mapped_to_id from specification o where o.id = size), size) as id) t
                where z.id = t.id or z.mapped_to_id = t.id)
$$;

-- What a house said of a mapped size was said of the other once; what it took out since is not brought back.
create table carried_size (
  org_id bigint not null, kept text not null, row_id bigint not null, specification_id bigint not null,
  constraint carried_size_pk primary key (org_id, kept, row_id, specification_id));
alter table carried_size enable row level security;
create policy own_rows on carried_size using (org_id = current_setting('app.org_id')::bigint) with check (org_id = current_setting('app.org_id')::bigint);
grant select on carried_size to :app_role;

-- The hourly job has been here before: whatever stands under mapped sizes was carried.
insert into carried_size (org_id, kept, row_id, specification_id)
select k.org_id, 'hospital_product', k.id, z.stands_for_id from hospital_product k join mapped_size z on z.specification_id = k.specification_id
 union all
select k.org_id, 'dealer_product', k.id, z.stands_for_id from dealer_product k join mapped_size z on z.specification_id = k.specification_id
 union all
select k.org_id, 'warehouse_product', k.id, z.stands_for_id from warehouse_product k join mapped_size z on z.specification_id = k.specification_id
 union all
select k.org_id, 'price_agreement', k.id, z.stands_for_id from price_agreement k join mapped_size z on z.specification_id = k.specification_id;

-- What a store may hold of a size and of those that were mapped to it: said once, by the row of the size that stands for all where there is one.
create view stock_limit with (security_invoker = true) as
select x.* from (
  select distinct on (p.org_id, p.warehouse_id, coalesce(z.stands_for_id, p.specification_id)) p.*, coalesce(z.stands_for_id, p.specification_id) as stands_for_id
    from warehouse_product p
    left join mapped_size z on z.specification_id = p.specification_id
   order by p.org_id, p.warehouse_id, coalesce(z.stands_for_id, p.specification_id), z.stands_for_id nulls first, p.id) x
 where x.status = 'enabled';
grant select on stock_limit to :app_role;

-- What the regulator says of a specification, on its way into the catalogue: asked for by one person, passed by another.
create table udi_adoption (
  id bigint not null default nextval('reference_id_seq'), product_id bigint not null, specification_id bigint not null, udi_device_id bigint not null, primary_di text not null, said text not null, note text,
  org_id bigint not null, applied_by text not null, applied_by_id bigint not null, applied_at timestamptz not null default now(),
  state text not null default 'pending', decided_by text, decided_at timestamptz, reason text, version int not null default 1,
  constraint udi_adoption_pk primary key (id),
  constraint udi_adoption_product foreign key (product_id) references product (id),
  constraint udi_adoption_specification foreign key (specification_id) references specification (id),
  constraint udi_adoption_state check (state in ('pending', 'passed', 'refused')));
create unique index udi_adoption_open on udi_adoption (specification_id) where state = 'pending';
grant select, insert, update on udi_adoption to :app_role;
-- From whom a hospital may buy each of its specifications, at what price, by which letter of authorisation: what was agreed, read from its catalogue.
create view product_supplier with (security_invoker = true) as
select g.org_id, g.id, g.specification_id, g.seller_id as supplier_id, g.price, g.tax_rate, g.valid_from, g.valid_to, a.licence_no as authorisation_no, case when a.long_term then null else a.valid_to end as authorisation_until,
       g.min_order, g.lead_days, coalesce(h.supplier_id = g.seller_id, false) as is_preferred, g.status
  from price_agreement g join specification s on s.id = g.specification_id join product p on p.id = s.product_id
  left join hospital_product h on h.org_id = g.org_id and h.specification_id = g.specification_id
  left join lateral (
    select l.licence_no, l.valid_to, l.long_term from licence l
     where l.org_id = g.org_id and l.licence_type = '授权书' and l.status = 'enabled' and (l.grantee_id = g.seller_id or l.holder_id = g.seller_id) and (l.grantor_id is null or l.grantor_id = p.manufacturer_id)
     order by l.long_term desc, l.valid_to desc nulls last limit 1) a on true
 where g.buyer_id = g.org_id;
grant select on product_supplier to :app_role;

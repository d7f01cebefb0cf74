-- Rows of the purchase and sales registers: names, licences and certificates as they were on the day. They are voided, never changed nor deleted.
create table trade_record (
  org_id bigint not null, id bigint not null default nextval('row_id_seq'), register text not null, record_no text not null, record_type text not null,
  document_id bigint not null, line_no int not null, business_date date not null, handler_name text,
  partner_id bigint, partner_name text, partner_credit_code text, partner_licence_no text, partner_address text, partner_contact text,
  specification_id bigint not null, product_name text not null, specification_name text not null, device_class text, registration_no text, registrant text,
  contract_maker text, manufacturer_name text, maker_licence_no text, udi text, storage_condition text, is_implant boolean not null,
  unit_name text not null, lot_no text, production_date date, expiry_date date,
  quantity numeric(18,3) not null, price numeric(18,4) not null, amount numeric(18,2) not null, void_at timestamptz,
  constraint trade_record_pk primary key (org_id, id), constraint trade_record_no unique (org_id, register, record_no),
  constraint trade_record_register check (register in ('purchase', 'sale')));
create index trade_record_list on trade_record (org_id, register, business_date desc, id desc);
create index trade_record_partner on trade_record (org_id, register, partner_id, id desc);
create index trade_record_document on trade_record (org_id, document_id);
create index trade_record_lot on trade_record (org_id, lot_no) where lot_no is not null;

alter table trade_record enable row level security;
create policy own_rows on trade_record using (org_id = current_setting('app.org_id')::bigint) with check (org_id = current_setting('app.org_id')::bigint);
grant select, insert on trade_record to :app_role;
grant update (void_at) on trade_record to :app_role;

-- What has arrived of each purchase, in base units, as of now.
create view purchase_record with (security_invoker = true) as
select t.org_id, t.id, t.record_no, t.business_date, t.document_id, t.line_no, d.sn as order_sn, t.handler_name, t.partner_id, t.partner_name, t.partner_credit_code, t.partner_licence_no,
       t.partner_address, t.partner_contact, t.specification_id, t.product_name, t.specification_name, t.device_class, t.registration_no, t.registrant, t.contract_maker, t.maker_licence_no,
       t.manufacturer_name, t.storage_condition, t.is_implant, t.unit_name, t.quantity, t.price, t.amount, coalesce(g.taken, 0)::numeric(18,3) as arrived_quantity,
       case when t.void_at is not null then 'void' when coalesce(g.taken, 0) >= t.quantity then 'done' when d.state = 'stopped' then 'stopped'
            when coalesce(g.taken, 0) > 0 then 'partial' else 'open' end as state
  from trade_record t join document d on d.org_id = t.org_id and d.id = t.document_id
  left join lateral (select max(p.taken) as taken from line_progress p
                      where p.org_id = t.org_id and p.document_id = t.document_id and p.line_no = t.line_no and p.purpose in ('arrive', 'receive')) g on true
 where t.register = 'purchase';

-- What of each sale came back since.
create view sales_record with (security_invoker = true) as
select t.org_id, t.id, t.record_no, t.business_date, t.record_type, t.document_id, t.line_no, d.sn as odo_sn, t.handler_name, t.partner_id, t.partner_name, o.system_type as partner_type,
       t.partner_credit_code, t.partner_licence_no, t.partner_address, t.partner_contact, t.specification_id, t.product_name, t.specification_name, t.device_class, t.registration_no,
       t.registrant, t.contract_maker, t.maker_licence_no, t.manufacturer_name, t.udi, t.storage_condition, t.is_implant, t.unit_name, t.lot_no, t.production_date, t.expiry_date,
       case when t.record_type = 'consigned' then 0 else t.quantity end::numeric(18,3) as sold_quantity,
       case when t.record_type = 'consigned' then 0 else t.amount end::numeric(18,2) as sold_amount,
       t.quantity, t.price, t.amount, coalesce(g.taken, 0)::numeric(18,3) as returned_quantity,
       case when t.void_at is not null then 'void' when t.quantity < 0 then 'minus' when coalesce(g.taken, 0) >= t.quantity then 'returned'
            when coalesce(g.taken, 0) > 0 then 'partial' else 'open' end as state
  from trade_record t join document d on d.org_id = t.org_id and d.id = t.document_id
  left join organisation o on o.id = t.partner_id
  left join lateral (select sum(p.taken) as taken from line_progress p
                      where p.org_id = t.org_id and p.document_id = t.document_id and p.line_no = t.line_no and p.purpose = 'return') g on true
 where t.register = 'sale';
grant select on purchase_record, sales_record to :app_role;

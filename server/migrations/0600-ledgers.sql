-- The ledgers of goods and of money, which only grow, and what is summed up of them.

-- The dates of a lot as its keeper knows them.
create table stock_lot (
  org_id bigint not null,
  lot_id bigint not null,
  specification_id bigint not null,
  production_date date,
  expiry_date date,
  constraint stock_lot_pk primary key (org_id, lot_id)
);
create index stock_lot_expiry on stock_lot (org_id, expiry_date, specification_id, lot_id);
call isolate_by_organisation('stock_lot');
grant select, insert, update, delete on stock_lot to :app_role;

-- The ledger of goods: every change of a balance, with the document that made it. It only grows.
create table stock_move (
  org_id bigint not null,
  id bigint not null default nextval('ledger_id_seq'),
  warehouse_id bigint not null,
  location text not null default '',
  specification_id bigint not null,
  lot_id bigint not null,
  owner_id bigint not null,
  quality_state text not null,
  quantity numeric(18,3) not null,
  value numeric(18,2) not null,
  step text not null,
  document_id bigint not null,
  line_no int not null,
  undo_of bigint,
  business_date date not null,
  at timestamptz not null default posting_now(),
  constraint stock_move_pk primary key (org_id, id)
);
create index stock_move_document on stock_move (org_id, document_id);
create index stock_move_lot on stock_move (org_id, lot_id, id);
create index stock_move_day on stock_move using brin (business_date);
-- Months, stock as of a day and cards are asked for by the moment of posting.
create index stock_move_at on stock_move using brin (at);
-- What a store used of a specification in some days.
create index stock_move_use on stock_move (org_id, warehouse_id, specification_id, at) where step = 'use';
-- Days ahead of the moment of posting are rare, and reports by business day have to know them.
create index stock_move_ahead on stock_move (org_id, business_date)
  where business_date > (at at time zone 'Asia/Shanghai')::date;
create index stock_move_org_at on stock_move (org_id, at);
-- Moves posted after the day they are of: reports by business day look for them among what was posted since the
-- period.
create index stock_move_behind on stock_move (org_id, at)
  where business_date < (at at time zone 'Asia/Shanghai')::date;
call isolate_by_organisation('stock_move');
grant select, insert on stock_move to :app_role;

-- What lies where now: the sum of the moves.
create table stock_balance (
  org_id bigint not null,
  warehouse_id bigint not null,
  location text not null,
  specification_id bigint not null,
  lot_id bigint not null,
  owner_id bigint not null,
  quality_state text not null,
  quantity numeric(18,3) not null,
  value numeric(18,2) not null,
  constraint stock_balance_pk
    primary key (org_id, warehouse_id, location, specification_id, lot_id, owner_id, quality_state),
  constraint stock_balance_never_negative check (quantity >= 0)
) with (fillfactor = 80);
create index stock_balance_lot on stock_balance (org_id, lot_id);
create index stock_balance_specification on stock_balance (org_id, specification_id);
-- The stock of an organisation is read in the order of its goods, a page at a time: nothing but the balances
-- themselves says how many rows there are, and names are fetched for the rows of the page. An inner join to the store
-- made the plan fetch and sort them all.
create index stock_balance_goods on stock_balance (org_id, specification_id) include (warehouse_id)
  where quantity > 0;
call isolate_by_organisation('stock_balance');
grant select, insert, update, delete on stock_balance to :app_role;

-- Goods that a document has reserved until it moves them.
create table reservation (
  org_id bigint not null,
  document_id bigint not null,
  line_no int not null,
  warehouse_id bigint not null,
  location text not null,
  specification_id bigint not null,
  lot_id bigint not null,
  owner_id bigint not null,
  quality_state text not null,
  quantity numeric(18,3) not null,
  unit_codes text[] not null default '{}',
  constraint reservation_pk primary key (org_id, document_id, line_no),
  constraint reservation_positive check (quantity > 0)
);
create index reservation_key on reservation (org_id, warehouse_id, specification_id, lot_id);
call isolate_by_organisation('reservation');
grant select, insert, update, delete on reservation to :app_role;

-- Own goods that lie with a customer on consignment: a memo beside the ledger, moved by what partners send.
create table consigned_out (
  org_id bigint not null,
  customer_id bigint not null,
  specification_id bigint not null,
  lot_id bigint not null,
  quantity numeric(18,3) not null,
  value numeric(18,2) not null,
  constraint consigned_out_pk primary key (org_id, customer_id, specification_id, lot_id),
  constraint consigned_out_never_negative check (quantity >= 0)
);
call isolate_by_organisation('consigned_out');
grant select, insert, update, delete on consigned_out to :app_role;

-- Every change of such a memo.
create table consigned_move (
  org_id bigint not null,
  id bigint not null default nextval('ledger_id_seq'),
  customer_id bigint not null,
  specification_id bigint not null,
  lot_id bigint not null,
  quantity numeric(18,3) not null,
  value numeric(18,2) not null,
  document_id bigint not null,
  line_no int not null,
  step text not null,
  at timestamptz not null default posting_now(),
  constraint consigned_move_pk primary key (org_id, id)
);
call isolate_by_organisation('consigned_move');
grant select, insert on consigned_move to :app_role;

-- The ledger of money: what is owed and paid, with the document that says so. It only grows.
create table account_entry (
  org_id bigint not null,
  id bigint not null default nextval('ledger_id_seq'),
  counterparty_id bigint not null,
  account text not null,
  amount numeric(18,2) not null,
  document_id bigint not null,
  line_no int not null,
  undo_of bigint,
  business_date date not null,
  at timestamptz not null default posting_now(),
  constraint account_entry_pk primary key (org_id, id)
);
create index account_entry_document on account_entry (org_id, document_id);
create index account_entry_partner on account_entry (org_id, counterparty_id, id);
call isolate_by_organisation('account_entry');
grant select, insert on account_entry to :app_role;

-- What is owed now, by partner and account: the sum of the entries.
create table account_balance (
  org_id bigint not null,
  counterparty_id bigint not null,
  account text not null,
  amount numeric(18,2) not null,
  constraint account_balance_pk primary key (org_id, counterparty_id, account)
);
call isolate_by_organisation('account_balance');
grant select, insert, update, delete on account_balance to :app_role;

-- Months that an organisation has closed: nothing more is booked with a date inside them. `id` is the month as a
-- number, 202611.
create table accounting_period (
  org_id bigint not null,
  id bigint not null,
  state text not null default 'open',
  closed_by text,
  closed_at timestamptz,
  reopened_by text,
  reopened_at timestamptz,
  reopen_reason text,
  version int not null default 1,
  constraint accounting_period_pk primary key (org_id, id),
  constraint accounting_period_month check (id between 190001 and 999912 and id % 100 between 1 and 12),
  constraint accounting_period_state check (state in ('open', 'closed'))
);
call isolate_by_organisation('accounting_period');
grant select, insert, update on accounting_period to :app_role;

-- The months whose openings stand, for all organisations.
create table month_sealed (
  month date not null,
  sealed_at timestamptz not null default now(),
  -- Whether the figures of the month before, which ended here, stand; months sealed by an earlier version get theirs
  -- later.
  has_figures boolean not null default false,
  constraint month_sealed_pk primary key (month)
);
grant select on month_sealed to :app_role;

-- What lay in each store when a month began, by the moment of posting: moves are never dated back by that moment, so
-- it holds for ever once the month has come. Reports begin there instead of with the first move of all.
create table month_opening (
  org_id bigint not null,
  month date not null,
  warehouse_id bigint not null,
  specification_id bigint not null,
  lot_id bigint not null,
  owner_id bigint not null,
  quality_state text not null,
  quantity numeric(18,3) not null,
  value numeric(18,2) not null,
  constraint month_opening_pk
    primary key (org_id, month, warehouse_id, specification_id, lot_id, owner_id, quality_state)
);
call isolate_by_organisation('month_opening');
grant select on month_opening to :app_role;

-- What each month brought to each store, by goods: a month that is over never changes, so its account is read and not
-- summed again. Goods of others count as pieces and not as value.
create table month_figure (
  org_id bigint not null,
  month date not null,
  warehouse_id bigint not null,
  specification_id bigint not null,
  is_own boolean not null,
  opening_quantity numeric(18,3) not null,
  opening_value numeric(18,2) not null,
  in_quantity numeric(18,3) not null,
  in_value numeric(18,2) not null,
  out_quantity numeric(18,3) not null,
  out_value numeric(18,2) not null,
  adjustment numeric(18,2) not null,
  constraint month_figure_pk primary key (org_id, month, warehouse_id, specification_id, is_own)
);
call isolate_by_organisation('month_figure');
grant select on month_figure to :app_role;

-- Rows of the purchase and sales registers: names, licences and certificates as they were on the day. They are
-- voided, never changed nor deleted.
create table trade_record (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  register text not null,
  record_no text not null,
  record_type text not null,
  document_id bigint not null,
  line_no int not null,
  business_date date not null,
  handler_name text,
  partner_id bigint,
  partner_name text,
  partner_credit_code text,
  partner_licence_no text,
  partner_address text,
  partner_contact text,
  specification_id bigint not null,
  product_name text not null,
  specification_name text not null,
  device_class text,
  registration_no text,
  registrant text,
  contract_maker text,
  manufacturer_name text,
  maker_licence_no text,
  udi text,
  storage_condition text,
  is_implant boolean not null,
  unit_name text not null,
  lot_no text,
  production_date date,
  expiry_date date,
  quantity numeric(18,3) not null,
  price numeric(18,4) not null,
  amount numeric(18,2) not null,
  void_at timestamptz,
  constraint trade_record_pk primary key (org_id, id),
  constraint trade_record_no unique (org_id, register, record_no),
  constraint trade_record_register check (register in ('purchase', 'sale'))
);
create index trade_record_list on trade_record (org_id, register, business_date desc, id desc);
create index trade_record_partner on trade_record (org_id, register, partner_id, id desc);
create index trade_record_document on trade_record (org_id, document_id);
create index trade_record_lot on trade_record (org_id, lot_no) where lot_no is not null;
call isolate_by_organisation('trade_record');
grant select, insert on trade_record to :app_role;
grant update (void_at) on trade_record to :app_role;

-- A document of a store beside what the material ledger of the HIS has of it: one row a document, and one for each
-- receipt that the HIS has and we have not.
create table his_grn (
  org_id bigint not null,
  id bigint not null default nextval('reference_id_seq'),
  document_id bigint,
  receipt_kind text not null,
  sn text,
  counterparty_id bigint,
  warehouse_id bigint,
  reviewed_at timestamptz,
  item_count int not null default 0,
  amount numeric(18,2) not null default 0,
  push_state text not null default 'none',
  push_key text,
  -- A document that is reviewed again is sent under a key of its own.
  push_round int not null default 1,
  tries int not null default 0,
  pushed_at timestamptz,
  -- Its review was undone.
  is_voided boolean not null default false,
  is_reversal_asked boolean not null default false,
  receipt_no text,
  booked_at timestamptz,
  his_item_count int,
  his_amount numeric(18,2),
  check_result text,
  checked_at timestamptz,
  error text,
  explanation text,
  explained_by text,
  explained_at timestamptz,
  version int not null default 1,
  constraint his_grn_pk primary key (org_id, id),
  constraint his_grn_document unique (org_id, document_id),
  constraint his_grn_kind check (receipt_kind in ('purchase', 'settlement', 'return', 'grant')),
  constraint his_grn_state check (push_state in ('none', 'sending', 'sent', 'failed', 'reversed')),
  constraint his_grn_result check (check_result in ('same', 'amount', 'lines', 'missing', 'extra')),
  constraint his_grn_of foreign key (org_id, document_id) references document (org_id, id)
);
create index his_grn_list on his_grn (org_id, reviewed_at desc, id desc);
create index his_grn_receipt on his_grn (org_id, receipt_no) where receipt_no is not null;
create index his_grn_sn on his_grn (org_id, sn);
call isolate_by_organisation('his_grn');
grant select, insert, update, delete on his_grn to :app_role;

-- Receipts of the HIS as they were last read; a day that is read again replaces its rows.
create table his_receipt (
  org_id bigint not null,
  receipt_no text not null,
  receipt_kind text not null,
  sn text,
  supplier_code text,
  warehouse_code text,
  booked_at timestamptz not null,
  is_reversed boolean not null,
  amount numeric(18,2) not null,
  lines jsonb not null,
  read_at timestamptz not null default now(),
  constraint his_receipt_pk primary key (org_id, receipt_no)
);
create index his_receipt_day on his_receipt (org_id, booked_at);
create index his_receipt_sn on his_receipt (org_id, sn) where sn is not null;
call isolate_by_organisation('his_receipt');
grant select, insert, update, delete on his_receipt to :app_role;

-- 电子发票: what was asked of a provider, and what it became. One live request a document; the request number is what
-- the provider issues once.
create table e_invoice (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  request_no text not null,
  document_id bigint not null,
  document_sn text not null,
  source_kind text not null default 'outbound',
  counterparty_id bigint not null,
  channel text not null,
  seller_name text not null,
  seller_tax_no text not null,
  buyer_name text not null,
  buyer_tax_no text not null,
  buyer_address text,
  buyer_bank text,
  buyer_email text,
  buyer_phone text,
  invoice_type text not null,
  colour text not null default 'blue',
  blue_id bigint,
  blue_invoice_no text,
  red_reason text,
  red_confirm_id text,
  red_confirm_no text,
  red_confirm_state text,
  merge_way text not null default 'none',
  drawer text,
  remark text,
  untaxed_amount numeric(18,2) not null,
  tax_amount numeric(18,2) not null,
  taxed_amount numeric(18,2) not null,
  reversed_amount numeric(18,2) not null default 0,
  invoice_no text,
  invoice_date date,
  issued_at timestamptz,
  state text not null default 'pending',
  fail_reason text,
  sent_at timestamptz,
  outcome_unknown boolean not null default false,
  polls int not null default 0,
  next_poll_at timestamptz,
  deliver_state text not null default 'none',
  delivered_to text,
  delivered_at timestamptz,
  retries int not null default 0,
  requested_by text not null,
  requested_at timestamptz not null default now(),
  pdf text[] not null default '{}',
  ofd text[] not null default '{}',
  xml text[] not null default '{}',
  version int not null default 1,
  constraint e_invoice_pk primary key (org_id, id),
  constraint e_invoice_request unique (org_id, request_no),
  constraint e_invoice_document foreign key (org_id, document_id) references document (org_id, id),
  constraint e_invoice_amount check (taxed_amount = untaxed_amount + tax_amount)
);
create unique index e_invoice_live on e_invoice (org_id, document_id) where state <> 'closed';
create unique index e_invoice_number on e_invoice (org_id, invoice_no) where invoice_no is not null;
create index e_invoice_due on e_invoice (next_poll_at) where next_poll_at is not null;
call isolate_by_organisation('e_invoice');
grant select, insert, update, delete on e_invoice to :app_role;

-- Its lines as they stand on the sheet: lines of the document, merged as it says.
create table e_invoice_line (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  e_invoice_id bigint not null,
  line_no int not null,
  blue_line_no int,
  nature text not null default 'normal',
  item_name text not null,
  tax_code text not null,
  item_model text,
  unit_name text,
  quantity numeric(18,3),
  price text,
  untaxed_amount numeric(18,2) not null,
  tax_rate smallint not null,
  tax_amount numeric(18,2) not null,
  has_preference boolean not null default false,
  constraint e_invoice_line_pk primary key (org_id, id),
  constraint e_invoice_line_once unique (org_id, e_invoice_id, line_no),
  constraint e_invoice_line_of foreign key (org_id, e_invoice_id) references e_invoice (org_id, id)
);
call isolate_by_organisation('e_invoice_line');
grant select, insert, update, delete on e_invoice_line to :app_role;

-- 通道设置: by which provider an organisation issues. Secret, password and salt are sealed by the program's own key.
create table e_invoice_channel (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  channel text not null,
  seller_name text,
  seller_tax_no text,
  app_key text,
  user_name text,
  app_secret text,
  user_password text,
  user_salt text,
  drawer text,
  most_lines int not null default 100,
  issues_at_once boolean not null default true,
  delivers_at_once boolean not null default true,
  status text not null default 'disabled',
  version int not null default 1,
  constraint e_invoice_channel_pk primary key (org_id, id),
  constraint e_invoice_channel_once unique (org_id, channel),
  constraint e_invoice_channel_lines check (most_lines between 1 and 2000)
);
create unique index e_invoice_channel_in_use on e_invoice_channel (org_id) where status = 'enabled';
call isolate_by_organisation('e_invoice_channel');
grant select, insert, update, delete on e_invoice_channel to :app_role;

-- 税收分类编码 of what an organisation sells, and what is proposed for a class of devices.
alter table dealer_product add column tax_code text;
alter table device_class add column tax_code text;

-- Which account of the organisation's ledger program stands for one of ours in exported vouchers.
create table voucher_account (
  org_id bigint not null,
  id bigint not null default nextval('row_id_seq'),
  ledger_account text not null,
  account_code text not null,
  account_name text not null,
  version int not null default 1,
  constraint voucher_account_pk primary key (org_id, id),
  constraint voucher_account_once unique (org_id, ledger_account)
);
call isolate_by_organisation('voucher_account');
grant select, insert, update, delete on voucher_account to :app_role;

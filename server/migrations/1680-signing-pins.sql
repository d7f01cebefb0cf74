-- The PIN with which somebody who is not signed in proves that a signature is his; he set it when he was.
create table signing_pin (
  org_id bigint not null,
  user_id bigint not null,
  pin_hash text not null,
  set_at timestamptz not null default now(),
  constraint signing_pin_pk primary key (org_id, user_id),
  constraint signing_pin_user foreign key (user_id) references app_user (id) on delete cascade
);
call isolate_by_organisation('signing_pin');
grant select, insert, update on signing_pin to :app_role;

-- The subject of a signature: document, action and content. Signatures from before have neither of the last two.
alter table signature add column document_id bigint;
alter table signature add column action text;
alter table signature add column digest text;

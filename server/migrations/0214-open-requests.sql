-- What strangers asked for under a request id of their own: done once, by the hash of id and address.
create table open_request (
  token_hash text not null, fingerprint text not null, reply text, at timestamptz not null default now(),
  constraint open_request_pk primary key (token_hash));
create index open_request_at on open_request (at);
grant select, insert, update, delete on open_request to :app_role;

-- A use that a person matched or took apart is left to people: no round of matching touches it.
alter table use_check add column by_hand boolean not null default false;

create index use_check_event_at on use_check_event (org_id, at);

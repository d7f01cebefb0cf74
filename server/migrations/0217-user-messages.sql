-- Which kinds of messages a user wants; none named: all. What is meant for him alone, or must be confirmed, comes in any case.
alter table app_user add column message_types text[] not null default '{}';
alter table app_user add column remark text;

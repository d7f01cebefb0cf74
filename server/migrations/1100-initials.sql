-- Pinyin initials by which pickers find warehouses, users, own classes and cabinets; null until they were written.
alter table warehouse add column pinyin text;
create index warehouse_initials on warehouse using gin (pinyin gin_trgm_ops);

alter table app_user add column pinyin text;
create index app_user_initials on app_user using gin (pinyin gin_trgm_ops);

alter table custom_type add column pinyin text;
create index custom_type_initials on custom_type using gin (pinyin gin_trgm_ops);

alter table cabinet add column pinyin text;
create index cabinet_initials on cabinet using gin (pinyin gin_trgm_ops);

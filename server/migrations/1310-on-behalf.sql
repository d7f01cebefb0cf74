-- 委托代运营: until when the platform may work for an organisation, and the scanned authorisation.
alter table org_config add column valid_to date;
alter table org_config add column authorisation text[] not null default '{}';

-- What the platform reads of every organisation stands in views of a schema of its own, under the names of the tables
-- they show a part of (repeatable/1310-overseen.sql).
create schema if not exists overseen;
grant usage on schema overseen to :app_role;

-- The newest documents of a kind over all organisations.
create index document_of_all on document (kind, id desc) where role = 'own';

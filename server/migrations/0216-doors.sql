-- The doors and drawers of a cabinet, by number.
alter table warehouse add column doors text[] not null default '{}';

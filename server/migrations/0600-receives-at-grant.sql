-- Departments that receive what is granted to them in the same breath.
alter table department add column receives_at_grant boolean not null default false;

-- For which classes of devices a kind of paper is watched; none: for all.
alter table licence_setting add column device_classes text[] not null default '{}';

-- Why master data was thrown away, apart from why it came back; when a version is to be published.
alter table recycle_bin add column delete_reason text;
update recycle_bin set delete_reason = reason, reason = null where state = 'waiting';
alter table app_version add column publish_at timestamptz;
create index app_version_due on app_version (publish_at) where state = 'draft' and publish_at is not null;

-- 滞销预警天数 is set by the platform for an organisation, which may set its own; one that kept the preset has none.
alter table warning_setting
alter column idle_days drop default;
alter table warning_setting
alter column idle_days drop not null;
update warning_setting
set
  idle_days = null
where
  idle_days = 180;

-- A kind of paper may be watched when goods are used, and its expiry told by short message besides the message inside.
alter table licence_setting add column at_use boolean not null default false, add column told_by text not null default 'inside',
  add constraint licence_setting_told_by check (told_by in ('inside', 'sms'));

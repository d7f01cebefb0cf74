-- An export whose process went down is made anew by another: how often it was begun.
alter table export_job add column tries int not null default 1;

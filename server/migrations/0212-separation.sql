-- 制单审核分离: nobody may both write and review papers of the kind.
alter table audit_setting add column separates boolean not null default false;

-- 院区: where a department or a warehouse lies. Empty: where the department above, or the warehouse's own, lies.
alter table department add column campus text;
alter table warehouse add column campus text;

-- A file that somebody had made for himself, an export, is his alone: its name may be known to others of the house.
alter table stored_file add column only_for bigint;
drop policy own_rows on stored_file;
create policy own_rows on stored_file using (org_id = current_setting('app.org_id')::bigint and (only_for is null or only_for = current_setting('app.user_id')::bigint))
  with check (org_id = current_setting('app.org_id')::bigint);

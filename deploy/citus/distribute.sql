-- Spreads a migrated database over the nodes of Citus after the plan (plan.sql, in the same session). Run it once, and
-- again after migrations that brought tables: what is spread already is passed over. As the role that migrates:
--   psql "$DATABASE_URL" -v ON_ERROR_STOP=1 -v app=medtrace_app -v owner=medtrace -f plan.sql -f distribute.sql
-- `app` is the name of the database with _app behind it, `owner` the role of DATABASE_URL.
-- SET LOCAL reaches the shards.
alter role :app set citus.propagate_set_commands = 'local';
-- Units in ten lots: one after another, no clash with reference tables.
alter role :app set citus.multi_shard_modify_mode = 'sequential';
alter role :owner set citus.multi_shard_modify_mode = 'sequential';
-- Or a new table with keys to both homes is refused.
alter role :owner set citus.enable_local_reference_table_foreign_keys = off;

do $$
declare
  p record;
  first text;
begin
  perform set_config('citus.enable_local_reference_table_foreign_keys', 'off', true);
  perform set_config('citus.multi_shard_modify_mode', 'sequential', true);
  for p in
    select *
    from plan
    where name not in (
      select table_name::text from citus_tables where citus_table_type in ('distributed', 'reference')
    )
    order by place
  loop
    select name into first from plan where home = p.home order by place limit 1;
    if p.home = 'reference' then
      perform create_reference_table(p.name::regclass);
    elsif p.home <> 'local' then
      perform create_distributed_table(
        p.name::regclass,
        p.key,
        colocate_with := case when first = p.name then 'none' else first end
      );
    end if;
  end loop;
end $$;

-- What every other file stands on. Every tenant table begins its keys with org_id; trace tables live by lot, codes by
-- code, sessions by token; reference tables are small and shared. Nothing here is newer than PostgreSQL 15.
create extension if not exists pg_trgm;

-- Row-level security asks for the organisation that act_as() set in this transaction, and for nothing else.
create function act_as(p_org bigint, p_user bigint) returns void language plpgsql
as $$
begin
  execute format('set local app.org_id = %L', p_org);
  execute format('set local app.user_id = %L', p_user);
end $$;

-- Whoever acts on one document. Its statements go by keys, so their plans hold for any values. SET LOCAL, because
-- nothing else reaches the shards.
create function act_with_generic_plans_as(p_org bigint, p_user bigint) returns void language plpgsql
as $$
begin
  perform act_as(p_org, p_user);
  set local plan_cache_mode = force_generic_plan;
end $$;

-- The posting instant: the server's, unless the transaction was given another clock (tests, the demo's simulation).
create function posting_now() returns timestamptz language sql stable
as $$
  select coalesce(nullif(current_setting('app.now', true), '')::timestamptz, now())
$$;

-- Rows of a table are seen and written by the organisation of this transaction alone.
create procedure isolate_by_organisation(tenant_table regclass) language plpgsql
as $$
begin
  execute format('alter table %s enable row level security', tenant_table);
  execute format(
    'create policy own_rows on %s using (org_id = current_setting(''app.org_id'')::bigint) '
    'with check (org_id = current_setting(''app.org_id'')::bigint)',
    tenant_table
  );
end $$;

create sequence reference_id_seq start 1001;
-- Not cached: lists show the newest document first by its id, and cached ids of several connections run side by side.
create sequence row_id_seq start 100001 cache 1;
create sequence ledger_id_seq start 1 cache 2000;
create sequence unit_id_seq start 1 cache 2000;
create sequence trace_seq start 1 cache 1;
-- Newest first is by id here too. It begins above all ids that were given from another sequence.
create sequence operation_log_id_seq start 1000000000000 cache 1;

grant usage on schema public to :app_role;
grant usage on all sequences in schema public to :app_role;

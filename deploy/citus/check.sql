-- The obstacles to the plan (plan.sql, in the same session). Runs on any PostgreSQL after the migrations, without
-- Citus; it must find nothing.
with
  t as (
    select
      c.oid, c.relname name, c.relkind, p.place, p.home, p.key, a.attnum keynum, a.atttypid, a.attcollation,
      a.attnotnull, a.attgenerated, a.attidentity
    from pg_class c
    left join plan p on p.name = c.relname
    left join pg_attribute a on a.attrelid = c.oid and a.attname = p.key
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r','p') and not c.relispartition
  ),
  d as (select * from t where key is not null),
  problem(object, says) as (
    select name, 'is not in the distribution plan'
    from t
    where home is null
    union all
    select p.name, 'is in the plan but not in the database'
    from plan p
    where not exists (select from t where t.name = p.name)
    union all
    select name, 'key column ' || key || ' is missing, nullable, generated or an identity'
    from d
    where keynum is null or not attnotnull or attgenerated <> '' or attidentity <> ''
    union all
    select home, 'key columns differ in type or collation: ' || string_agg(name || ' ' || atttypid::regtype, ', ')
    from d
    group by home
    having count(distinct (atttypid, attcollation)) > 1
    union all
    select d.name, 'unique index ' || i.indexrelid::regclass || ' does not hold ' || d.key
    from d
    join pg_index i on i.indrelid = d.oid
    where (i.indisunique or i.indisprimary) and not d.keynum = any ((i.indkey::int2[])[0:i.indnkeyatts - 1])
    union all
    select d.name, 'exclusion ' || x.conname || ' does not hold ' || d.key || ' with ='
    from d
    join pg_constraint x on x.conrelid = d.oid and x.contype = 'x'
    where not exists (
        select
        from unnest(x.conkey, x.conexclop) k(num, op)
        join pg_operator o on o.oid = k.op
        where k.num = d.keynum and o.oprname = '='
      )
    union all
    select
      t.name,
      'foreign key ' || f.conname || case
        when t.home in ('reference', 'local') and u.home not in ('reference', 'local')
          then ': a ' || t.home || ' table cannot point at ' || u.name || ' (' || u.home || ')'
        when t.key is not null and u.home = 'local'
          then ': a distributed table cannot point at the local table ' || u.name
        when t.key is not null and u.home <> 'reference' and u.home <> t.home
          then ': ' || u.name || ' lives by ' || u.home || ', not by ' || t.home
        when t.key is not null
          and u.home = t.home
          and not exists (select from unnest(f.conkey, f.confkey) k(a, b) where a = t.keynum and b = u.keynum)
          then ': must pair ' || t.key || ' with ' || u.name || '.' || u.key
        when t.keynum = any (f.conkey) and (f.confdeltype in ('n', 'd') or f.confupdtype in ('n', 'd', 'c'))
          then ': SET NULL/SET DEFAULT (or ON UPDATE CASCADE) with the key inside'
        when t.key is not null and u.home = t.home and u.place > t.place
          then ': ' || u.name || ' must stand before it in the plan'
      end
    from pg_constraint f
    join t on t.oid = f.conrelid
    join t u on u.oid = f.confrelid
    where f.contype = 'f' and f.conparentid = 0
    union all
    select t.name, 'trigger ' || g.tgname
    from t
    join pg_trigger g on g.tgrelid = t.oid
    -- These triggers read tables that live by the same key: Citus runs them with citus.enable_unsafe_triggers.
    where not g.tgisinternal
      and t.home <> 'local'
      and g.tgfoid not in (
        select oid
        from pg_proc
        where pronamespace = 'public'::regnamespace and proname in ('refuse_same_name', 'name_entry_item')
      )
    union all
    select t.name, 'rule ' || r.rulename
    from t
    join pg_rewrite r on r.ev_class = t.oid
    union all
    select t.name, 'table inheritance'
    from t
    join pg_inherits h on h.inhparent = t.oid
    where t.relkind = 'r'
    union all
    select t.name, 'column ' || a.attname || ': a sequence or identity must be bigint'
    from t
    join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and a.atttypid <> 'int8'::regtype
    left join pg_attrdef e on e.adrelid = t.oid and e.adnum = a.attnum
    where a.attidentity <> '' or pg_get_expr(e.adbin, e.adrelid) like 'nextval(%'
    union all
    select t.name, 'no row level security on a tenant table'
    from t
    join pg_class c on c.oid = t.oid
    where t.home = 'tenant' and not c.relrowsecurity
    union all
    select t.name, 'policy ' || y.polname || ' reads another table'
    from t
    join pg_policy y on y.polrelid = t.oid
    where exists (
        select
        from pg_depend w
        join pg_class o on o.oid = w.refobjid
        where w.classid = 'pg_policy'::regclass
          and w.objid = y.oid
          and w.refclassid = 'pg_class'::regclass
          and o.oid <> t.oid
      )
    union all
    select p.proname, 'security definer: a distributed transaction has one user'
    from pg_proc p
    where p.pronamespace = 'public'::regnamespace and p.prosecdef
    union all
    select p.proname, 'set_config does not reach the shards: use act_as'
    from pg_proc p
    where p.pronamespace = 'public'::regnamespace and p.prosrc ~* '\mset_config\s*\('
  )
select object, says
from problem
where says is not null
order by 1, 2;

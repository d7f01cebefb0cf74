-- Names that look alike to people: letters of other scripts, zero beside O, one beside I and l (Unicode's confusables).
create function look_alike(written text) returns text
language sql immutable strict parallel safe
return translate(same_name(written), 'ϳαβγεζηικμνορστυχϝςϻѕіјавгекмнорстухьѡѵүһҽӏԁԍԛԝագզհոռստցքօ01i',
  'jabyezhlkmvopotuxfcmsljabrekmhopctyxbwvyheldgqwwqqhnnusgfooll');

-- The columns that `keep_names_apart` compares: the arguments of its triggers.
create view compared_name as
select
  c.relname as table_name, g.args[1] as field, g.args[2] as form, g.args[3] as among, g.args[5] as read_from
from (
  select t.tgrelid, string_to_array(encode(t.tgargs, 'escape'), E'\\000') as args
  from pg_trigger t
  where t.tgfoid = 'refuse_same_name'::regproc
) g
join pg_class c on c.oid = g.tgrelid;
grant select on compared_name to :app_role;

-- The names beside those of a row that is about to be written, each with its column: the same name in another spelling
-- (`is_same`) and, where `alike` asks for them, names that people take for it. `written` holds the row by its columns.
create function names_beside(named text, but bigint, written jsonb, alike boolean)
returns table (field text, known text, is_same boolean)
language plpgsql stable as $$
declare
  compared record;
begin
  for compared in select * from compared_name c where c.table_name = named and written ->> c.field is not null loop
    return query execute format(
      'select %1$L, t.%1$I, %3$s(t.%1$I) = %3$s(n.%1$I) from %6$I t, jsonb_populate_record(null::%2$I, $1) n
        where %4$s and t.id is distinct from $2 and t.%1$I <> n.%1$I
          and (%3$s(t.%1$I) = %3$s(n.%1$I) %5$s) limit 5',
      compared.field, named, compared.form, compared.among,
      case when alike then format('or look_alike(t.%1$I) = look_alike(n.%1$I)', compared.field) end, compared.read_from
    ) using written, but;
  end loop;
end $$;

-- Pairs of rows from before names were compared this way, which now have the same name: an operator renames one of
-- each.
create function same_names()
returns table (table_name text, field text, org_id text, first_name text, other_name text)
language plpgsql stable as $$
declare
  compared record;
begin
  for compared in select * from compared_name loop
    return query execute format(
      'select %2$L, %1$L, to_jsonb(n) ->> ''org_id'', t.%1$I, n.%1$I from %2$I t, %2$I n
        where %4$s and %3$s(t.%1$I) = %3$s(n.%1$I) and t.%1$I <> n.%1$I and t.id < n.id',
      compared.field, compared.table_name, compared.form, compared.among
    );
  end loop;
end $$;

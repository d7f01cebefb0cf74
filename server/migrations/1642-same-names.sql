-- Names, logins and codes that differ only in case, width or blanks are one name. Where two are told apart by leading
-- zeros alone, as 1 and 01, two places are one place. Numbers that GS1 or another authority wrote are compared exactly
-- and are not among these.
create function same_name(written text) returns text
language sql immutable strict parallel safe
return lower(regexp_replace(normalize(written, nfkc), '\s+', '', 'g'));

create function same_place(written text) returns text
language sql immutable strict parallel safe
return regexp_replace(same_name(written), '(?<![0-9])0+(?=[0-9])', '', 'g');

-- Refuses a name that is the same as another row's and written differently; the same spelling is the unique index's.
-- Arguments: the column, the function that compares, which rows `t` are beside the new one `n`, the columns that decide
-- this, and where other rows are read. A restored backup is taken as it is.
create function refuse_same_name() returns trigger
language plpgsql as $$
declare
  field text := tg_argv[0];
  written text := to_jsonb(new) ->> field;
  known text;
begin
  if written is null or current_setting('medtrace.restoring', true) = 'on' then
    return new;
  end if;
  if tg_op = 'UPDATE' and not exists (
    select from unnest(array[field] || tg_argv[3]::text[]) c
    where to_jsonb(new) ->> c is distinct from to_jsonb(old) ->> c
  ) then
    return new;
  end if;
  perform pg_advisory_xact_lock(hashtextextended(tg_table_name || '.' || field || '.' || same_place(written), 0));
  execute format(
    'select t.%1$I from %2$I t, (select ($1).*) n where %4$s and %3$s(t.%1$I) = %3$s(n.%1$I)
      and t.%1$I <> n.%1$I and t.id is distinct from n.id limit 1', field, tg_argv[4], tg_argv[1], tg_argv[2]
  ) into known using new;
  if known is not null then
    raise exception using errcode = 'unique_violation', constraint = tg_name, column = field, table = tg_table_name,
      message = format('【%s】与已有的【%s】相同（不计大小写、全角半角%s），请换一个', written, known,
        case tg_argv[1] when 'same_place' then '、空格和数字前的零' else '和空格' end);
  end if;
  return new;
end $$;

-- Compares a column of a table so, from now on; rows that are there stay. `read_from` is a view where names are unique
-- beyond what the writer may see of the table.
create procedure keep_names_apart(
  named text, field text, form text default 'same_name', among text default 't.org_id = n.org_id',
  also text[] default '{}', read_from text default null
)
language plpgsql as $$
begin
  execute format('create index %I on %I (%s%s(%I))', named || '_' || field || '_same', named,
    case when among like '%t.org_id%' then 'org_id, ' else '' end, form, field);
  execute format('create trigger %I before insert or update of %s on %I for each row
    execute function refuse_same_name(%L, %L, %L, %L, %L)', named || '_' || field || '_apart',
    (select string_agg(quote_ident(c), ', ') from unnest(array[field] || also) c), named, field, form, among, also,
    coalesce(read_from, named));
end $$;

call keep_names_apart('app_user', 'login', among => 'true', read_from => 'account_at_door');
call keep_names_apart('role', 'name');
call keep_names_apart('department', 'code');
call keep_names_apart(
  'department', 'name',
  among => 't.org_id = n.org_id and t.parent_id is not distinct from n.parent_id',
  also => '{parent_id}'
);
call keep_names_apart('employee', 'code');
call keep_names_apart('employee', 'badge_no');
call keep_names_apart('organisation', 'code', among => 't.kept_by_id is not distinct from n.kept_by_id');
call keep_names_apart(
  'organisation', 'social_credit_code',
  among => 't.system_type = n.system_type and t.kept_by_id is not distinct from n.kept_by_id'
);
call keep_names_apart('system_role', 'code', among => 'true');
call keep_names_apart('role_template', 'code', among => 'true');
call keep_names_apart('template_role', 'name', among => 't.role_template_id = n.role_template_id');
call keep_names_apart('dictionary', 'code', among => 'true');
call keep_names_apart(
  'dictionary_item', 'code',
  among => 't.dictionary_id = n.dictionary_id and t.kept_by_id is null and n.kept_by_id is null'
);
call keep_names_apart(
  'dictionary_item', 'name',
  among => 't.dictionary_id = n.dictionary_id and t.status = ''enabled''
    and (t.kept_by_id is null or t.kept_by_id = n.kept_by_id) and n.kept_by_id is not null'
);
call keep_names_apart(
  'menu_node', 'content',
  among => 't.node_type = 1 and n.node_type = 1 and t.level = 1 and n.level = 1'
);
call keep_names_apart('app_version', 'name', among => 't.platform = n.platform and t.version_no = n.version_no');
call keep_names_apart('report_scheme', 'name', among => 't.org_id = n.org_id and t.user_id = n.user_id');
call keep_names_apart('device_class', 'code', among => 't.catalogue = n.catalogue');
call keep_names_apart('product', 'code', among => 'true');
call keep_names_apart(
  'product', 'name',
  among => 't.manufacturer_id = n.manufacturer_id and t.status <> ''matched'' and n.status <> ''matched''
    and (t.built_by_id = n.built_by_id or t.status = ''released'')',
  also => '{manufacturer_id}'
);
call keep_names_apart('specification', 'code', among => 'true');
call keep_names_apart(
  'specification', 'name',
  among => 't.product_id = n.product_id and t.mapped_to_id is null and n.mapped_to_id is null',
  also => '{product_id}'
);
call keep_names_apart('pack_unit', 'name', among => 't.specification_id = n.specification_id');
call keep_names_apart(
  'registration_certificate', 'certificate_no',
  among => 't.valid_from = n.valid_from',
  also => '{valid_from}'
);
call keep_names_apart('custom_type', 'code', among => 't.org_id = n.org_id and t.tree = n.tree');
call keep_names_apart(
  'custom_type', 'name',
  among => 't.org_id = n.org_id and t.tree = n.tree and t.parent_id is not distinct from n.parent_id',
  also => '{parent_id}'
);
call keep_names_apart('barcode_rule', 'name');
call keep_names_apart(
  'common_product', 'name',
  among => 't.org_id = n.org_id and t.department_id = n.department_id',
  also => '{department_id}'
);
call keep_names_apart('markup_rule', 'code');
call keep_names_apart('count_plan', 'name');
call keep_names_apart(
  'licence', 'licence_no',
  among => 't.org_id = n.org_id and t.holder_id = n.holder_id and t.licence_type = n.licence_type
    and t.status <> ''replaced'' and t.copy_no is not distinct from n.copy_no'
);
call keep_names_apart('warehouse', 'code', form => 'same_place');
call keep_names_apart('warehouse', 'name', form => 'same_place');
call keep_names_apart(
  'store_area', 'code',
  form => 'same_place',
  among => 't.org_id = n.org_id and t.warehouse_id = n.warehouse_id'
);
call keep_names_apart(
  'shelf', 'code',
  form => 'same_place',
  among => 't.org_id = n.org_id and t.warehouse_id = n.warehouse_id and same_place(t.area) = same_place(n.area)',
  also => '{area}'
);
call keep_names_apart(
  'shelf_place', 'code',
  form => 'same_place',
  among => 't.org_id = n.org_id and t.warehouse_id = n.warehouse_id'
);
call keep_names_apart(
  'lease_area', 'code',
  form => 'same_place',
  among => 't.org_id = n.org_id and t.warehouse_id = n.warehouse_id'
);
call keep_names_apart('lease_contract', 'contract_no');
call keep_names_apart('cabinet', 'code', form => 'same_place');
call keep_names_apart(
  'cabinet_door', 'door_no',
  form => 'same_place',
  among => 't.org_id = n.org_id and t.cabinet_id = n.cabinet_id'
);
call keep_names_apart(
  'cabinet_slot', 'slot_no',
  form => 'same_place',
  among => 't.org_id = n.org_id and t.door_id = n.door_id and t.layer = n.layer'
);
call keep_names_apart('weighing_plate', 'code');
call keep_names_apart('analyser', 'code');
call keep_names_apart('refrigerator', 'code');
call keep_names_apart('implant_kit', 'code');
call keep_names_apart('tools_kit', 'code');
call keep_names_apart('surgical_tool', 'code');
call keep_names_apart('pack_template', 'code');
call keep_names_apart('pack_template', 'name');
call keep_names_apart('tools_template', 'code');
call keep_names_apart('tools_template', 'name');
call keep_names_apart(
  'tools_template_line', 'tool_code',
  among => 't.org_id = n.org_id and t.tools_template_id = n.tools_template_id'
);
call keep_names_apart('operation_kit', 'code');
call keep_names_apart(
  'operation_kit', 'name',
  among => 't.org_id = n.org_id and t.is_current and n.is_current and t.is_implant_set and n.is_implant_set'
);
call keep_names_apart('operation_path', 'code');

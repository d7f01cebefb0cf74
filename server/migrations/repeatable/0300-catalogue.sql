-- The form in which lots were kept before 1740: narrow characters, capitals, no blanks. The version before that asks
-- for it, while the two run side by side.
create function lot_form(p_text text) returns text language sql immutable parallel safe
as $$
  select translate(
    p_text,
    U&'abcdefghijklmnopqrstuvwxyz\FF01\FF02\FF03\FF04\FF05\FF06\FF07\FF08\FF09\FF0A\FF0B'
    || U&'\FF0C\FF0D\FF0E\FF0F\FF10\FF11\FF12\FF13\FF14\FF15\FF16\FF17\FF18\FF19\FF1A\FF1B'
    || U&'\FF1C\FF1D\FF1E\FF1F\FF20\FF21\FF22\FF23\FF24\FF25\FF26\FF27\FF28\FF29\FF2A\FF2B'
    || U&'\FF2C\FF2D\FF2E\FF2F\FF30\FF31\FF32\FF33\FF34\FF35\FF36\FF37\FF38\FF39\FF3A\FF3B'
    || U&'\FF3C\FF3D\FF3E\FF3F\FF40\FF41\FF42\FF43\FF44\FF45\FF46\FF47\FF48\FF49\FF4A\FF4B'
    || U&'\FF4C\FF4D\FF4E\FF4F\FF50\FF51\FF52\FF53\FF54\FF55\FF56\FF57\FF58\FF59\FF5A\FF5B'
    || U&'\FF5C\FF5D\FF5E'
    || U&'\0020\0009\00A0\2007\202F\3000\00AD\200B\200C\200D\200E\200F\2060\FEFF',
    U&'ABCDEFGHIJKLMNOPQRSTUVWXYZ!"#$%&''()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXY'
    || U&'Z[\\]^_`ABCDEFGHIJKLMNOPQRSTUVWXYZ{|}~'
  )
$$;

-- The lot of a specification that a number names: the one written exactly so, else one that was kept in capitals.
create function known_lot(p_specification bigint, p_lot_no text) returns setof lot
language sql stable parallel safe rows 1
as $$
  select t.*
  from lot t
  where t.specification_id = p_specification and t.lot_no in (p_lot_no, lot_form(p_lot_no))
    and (t.lot_no = p_lot_no or t.folded)
  order by t.lot_no = p_lot_no desc
  limit 1
$$;

-- The lots that a number names, of whichever specification.
create function lots_named(p_lot_no text) returns setof lot language sql stable parallel safe rows 20
as $$
  select t.*
  from (select distinct specification_id from lot where lot_no in (p_lot_no, lot_form(p_lot_no))) s
  cross join lateral known_lot(s.specification_id, p_lot_no) t
$$;

-- The numbers under which rows may be stored that are searched by a lot alone: lists and reports filter by them.
create function lot_numbers(p_lot_no text) returns setof text language sql stable parallel safe
as $$
  select p_lot_no
  union
  select t.lot_no
  from lots_named(p_lot_no) t
$$;

-- The unit tree of every specification: its base unit is the root, under the specification's own id; each pack holds
-- `measure` of its parent.
create view unit_tree with (security_invoker = true) as
select
  s.id, s.id as specification_id, null::bigint as parent_unit_id, s.unit_name as name, 1 as measure,
  1 as base_measure, s.udi_di, s.version, null::text as conversion
from specification s
union all
select
  p.id, p.specification_id, coalesce(p.parent_id, p.specification_id), p.name, p.measure, p.base_measure, p.udi_di,
  p.version, '1' || p.name || '=' || p.measure || coalesce(q.name, s.unit_name)
from pack_unit p
join specification s on s.id = p.specification_id
left join pack_unit q on q.id = p.parent_id;
grant select on unit_tree to :app_role;

-- The issuer of a device identifier, by the form of the identifier.
create function code_issuer(di text) returns text language sql immutable parallel safe
return case when di ~ '^\d+$' then 'gs1' when di like 'MA.%' then 'ma' when di like '+%' then 'hibc' else 'ahm' end;

-- Every code that names goods: those of the catalogue beside those that organisations keep.
create view known_barcode with (security_invoker = true) as
select
  s.id, null::bigint as org_id, s.id as specification_id, s.id as unit_id, 'udi_di' as code_type,
  code_issuer(s.udi_di) as issuer,
  s.udi_di as code, 'sale' as level, null::text as lower_code, null::int as lower_count, true as is_primary,
  s.lot_required as has_lot, false as has_production, s.expiry_required as has_expiry,
  s.serial_required as has_serial, null::text as remark, null::text as changed_by, 'enabled' as status, s.version
from specification s
where s.udi_di is not null
union all
select
  k.id, null, k.specification_id, k.id, 'udi_di',
  code_issuer(k.udi_di), k.udi_di, case when k.parent_id is null then 'inner' else 'outer' end,
  coalesce(b.udi_di, case when k.parent_id is null then s.udi_di end), k.measure, false, s.lot_required, false,
  s.expiry_required, false, null, null, k.status, k.version
from pack_unit k
join specification s on s.id = k.specification_id
left join pack_unit b on b.id = k.parent_id
where k.udi_di is not null
union all
select
  p.id, p.org_id, p.specification_id, coalesce(p.unit_id, p.specification_id), p.code_type, p.issuer, p.code,
  p.level, p.lower_code, p.lower_count, p.is_primary, p.has_lot, p.has_production, p.has_expiry, p.has_serial,
  p.remark, p.changed_by, p.status, p.version
from product_barcode p;
grant select on known_barcode to :app_role;

-- The specifications that an organisation trades in or uses: those of its catalogue.
create view own_specification with (security_invoker = true) as
select h.org_id, h.specification_id
from hospital_product h
union
select d.org_id, d.specification_id
from dealer_product d
union
select p.manufacturer_id, s.id
from specification s
join product p on p.id = s.product_id;
grant select on own_specification to :app_role;

-- Whether a maker is abroad: all its certificates are of imported goods. Null for a maker without certificates.
create function maker_abroad(holder bigint) returns boolean language sql stable
begin atomic
  select bool_and(c.certificate_no ~ '(械注进|械备进|[(（]进[)）])')
  from registration_certificate c
  where c.holder_org_id = holder;
end;

-- A size that was mapped to another: figures, limits and warnings count both as one, under the other.
create view mapped_size with (security_invoker = true) as
select id as specification_id, mapped_to_id as stands_for_id from specification where mapped_to_id is not null;
grant select on mapped_size to :app_role;

-- A size with all those that were mapped to it, or to the one that it was mapped to.
create function same_sizes(size bigint) returns bigint[] language sql stable
as $$
  select
    array(
      select z.id
      from specification z,
        (select coalesce((select o.mapped_to_id from specification o where o.id = size), size) as id) t
      where z.id = t.id or z.mapped_to_id = t.id
    )
$$;

-- A level beside the unit of our catalogue that bears its identifier.
create view udi_level with (security_invoker = true) as
select
  k.id, k.udi_device_id, k.line_no, d.primary_di, d.product_name, d.specification, d.registrant, d.version_number,
  d.is_current, k.di, k.level_name, k.count, k.lower_di, k.base_count, k.depth, k.problem,
  k.problem is not null as is_wrong,
  (select n.name || '（' || n.base_measure || '）' from pack_unit n where n.udi_di = k.di) as our_unit
from udi_pack k
join udi_device d on d.id = k.udi_device_id;
grant select on udi_level to :app_role;

-- The regulator's data of a specification that differ from ours: of the specification, and of the packs that hold it.
create view udi_difference with (security_invoker = true) as
select
  s.id, s.id as specification_id, s.product_id, u.id as udi_device_id, u.primary_di, u.version_number,
  u.begins_on as since, u.delisted_on, x.said
from specification s
join product p on p.id = s.product_id
join udi_device u on u.primary_di = s.udi_di and u.is_current
left join registration_certificate c on c.id = s.registration_certificate_id
cross join lateral (
  select
    concat_ws(
      '；', case when u.delisted_on is not null then '已退市：' || u.delisted_on end,
      case
        when u.specification is not null
          and lower(replace(u.specification, ' ', '')) <> lower(replace(s.name, ' ', ''))
          then '规格型号：' || s.name || ' → ' || u.specification
      end,
      case
        when u.certificate_no is not null
          and c.certificate_no is not null
          and position(c.certificate_no in u.certificate_no) = 0
          then '注册证号：' || c.certificate_no || ' → ' || u.certificate_no
      end,
      case
        when u.lot_on_label <> s.lot_required then '标签批号：' || case when u.lot_on_label then '须有' else '没有' end
      end,
      case
        when u.serial_on_label <> s.serial_required
          then '标签序列号：' || case when u.serial_on_label then '须有' else '没有' end
      end,
      case
        when u.expiry_on_label <> s.expiry_required
          then '标签有效期：' || case when u.expiry_on_label then '须有' else '没有' end
      end,
      (
        select
          string_agg(
             '包装' || coalesce(k.level_name, '') || k.di || '：'
                || coalesce('每' || n.name || n.base_measure || s.unit_name, '目录没有') || ' → 每'
                || coalesce(k.level_name, '包装') || k.base_count || s.unit_name,
              '；'
            order by k.depth, k.line_no
          )
        from udi_pack k
        left join pack_unit n on n.specification_id = s.id and n.udi_di = k.di
        where k.udi_device_id = u.id and k.problem is null and n.base_measure is distinct from k.base_count
      )
    ) as said
) x
where s.mapped_to_id is null and x.said <> '';
grant select on udi_difference to :app_role;

-- Lots that the organisation stores with other dates than another organisation, or a waiting document of its own, has
-- for them.
with
  waiting as (
    select
      d.id as document_id,
      l.line_no,
      {{ columns_of(d, role, kind, sn, from_org_id, created_by, submitted_by) }},
      coalesce(d.submitted_at, d.created_at) as typed_at,
      t.id as lot_id,
      l.production_date,
      l.expiry_date,
      l.base_quantity - coalesce(
        (
          select
            sum(g.taken)
          from
            line_progress g
          where
            g.org_id = l.org_id
            and g.document_id = l.document_id
            and g.line_no = l.line_no
            and g.purpose in ('receive', 'refuse', 'reject')
        ),
        0
      ) as quantity
    from
      document d
      join document_line l on l.org_id = d.org_id
      and l.document_id = d.id
      join lot t on t.specification_id = l.specification_id
      and t.lot_no = l.lot_no
    where
      d.org_id = :organisation
      and d.red_of_id is null
      and (
        d.role = 'counterparty'
        and d.state in ('reviewed', 'partial')
        and {{ feeds(d.kind, shipped, given, moved, otherwise_issued) }}
        or d.role = 'own'
        and d.state in ('draft', 'submitted', 'rejected')
        and l.delivery_document_id is null
        and {{ adds(d.kind, arrived, inspected, received) }}
      )
  ),
  typed as (
    select
      w.document_id,
      w.line_no,
      case
        when w.role = 'own' then 'own'
        else 'delivery'
      end as origin,
      w.kind,
      w.sn,
      coalesce(w.from_org_id, :organisation) as partner_id,
      coalesce(w.submitted_by, w.created_by) as author,
      {{ columns_of(w, typed_at, lot_id, production_date, expiry_date, quantity) }}
    from
      waiting w
    where
      w.quantity > 0
    union all
    by name
    select
      'maker' as origin,
      m.org_id as partner_id,
      m.at as typed_at,
      {{ columns_of(m, lot_id, production_date, expiry_date) }}
    from
      stock_lot k {{ product_of(k.specification_id) }}
      join maker_lot m on m.org_id = p.manufacturer_id
      and m.lot_id = k.lot_id
    where
      k.org_id = :organisation
      and m.org_id <> :organisation
      and exists (
        select
          1
        from
          stock_balance b
        where
          b.org_id = k.org_id
          and b.lot_id = k.lot_id
      )
  )
select
  concat_ws('-', x.origin, x.document_id, x.line_no, x.lot_id) as row_key,
  {{ goods_columns(product_code, product_name, specification_name, manufacturer_name) }},
  t.lot_no,
  k.expiry_date as kept_expiry_date,
  k.production_date as kept_production_date,
  k.sn as kept_sn,
  k.kind as kept_kind,
  k.written_by as kept_by,
  k.written_at as kept_at,
  x.origin,
  c.name as partner_name,
  x.expiry_date as typed_expiry_date,
  x.production_date as typed_production_date,
  x.sn as document_sn,
  x.kind as document_kind,
  case
    when x.origin = 'own' then coalesce(u.name, '系统')
  end as typed_by,
  x.typed_at,
  x.quantity::numeric(18, 3) as quantity,
  x.document_id::text as document_id,
  x.line_no,
  x.lot_id::text as lot_id
from
  typed x
  join lot t on t.id = x.lot_id
  join stock_lot_origin k on k.org_id = :organisation
  and k.lot_id = x.lot_id {{ goods(k.specification_id) }}
  join organisation c on c.id = x.partner_id
  left join app_user u on u.id = x.author
where
  not k.is_taken_back
  and (
    k.expiry_date is distinct from x.expiry_date
    or k.production_date <> x.production_date
  )
  and {{ same_specification(k.specification_id, :specification_sn) }}
  and {{ named_product(p.name, p.code) }}
  and {{ of_lot(t.lot_no, :lot_no) }}
  and {{ narrowed(x, document_sn, origin) }}
order by
  x.typed_at desc,
  {{ columns_of(x, document_id, line_no, lot_id) }}

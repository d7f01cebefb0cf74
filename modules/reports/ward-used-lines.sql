-- What wards used, a row a line; a use taken back stands on its own day with a minus.
-- Consigned goods cost the hospital what their settlement says; bought ones what they left the store with.
with
  used as (
    select
      d.id,
      d.sn,
      d.kind,
      d.role,
      d.department_id,
      d.warehouse_id,
      d.handler_id,
      coalesce(d.red_of_id, d.id) as first_id,
      d.fields ->> 'use_type' as use_type,
      (d.fields ->> 'used_at')::timestamptz as used_at,
      l.line_no,
      l.specification_id,
      l.lot_no,
      l.expiry_date,
      l.unit_codes,
      l.base_quantity,
      l.taxed_amount,
      coalesce(l.owner_org_id, d.org_id) <> d.org_id as is_consigned
    from
      document d
      join document_line l on l.org_id = d.org_id
      and l.document_id = d.id
    where
      d.org_id = :organisation
      and l.org_id = :organisation
      and {{ counted(d, used_in_ward) }}
      and d.business_date between :begin_date and :end_date
      and {{ warehouse_scope(d.warehouse_id) }}
      and {{ department_scope(d.department_id) }}
      and {{ author_scope(d.created_by, d.submitted_by) }}
      and {{ asked(d.department_id, :department_inner_sn) }}
      and {{ asked(d.warehouse_id, :warehouse_model_inner_sn) }}
      and {{ same_specification(l.specification_id, :specification_sn) }}
      and (
        :use_type is null
        or d.fields ->> 'use_type' = :use_type
      )
      and {{ asked(l.lot_no, :lot_no) }}
      and (
        :unit_code is null
        or l.unit_codes @> array[:unit_code]
      )
  ),
  -- What of a use was settled by it, and what a settled grant covered.
  due as (
    select
      u.id,
      u.line_no,
      case
        when s.nets_id is null then s.quantity
      end as quantity,
      case
        when s.nets_id is null then s.amount
      end as amount,
      s.state
    from
      used u
      join settlement_line s on s.org_id = :organisation
      and s.use_document_id = u.first_id
      and s.use_line_no = u.line_no
    where
      u.is_consigned
    union all
    select
      u.id,
      u.line_no,
      c.quantity,
      c.quantity * s.price,
      s.state
    from
      used u
      join settlement_cover c on c.org_id = :organisation
      and c.use_document_id = u.first_id
      and c.use_line_no = u.line_no
      join settlement_line s on s.org_id = :organisation
      and s.id = c.grant_line_id
    where
      u.is_consigned
  ),
  settled as (
    select
      id,
      line_no,
      sum(amount) / nullif(sum(quantity), 0) as price,
      case
        when bool_and(state in ('settled', 'received', 'invoiced', 'paid', 'netted')) then 'settled'
        when bool_or(state in ('settling', 'settled', 'received', 'invoiced', 'paid')) then 'settling'
        else 'waiting'
      end as stage
    from
      due
    group by
      id,
      line_no
  ),
  distinguished as (
    select
      u.*,
      case
        when u.is_consigned then round(u.base_quantity * coalesce(s.price, 0), 2)
        else u.taxed_amount
      end as amount,
      case
        when u.is_consigned then coalesce(s.stage, 'waiting')
        else 'none'
      end as settled_stage
    from
      used u
      left join settled s on s.id = u.id
      and s.line_no = u.line_no
  )
select
  x.sn as document_sn,
  x.kind as document_kind,
  x.role,
  x.use_type,
  e.name as department_name,
  w.name as warehouse_name,
  p.code as product_code,
  p.name as product_name,
  s.name as specification_name,
  o.name as manufacturer_name,
  x.lot_no,
  x.expiry_date,
  array_to_string(x.unit_codes, '、') as codes,
  x.base_quantity::numeric(18, 3) as quantity,
  s.unit_name,
  x.amount::numeric(18, 2) as amount,
  case
    when x.is_consigned then 'consigned'
    else 'purchased'
  end as regime,
  x.settled_stage,
  h.name as handler_name,
  x.used_at
from
  distinguished x {{ goods(x.specification_id) }}
  left join department e on e.org_id = :organisation
  and e.id = x.department_id
  left join warehouse w on w.org_id = :organisation
  and w.id = x.warehouse_id
  left join employee h on h.org_id = :organisation
  and h.id = x.handler_id
where
  {{ named_product(p.name, p.code) }}
  and {{ made_by(o.name, p.brand) }}
  and {{ asked(x.settled_stage, :settled_stage) }}
order by
  x.used_at desc,
  x.sn desc,
  x.line_no

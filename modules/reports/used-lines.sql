-- What hospitals reported of the use of goods that the reader owned, supplied or made, a row a line; what was
-- taken back stands on its own day with a minus.
-- A maker reads no price between others, and nothing that is not his is settled with him.
with
  used as (
    select
      d.id,
      d.sn,
      d.kind,
      d.role,
      d.counterparty_id,
      d.business_date,
      coalesce(d.red_of_id, d.id) as first_id,
      case
        when {{ feeds(d.kind, used_in_surgery) }} then 'surgery'
        else d.fields ->> 'use_type'
      end as use_type,
      coalesce(d.fields ->> 'report_basis', 'consigned') as basis,
      d.fields ->> 'replenish_state' as replenish_state,
      d.fields ->> 'compare_state' as compare_state,
      l.line_no,
      l.specification_id,
      l.lot_no,
      l.expiry_date,
      l.unit_codes,
      l.base_quantity,
      l.taxed_amount,
      coalesce((l.fields ->> 'granted_quantity')::numeric, 0) as granted,
      case
        when l.owner_org_id = :organisation
        or (
          l.owner_org_id is null
          and coalesce(d.fields ->> 'report_basis', 'consigned') = 'consigned'
        ) then true
        else false
      end as is_consigned
    from
      document d
      join document_line l on l.org_id = :organisation
      and l.document_id = d.id
    where
      d.org_id = :organisation
      and d.role = 'counterparty'
      and {{ feeds(d.kind, used) }}
      and d.state <> 'cancelled'
      and d.business_date between :begin_date and :end_date
      and {{ asked(d.counterparty_id, :counterparty_sn) }}
      and {{ same_specification(l.specification_id, :specification_sn) }}
      and {{ asked(l.lot_no, :lot_no) }}
      and (
        :unit_code is null
        or l.unit_codes @> array[:unit_code]
      )
  ),
  settled as (
    select
      u.id,
      u.line_no,
      string_agg(distinct t.sn, '、') as settlement_no,
      bool_and(
        exists (
          select
            1
          from
            line_progress p
          where
            p.org_id = :organisation
            and p.document_id = x.document_id
            and p.line_no = x.line_no
            and p.purpose = 'invoice'
            and abs(p.taken) >= abs(x.base_quantity)
        )
      ) as is_billed,
      bool_and(t.fields ->> 'settled_on' is not null) as is_settled
    from
      used u
      join document_line x on x.org_id = :organisation
      and x.source_document_id = u.first_id
      and x.source_line_no = u.line_no
      join document t on t.org_id = :organisation
      and t.id = x.document_id
      and {{ feeds(t.kind, settled) }}
      and t.role = 'counterparty'
      and t.state <> 'cancelled'
    where
      u.is_consigned
    group by
      u.id,
      u.line_no
  ),
  distinguished as (
    select
      u.*,
      s.settlement_no,
      case
        when not u.is_consigned then 'none'
        when s.id is null
        and u.granted >= abs(u.base_quantity) then 'granted'
        when s.id is null then 'open'
        when s.is_billed then 'invoiced'
        when s.is_settled then 'settled'
        else 'waiting'
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
  h.name as hospital_name,
  x.business_date as used_on,
  x.use_type,
  p.code as product_code,
  p.name as product_name,
  s.name as specification_name,
  o.name as manufacturer_name,
  x.lot_no,
  array_to_string(x.unit_codes, '、') as codes,
  x.expiry_date,
  s.unit_name,
  x.base_quantity::numeric(18, 3) as quantity,
  case
    when x.basis <> 'made' then round(x.taxed_amount / nullif(x.base_quantity, 0), 4)
  end as price,
  case
    when x.basis <> 'made' then x.taxed_amount
  end as amount,
  case
    when x.is_consigned then 'consigned'
    when x.basis = 'mixed' then 'supplied'
    else x.basis
  end as basis,
  x.settled_stage,
  x.settlement_no,
  x.replenish_state,
  x.compare_state
from
  distinguished x
  join organisation h on h.id = x.counterparty_id {{ goods(x.specification_id) }}
where
  {{ asked(x.use_type, :use_type) }}
  and {{ named_product(p.name, p.code) }}
  and {{ asked(x.settled_stage, :settled_stage) }}
  and (
    :basis is null
    or :basis = case
      when x.is_consigned then 'consigned'
      when x.basis = 'mixed' then 'supplied'
      else x.basis
    end
  )
order by
  x.business_date desc,
  x.sn desc,
  x.line_no

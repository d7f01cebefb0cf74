-- The uses that hospitals reported of goods that the reader owned, supplied or made, a row a line. A maker reads no
-- price between others, and only its own goods are shown as settled with it.
with
  {{ part(platform/reports/use/use-rows) }},
  distinguished as (
    select
      u.*,
      case
        when u.is_consigned then 'consigned'
        when u.report_basis = 'mixed' then 'supplied'
        else u.report_basis
      end as basis,
      case u.settled_stage
        when 'waiting' then 'open'
        when 'settling' then 'waiting'
        when 'settled' then case
          when u.settlement_id is null then 'granted'
          when u.is_billed then 'invoiced'
          else 'settled'
        end
        else u.settled_stage
      end as stage
    from
      use_rows u
    where
      u.role = 'counterparty'
  )
select
  x.sn as document_sn,
  x.kind as document_kind,
  x.role,
  h.name as hospital_name,
  x.used_on,
  x.use_type,
  {{ goods_columns(product_code, product_name, specification_name, manufacturer_name) }},
  x.lot_no,
  array_to_string(x.unit_codes, '、') as codes,
  x.expiry_date,
  s.unit_name,
  x.base_quantity::numeric(18, 3) as quantity,
  round(x.amount / nullif(x.base_quantity, 0), 4) as price,
  x.amount::numeric(18, 2) as amount,
  x.basis,
  x.stage as settled_stage,
  t.sn as settlement_no,
  x.replenish_state,
  x.compare_state
from
  distinguished x
  join organisation h on h.id = x.counterparty_id {{ goods(x.specification_id) }}
  left join {{ own(document, t, id = x.settlement_id) }}
where
  {{ narrowed(x, counterparty_sn, specification_sn) }}
  and {{ of_lot(x.lot_no, :lot_no) }}
  and {{ narrowed(x, unit_code, use_type) }}
  and {{ named_product(p.name, p.code) }}
  and {{ asked(x.stage, :settled_stage) }}
  and {{ asked(x.basis, :basis) }}
order by
  x.used_on desc,
  x.sn desc,
  x.line_no

-- Presales with kits as their organisation knows them: a supplier its own, a hospital those that it was sent. Used,
-- returned and lost quantities of a line count for the kit in which it went out: a loose piece belongs to no kit.
with
  facts as (
    select
      d.id,
      l.fields ->> 'kit_code' as kit_code,
      l.specification_id,
      l.base_quantity as sent,
      coalesce(g.taken, 0) as used,
      coalesce(b.returned, 0) as returned,
      coalesce(b.lost, 0) as lost
    from
      document d {{ lines_of(d.id) }} {{ progress_of(g, use) }}
      left join lateral (
        select
          {{ filtered(sum(x.base_quantity), not y.is_gone) }} as returned,
          {{ filtered(sum(x.base_quantity), y.is_gone) }} as lost
        from
          document_line x
          join {{ own(document, r, id = x.document_id) }}
          cross join lateral (
            select
              coalesce(x.fields ->> 'return_kind', 'returned') in ('lost', 'damaged') as is_gone
          ) y
        where
          x.org_id = :organisation
          and x.source_document_id = l.document_id
          and x.source_line_no = l.line_no
          and {{ takes_back(r.kind, lent) }}
          and r.role = d.role
          and r.state in ('reviewed', 'partial', 'completed')
      ) b on true
    where
      d.org_id = :organisation
      and {{ adds(d.kind, lent) }}
      and d.state in ('reviewed', 'partial', 'completed', 'stopped')
      and d.business_date between :begin_date and :end_date
      and {{ asked(d.counterparty_id, :partner_sn) }}
      and (
        d.role = 'counterparty'
        or {{ store_scope(d.warehouse_id) }}
      )
      and coalesce(l.fields ->> 'kit_code', '') <> ''
  ),
  named as (
    select
      f.*,
      o.id as list_id,
      o.name as kit_name,
      case
        when coalesce(:by, 'kit') = 'list'
        and o.id is not null then o.code
        else f.kit_code
      end as shown
    from
      facts f
      left join {{ own(implant_kit, k, code = f.kit_code) }}
      left join operation_kit o on o.org_id = k.org_id
      and o.id = k.operation_kit_id
    where
      {{ if_asked(:kit_code, f.kit_code ilike '%' || :kit_code || '%') }}
  ),
  went as (
    select
      shown,
      count(distinct (id, kit_code))::int as operations
    from
      named
    group by all
  )
select
  n.shown as kit_code,
  max(n.kit_name) as kit_name,
  {{ goods_columns(product_name, specification_name, unit_name) }},
  n.specification_id::text as specification_sn,
  concat_ws('-', n.shown, n.specification_id) as row_key,
  max(l.quantity)::numeric(18, 3) as par_quantity,
  w.operations,
  sum(n.sent)::numeric(18, 3) as sent_quantity,
  sum(n.used)::numeric(18, 3) as used_quantity,
  sum(n.returned)::numeric(18, 3) as returned_quantity,
  sum(n.lost)::numeric(18, 3) as lost_quantity,
  sum(n.sent - n.used - n.returned - n.lost)::numeric(18, 3) as open_quantity,
  round(sum(n.used) / nullif(w.operations, 0), 2)::numeric(18, 3) as average_used,
  round(sum(n.used) / nullif(sum(n.sent), 0), 4) as usage_rate,
  round(sum(n.used) / nullif(w.operations, 0) / nullif(max(l.quantity), 0) - 1, 4) as deviation
from
  named n
  join went w on w.shown = n.shown {{ product_of(n.specification_id) }}
  left join {{ own(operation_kit_line, l, operation_kit_id = n.list_id, specification_id = n.specification_id) }}
where
  {{ same_specification(n.specification_id, :specification_sn) }}
group by
  n.shown,
  n.specification_id,
  p.name,
  s.name,
  s.unit_name,
  w.operations
order by
  n.shown,
  p.name,
  s.name

select
  d.sn as document_sn,
  d.kind as document_kind,
  l.line_no,
  c.name as counterparty_name,
  w.name as warehouse_name,
  {{ goods_columns(product_code, product_name, specification_name, manufacturer_name, unit_name) }},
  d.business_date as ordered_on,
  coalesce(l.fields ->> 'expected_date', d.fields ->> 'expected_date')::date as expected_date,
  (d.fields ->> 'promised_date')::date as promised_date,
  l.base_quantity::numeric(18, 3) as quantity,
  coalesce(g.confirmed, 0)::numeric(18, 3) as confirmed_quantity,
  -- Goods that came without a shipment of the supplier on the platform were shipped and arrived all the same.
  greatest(coalesce(g.shipped, 0), coalesce(g.received, 0))::numeric(18, 3) as shipped_quantity,
  greatest(coalesce(g.arrived, 0), coalesce(g.received, 0))::numeric(18, 3) as arrived_quantity,
  coalesce(g.received, 0)::numeric(18, 3) as received_quantity,
  coalesce(b.quantity, 0)::numeric(18, 3) as returned_quantity,
  coalesce(g.stopped, 0)::numeric(18, 3) as stopped_quantity,
  case
    when d.state in ('reviewed', 'partial') then l.base_quantity - least(l.base_quantity, coalesce(g.done, 0))
    else 0
  end::numeric(18, 3) as open_quantity,
  d.state
from
  document d {{ lines_of(d.id) }}
  left join lateral (
    select
      sum(p.taken) filter (
        where
          p.purpose = 'confirm'
      ) as confirmed,
      sum(p.taken) filter (
        where
          p.purpose = 'ship'
      ) as shipped,
      sum(p.taken) filter (
        where
          p.purpose = 'arrive'
      ) as arrived,
      sum(p.taken) filter (
        where
          p.purpose = 'receive'
      ) as received,
      sum(p.taken) filter (
        where
          p.purpose = 'stop'
      ) as stopped,
      sum(p.taken) filter (
        where
          p.purpose in ('receive', 'stop')
      ) as done
    from
      line_progress p
    where
      p.org_id = :organisation
      and p.document_id = l.document_id
      and p.line_no = l.line_no
  ) g on true
  left join lateral (
    select
      sum(r.base_quantity) as quantity
    from
      document_line x
      join document_line r on r.org_id = :organisation
      and r.source_document_id = x.document_id
      and r.source_line_no = x.line_no
      join document v on v.org_id = :organisation
      and v.id = r.document_id
    where
      x.org_id = :organisation
      and x.order_document_id = d.id
      and x.order_line_no = l.line_no
      and v.role = 'own'
      and {{ takes_back(v.kind, purchased) }}
      and v.state in ('reviewed', 'partial', 'completed')
  ) b on true
  left join warehouse w on w.org_id = d.org_id
  and w.id = d.warehouse_id
  join organisation c on c.id = d.counterparty_id {{ goods(l.specification_id) }}
where
  d.org_id = :organisation
  and d.role = 'own'
  and {{ feeds(d.kind, ordered) }}
  and d.state in ('reviewed', 'partial', 'completed', 'stopped')
  and {{ document_scope(d) }}
  and {{ contains(d.sn, :document_sn) }}
  and {{ asked(d.counterparty_id, :counterparty_sn) }}
  and {{ asked(d.warehouse_id, :warehouse_model_inner_sn) }}
  and {{ asked_goods(l.specification_id) }}
  and {{ from(d.business_date, :begin_date) }}
  and {{ until(d.business_date, :end_date) }}
  and (
    not coalesce(:is_open, false)
    or (
      d.state in ('reviewed', 'partial')
      and l.base_quantity > coalesce(g.done, 0)
    )
  )
order by
  d.business_date desc,
  d.id desc,
  l.line_no

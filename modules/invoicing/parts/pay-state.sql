-- How far an invoice `v` is paid: 1 nothing, 2 some of it (or, of a supplier's, applied for), 3 all.
(
  select
    case
      when coalesce(
        max(abs(g.taken)) filter (
          where
            g.purpose = 'pay'
        ),
        0
      ) > 0
      and max(abs(g.taken)) filter (
        where
          g.purpose = 'pay'
      ) >= abs(
        case
          when v.state = 'reversed' then 0
          else v.taxed_amount + v.rounding + coalesce(
            (
              select
                sum(m.taxed_amount)
              from
                document m
              where
                m.org_id = v.org_id
                and m.red_of_id = v.id
            ),
            0
          )
        end
      ) then '3'
      when coalesce(max(abs(g.taken)), 0) > 0 then '2'
      else '1'
    end
  from
    line_progress g
  where
    g.org_id = v.org_id
    and g.document_id = v.id
    and g.line_no = 0
    and (
      g.purpose = 'pay'
      or g.purpose = 'apply'
      and v.kind = 'inboundInvoice'
    )
)

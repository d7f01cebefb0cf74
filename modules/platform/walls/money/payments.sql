-- Money that was paid or received, in advance as well, by the day of posting; amounts that were let off are not
-- counted.
select
  {{ day_of(e.at) }} as day,
  o.name as counterparty_name,
  e.counterparty_id::text as counterparty_sn,
  case
    when e.direction is null
    and not (
      e.account = 'allowance'
      and :direction = 'receivable'
    ) then e.amount
    else - e.amount
  end::numeric(18, 2) as amount
from
  money_entry e
  join organisation o on o.id = e.counterparty_id
where
  e.org_id = :organisation
  and e.movement = 'money'
  and {{ during(e.at) }}
  and {{ asked(e.counterparty_id, :counterparty_sn) }}
  and (
    e.direction = :direction
    or e.account = case :direction
      when 'payable' then 'prepaid'
      else 'prereceived'
    end
    or e.account = 'allowance'
    and exists (
      select
        1
      from
        money_entry x
      where
        x.org_id = :organisation
        and x.document_id = e.document_id
        and x.line_no = e.line_no
        and x.direction = :direction
    )
  )

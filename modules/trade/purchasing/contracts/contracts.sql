with
  {{ part(agreed) }},
  -- Only documents with partners with whom there is a contract.
  buying as not materialized (
    select
      *
    from
      document
    where
      org_id = :organisation
      and counterparty_id = any (
        array(
          select
            seller_id
          from
            agreed
          union
          select
            seller_id
          from
            signed
        )
      )
  ),
  {{ part(bought, since => null, until => null) }},
  {{ part(covered) }},
  executed as (
    select
      c.contract_no,
      c.counterparty_id,
      sum(c.amount) as amount
    from
      covered c
    where
      c.contract_no is not null
    group by all
  ),
  contract as (
    select
      u.contract_no,
      u.seller_id,
      min(u.contract_type) as contract_type,
      sum(u.amount) as amount,
      bool_and(u.is_stopped) as is_stopped,
      min(u.valid_from) as valid_from,
      max(u.valid_to) as valid_to,
      bool_or(n.today between u.valid_from and u.valid_to) as is_in_force,
      min(n.today) as today
    from
      (
        select
          s.*
        from
          signed s
        union all
        -- Prices of a number without any registration: a framework contract.
        select
          a.contract_no,
          a.seller_id,
          'purchase',
          null,
          false,
          a.valid_from,
          a.valid_to
        from
          agreed a
        where
          not a.is_signed
          and not exists (
            select
            from
              signed s
            where
              s.contract_no = a.contract_no
              and s.seller_id = a.seller_id
          )
      ) u
      cross join (
        select
          {{ day_of(posting_now()) }} as today
      ) n
    group by all
  ),
  listed as (
    select
      c.*,
      case
        when c.is_stopped then 'stopped'
        when c.is_in_force then 'in_force'
        when c.valid_to < c.today then 'expired'
        else 'pending'
      end as contract_state,
      case
        when c.is_stopped
        or c.valid_to < c.today then 'expired'
        when c.valid_to = 'infinity'::date then 'open'
        when c.valid_to <= c.today + 30 then 'month'
        when c.valid_to <= c.today + 90 then 'quarter'
        when c.valid_to <= c.today + 180 then 'half'
        else 'later'
      end as band,
      coalesce(e.amount, 0) as executed,
      (
        select
          count(distinct a.specification_id)
        from
          agreed a
        where
          a.contract_no = c.contract_no
          and a.seller_id = c.seller_id
      ) as sizes
    from
      contract c
      left join executed e on e.contract_no = c.contract_no
      and e.counterparty_id = c.seller_id
  )
select
  c.contract_no,
  o.name as counterparty_name,
  c.seller_id::text as counterparty_sn,
  c.contract_type,
  c.contract_state,
  nullif(c.valid_from, '-infinity'::date) as valid_from,
  nullif(c.valid_to, 'infinity'::date) as valid_to,
  c.band,
  c.sizes,
  1 as contracts,
  (c.contract_state = 'in_force')::int as in_force,
  (c.amount is null)::int as frames,
  c.amount::numeric(18, 2) as contract_amount,
  c.executed::numeric(18, 2) as executed_amount,
  {{ only_where(c.executed, c.amount is not null) }}::numeric(18, 2) as measured_amount,
  round(c.executed / nullif(c.amount, 0), 4) as execution_rate,
  -- The lines that make up the executed amount.
  c.valid_from::text as first_day,
  c.today::text as last_day,
  'executed' as scope
from
  listed c
  join organisation o on o.id = c.seller_id
where
  {{ asked(c.contract_no, :contract_no) }}
  and {{ asked(c.seller_id, :counterparty_sn) }}
  and {{ narrowed(c, contract_type, contract_state, band) }}
order by
  c.valid_to,
  c.contract_no

-- Goods that we bought of partners or sold to them in the period, by :side (bought without one), beside the same goods
-- in the partners' books, matched by the documents that both sides have; and the reason where the two differ. A
-- difference counts where its document was issued; other amounts that the other side booked on other days are a reason
-- of their own.
partner as materialized (
  select distinct
    r.partner_id as id
  from
    org_relation r
    join organisation o on o.id = r.partner_id
    and o.uses_system
    join organisation_in_use u on u.org_id = r.partner_id
    and u.has_enabled
  where
    r.org_id = :organisation
),
booked as materialized (
  select
    true as is_ours,
    {{ columns_of(t, partner_id, issuer_id, issued_no) }},
    sum(t.amount) as amount
  from
    traded_line t
  where
    t.org_id = :organisation
    and t.fact = coalesce(:side, 'purchased')
    and (
      {{ during(t.reviewed_at) }}
      or t.reviewed_at is null
      and {{ during(t.created_at) }}
    )
    and {{ asked(t.partner_id, :counterparty_sn) }}
  group by all
  union all
  select
    false,
    {{ columns_of(t, org_id, issuer_id, issued_no) }},
    sum(t.amount)
  from
    partner p
    join traded_line t on t.org_id = p.id
    and t.partner_id = :organisation
    and t.fact = case coalesce(:side, 'purchased')
      when 'sold' then 'purchased'
      else 'sold'
    end
  where
    (
      {{ during(t.reviewed_at) }}
      or t.reviewed_at is null
      and {{ during(t.created_at) }}
    )
    and {{ asked(t.org_id, :counterparty_sn) }}
  group by all
),
apart as materialized (
  select
    {{ columns_of(b, partner_id, issuer_id, issued_no) }},
    {{ sum_where(b.amount, b.is_ours) }} as our_amount,
    {{ sum_where(b.amount, not b.is_ours) }} as their_amount,
    bool_or(b.is_ours = (b.issuer_id = :organisation)) as is_issued
  from
    booked b
    join partner p on p.id = b.partner_id
  group by all
  having
    sum(
      case
        when b.is_ours then b.amount
        else - b.amount
      end
    ) <> 0
),
-- All that each side booked under these documents until now.
ever as (
  select
    {{ columns_of(a, partner_id, issuer_id, issued_no) }},
    e.is_ours,
    min(c.id) as issued_id,
    min(c.kind) as issued_kind,
    min(c.state) as issued_state,
    sum(x.amount) as amount,
    {{ sum_where(- x.quantity, x.kind <> c.kind) }} as returned,
    (
      array_agg(
        x.kind
        order by
          x.at,
          x.sn
      )
    ) [1] as kind,
    (
      array_agg(
        x.sn
        order by
          x.at,
          x.sn
      )
    ) [1] as sn,
    min(x.at) as at
  from
    apart a
    cross join lateral (
      values
        (true, :organisation),
        (false, a.partner_id)
    ) e (is_ours, org_id)
    join traded_document c on c.org_id = e.org_id
    and c.from_org_id = a.issuer_id
    and c.sn = a.issued_no
    left join traded_under x on x.org_id = e.org_id
    and x.under_id = c.id
    and x.issuer_id = a.issuer_id
    and x.issued_no = a.issued_no
  group by all
),
judged as (
  select
    a.*,
    a.our_amount - a.their_amount as difference,
    {{ value_where(coalesce(o.amount, 0) - coalesce(t.amount, 0), a.is_issued) }} as standing,
    case
    -- A purchase without a delivery, or a take-back without a return, is a document that was sent to nobody.
      when trade_fact (n.kind, 'counterparty') is null
      and (trade_fact (n.kind, 'own') = 'sold') <> (trade_sign (n.kind, 'own') = 1) then 'alone'
      -- A receipt that was reversed answers nothing: its goods are on their way again.
      when n.state = 'partial'
      or n.state = 'reviewed'
      and coalesce(n.answered, 0) = 0 then 'on_way'
      when g.refused > n.returned then 'refused'
      else 'unknown'
    end as reason,
    coalesce(o.kind, o.issued_kind) as document_kind,
    coalesce(o.sn, {{ only_where(a.issued_no, o.issued_id is not null) }}) as document_sn,
    {{ day_of(o.at) }} as our_day,
    t.sn as their_sn,
    {{ day_of(t.at) }} as their_day
  from
    apart a
    left join ever o on o.is_ours
    and o.partner_id = a.partner_id
    and o.issuer_id = a.issuer_id
    and o.issued_no = a.issued_no
    left join ever t on not t.is_ours
    and t.partner_id = a.partner_id
    and t.issuer_id = a.issuer_id
    and t.issued_no = a.issued_no
    cross join lateral (
      select
        coalesce(o.issued_kind, t.issued_kind) as kind,
        coalesce(o.issued_state, t.issued_state) as state,
        case a.issuer_id
          when :organisation then t.amount
          else o.amount
        end as answered,
        case a.issuer_id
          when :organisation then o.returned
          else coalesce(t.returned, 0)
        end as returned
    ) n
    cross join lateral (
      select
        coalesce(sum(p.taken), 0) as refused
      from
        line_progress p
      where
        p.org_id = :organisation
        and p.document_id = o.issued_id
        and p.line_no > 0
        and p.purpose in ('refuse', 'reject')
    ) g
),
explained as (
  select
    j.*,
    x.why,
    x.amount
  from
    judged j
    cross join lateral (
      values
        (j.reason, j.standing),
        ('other_days', j.difference - j.standing)
    ) x (why, amount)
  where
    x.amount <> 0
)

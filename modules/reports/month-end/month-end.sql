-- A month ends with its last day, as Shanghai counts; a use is of the month in which it happened.
with
  span as (
    select
      (:period || '-01')::date as first_day,
      ((:period || '-01')::date + interval '1 month' - interval '1 day')::date as last_day
  ),
  standing as (
    select
      'unreviewed' as category,
      d.kind as document_kind,
      d.sn as document_no,
      d.counterparty_id,
      d.business_date as happened_on,
      d.taxed_amount as amount,
      1 as uses,
      '已提交，等待审核' as note
    from
      span x
      join document d on d.org_id = :organisation
      and d.role = 'own'
      and d.state = 'submitted'
      and d.business_date between x.first_day and x.last_day
      and d.kind not in ('accountStatement')
    union all
    select
      'unmatched',
      i.kind,
      i.document_no,
      i.counterparty_id,
      i.paid_on,
      i.left_amount,
      1,
      '没有核销发票的余额'
    from
      span x
      join advance_item i on i.org_id = :organisation
      and i.kind = 'receipt'
      and i.left_amount > 0
      and i.paid_on <= x.last_day
    union all
    select
      'uncharged',
      d.kind,
      d.sn,
      s.owner_id,
      min(s.used_at at time zone 'Asia/Shanghai')::date,
      sum(s.amount),
      count(*)::int,
      '使用后没有计费'
    from
      span x
      join settlement_line s on s.org_id = :organisation
      and s.state = 'uncharged'
      and s.used_at < (x.last_day + 1)::timestamp at time zone 'Asia/Shanghai'
      join document d on d.org_id = s.org_id
      and d.id = s.use_document_id
    group by
      d.kind,
      d.sn,
      s.owner_id
    union all
    select
      'difference',
      d.kind,
      d.sn,
      d.counterparty_id,
      (d.fields ->> 'end_date')::date,
      coalesce((d.fields ->> 'difference_amount')::numeric, 0),
      1,
      case
        when d.state = 'rejected' then '对方有异议：' || coalesce(d.fields ->> 'answer_reason', '')
        when d.role = 'own' then '对账函未答复'
        else '等待本机构答复'
      end
    from
      span x
      join document d on d.org_id = :organisation
      and d.kind = 'accountStatement'
      and d.state in ('submitted', 'rejected')
      and (d.fields ->> 'end_date')::date between x.first_day and x.last_day
  )
select
  s.category,
  document_title (s.document_kind) as document_name,
  s.document_no,
  o.name as counterparty_name,
  s.happened_on,
  s.amount::numeric(18, 2) as open_amount,
  s.uses::numeric(18, 3) as open_count,
  s.note,
  s.document_kind
from
  standing s
  left join organisation o on o.id = s.counterparty_id
where
  :category is null
  or s.category = :category
order by
  s.category,
  s.happened_on,
  s.document_no

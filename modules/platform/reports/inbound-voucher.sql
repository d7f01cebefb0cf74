-- A hospital deducts no tax: it is part of what the goods cost.
with
  {{ part(inbound-lines) }}
select
  :end_date as day,
  '采购入库 ' || coalesce(c.name, '') as summary,
  e.account_name,
  e.subject,
  sum(e.debit)::numeric(18, 2) as debit,
  sum(e.credit)::numeric(18, 2) as credit
from
  chosen x
  join organisation h on h.id = :organisation
  left join organisation c on c.id = x.counterparty_id
  cross join lateral (
    values
      (
        1,
        '库存商品',
        coalesce(x.finance_class, '未分类'),
        case
          when h.system_type = 1 then x.taxed_amount
          else x.untaxed_amount
        end,
        0
      ),
      (
        2,
        '应交税费-待认证进项税额',
        '税率' || x.tax_rate || '%',
        case
          when h.system_type = 1 then 0
          else x.tax_amount
        end,
        0
      ),
      (3, '应付账款-暂估', c.name, 0, x.taxed_amount)
  ) as e (place, account_name, subject, debit, credit)
where
  x.owes
group by
  c.name,
  {{ columns_of(e, place, account_name, subject) }}
having
  sum(e.debit) <> 0
  or sum(e.credit) <> 0
order by
  c.name,
  e.place,
  e.subject

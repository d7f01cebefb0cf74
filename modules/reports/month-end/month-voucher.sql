-- An entry is its own line, on the side of its account: what we owe is credit, what is owed to us debit. What is left
-- of a document and a partner goes against the account that its movement has: money against the bank, goods against
-- stock or sales with their tax, fees against income or expense, the difference of an invoice against 尾差. What was
-- used, issued, lost or given away is spent at cost against stock, by department.
with
  span as (
    select
      ((:period || '-01')::date)::timestamp at time zone 'Asia/Shanghai' as since,
      ((:period || '-01')::date + interval '1 month') at time zone 'Asia/Shanghai' as until
  ),
  spent as (
    select
      *
    from
      span
  ),
  {{ part(reports/issued-cost) }},
  -- By department, or whoever was given it: what is spent, against the stock that it left.
  cost as (
    select
      i.id as document_id,
      i.counterparty_id,
      i.department_id,
      (i.at at time zone 'Asia/Shanghai')::date as day,
      case
        when i.kind in ('loss', 'scrap') then 'loss'
        when i.kind = 'giveOdo' then 'given_away'
        when i.kind = 'otherOdo' then 'other_issue'
        when i.kind in ('transfer', 'transferReturn') then 'internal'
        else 'issue_cost'
      end as account,
      sum(i.cost) as amount
    from
      issued_cost i
    group by
      i.id,
      i.counterparty_id,
      i.department_id,
      i.at,
      i.kind
    having
      sum(i.cost) <> 0
  ),
  entry as (
    select
      e.document_id,
      e.counterparty_id,
      (e.at at time zone 'Asia/Shanghai')::date as day,
      e.account,
      case
        when e.account like 'payable%'
        or e.account = 'prereceived' then - e.amount
        else e.amount
      end as amount
    from
      span x
      join account_entry e on e.org_id = :organisation
      and e.at >= x.since
      and e.at < x.until
      and e.account <> 'rounding'
      join document d on d.org_id = e.org_id
      and d.id = e.document_id
      and d.kind not in ('openingReceivable', 'openingPayable')
  ),
  booked as (
    select
      document_id,
      counterparty_id,
      day,
      account,
      sum(amount) as amount
    from
      entry
    group by
      document_id,
      counterparty_id,
      day,
      account
  ),
  rest as (
    select
      b.document_id,
      b.counterparty_id,
      b.day,
      account_movement (d.kind) as movement,
      d.kind,
      bool_or(b.account like 'payable%') as is_owed,
      - sum(b.amount) as amount,
      case
        when d.taxed_amount = 0
        or h.system_type = 1 then 0
        else round(- sum(b.amount) * d.tax_amount / d.taxed_amount, 2)
      end as tax
    from
      booked b
      join document d on d.org_id = :organisation
      and d.id = b.document_id
      join organisation h on h.id = :organisation
    group by
      b.document_id,
      b.counterparty_id,
      b.day,
      d.kind,
      d.taxed_amount,
      d.tax_amount,
      h.system_type
    having
      sum(b.amount) <> 0
  ),
  line as (
    select
      document_id,
      counterparty_id,
      null::bigint as department_id,
      day,
      1 as place,
      account,
      amount
    from
      booked
    union all
    select
      r.document_id,
      r.counterparty_id,
      null,
      r.day,
      v.place,
      v.account,
      v.amount
    from
      rest r
      cross join lateral (
        values
          (
            2,
            case
              when r.movement in ('money', 'offset')
              or r.kind in ('prepayment', 'prereceipt', 'prepaymentRefund', 'prereceiptRefund') then 'bank'
              when r.movement = 'rounding' then 'rounding'
              when r.kind = 'serviceCharge'
              and r.is_owed then 'fee_expense'
              when r.kind = 'serviceCharge' then 'fee_income'
              when r.is_owed then 'stock'
              else 'sales'
            end,
            case
              when not r.is_owed
              and r.movement in ('raise', 'return')
              and r.kind in ('saleOdo', 'saleReturn', 'settlementGrn', 'boneSale') then r.amount - r.tax
              else r.amount
            end
          ),
          (
            3,
            'output_tax',
            case
              when not r.is_owed
              and r.movement in ('raise', 'return')
              and r.kind in ('saleOdo', 'saleReturn', 'settlementGrn', 'boneSale') then r.tax
              else 0
            end
          )
      ) as v (place, account, amount)
    union all
    -- What the bank took for a transfer: of our account when we pay, of what it credits when we receive.
    select
      r.document_id,
      r.counterparty_id,
      null,
      r.day,
      v.place,
      v.account,
      v.side * case
        when r.kind = 'payment' then - sign(r.amount)
        else sign(r.amount)
      end * (d.fields ->> 'bank_fee')::numeric
    from
      rest r
      join document d on d.org_id = :organisation
      and d.id = r.document_id
      cross join lateral (
        values
          (4, 'bank_fee', 1),
          (5, 'bank', -1)
      ) as v (place, account, side)
    where
      r.kind in ('payment', 'receipt')
      and coalesce(d.fields ->> 'bank_fee', '') <> ''
    union all
    -- Consigned goods that were settled are used already: what comes into stock by the settlement leaves it at once.
    select
      r.document_id,
      r.counterparty_id,
      null,
      r.day,
      v.place,
      v.account,
      v.side * r.amount
    from
      rest r
      cross join lateral (
        values
          (6, 'issue_cost', 1),
          (7, 'stock', -1)
      ) as v (place, account, side)
    where
      r.kind = 'settlementGrn'
      and r.is_owed
    union all
    select
      c.document_id,
      c.counterparty_id,
      c.department_id,
      c.day,
      v.place,
      v.account,
      v.amount
    from
      cost c
      cross join lateral (
        values
          (8, c.account, c.amount),
          (9, 'stock', - c.amount)
      ) as v (place, account, amount)
  ),
  usual as (
    select
      *
    from
      (
        values
          ('bank', '1002', '银行存款'),
          ('stock', '1405', '库存商品'),
          ('payable_estimated', '2202.02', '应付账款-暂估'),
          ('payable_invoiced', '2202.01', '应付账款'),
          ('prepaid', '1123', '预付账款'),
          ('receivable_unbilled', '1122.02', '应收账款-未开票'),
          ('receivable_invoiced', '1122.01', '应收账款'),
          ('prereceived', '2203', '预收账款'),
          ('sales', '6001', '主营业务收入'),
          ('output_tax', '2221.01', '应交税费-销项税额'),
          ('fee_income', '6051', '其他业务收入-服务费'),
          ('fee_expense', '6601', '销售费用-服务费'),
          ('rounding', '6603', '财务费用-尾差'),
          ('issue_cost', '5001', '业务活动费用-卫生材料费'),
          ('loss', '1901', '待处理财产损溢'),
          ('given_away', '6601.02', '销售费用-赠送'),
          ('other_issue', '6602', '管理费用-其他出库'),
          ('internal', '1221', '内部往来-机构调拨'),
          ('allowance', '6603.02', '财务费用-折让'),
          ('bank_fee', '6603.01', '财务费用-手续费')
      ) as u (account, code, name)
  )
select
  d.fields ->> 'voucher_no' as voucher_no,
  l.day as voucher_day,
  case
    when d.red_of_id is null then ''
    else '红冲'
  end || document_title (d.kind) || d.sn as summary,
  coalesce(m.account_code, u.code) as account_code,
  coalesce(m.account_name, u.name) as account_name,
  o.name as counterparty_name,
  e.name as department_name,
  greatest(l.amount, 0)::numeric(18, 2) as debit,
  greatest(- l.amount, 0)::numeric(18, 2) as credit,
  d.sn as document_no,
  d.kind as document_kind
from
  line l
  join document d on d.org_id = :organisation
  and d.id = l.document_id
  join usual u on u.account = l.account
  left join voucher_account m on m.org_id = :organisation
  and m.ledger_account = l.account
  left join organisation o on o.id = l.counterparty_id
  left join department e on e.org_id = :organisation
  and e.id = l.department_id
where
  l.amount <> 0
order by
  l.day,
  d.sn,
  d.id,
  l.counterparty_id,
  l.department_id,
  l.place,
  u.code

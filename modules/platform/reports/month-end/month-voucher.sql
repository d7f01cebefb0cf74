-- Each entry becomes a line, on the side of its account: debts of ours are credit, debts to us debit. The rest of a
-- document and a partner goes against the account of its movement: money against the bank, goods against stock or sales
-- with their tax, fees against income or expense, the difference of an invoice against 尾差. Goods that were used,
-- issued, lost, sold or given away are spent at cost against stock, by department at a hospital: the stock account
-- changes by exactly the amounts of the ledger of goods, and an amount owed for goods that did not become stock is
-- cost. Input tax stands at 待认证进项税额 until its invoice is certified for a month, and what a red invoice takes back
-- of it returns there.
with
  span as not materialized (
    select
      {{ begin_of((:period || '-01')::date) }} as since,
      ((:period || '-01')::date + interval '1 month') at time zone 'Asia/Shanghai' as until
  ),
  entry as (
    select
      e.document_id,
      e.counterparty_id,
      {{ day_of(e.at) }} as day,
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
      and account_movement (d.kind) <> 'opening'
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
    group by all
  ),
  -- A certified invoice counts in the month that it was certified for, its reversal in the month of its own day.
  certified as (
    select
      d.id as document_id,
      d.counterparty_id,
      case
        when d.red_of_id is not null then d.business_date
        else greatest(
          (:period || '-01')::date,
          least(
            coalesce((d.fields ->> 'certified_on')::date, d.business_date),
            ((:period || '-01')::date + interval '1 month - 1 day')::date
          )
        )
      end as day,
      d.tax_amount + coalesce(
        (
          -- Reversals from before the certification never counted.
          select
            sum(r.tax_amount)
          from
            document r
          where
            r.org_id = :organisation
            and r.red_of_id = d.id
            and r.fields ->> 'certify_state' is distinct from 'certified'
        ),
        0
      ) as amount
    from
      organisation h
      join document d on d.org_id = :organisation
      and d.fields ->> 'certify_state' = 'certified'
      and (
        d.red_of_id is null
        and d.fields ->> 'certify_period' = :period
        or d.red_of_id is not null
        and to_char(d.business_date, 'YYYY-MM') = :period
      )
    where
      h.id = :organisation
      and h.system_type <> 1
      and {{ counted(d, billed) }}
      and d.role = 'own'
      and d.tax_amount <> 0
  ),
  {{ part(voucher-goods) }},
  -- Days share what a document has of tax and cost: the last takes what rounding left.
  rest as (
    select
      b.*,
      account_movement (d.kind) as movement,
      d.kind,
      b.is_owed
      and account_movement (d.kind) in ('raise', 'return') as is_of_goods,
      not b.is_owed
      and {{ feeds(d.kind, sold, corrected) }} as is_sale,
      g.amount as earlier,
      case
        when d.taxed_amount = 0
        or h.system_type = 1 then 0
        else share_between (d.tax_amount, g.amount, b.amount, d.taxed_amount)
      end as tax
    from
      (
        select
          document_id,
          counterparty_id,
          day,
          bool_or(account like 'payable%') as is_owed,
          - sum(amount) as amount
        from
          booked
        group by all
        having
          sum(amount) <> 0
      ) b {{ document_of(b.document_id) }}
      join organisation h on h.id = :organisation
      cross join lateral (
        select
          coalesce(
            sum(
              case
                when e.account like 'payable%'
                or e.account = 'prereceived' then e.amount
                else - e.amount
              end
            ),
            0
          ) as amount
        from
          account_entry e
        where
          e.org_id = :organisation
          and e.document_id = b.document_id
          and e.counterparty_id = b.counterparty_id
          and e.account <> 'rounding'
          and e.at < {{ begin_of(b.day) }}
      ) g
  ),
  {{ part(platform/reports/used-cost) }},
  -- At cost, as the reports of what left have it: the share of the settlement that was booked that day.
  settled as (
    select
      {{ columns_of(r, document_id, counterparty_id, day) }},
      - share_between (sum(round(l.base_quantity * u.each, 2)), r.earlier, r.amount, d.taxed_amount) as cost
    from
      rest r
      join document d on d.org_id = :organisation
      and d.id = r.document_id {{ lines_of(r.document_id) }}
      join used_cost u on u.customer_id = r.counterparty_id
      and u.specification_id = l.specification_id
      and u.lot_id = l.lot_id
    where
      r.is_sale
      and {{ feeds(r.kind, sold_as_used) }}
      and d.taxed_amount <> 0
      and not {{ any_own(stock_move, m, document_id = r.document_id) }}
    group by
      {{ columns_of(r, document_id, counterparty_id, day, amount, earlier) }},
      d.taxed_amount
  ),
  -- The amounts paid or owed for goods that did not stay in stock, and the cost of what left stock: spent, by the kind
  -- of document.
  cost as (
    select
      {{ columns_of(c, document_id, counterparty_id, department_id, day) }},
      case
      -- Goods of ours that a customer lost and pays for are sold with their settlement, like those that he used.
        when d.role = 'counterparty'
        and (
          {{ feeds(d.kind, used, shipped) }}
          or d.fields ->> 'bearer' = 'hospital'
        ) then 'unsettled'
        when {{ feeds(d.kind, lost) }} then 'loss'
        when {{ feeds(d.kind, found) }} then 'found'
        when {{ feeds(d.kind, given) }}
        or d.fields ->> 'grn_type' = 'gift_back' then 'given_away'
        when {{ feeds(d.kind, otherwise_issued) }}
        or d.fields ->> 'grn_type' in ('sample_back', 'loan_back') then 'other_issue'
        when {{ feeds(d.kind, otherwise_received) }}
        and coalesce(
          d.fields ->> 'grn_type',
          case
            when h.system_type = 3 then 'produce'
          end
        ) = 'produce' then 'produced'
        when {{ feeds(d.kind, otherwise_received) }} then 'other_receipt'
        when {{ feeds(d.kind, moved_here) }}
        or (
          {{ feeds(d.kind, moved) }}
          and d.counterparty_id is not null
        ) then 'internal'
        -- Goods that a lessor takes in are owed by another document.
        when {{ adds(d.kind, stored_elsewhere) }}
        or coalesce(d.fields ->> 'lease_notice_sn', '') <> '' then 'arriving'
        when d.role = 'counterparty' then 'found'
        when h.system_type = 1 then 'issue_cost'
        else 'sales_cost'
      end as account,
      sum(c.amount) as amount
    from
      (
        select
          r.document_id,
          r.counterparty_id,
          null::bigint as department_id,
          r.day,
          r.amount - r.tax as amount
        from
          rest r
        where
          r.is_of_goods
        union all
        select
          {{ columns_of(g, document_id, counterparty_id, department_id, day) }},
          - g.amount
        from
          goods g
      ) c
      join documents d on d.id = c.document_id
      join organisation h on h.id = :organisation
    group by all
    having
      sum(c.amount) <> 0
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
    by name
    select
      {{ columns_of(r, document_id, counterparty_id, day) }},
      {{ columns_of(v, place, account, amount) }}
    from
      rest r
      cross join lateral (
        values
          (
            2,
            case
              when r.movement in ('money', 'offset') then 'bank'
              when r.movement = 'rounding' then 'rounding'
              when r.movement = 'fee'
              and r.is_owed then 'fee_expense'
              when r.movement = 'fee' then 'fee_income'
              else 'sales'
            end,
            case
              when r.is_of_goods then 0
              when r.is_sale then r.amount - r.tax
              else r.amount
            end
          ),
          (3, 'output_tax', {{ value_where(r.tax, r.is_sale) }}),
          (3, 'input_tax', {{ value_where(r.tax, r.is_of_goods) }})
      ) as v (place, account, amount)
    union all
    by name
    -- The bank's fee for a transfer: from our account when we pay, from the amount that it credits when we receive.
    select
      {{ columns_of(r, document_id, counterparty_id, day) }},
      v.place,
      v.account,
      v.side * case
        when {{ feeds(r.kind, paid) }} then - sign(r.amount)
        else sign(r.amount)
      end * (d.fields ->> 'bank_fee')::numeric as amount
    from
      rest r {{ document_of(r.document_id) }}
      cross join lateral (
        values
          (4, 'bank_fee', 1),
          (5, 'bank', -1)
      ) as v (place, account, side)
    where
      {{ feeds(r.kind, paid, collected) }}
      and coalesce(d.fields ->> 'bank_fee', '') <> ''
    union all
    by name
    -- Consigned goods that were settled are used already: what comes into stock by the settlement leaves it at once.
    select
      {{ columns_of(r, document_id, counterparty_id, day) }},
      v.place,
      'stock' as account,
      v.amount
    from
      rest r
      cross join lateral (
        values
          (6, r.amount - r.tax),
          (9, r.tax - r.amount)
      ) as v (place, amount)
    where
      {{ feeds(r.kind, titled) }}
      and r.is_of_goods
    union all
    by name
    select
      {{ columns_of(g, document_id, counterparty_id, department_id, day) }},
      case
        when g.amount > 0 then 6
        else 9
      end as place,
      g.account,
      g.amount
    from
      goods g
    union all
    by name
    select
      {{ columns_of(c, document_id, counterparty_id, department_id, day) }},
      7 as place,
      c.account,
      c.amount
    from
      cost c
    union all
    by name
    select
      {{ columns_of(c, document_id, counterparty_id, day) }},
      {{ columns_of(v, place, account, amount) }}
    from
      certified c
      cross join lateral (
        values
          (10, 'deducted_tax', c.amount),
          (11, 'input_tax', - c.amount)
      ) as v (place, account, amount)
    union all
    by name
    -- Goods of ours that customers used are sold with their settlement.
    select
      {{ columns_of(s, document_id, counterparty_id, day) }},
      {{ columns_of(v, place, account, amount) }}
    from
      settled s
      cross join lateral (
        values
          (7, 'sales_cost', s.cost),
          (8, 'unsettled', - s.cost)
      ) as v (place, account, amount)
  ),
  -- They are many, and the planner takes them for a few.
  voucher_line as materialized (
    select
      l.*
    from
      line l
      cross join taken_for_thousand ()
    where
      l.amount <> 0
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
          ('dispatched', '1406', '发出商品'),
          ('unsettled', '1406.01', '发出商品-已使用未结算'),
          ('arriving', '1402', '在途物资'),
          ('input_tax', '2221.03', '应交税费-待认证进项税额'),
          ('deducted_tax', '2221.02', '应交税费-进项税额'),
          ('sales_cost', '6401', '主营业务成本'),
          ('produced', '5001', '生产成本'),
          ('issue_cost', '5001', '业务活动费用-卫生材料费'),
          ('loss', '1901', '待处理财产损溢'),
          ('found', '1901.01', '待处理财产损溢-盘盈'),
          ('other_receipt', '6301', '营业外收入-其他入库'),
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
  voucher_line l
  join documents d on d.id = l.document_id
  join usual u on u.account = l.account
  left join {{ own(voucher_account, m, ledger_account = l.account) }}
  left join organisation o on o.id = l.counterparty_id {{ department_if_any(l.department_id) }}
order by
  l.day,
  d.sn,
  d.id,
  {{ columns_of(l, counterparty_id, department_id, place) }},
  u.code

with
  {{ part(outbound-lines) }}
select
  :end_date as day,
  e.what || ' ' || coalesce(x.receiver_name, '') as summary,
  e.account_name,
  e.subject,
  sum(e.debit)::numeric(18, 2) as debit,
  sum(e.credit)::numeric(18, 2) as credit
from
  (
    select
      t.*,
      t.tax_rate is not null as is_sale,
      coalesce(t.finance_class, '未分类') as class,
      case
        when t.tax_rate is not null then '销售'
        when {{ feeds(t.document_kind, lost) }} then '报损报废'
        when {{ feeds(t.document_kind, given) }} then '赠送'
        when {{ feeds(t.document_kind, otherwise_issued) }} then '其他出库'
        when {{ feeds(t.document_kind, moved) }} then '机构调拨'
        else '领用'
      end as what
    from
      outbound t
  ) x
  cross join lateral (
    values
      (1, x.what, '应收账款', x.receiver_name, {{ value_where(x.taxed_amount, x.is_sale) }}, 0),
      (2, x.what, '主营业务收入', x.class, 0, {{ value_where(x.untaxed_amount, x.is_sale) }}),
      (3, x.what, '应交税费-销项税额', '税率' || x.tax_rate || '%', 0, {{ value_where(x.tax_amount, x.is_sale) }}),
      (
        4,
        x.what,
        case x.what
          when '销售' then '主营业务成本'
          when '报损报废' then '待处理财产损溢'
          when '赠送' then '销售费用-赠送'
          when '其他出库' then '管理费用-其他出库'
          when '机构调拨' then '内部往来-机构调拨'
          else '业务活动费用-卫生材料费'
        end,
        case
          when x.what = '销售' then x.class
          else coalesce(x.receiver_name, x.warehouse_name)
        end,
        x.cost,
        0
      ),
      (
        5,
        x.what,
        case
          when {{ feeds(x.document_kind, titled) }} then '发出商品'
          else '库存商品'
        end,
        x.class,
        0,
        x.cost
      )
  ) as e (place, what, account_name, subject, debit, credit)
group by
  e.what,
  x.receiver_name,
  {{ columns_of(e, place, account_name, subject) }}
having
  sum(e.debit) <> 0
  or sum(e.credit) <> 0
order by
  e.what,
  x.receiver_name,
  e.place,
  e.subject

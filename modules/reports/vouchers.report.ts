import { f } from '#kernel/field.ts'
import { defineReport } from '#kernel/report.ts'
import { shared } from '#modules/reports/inbound-finance.report.ts'
import { asked } from '#modules/reports/outbound-finance.report.ts'

/** Entries as a financial system takes them: what is debited equals what is credited. */
const columns = {
  day: f.day('凭证日期'),
  summary: f.text('摘要', { width: 260 }),
  account_name: f.text('会计科目', { width: 200 }),
  subject: f.text('核算项目', { width: 220 }),
  debit: f.amount('借方金额'),
  credit: f.amount('贷方金额'),
} as const
const shownColumns = ['day', 'summary', 'account_name', 'subject', 'debit', 'credit'] as const
const page = { orgs: 'HDV', menu: '财务管理', tab: '凭证数据', columns: shownColumns, filters: [] } as const

/** 凭证数据 of what came in: goods and input tax against the estimated debt to the supplier. A hospital deducts no tax: it is part of what the goods cost. */
export const inboundVoucher = defineReport({
  ...shared,
  kind: 'inboundVoucher',
  title: '入库凭证数据',
  fills: {
    class: '$15',
    shown: `select $3::date as day, '采购入库 ' || coalesce(c.name, '') as summary, e.account_name, e.subject, sum(e.debit)::numeric(18,2) as debit, sum(e.credit)::numeric(18,2) as credit
  from chosen x
  join organisation h on h.id = $1
  left join organisation c on c.id = x.counterparty_id
 cross join lateral (values
   (1, '库存商品', coalesce(x.finance_class, '未分类'), case when h.system_type = 1 then x.taxed_amount else x.untaxed_amount end, 0),
   (2, '应交税费-待认证进项税额', '税率' || x.tax_rate || '%', case when h.system_type = 1 then 0 else x.tax_amount end, 0),
   (3, '应付账款-暂估', c.name, 0, x.taxed_amount)) as e(place, account_name, subject, debit, credit)
 where x.owes
 group by c.name, e.place, e.account_name, e.subject
having sum(e.debit) <> 0 or sum(e.credit) <> 0
 order by c.name, e.place, e.subject`,
  },
  columns,
  totals: ['debit', 'credit'],
  screens: [
    {
      ...page,
      route: '/commonView/inboundFinance',
      title: '入库财务报表',
      purpose: '采购入库与退货的会计分录，按供应商与财务分类，导出后录入财务系统',
    },
  ],
})

/** 凭证数据 of what left: sales with their cost, and at cost what was used, given away, lost or destroyed. */
export const outboundVoucher = defineReport({
  ...asked,
  kind: 'outboundVoucher',
  title: '出库凭证数据',
  fills: {
    class: '$14',
    shown: `select $3::date as day, e.what || ' ' || coalesce(x.receiver_name, '') as summary, e.account_name, e.subject, sum(e.debit)::numeric(18,2) as debit, sum(e.credit)::numeric(18,2) as credit
  from (select t.*, t.tax_rate is not null as is_sale, coalesce(t.finance_class, '未分类') as class,
               case when t.tax_rate is not null then '销售' when t.document_kind in ('loss', 'scrap') then '报损报废' when t.document_kind = 'giveOdo' then '赠送'
                    when t.document_kind = 'otherOdo' then '其他出库' when t.document_kind in ('transfer', 'transferReturn') then '机构调拨' else '领用' end as what
          from told t) x
 cross join lateral (values
   (1, x.what, '应收账款', x.receiver_name, case when x.is_sale then x.taxed_amount else 0 end, 0),
   (2, x.what, '主营业务收入', x.class, 0, case when x.is_sale then x.untaxed_amount else 0 end),
   (3, x.what, '应交税费-销项税额', '税率' || x.tax_rate || '%', 0, case when x.is_sale then x.tax_amount else 0 end),
   (4, x.what, case x.what when '销售' then '主营业务成本' when '报损报废' then '待处理财产损溢' when '赠送' then '销售费用-赠送' when '其他出库' then '管理费用-其他出库'
        when '机构调拨' then '内部往来-机构调拨' else '业务活动费用-卫生材料费' end, case when x.what = '销售' then x.class else coalesce(x.receiver_name, x.warehouse_name) end, x.cost, 0),
   (5, x.what, case when x.document_kind = 'settlementGrn' then '发出商品' else '库存商品' end, x.class, 0, x.cost)) as e(place, what, account_name, subject, debit, credit)
 group by e.what, x.receiver_name, e.place, e.account_name, e.subject
having sum(e.debit) <> 0 or sum(e.credit) <> 0
 order by e.what, x.receiver_name, e.place, e.subject`,
  },
  columns,
  totals: ['debit', 'credit'],
  screens: [
    {
      ...page,
      route: '/commonView/outboundFinance',
      title: '出库财务报表',
      purpose: '出库的会计分录：销售与成本、领用、赠送与损耗，导出后录入财务系统',
    },
  ],
})

import { f } from '#kernel/definition/field.ts'
import { defineReport } from '#kernel/definition/report.ts'
import { MONTH } from '#kernel/values/date.ts'

const docs = { to: 'advanceSale', with: { counterparty_sn: 'counterparty_sn' } } as const

/**
 * 发出商品: goods at customers in advance, by customer, salesperson or age: opening + out - sold - returned = closing,
 * at cost, and equal to the stock there.
 */
export const advanceBalance = defineReport({
  kind: 'advanceBalance',
  title: '发出商品',
  sqlFile: 'trade/sales/advance-balance.sql',
  parameters: {
    period: f.text('会计期间', {
      required: true,
      default: 'month',
      match: MONTH,
      matchMsg: '会计期间应为年-月，如 2026-11',
    }),
    counterparty_sn: f.ref('客户', 'organisation', { optionsFilter: { relation: 'customer' } }),
    by: f.pick('汇总方式', { customer: '客户', handler: '业务员', age: '账龄段' }, { default: 'customer' }),
  },
  columns: {
    counterparty_name: f.text('客户/业务员/账龄段'),
    opening_value: f.cost('期初成本'),
    out_value: f.cost('本期发出成本'),
    turned_value: f.cost('本期转销售成本'),
    returned_value: f.cost('本期退回成本'),
    closing_value: f.cost('期末成本'),
    closing_quantity: f.quantity('未结清数量'),
  },
  totals: ['opening_value', 'out_value', 'turned_value', 'returned_value', 'closing_value'],
  drillDown: { closing_quantity: docs },
  screens: [
    {
      route: '/commonView/advanceSaleFinance',
      tab: '发出商品',
      title: '预销售财务',
      orgs: 'DV',
      menu: '销售管理',
      purpose: '按客户、业务员或账龄段核对发出商品：期初加发出减转销售减退回等于期末，与预销售库库存金额一致',
      columns: [
        'counterparty_name',
        'opening_value',
        'out_value',
        'turned_value',
        'returned_value',
        'closing_value',
        'closing_quantity',
      ],
      filters: [],
    },
  ],
})

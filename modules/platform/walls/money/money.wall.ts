import { f } from '#kernel/definition/field.ts'
import { defineWall } from '#kernel/wall/wall-definition.ts'
import { hisSpdFee } from '#modules/hospital/charges/fees/his-spd-fee.report.ts'
import { departmentFigures } from '#modules/platform/reports/departments/department-figures.report.ts'
import { supplierSettlementSummary } from '#modules/platform/reports/accounts/supplier-settlement-summary.report.ts'
import { receivedLines } from '#modules/platform/reports/moves/received-lines.report.ts'
import { useAmountSummary } from '#modules/platform/reports/use/use-amount-summary.report.ts'
import { receipts, uses } from '#modules/platform/walls/readings.ts'
import {
  invoicesOfPeriod,
  payables,
  paymentsOfPeriod,
  paymentStates,
  unpaidInvoices,
} from '#modules/platform/walls/money/money.report.ts'
import { wallScreen } from '#modules/platform/walls/wall-screen.ts'

const against = ['previous', 'year'] as const
const settled = { of: receivedLines, where: { grn_type: 'settlementGrn' }, sums: ['amount', 'quantity'] } as const
const bySupplier = { by: ['counterparty_name', 'counterparty_sn'], partner: 'counterparty_sn', take: 8 } as const
const monthly = { span: 'year', sums: ['amount'] } as const
const figure = (label: string, of: string) => ({ label, of, column: 'amount', changes: true }) as const

/** 资金信息: money along the chain, received, used, settled, invoiced, paid and owed. */
export const moneyWall = defineWall({
  kind: 'screenMoney',
  screen: wallScreen('productMoneyInfo', '资金信息大屏', '采购、使用、结算、开票、付款与应付'),
  refresh: 60,
  ofDays: true,
  filters: {
    warehouse_model_inner_sn: f.ref('仓库', 'warehouse'),
    custom_type_sn: receivedLines.parameters.custom_type_sn,
  },
  cards: [
    {
      name: 'received',
      title: '采购',
      at: [0, 0, 5, 2],
      reads: { all: { ...receipts, span: 'asked', against } },
      draws: { form: 'numbers', figures: [figure('入库减退货(元)', 'all')] },
    },
    {
      name: 'used',
      title: '使用',
      at: [5, 0, 5, 2],
      reads: { all: { ...uses, span: 'asked', against } },
      draws: { form: 'numbers', figures: [figure('使用金额(元)', 'all')] },
      leads: { to: 'screenDepartment' },
    },
    {
      name: 'settled',
      title: '结算',
      at: [10, 0, 5, 2],
      reads: { all: { ...settled, span: 'asked', against } },
      draws: { form: 'numbers', figures: [figure('结算入库(元)', 'all')] },
    },
    {
      name: 'invoiced',
      title: '开票',
      at: [15, 0, 5, 2],
      reads: { all: { of: invoicesOfPeriod, sums: ['amount'], span: 'asked', against } },
      draws: { form: 'numbers', figures: [figure('进项发票(元)', 'all')] },
    },
    {
      name: 'paid',
      title: '付款',
      at: [20, 0, 4, 2],
      reads: { all: { of: paymentsOfPeriod, sums: ['amount'], span: 'asked', against } },
      draws: { form: 'numbers', figures: [figure('付款(元)', 'all')] },
    },
    {
      name: 'trend',
      title: '月度资金趋势',
      at: [0, 2, 12, 5],
      reads: {
        received: { ...receipts, ...monthly, step: ['day', 'month'] },
        settled: { ...settled, ...monthly, step: ['day', 'month'] },
        invoiced: { of: invoicesOfPeriod, ...monthly, step: ['day', 'month'] },
        paid: { of: paymentsOfPeriod, ...monthly, step: ['day', 'month'] },
      },
      draws: {
        form: 'lines',
        series: [
          { label: '采购入库', of: 'received', value: 'amount' },
          { label: '结算', of: 'settled', value: 'amount' },
          { label: '开票', of: 'invoiced', value: 'amount' },
          { label: '付款', of: 'paid', value: 'amount' },
        ],
      },
    },
    {
      name: 'owed',
      title: '应付余额',
      at: [12, 2, 6, 3],
      reads: { owed: { of: payables, span: 'now', sums: ['amount', 'estimated', 'invoiced'] } },
      draws: {
        form: 'numbers',
        figures: [
          { label: '应付(元)', of: 'owed', column: 'amount' },
          { label: '暂估', of: 'owed', column: 'estimated' },
          { label: '已开票', of: 'owed', column: 'invoiced' },
        ],
      },
    },
    {
      name: 'states',
      title: '付款状态',
      at: [18, 2, 6, 3],
      reads: { states: { of: paymentStates, span: 'asked', by: ['status'], sums: ['amount', 'invoices'] } },
      draws: {
        form: 'ring',
        of: 'states',
        label: 'status',
        values: ['amount', 'invoices'],
        tones: { 1: 'warning', 2: 'info', 3: 'brand' },
      },
    },
    {
      name: 'ages',
      title: '账龄',
      at: [12, 5, 12, 4],
      reads: { ages: { of: unpaidInvoices, span: 'now', by: ['age'], sums: ['amount', 'invoices'] } },
      draws: {
        form: 'columns',
        of: 'ages',
        label: 'age',
        values: ['amount', 'invoices'],
        tones: { half: 'warning', older: 'danger' },
        inOrder: true,
      },
    },
    {
      name: 'suppliers',
      title: '应付供应商',
      at: [0, 7, 6, 5],
      reads: { owed: { of: payables, span: 'now', ...bySupplier, sums: ['amount'] } },
      draws: { form: 'bars', of: 'owed', label: 'counterparty_name', values: ['amount', 'rows'] },
      leads: { to: 'screenDealer' },
    },
    {
      name: 'unsettled',
      title: '已使用未结算',
      at: [6, 7, 6, 5],
      reads: {
        unsettled: {
          of: useAmountSummary,
          span: 'asked',
          where: { regime: 'consigned' },
          by: ['supplier_name', 'supplier_sn'],
          partner: 'supplier_sn',
          sums: ['unsettled_amount'],
          take: 6,
        },
      },
      draws: { form: 'bars', of: 'unsettled', label: 'supplier_name', values: ['unsettled_amount', 'rows'] },
    },
    {
      name: 'uninvoiced',
      title: '已结算未开票',
      at: [12, 9, 4, 3],
      reads: { all: { of: supplierSettlementSummary, span: 'asked', sums: ['uninvoiced_amount', 'settled_amount'] } },
      draws: {
        form: 'numbers',
        figures: [
          { label: '未开票(元)', of: 'all', column: 'uninvoiced_amount' },
          { label: '结算金额', of: 'all', column: 'settled_amount' },
        ],
      },
    },
    {
      name: 'charged',
      title: '收费与消耗差异',
      at: [16, 9, 4, 3],
      reads: {
        all: { of: hisSpdFee, span: 'asked', sums: ['amount_difference', 'charged_amount', 'quantity_difference'] },
      },
      draws: {
        form: 'numbers',
        figures: [
          { label: '金额差异(元)', of: 'all', column: 'amount_difference' },
          { label: '数量差异', of: 'all', column: 'quantity_difference' },
        ],
      },
    },
    {
      name: 'income',
      title: '百元医疗收入耗材支出',
      at: [20, 9, 4, 3],
      reads: { all: { of: departmentFigures, span: 'asked', sums: ['used_amount', 'income'] } },
      draws: {
        form: 'gauge',
        part: { label: '耗材支出', of: 'all', column: 'used_amount' },
        whole: { label: '医疗收入', of: 'all', column: 'income' },
        empty: '未接入HIS收入数据',
      },
    },
  ],
})

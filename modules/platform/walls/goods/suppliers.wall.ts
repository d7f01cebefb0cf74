import { defineWall } from '#kernel/wall/wall-definition.ts'
import { receivedStat } from '#modules/platform/reports/moves/received-lines.report.ts'
import { dueLines, suppliers } from '#modules/platform/walls/goods/goods.report.ts'
import { receipts, stock } from '#modules/platform/walls/readings.ts'
import { wallScreen } from '#modules/platform/walls/wall-screen.ts'

const bySupplier = { by: ['counterparty_name', 'counterparty_sn'], take: 10 } as const

/** Relations in which the partner supplies the hospital. */
const suppliersOf = { kind: 'orgRelation', with: { status: 'enabled', relation: 'DH,HD,HV,VH' } } as const

/** 供应商: the suppliers of the hospital, the state of their licences, and how well they deliver. */
export const suppliersWall = defineWall({
  kind: 'screenDealer',
  screen: wallScreen('productDealerInfo', '经销商信息大屏', '供应商的资质、供货、到货及时率、满足率与退货率'),
  refresh: 60,
  ofDays: true,
  filters: {},
  cards: [
    {
      name: 'suppliers',
      title: '供应商',
      at: [0, 0, 5, 3],
      reads: { all: { of: suppliers, span: 'now', sums: ['suppliers'] } },
      draws: {
        form: 'numbers',
        figures: [{ label: '合作供应商', of: 'all', column: 'suppliers', list: suppliersOf }],
      },
    },
    {
      name: 'status',
      title: '资质状态',
      at: [5, 0, 7, 4],
      reads: { status: { of: suppliers, span: 'now', by: ['status'], sums: ['suppliers'] } },
      draws: {
        form: 'ring',
        of: 'status',
        label: 'status',
        values: ['suppliers'],
        tones: { valid: 'brand', quarter: 'warning', expired: 'danger', missing: 'calm' },
      },
      leads: { to: 'screenWarningDetail' },
    },
    {
      name: 'regions',
      title: '供应商地区分布',
      at: [0, 3, 5, 4],
      reads: { regions: { of: suppliers, span: 'now', by: ['province'], sums: ['suppliers'], take: 5 } },
      draws: { form: 'bars', of: 'regions', label: 'province', values: ['suppliers'] },
    },
    {
      name: 'received',
      title: '供货金额TOP10',
      at: [12, 0, 12, 7],
      reads: { received: { ...receipts, ...bySupplier, span: 'asked', partner: 'counterparty_sn' } },
      draws: { form: 'bars', of: 'received', label: 'counterparty_name', values: ['amount', 'quantity'] },
    },
    {
      name: 'consigned',
      title: '寄售库存（件）',
      at: [5, 4, 7, 3],
      reads: {
        consigned: {
          of: stock.of,
          span: 'now',
          where: { ownership: 'consigned' },
          by: ['owner_name'],
          sums: ['quantity'],
          take: 4,
        },
      },
      draws: { form: 'bars', of: 'consigned', label: 'owner_name', values: ['quantity'] },
    },
    {
      name: 'punctuality',
      title: '到货及时率（应到5行以上）',
      at: [0, 7, 8, 5],
      reads: {
        lines: {
          of: dueLines,
          span: 'asked',
          ...bySupplier,
          sums: ['due', 'in_time'],
          rates: { punctuality: ['in_time', 'due'] },
          least: { due: '5' },
        },
      },
      draws: { form: 'bars', of: 'lines', label: 'counterparty_name', values: ['punctuality'] },
    },
    {
      name: 'filled',
      title: '订单满足率',
      at: [8, 7, 8, 5],
      reads: {
        lines: {
          of: dueLines,
          span: 'asked',
          ...bySupplier,
          sums: ['ordered', 'received'],
          rates: { fill_rate: ['received', 'ordered'] },
        },
      },
      draws: { form: 'bars', of: 'lines', label: 'counterparty_name', values: ['fill_rate'] },
    },
    {
      name: 'returned',
      title: '退货率',
      at: [16, 7, 8, 5],
      reads: {
        lines: {
          of: receivedStat,
          where: { grn_type: 'purchaseGrn' },
          span: 'asked',
          ...bySupplier,
          sums: ['received_amount', 'returned_amount'],
          rates: { return_rate: ['returned_amount', 'received_amount'] },
        },
      },
      draws: { form: 'bars', of: 'lines', label: 'counterparty_name', values: ['return_rate'] },
    },
  ],
})

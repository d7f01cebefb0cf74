import { f } from '#kernel/definition/field.ts'
import { defineReport } from '#kernel/definition/report.ts'
import { goods, narrowing, ofFinanceClass, unit } from '#modules/platform/reports/item-columns.ts'

/** The warnings of a line of an order, the most severe first; a line shows one. */
export const orderWarnings = {
  licence: '证照失效',
  part_late: '部分到货超期',
  late: '已逾期',
  unsent: '未发货',
  unconfirmed: '未确认',
  soon: '即将到期',
} as const
const { warehouse_model_inner_sn: _warehouse, ...ofGoods } = narrowing

/**
 * 采购订单预警: lines of reviewed orders with something outstanding that need a person's action today. In base units; amounts
 * in yuan, tax included. Days late count from the requested day of the line, else of its order. Stock and days of stock
 * are those of the store that receives.
 */
export const purchaseOrderWarning = defineReport({
  kind: 'purchaseOrderWarning',
  title: '采购订单预警报表',
  sqlFile: 'platform/reports/orders/purchase-order-warning.sql',
  parameters: {
    warning: f.pick('预警类型', orderWarnings),
    is_late: f.flag('仅逾期未到货', { hint: '要求到货日期已过、尚未到齐的行' }),
    counterparty_sn: f.ref('供应商', 'organisation', { optionsFilter: { relation: 'supplier' } }),
    warehouse_model_inner_sn: f.ref('收货仓库', 'warehouse'),
    department_inner_sn: f.ref('需求科室', 'department'),
    ...ofGoods,
    custom_type_sn: f.ref('产品分类', 'customType', ofFinanceClass.finance_class_sn),
    begin_date: f.day('下单日期自'),
    end_date: f.day('下单日期至'),
    begin_expected: f.day('要求到货日期自'),
    end_expected: f.day('要求到货日期至'),
    days_late: f.pick('逾期天数', { over: '已逾期', week: '7天以上', month: '30天以上' }),
    is_urgent: f.flag('紧急程度：加急'),
  },
  columns: {
    warning: f.pick('预警类型', orderWarnings, {
      width: 130,
      tones: { licence: 'danger', part_late: 'danger', late: 'danger', unsent: 'warning', unconfirmed: 'warning' },
    }),
    document_sn: f.text('订单号', { width: 130 }),
    line_no: f.count('行号'),
    is_urgent: f.flag('加急'),
    counterparty_name: f.text('供应商', { width: 180 }),
    warehouse_name: f.text('收货仓库'),
    ...goods,
    ...unit,
    line_count: f.count('预警行数'),
    quantity: f.quantity('订购数量'),
    confirmed_quantity: f.quantity('已确认数量'),
    shipped_quantity: f.quantity('已发货数量'),
    received_quantity: f.quantity('已入库数量'),
    open_quantity: f.quantity('未到数量'),
    open_amount: f.amount('未到金额'),
    ordered_on: f.day('下单日期'),
    expected_date: f.day('要求到货日期'),
    arrives_on: f.day('预计到货日', { hint: '供应商承诺的交货日期；没有承诺时为要求到货日期' }),
    days_late: f.count('逾期天数'),
    stock: f.quantity('当前库存'),
    supply_days: f.count('可用天数', { hint: '可用库存除以近30天日均出库；没有出库时不计' }),
    risk: f.pick('断货风险', { short: '断货风险' }, { tones: { short: 'danger' } }),
    reminders: f.count('催货次数'),
  },
  totals: ['open_quantity', 'open_amount'],
  groupBy: ['warning', 'counterparty_name', 'product_name', 'warehouse_name'],
  drillDown: { document_sn: { document: 'document_kind' } },
  calls: {
    remind: { label: '催货', asks: {}, rows: true, tone: 'primary' },
    stopLine: {
      label: '终止行',
      asks: { reason: f.text('终止原因', { required: true, max: 200, hint: '已发货的部分仍会到货，其余不再执行' }) },
      rows: true,
    },
  },
  screens: [
    {
      route: '/hospital/purchaseOrderWarnReport',
      title: '采购订单预警报表',
      orgs: 'H',
      menu: '报表中心',
      purpose: '需要处理的采购订单行：未确认、未发货、即将到期、逾期、部分到货，或证照已失效',
      columns: [
        'warning',
        'document_sn',
        'line_no',
        'is_urgent',
        'counterparty_name',
        'warehouse_name',
        'product_code',
        'product_name',
        'specification_name',
        'unit_name',
        'quantity',
        'confirmed_quantity',
        'shipped_quantity',
        'received_quantity',
        'open_quantity',
        'open_amount',
        'ordered_on',
        'expected_date',
        'arrives_on',
        'days_late',
        'stock',
        'supply_days',
        'risk',
        'reminders',
      ],
      keyColumns: ['warning', 'document_sn', 'product_name', 'open_quantity', 'expected_date', 'days_late', 'risk'],
      filters: [],
    },
  ],
})

import { states } from '#kernel/definition/document-state.ts'
import { f } from '#kernel/definition/field.ts'
import { defineReport } from '#kernel/definition/report.ts'
import { goods, narrowing, unit } from '#modules/platform/reports/item-columns.ts'

/**
 * 订单跟踪: how far each line of the purchase orders in force has come: confirmed, shipped, arrived, received, sent back,
 * stopped, and what is still to come. In base units.
 */
export const orderTracking = defineReport({
  kind: 'orderTracking',
  title: '订单跟踪',
  sqlFile: 'platform/reports/orders/order-tracking.sql',
  parameters: {
    document_sn: f.text('订单号'),
    counterparty_sn: f.ref('供应商', 'organisation', { optionsFilter: { relation: 'supplier' } }),
    ...narrowing,
    begin_date: f.day('下单日期自'),
    end_date: f.day('下单日期至'),
    is_open: f.flag('仅未完成'),
  },
  columns: {
    document_sn: f.text('订单号', { width: 130 }),
    line_no: f.count('行号'),
    counterparty_name: f.text('供应商', { width: 180 }),
    warehouse_name: f.text('收货仓库'),
    ...goods,
    ...unit,
    ordered_on: f.day('下单日期'),
    expected_date: f.day('要求到货日期'),
    promised_date: f.day('预计到货日', { hint: '供应商承诺的交货日期' }),
    quantity: f.quantity('订购数量'),
    confirmed_quantity: f.quantity('供应商确认数量'),
    shipped_quantity: f.quantity('已发货数量'),
    arrived_quantity: f.quantity('已到货数量'),
    received_quantity: f.quantity('已入库数量'),
    returned_quantity: f.quantity('已退货数量', { hint: '已入库后退回供应商的数量' }),
    stopped_quantity: f.quantity('已终止数量'),
    open_quantity: f.quantity('未入库数量'),
    state: f.pick('订单状态', states),
  },
  totals: ['quantity', 'open_quantity'],
  drillDown: { document_sn: { document: 'document_kind' } },
  screens: [
    {
      route: '/hospital/purchaseOrder',
      tab: '订单跟踪',
      title: '采购订单',
      orgs: 'H',
      menu: '采购管理',
      purpose: '逐行跟踪采购订单的确认、发货、到货、入库与退货',
      columns: [
        'document_sn',
        'line_no',
        'counterparty_name',
        'warehouse_name',
        'product_code',
        'product_name',
        'specification_name',
        'unit_name',
        'ordered_on',
        'expected_date',
        'promised_date',
        'quantity',
        'confirmed_quantity',
        'shipped_quantity',
        'arrived_quantity',
        'received_quantity',
        'returned_quantity',
        'stopped_quantity',
        'open_quantity',
        'state',
      ],
      keyColumns: ['document_sn', 'product_name', 'quantity', 'shipped_quantity', 'received_quantity', 'open_quantity'],
      filters: [],
    },
  ],
})

import { defineDocument, regimes } from '#kernel/document.ts'
import { f } from '#kernel/field.ts'
import { lifecycle, stop } from '#kernel/lifecycle.ts'
import { everyLine, hasLines, needs } from '#modules/guards.ts'

/** 采购订单: what a buyer asks of a supplier; reviewed, it appears at the supplier as a sales order waiting for confirmation. */
export const purchaseOrder = defineDocument({
  kind: 'purchaseOrder', title: '采购订单', prefix: 'CG', family: 'procurement', keptBy: 'HDV', goods: 'named', gate: 'supplier',
  main: 'receive', derives: { confirm_state: 'confirm', ship_state: 'ship', receive_state: 'receive' },
  header: {
    counterparty_sn: f.ref('供应商', 'organisation', { required: true, narrow: { relation: 'supplier' } }),
    warehouse_model_inner_sn: f.ref('收货仓库', 'warehouse'),
    department_inner_sn: f.ref('需求科室', 'department'),
    regime: f.pick('货权方式', regimes, { default: 'purchased' }),
    handler_inner_sn: f.ref('采购员', 'employee'),
    business_date: f.day('订单日期'),
    expected_date: f.day('要求到货日期'),
    is_urgent: f.flag('加急'),
    remark: f.longText('备注', { max: 500 }),
  },
  lines: {
    specification_sn: f.ref('规格型号', 'specification', { required: true }),
    unit_inner_sn: f.ref('单位', 'unitTree'),
    quantity: f.quantity('数量', { required: true, min: '0.001' }),
    price: f.price('含税单价', { required: true, min: '0' }),
    tax_rate: f.taxRate('税率'),
    remark: f.text('备注', { max: 200 }),
  },
  actions: {
    ...lifecycle({ submit: [hasLines, needs('counterparty_sn', '请选择供应商'), everyLine('数量必须大于0', line => Number(line.quantity) > 0)] }),
    stop,
  },
  sends: [{
    on: 'review', lays: { kind: 'salesOrder', state: 'submitted' }, header: ['expected_date', 'is_urgent'],
    message: { title: '收到新的采购订单', uri: 'salesOrder' },
  }],
  screens: [
    {
      route: '/commonView/purchaseOrder', title: '采购订单', orgs: 'DV', menu: '采购管理', purpose: '向供应商下单，跟踪确认、发货与到货',
      columns: ['sn', 'counterparty_sn', 'warehouse_model_inner_sn', 'regime', 'line_count', 'total_quantity', 'taxed_amount', 'confirm_state', 'receive_state', 'expected_date', 'handler_inner_sn', 'business_date', 'reviewed_by_name', 'reviewed_at', 'state'],
      filters: ['sn', 'counterparty_sn', 'warehouse_model_inner_sn', 'business_date', 'specification_sn', 'receive_state', 'confirm_state', 'handler_inner_sn', 'state'],
    },
    {
      route: '/hospital/purchaseOrder', title: '采购订单', orgs: 'H', menu: '采购管理', purpose: '医院向供应商下单，买断或寄售，送到指定仓库',
      columns: ['sn', 'counterparty_sn', 'warehouse_model_inner_sn', 'department_inner_sn', 'regime', 'line_count', 'total_quantity', 'taxed_amount', 'confirm_state', 'receive_state', 'is_urgent', 'expected_date', 'handler_inner_sn', 'business_date', 'reviewed_at', 'state'],
      filters: ['sn', 'counterparty_sn', 'warehouse_model_inner_sn', 'department_inner_sn', 'regime', 'business_date', 'specification_sn', 'receive_state', 'confirm_state', 'state'],
    },
  ],
})

import { defineDocument, regimes } from '#kernel/document.ts'
import { f } from '#kernel/field.ts'
import { lifecycle, stop } from '#kernel/lifecycle.ts'
import { hasLines, inOrder, needs, positiveQuantity } from '#modules/guards.ts'

/** 采购订单: what a buyer asks of a supplier; reviewed, it appears at the supplier as a sales order waiting for confirmation. */
export const purchaseOrder = defineDocument({
  kind: 'purchaseOrder', title: '采购订单', prefix: 'CG', family: 'procurement', keptBy: 'HDV', goods: 'named', gate: 'supplier',
  main: 'receive', derives: { confirm_state: 'confirm', ship_state: 'ship', arrive_state: 'arrive', receive_state: 'receive' },
  header: {
    counterparty_sn: f.ref('供应商', 'organisation', { required: true, narrow: { relation: 'supplier' } }),
    warehouse_model_inner_sn: f.ref('收货仓库', 'warehouse'),
    department_inner_sn: f.ref('需求科室', 'department'),
    regime: f.pick('货权方式', regimes, { default: 'purchased' }),
    order_type: f.pick('订单类型', { normal: '常规', refill: '补货', urgent: '紧急', temporary: '临时', surgery: '跟台' }, { default: 'normal' }),
    is_urgent: f.flag('加急'),
    handler_inner_sn: f.ref('采购员', 'employee'),
    business_date: f.day('订单日期'),
    expected_date: f.day('要求到货日期'),
    delivery_address: f.text('收货地址', { max: 200 }),
    receiver: f.text('收货人', { max: 40 }),
    receiver_phone: f.text('联系电话', { max: 30 }),
    payment_terms: f.text('付款方式', { max: 40 }),
    payment_days: f.count('账期（天）', { min: '0', max: 365 }),
    contract_no: f.text('采购合同号', { max: 40 }),
    remark: f.longText('备注', { max: 500 }),
    attachments: f.files('附件'),
  },
  lines: {
    specification_sn: f.ref('规格型号', 'specification', { required: true }),
    unit_inner_sn: f.ref('单位', 'unitTree'),
    quantity: f.quantity('采购数量', { required: true, min: '0.001' }),
    price: f.price('含税单价', { required: true, min: '0' }),
    tax_rate: f.taxRate('税率'),
    expected_date: f.day('要求到货日期'),
    remark: f.text('备注', { max: 200 }),
  },
  actions: {
    ...lifecycle({
      submit: [
        hasLines, needs('counterparty_sn', '请选择供应商'), positiveQuantity,
        inOrder('business_date', 'expected_date', '要求到货日期不能早于订单日期'),
      ],
    }),
    stop,
  },
  sends: [{
    on: 'review', lays: { kind: 'salesOrder', state: 'submitted' },
    header: ['order_type', 'is_urgent', 'expected_date', 'delivery_address', 'receiver', 'receiver_phone', 'payment_terms', 'payment_days'],
    lines: ['expected_date'],
    message: { title: '收到新的采购订单', uri: 'salesOrder' },
  }],
  screens: [
    {
      route: '/commonView/purchaseOrder', title: '采购订单', orgs: 'DV', menu: '采购管理', purpose: '向供应商下单，跟踪确认、发货与到货',
      columns: ['sn', 'counterparty_sn', 'order_type', 'warehouse_model_inner_sn', 'regime', 'source_sn', 'line_count', 'total_quantity', 'taxed_amount', 'tax_amount', 'confirm_state', 'ship_state', 'receive_state', 'expected_date', 'handler_inner_sn', 'business_date', 'reviewed_by_name', 'reviewed_at', 'state', 'remark'],
      filters: ['sn', 'counterparty_sn', 'warehouse_model_inner_sn', 'business_date', 'expected_date', 'source_sn', 'specification_sn', 'receive_state', 'confirm_state', 'handler_inner_sn', 'state'],
    },
    {
      route: '/hospital/purchaseOrder', title: '采购订单', orgs: 'H', menu: '采购管理', purpose: '医院向供应商下单，买断或寄售，送到指定仓库',
      columns: ['sn', 'order_type', 'counterparty_sn', 'warehouse_model_inner_sn', 'department_inner_sn', 'regime', 'line_count', 'total_quantity', 'taxed_amount', 'tax_amount', 'confirm_state', 'ship_state', 'receive_state', 'is_urgent', 'expected_date', 'handler_inner_sn', 'business_date', 'reviewed_by_name', 'reviewed_at', 'state'],
      filters: ['sn', 'counterparty_sn', 'warehouse_model_inner_sn', 'department_inner_sn', 'regime', 'order_type', 'business_date', 'expected_date', 'specification_sn', 'receive_state', 'confirm_state', 'state'],
    },
  ],
})

import { defineDocument, regimes } from '#kernel/document.ts'
import { f } from '#kernel/field.ts'
import { postingLifecycle } from '#kernel/lifecycle.ts'
import { type Move, outside, store } from '#kernel/posting.ts'
import { codesMatchQuantity, everyLine, hasLines, needs } from '#modules/guards.ts'
import { sourceTypes } from '#kernel/source-type.ts'

/**
 * 采购入库单: goods arrive from a supplier and become our stock. Purchased goods are ours and owed from here on;
 * consigned goods stay the supplier's, the debt is born when they are used.
 */
export const purchaseGrn = defineDocument({
  kind: 'purchaseGrn', title: '采购入库单', prefix: 'RK', family: 'stockIn', keptBy: 'HDV', billType: 'PURCHASEGRN', goods: 'in', gate: 'supplier',
  derives: { invoice_state: 'invoice', pay_state: 'pay' },
  header: {
    counterparty_sn: f.ref('供应商', 'organisation', { required: true, narrow: { relation: 'supplier' } }),
    warehouse_model_inner_sn: f.ref('入库仓库', 'warehouse', { required: true }),
    regime: f.pick('货权方式', regimes, { default: 'purchased' }),
    delivery_note_no: f.text('随货同行单号', { max: 40 }),
    arrival_temperature: f.text('到货温度', { max: 20 }),
    transport: f.text('运输方式', { max: 40 }),
    handler_inner_sn: f.ref('经办人', 'employee'),
    business_date: f.day('入库日期'),
    remark: f.longText('备注', { max: 500 }),
  },
  lines: {
    specification_sn: f.ref('规格型号', 'specification', { required: true }),
    lot_no: f.text('批号', { max: 40 }),
    production_date: f.day('生产日期'),
    expiry_date: f.day('有效期至'),
    sterilisation_lot_no: f.text('灭菌批号', { max: 40 }),
    unit_codes: f.codes('院内码'),
    unit_inner_sn: f.ref('单位', 'unitTree'),
    quantity: f.quantity('数量', { required: true, min: '0.001' }),
    price: f.price('含税单价', { required: true, min: '0' }),
    tax_rate: f.taxRate('税率'),
    location: f.text('货位', { max: 40 }),
    reject_reason: f.text('拒收原因', { max: 200 }),
    remark: f.text('备注', { max: 200 }),
  },
  takes: [
    { from: 'saleOdo', for: 'odo', sourceType: sourceTypes.ODO, purpose: 'receive', foreign: true, upward: [{ link: 'order', purpose: 'receive' }] },
    { from: 'inspectionOrder', for: 'inspection', sourceType: sourceTypes.ARRIVAL_RECORD, purpose: 'receive', upward: [{ link: 'order', purpose: 'receive' }, { link: 'delivery', purpose: 'receive' }] },
    { from: 'purchaseOrder', for: 'po', sourceType: sourceTypes.ORDER_PO, purpose: 'receive' },
  ],
  actions: postingLifecycle({
    submit: [hasLines, needs('counterparty_sn', '请选择供应商'), needs('warehouse_model_inner_sn', '请选择入库仓库'), everyLine('数量必须大于0', line => Number(line.quantity) > 0), codesMatchQuantity],
  }),
  posts: (doc, book) => ({
    moves: doc.lines.map((line): Move => ({
      line_no: line.line_no, step: 'receive', quantity: line.base_quantity,
      from: outside(doc.counterparty_sn), to: store(doc.warehouse_model_inner_sn, line.location),
      owner: doc.regime === 'consigned' ? doc.counterparty_sn : book.org,
      quality: line.quality_state ?? 'qualified',
      // Hospitals cannot deduct input tax: their cost is the taxed amount.
      value: doc.regime === 'consigned' ? '0' : book.type === 'H' ? line.taxed_amount : line.untaxed_amount,
    })),
    entries: doc.regime === 'consigned' ? [] : doc.lines.map(line => ({ line_no: line.line_no, account: 'payable_estimated', amount: line.taxed_amount })),
  }),
  screens: [
    {
      route: '/commonView/buyGrn', title: '采购入库', orgs: 'DV', menu: '入库管理', purpose: '全部采购入库单：由订单、验收、供应商发货或手工生成，审核后入库并挂账',
      columns: ['sn', 'regime', 'counterparty_sn', 'warehouse_model_inner_sn', 'source_sn', 'delivery_note_no', 'line_count', 'total_quantity', 'untaxed_amount', 'tax_amount', 'taxed_amount', 'invoice_state', 'handler_inner_sn', 'business_date', 'reviewed_by_name', 'reviewed_at', 'state'],
      filters: ['sn', 'counterparty_sn', 'warehouse_model_inner_sn', 'source_sn', 'delivery_note_no', 'specification_sn', 'lot_no', 'unit_code', 'business_date', 'regime', 'invoice_state', 'handler_inner_sn', 'state'],
    },
    {
      route: '/hospital/purchaseGrn', title: '采购入库', orgs: 'H', menu: '入库管理', purpose: '验收到货，核对批号、效期与注册证，审核后入库',
      columns: ['sn', 'regime', 'counterparty_sn', 'warehouse_model_inner_sn', 'source_sn', 'delivery_note_no', 'line_count', 'taxed_amount', 'tax_amount', 'invoice_state', 'handler_inner_sn', 'business_date', 'reviewed_by_name', 'reviewed_at', 'state'],
      filters: ['sn', 'regime', 'counterparty_sn', 'warehouse_model_inner_sn', 'source_sn', 'delivery_note_no', 'specification_sn', 'lot_no', 'unit_code', 'business_date', 'state'],
    },
  ],
})

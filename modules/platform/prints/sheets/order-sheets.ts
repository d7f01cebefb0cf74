import { definePrint } from '#kernel/print/print-definition.ts'
import { column, sheet } from '#modules/platform/prints/sheets/print-columns.ts'

/**
 * 采购订单: as sent to the supplier, signed and sealed by the buyer. Not in force before its review; stopped lines are
 * struck through.
 */
export const purchaseOrder = definePrint({
  route: '/newprint/purchaseOrder',
  title: '采购订单',
  kinds: { purchaseOrder: null },
  papers: sheet,
  marks: { draft: '未审核', rejected: '未审核' },
  header: [
    ['订单号', 'sn'],
    ['订单日期', 'business_date'],
    ['供应商', 'counterparty_name'],
    ['供应商联系人', 'counterparty_contact'],
    ['联系电话', 'counterparty_phone'],
    ['收货单位', 'receiving_org'],
    ['收货仓库', 'warehouse_name'],
    ['收货地址', 'receiving_address'],
    ['收货人', 'receiver'],
    ['收货电话', 'receiver_phone'],
    ['要求到货日期', 'expected_date'],
    ['付款方式', 'payment_terms'],
    ['合同号', 'contract_no'],
    ['采购员', 'handler_name'],
    ['备注', 'remark'],
  ],
  shortHead: ['sn', 'counterparty_name'],
  columns: [
    { name: 'specification_code', label: '产品编码', share: 9 },
    column.product_name,
    column.specification_name,
    column.manufacturer_name,
    column.registration_no,
    column.unit_name,
    { name: 'pack', label: '包装规格', share: 8, optional: true },
    column.quantity,
    { name: 'stopped_quantity', label: '已终止数量', share: 7, as: 'number', optional: true },
    column.price,
    column.tax_rate,
    column.amount,
    { name: 'expected_date', label: '要求到货日期', share: 9, optional: true },
    column.remark,
    column.insurance_code,
  ],
  signatures: ['制单人', '采购员', '审核人', '供应商确认(签章)', '日期'],
  carrier: 'qrcode',
})

const ordered = { ...column.quantity, label: '订购数量' }
const shipped = { name: 'shipped', label: '已出库数量', share: 7, as: 'quantity' } as const
const open = { name: 'open_quantity', label: '未出库数量', share: 7, as: 'quantity' } as const

/** The columns that a picker needs. */
const picked = [
  column.location,
  column.product_name,
  column.specification_name,
  column.manufacturer_name,
  column.unit_name,
  ordered,
  shipped,
  open,
  { name: 'proposed_lots', label: '建议批号', share: 16 },
  column.remark,
] as const

/**
 * 销售订单: the confirmation for the customer; the picking copy for the warehouse shows lots and places, without prices.
 */
export const saleOrder = definePrint({
  route: '/newprint/saleOrder',
  title: '销售订单',
  kinds: { salesOrder: null },
  papers: sheet,
  header: [
    ['订单号', 'sn'],
    ['订单日期', 'business_date'],
    ['客户', 'counterparty_name'],
    ['客户订单号', 'source_sn'],
    ['收货地址', 'receiving_address'],
    ['收货人', 'receiver'],
    ['联系电话', 'receiver_phone'],
    ['业务员', 'handler_name'],
    ['发货仓库', 'shipping_stores'],
    ['交货日期', 'delivery_date'],
    ['结算方式', 'payment_terms'],
    ['备注', 'remark'],
  ],
  columns: [
    column.product_name,
    column.specification_name,
    column.manufacturer_name,
    column.registration_no,
    column.unit_name,
    ordered,
    shipped,
    open,
    column.price,
    column.tax_rate,
    column.amount,
    column.remark,
  ],
  copies: [
    { name: 'picking', label: '拣货联', paper: 'A4', sortBy: 'location', columns: picked },
    { name: 'picking140', label: '拣货联', paper: 'form140', sortBy: 'location', columns: picked },
  ],
  totals: [
    ['订购数量合计', 'ordered_total'],
    ['未出库合计', 'open_total'],
  ],
  signatures: ['制单人', '业务员', '审核人', '仓库', '客户确认'],
  carrier: 'code128',
})

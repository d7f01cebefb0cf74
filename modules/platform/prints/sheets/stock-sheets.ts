import { definePrint, type PrintCopy } from '#kernel/print/print-definition.ts'
import { column, form } from '#modules/platform/prints/sheets/print-columns.ts'

/** For a receipt, on paper torn at 140 mm: two columns where there would be three lines. */
const received = [
  { ...column.product_name, narrow: 38 },
  { ...column.specification_name, narrow: 26 },
  { ...column.manufacturer_name, narrow: 36 },
  { ...column.registration_no, under: 'manufacturer_name' },
  { ...column.lot_no, narrow: 24 },
  { ...column.production_date, narrow: 18 },
  { ...column.expiry_date, under: 'production_date' },
  { ...column.unit_name, narrow: 8 },
  { ...column.quantity, narrow: 12 },
] as const
const kept = [
  { ...column.storage, label: '储存条件', narrow: 18 },
  { ...column.location, under: 'storage_condition' },
  column.insurance_code,
  { ...column.remark, onRequest: true },
  { name: 'unit_codes', label: '院内码二维码', share: 12, narrow: 14, as: 'code', onRequest: true },
] as const

/** 科室联: the received goods, without amounts. */
const wardCopy: PrintCopy = {
  name: 'ward',
  label: '科室联',
  columns: [...received, kept[0], kept[1]],
  paper: 'form140',
  sortBy: 'line_no',
}

/** 入库单: the printed sheet of all receipts, signed by storekeeper and inspector. */
export const inboundOrder = definePrint({
  route: '/newprint/inboundOrder',
  title: '入库单',
  kinds: {
    purchaseGrn: '采购入库单',
    otherGrn: '其他入库单',
    openingStock: '期初入库单',
    saleReturn: '销售退货入库单',
    wardReceipt: '科室收货单',
    overflow: '报溢单',
    transferReceipt: '调入收货单',
    transferArrival: '机构调入单',
    boneBack: '骨科退回单',
    leaseNoticeIn: '入库通知单',
  },
  redTitle: '红冲入库单',
  papers: form,
  stacks: ['form140', 'A4', 'A5L'],
  fillsPages: true,
  sortBy: 'line_no',
  lastFirst: true,
  header: [
    ['入库单号', 'sn'],
    ['入库类型', 'grn_kind'],
    ['入库日期', 'business_date'],
    ['供应商/来源单位', 'counterparty_name'],
    ['入库仓库', 'warehouse_name'],
    ['采购订单号', 'order_sns', { wardReceipt: '申领单号' }],
    ['随货同行单号', 'note_no'],
    ['发票号', 'invoice_nos'],
    ['到货日期', 'arrived_on'],
    ['验收结论', 'inspection_result'],
    ['打印时间', 'printed_moment'],
    ['来源单号', 'source_sn'],
  ],
  columns: [
    ...received,
    { ...column.price, narrow: 16 },
    { ...column.tax_rate, narrow: 9 },
    { ...column.amount, narrow: 18 },
    ...kept,
  ],
  copies: [wardCopy],
  unpriced: ['wardReceipt'],
  signatures: ['制单人', '采购员', '验收员', '库管员', '复核人', '财务'],
  doubled: { after: '验收员', also: '第二验收员' },
  carrier: 'code128',
})

/** 拣货联: for pickers, in shelf order, with space to write the picked quantity. */
const pickingCopy: PrintCopy = {
  name: 'picking',
  label: '拣货联',
  paper: 'A4',
  sortBy: 'pick_key',
  columns: [
    column.location,
    column.product_name,
    column.specification_name,
    column.manufacturer_name,
    column.lot_no,
    column.expiry_date,
    { name: 'unit_codes', label: '院内码', share: 14, onRequest: true },
    column.unit_name,
    column.quantity,
    { name: 'picked', label: '实拣数量', share: 8, as: 'blank' },
    { name: 'short', label: '缺货', share: 7, as: 'blank' },
    column.remark,
  ],
}

const SEAL = '出库专用章'
const CODES_BELOW = 6
const indoorKinds = ['grantOdo', 'dispatch', 'transfer', 'loss', 'scrap', 'stockCorrection', 'departmentUse']
/** On documents other than sales, the receiver is not called the buyer. */
const receives = { purchaseReturn: '收货单位', otherOdo: '收货单位', transfer: '收货单位', giveOdo: '受赠单位' }

/**
 * 出库单(随货同行单): travels with the goods; required by law for dealers and manufacturers, as is much of its content.
 * Source: 医疗器械经营质量管理规范.
 */
export const outboundOrder = definePrint({
  route: '/newprint/outboundOrder',
  title: '出库单',
  kinds: {
    saleOdo: '销售出库单(随货同行)',
    logistics: '物流签收单',
    leaseNoticeOut: '出库通知单',
    advanceSale: '预销售出库单(随货同行)',
    advanceReturn: '预销售退回单',
    giveOdo: '赠送出库单(随货同行)',
    purchaseReturn: '采购退货出库单',
    otherOdo: '其他出库单',
    grantOdo: '发放出库单',
    dispatch: '配送单',
    transfer: '调拨单',
    loss: '报损单',
    scrap: '报废单',
    stockCorrection: '进销存变更单',
    departmentUse: '科室使用单',
    bonePresale: '骨科预销售出库单(随货同行)',
    boneSale: '骨科销售单',
  },
  // An unreviewed document is marked, because no goods are delivered by it.
  marks: { submitted: '草稿' },
  papers: [
    { paper: 'form140', lines: 8 },
    { paper: 'A4L', lines: 20 },
    { paper: 'A5L', lines: 8 },
    { paper: 'A4', lines: 25 },
  ],
  stacks: ['form140', 'A4L', 'A5L', 'A4'],
  header: [
    ['出库单号', 'sn'],
    ['出库日期', 'business_date'],
    ['发货日期', 'shipped_on'],
    ['购货单位', 'counterparty_name', receives],
    ['收货地址', 'delivery_address'],
    ['收货联系人', 'receiver'],
    ['联系电话', 'receiver_phone'],
    ['出库仓库', 'warehouse_name'],
    ['收货仓库/科室', 'receiver_name'],
    ['销售订单号', 'sale_order_sns'],
    ['医院订单号', 'hospital_order_sns'],
    ['来源单号', 'source_sn'],
    ['业务员', 'handler_name'],
    ['运输方式', 'transport'],
    ['承运单位', 'carrier'],
    ['发货单位经营许可证号/备案号', 'org_licence_no'],
    ['发货单位地址电话', 'org_reach'],
  ],
  coldChain: [
    ['启运时间', 'departed_at'],
    ['启运温度', 'departure_temperature'],
    ['冷藏箱编号', 'cold_box_no'],
    ['温度记录仪编号', 'temperature_logger_no'],
    ['到货温度', 'by_hand'],
  ],
  columns: [
    { ...column.product_name, share: 14, narrow: 32 },
    { ...column.specification_name, narrow: 22 },
    { ...column.maker, share: 13.3, narrow: 48 },
    { name: 'manufacturer_licence_no', label: '生产许可证号/备案号', share: 11, under: 'manufacturer_name' },
    { ...column.registration_no, label: '注册证号/备案号', share: 13.5, narrow: 28 },
    { ...column.lot_no, share: 13.6, narrow: 25 },
    { ...column.production_date, share: 11.2, narrow: 21 },
    { ...column.expiry_date, label: '使用期限/有效期至', share: 11.2, under: 'production_date' },
    { ...column.unit_name, narrow: 8 },
    { ...column.quantity, narrow: 11 },
    { ...column.price, label: '单价', narrow: 14 },
    { ...column.amount, narrow: 17 },
    { ...column.storage, share: 9, narrow: 17 },
    { name: 'udi_di', label: 'UDI-DI', share: 17, under: 'lot_no' },
    { ...column.remark, under: 'storage_condition' },
    column.insurance_code,
  ],
  closings: ['page', 'quantity', 'packages', 'amount'],
  amountCalled: '合计金额',
  codesBelow: CODES_BELOW,
  copies: [pickingCopy],
  parts: ['白联 存根', '红联 客户', '黄联 财务/回单'],
  signatures: ['制单人', '拣货人', '复核人', `发货人(${SEAL}位置)`, '承运人', '收货人签字及日期'],
  signedAs: { receiver: '收货人签字及日期' },
  carrier: 'qrcode',
  alsoCode128: true,
  seal: SEAL,
  pricesOptional: ['advanceSale', 'giveOdo', 'transfer'],
  indoors: { kinds: indoorKinds, leaves: ['manufacturer_licence_no', 'storage_condition'] },
  fixed: {
    columns: [
      'product_name',
      'specification_name',
      'manufacturer_name',
      'manufacturer_licence_no',
      'registration_no',
      'lot_no',
      'expiry_date',
      'quantity',
      'storage_condition',
    ],
    header: ['counterparty_name', 'delivery_address', 'shipped_on'],
    signatures: [`发货人(${SEAL}位置)`, '收货人签字及日期'],
    because: '随货同行单必填项不能移除',
  },
})

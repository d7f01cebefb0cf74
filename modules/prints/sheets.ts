import { admissionSheet, supplierApplicationSheet } from '#modules/prints/application-sheets.ts'
import { definePrint, type PrintCopy, type PrintSheet } from '#kernel/print.ts'
import { contractPrint } from '#modules/prints/contract-sheet.ts'
import { cabinetInfo } from '#modules/prints/cabinet-sheet.ts'
import { paymentApplicationSheet, settlementSummarySheet } from '#modules/prints/money-sheets.ts'
import { noticePrint, recallPrint } from '#modules/prints/notice-sheets.ts'
import { column, form, sheet } from '#modules/prints/print-columns.ts'
import { purchaseOrder, saleOrder } from '#modules/prints/order-sheets.ts'
import { firstSellProductSheet, firstTierOrgSheet, stopSaleSheet } from '#modules/prints/quality-sheets.ts'
import { grantReturn, stockTake, weighing } from '#modules/prints/store-sheets.ts'
import { inquiryManagement, priceAdjustmentSheet, purchasePlan } from '#modules/prints/trade-sheets.ts'

/** 入库单: the paper of everything that comes in, signed by store keeper and inspector. */
const inboundOrder = definePrint({
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
  },
  papers: form,
  header: [
    ['单号', 'sn'],
    ['日期', 'business_date'],
    ['供应商/来源单位', 'counterparty_name'],
    ['入库仓库', 'warehouse_name'],
    ['来源单号', 'source_sn'],
    ['随货同行单号', 'delivery_no'],
    ['到货日期', 'arrival_date'],
    ['验收结论', 'inspection_result'],
  ],
  columns: [
    column.product_name,
    column.specification_name,
    column.manufacturer_name,
    column.registration_no,
    column.lot_no,
    column.production_date,
    column.expiry_date,
    column.unit_name,
    column.quantity,
    column.price,
    column.tax_rate,
    column.amount,
    column.location,
  ],
  signatures: ['制单人', '采购员', '验收员', '库管员', '复核人', '财务'],
  carrier: 'code128',
})

/** 拣货联: for whoever walks past the shelves, in their order, with room to write what was found. */
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
    { name: 'unit_codes', label: '院内码', share: 14, optional: true },
    column.unit_name,
    column.quantity,
    { name: 'picked', label: '实拣数量', share: 8, as: 'blank' },
    { name: 'short', label: '缺货', share: 7, as: 'blank' },
    column.remark,
  ],
}

/** 出库单(随货同行单): what travels with the goods; for whoever trades it is required by law, and so are its columns. Source: 医疗器械经营质量管理规范. */
const outboundOrder = definePrint({
  route: '/newprint/outboundOrder',
  title: '出库单',
  kinds: {
    saleOdo: '销售出库单(随货同行)',
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
  },
  papers: [
    { paper: 'form140', lines: 8 },
    { paper: 'A4L', lines: 20 },
    { paper: 'A5L', lines: 8 },
  ],
  header: [
    ['单号', 'sn'],
    ['出库日期', 'business_date'],
    ['购货/收货单位', 'counterparty_name'],
    ['收货地址', 'counterparty_address'],
    ['出库仓库', 'warehouse_name'],
    ['收货仓库/科室', 'receiver_name'],
    ['来源单号', 'source_sn'],
    ['运输方式', 'transport'],
    ['发货单位许可证号', 'org_licence_no'],
    ['发货单位地址', 'org_address'],
    ['发货单位电话', 'org_phone'],
  ],
  columns: [
    { ...column.product_name, share: 14 },
    column.specification_name,
    { ...column.maker, share: 13.3 },
    { name: 'manufacturer_licence_no', label: '生产许可证号', share: 11 },
    { ...column.registration_no, share: 13.5 },
    { ...column.lot_no, share: 13.6 },
    { ...column.production_date, share: 11.2 },
    { ...column.expiry_date, share: 11.2 },
    column.unit_name,
    column.quantity,
    column.price,
    column.amount,
    { ...column.storage, share: 9 },
    { name: 'udi_di', label: 'UDI-DI', share: 17 },
    { ...column.remark, optional: true },
  ],
  copies: [pickingCopy],
  signatures: ['制单人', '拣货人', '复核人', '发货人(章)', '承运人', '收货人签字及日期'],
  carrier: 'qrcode',
  seal: '出库专用章',
  unpriced: ['giveOdo', 'transfer'],
  indoors: {
    kinds: ['grantOdo', 'dispatch', 'transfer', 'loss', 'scrap', 'stockCorrection', 'departmentUse'],
    leaves: ['manufacturer_licence_no', 'storage_condition'],
  },
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
    because: '随货同行单必填项不能移除',
  },
})

const settlementGrn = definePrint({
  route: '/newprint/settlementGrnPrint',
  title: '结算入库单',
  kinds: { settlementGrn: null },
  papers: sheet,
  header: [
    ['单号', 'sn'],
    ['入库日期', 'business_date'],
    ['供应商', 'counterparty_name'],
    ['结算期间起', 'begin_date'],
    ['结算期间止', 'end_date'],
    ['来源单号', 'source_sn'],
    ['备注', 'remark'],
  ],
  columns: [
    column.product_name,
    column.specification_name,
    column.manufacturer_name,
    column.lot_no,
    column.unit_name,
    column.quantity,
    { ...column.price, label: '结算单价' },
    column.tax_rate,
    column.amount,
    column.remark,
  ],
  signatures: ['制单人', '库管员', '审核人', '财务'],
  carrier: 'code128',
  merges: true,
})

/** Every printed sheet. */
export const sheets: readonly PrintSheet[] = [
  inboundOrder,
  outboundOrder,
  purchasePlan,
  inquiryManagement,
  priceAdjustmentSheet,
  admissionSheet,
  supplierApplicationSheet,
  firstTierOrgSheet,
  firstSellProductSheet,
  stopSaleSheet,
  purchaseOrder,
  saleOrder,
  contractPrint,
  grantReturn,
  stockTake,
  weighing,
  settlementGrn,
  settlementSummarySheet,
  paymentApplicationSheet,
  cabinetInfo,
  noticePrint,
  recallPrint,
]

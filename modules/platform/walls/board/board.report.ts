import { f } from '#kernel/definition/field.ts'
import { defineReport } from '#kernel/definition/report.ts'
import { expiryBands, inventoryDetail } from '#modules/platform/reports/stock/inventory-detail.report.ts'
import { wallDays } from '#modules/platform/walls/wall-days.ts'

/** The filters on goods are those of the stock report. */
const { warehouse_model_inner_sn, specification_sn, product, manufacturer, custom_type_sn, value_class } =
  inventoryDetail.parameters
/** The national catalogue by name: the platform has no classes of its own. */
const catalogue = f.text('分类目录')
const ofGoods = { specification_sn, product, manufacturer } as const

/**
 * 库存健康: a row a specification, what was in stock at both ends of the period and what left for good in between. Its
 * turnover is the mean of both ends times the days, divided by what left; how long it lasts, what is left divided by
 * what left a day.
 */
export const stockHealth = defineReport({
  kind: 'boardStockHealth',
  title: '库存健康',
  sqlFile: 'platform/walls/board/stock-health.sql',
  parameters: {
    ...wallDays,
    warehouse_model_inner_sn,
    department_inner_sn: f.ref('科室', 'department'),
    ...ofGoods,
    custom_type_sn,
    class_key: f.text('产品分类'),
    catalogue,
    value_class,
  },
  columns: {
    class_name: f.text('产品分类'),
    class_sn: f.text('分类编号'),
    catalogue_name: f.text('分类目录'),
    class_key: f.text('分类编码'),
    product_code: f.text('产品编码'),
    product_name: f.text('产品名称'),
    specification_name: f.text('规格型号'),
    goods_name: f.text('产品规格'),
    specification_sn: f.text('规格编号'),
    opening_quantity: f.quantity('期初库存'),
    closing_quantity: f.quantity('期末库存'),
    out_quantity: f.quantity('期间出库'),
    stock_days: f.quantity('平均库存×天数'),
    closing_days: f.quantity('期末库存×天数'),
    amount: f.cost('库存金额'),
    expiry_band: f.pick('最早效期', expiryBands),
  },
  screens: [],
})

const ofNetwork = {
  ...wallDays,
  party_sn: f.ref('机构', 'organisation'),
} as const

/** 供应链流转: what organisations received of each other, in base units. The platform reads it without prices. */
export const networkFlow = defineReport({
  kind: 'boardNetworkFlow',
  title: '供应链流转',
  sqlFile: 'platform/walls/board/network-flow.sql',
  wholeOnly: 'the platform counts pieces between organisations, and none of their stores or departments',
  parameters: { ...ofNetwork, ...ofGoods, class_key: f.text('产品分类'), catalogue, value_class },
  columns: {
    day: f.day('日期'),
    giver_name: f.text('发出机构'),
    giver_sn: f.text('发出机构编号'),
    giver_division: f.text('发出地区'),
    taker_name: f.text('收货机构'),
    taker_sn: f.text('收货机构编号'),
    taker_division: f.text('收货地区'),
    class_name: f.text('产品分类'),
    class_key: f.text('分类编码'),
    product_code: f.text('产品编码'),
    product_name: f.text('产品名称'),
    specification_name: f.text('规格型号'),
    specification_sn: f.text('规格编号'),
    document_key: f.text('单据'),
    quantity: f.quantity('流转件数', { hint: '期间内由一个机构收到另一机构发出的件数，按追溯账' }),
  },
  screens: [],
})

/** 平台指标: what the platform counts of the whole network. */
export const networkFigures = defineReport({
  kind: 'boardNetworkFigures',
  title: '平台指标',
  sqlFile: 'platform/walls/board/network-figures.sql',
  wholeOnly: 'the platform counts organisations, products and documents, and reads none of them',
  parameters: ofNetwork,
  columns: {
    organisations: f.count('机构数', { hint: '期末日已审核通过并启用的医院、经销商与厂商' }),
    active_organisations: f.count('活跃机构'),
    documents: f.count('单据数'),
    products: f.count('产品数', { hint: '期末日已发布的产品' }),
    coded_lines: f.count('有码行'),
    scanned_lines: f.count('扫码行'),
    registrations_waiting: f.count('注册待审', { hint: '等待平台审核的机构注册' }),
    products_waiting: f.count('产品待审', { hint: '等待平台审核的产品' }),
  },
  screens: [],
})

/** 跟台: what went out for operations, and what of it was used and came back, by the day it left. */
export const loans = defineReport({
  kind: 'boardLoans',
  title: '跟台手术',
  sqlFile: 'platform/walls/board/loans.sql',
  parameters: { ...wallDays, warehouse_model_inner_sn, counterparty_sn: f.ref('往来单位', 'organisation') },
  columns: {
    day: f.day('送出日期'),
    counterparty_name: f.text('往来单位'),
    counterparty_sn: f.text('往来单位编号'),
    operation_key: f.text('手术'),
    out_quantity: f.quantity('送出件数'),
    used_quantity: f.quantity('使用件数'),
    back_quantity: f.quantity('退回件数'),
  },
  screens: [],
})

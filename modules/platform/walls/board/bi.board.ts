import { f } from '#kernel/definition/field.ts'
import {
  type BoardCard,
  type BoardFigure,
  type BoardLevel,
  type BoardMeasure,
  type BoardReading,
  defineBoard,
} from '#kernel/wall/board-definition.ts'
import type { OrgType } from '#kernel/values/organisation-type.ts'
import {
  consignedOutside,
  expiryBands,
  inventoryDetail,
} from '#modules/platform/reports/stock/inventory-detail.report.ts'
import { usageDetails } from '#modules/platform/reports/use/usage-details.report.ts'
import { warningSummary } from '#modules/goods/warnings/warning-figures.report.ts'
import {
  arrived,
  bought,
  byBand,
  byCatalogue,
  byClass,
  byDepartment,
  byGiver,
  byHospital,
  byReceiver,
  bySpecification,
  bySupplier,
  byTaker,
  earned,
  flowed,
  goodsLevels,
  moved,
  networkLevels,
  ofDealer,
  ofSupplier,
  payable,
  receivable,
  returned,
  settled,
  shareOfIncome,
  shipped,
  sold,
  stocked,
  turned,
  used,
} from '#modules/platform/walls/board/board-readings.ts'
import { loans, networkFigures, networkFlow, stockHealth } from '#modules/platform/walls/board/board.report.ts'
import { WALLS } from '#modules/platform/walls/wall-screen.ts'
import {
  invoicesOfPeriod,
  invoicesWritten,
  moneyReceived,
  paymentsOfPeriod,
} from '#modules/platform/walls/money/money.report.ts'

const lack = 'PRODUCTINVENTORY'
const warnings = { of: warningSummary, sums: ['open', 'danger'] } as const
const network = { of: networkFigures } as const
const counted = (name: string) => ({ reading: { ...network, sums: [name] }, column: name, as: 'count' }) as const

/** 核心指标: eight numbers of each kind of organisation. */
const figures: readonly BoardFigure[] = [
  { name: 'bought', label: '采购额', orgs: 'H', reading: bought, column: 'amount', as: 'amount' },
  { name: 'used', label: '使用额', orgs: 'H', reading: used, column: 'amount', as: 'amount' },
  { name: 'settled', label: '结算额', orgs: 'H', reading: settled, column: 'amount', as: 'amount' },
  { name: 'stock', label: '库存额', orgs: 'H', reading: stocked, column: 'amount', as: 'amount' },
  {
    name: 'turnover',
    label: '周转天数',
    orgs: 'H',
    reading: turned,
    column: 'turnover',
    as: 'days',
    hint: '期初与期末库存的平均数除以日均出库，按件数',
    list: { kind: 'psiDetail', with: { begin_date: '=begin_date', end_date: '=end_date' } },
  },
  {
    name: 'share',
    label: '耗占比',
    orgs: 'H',
    reading: shareOfIncome,
    column: 'income_share',
    as: 'rate',
    note: '未接入HIS收入数据',
    hint: '使用额除以HIS上报的医疗收入（不含药品）；按月上报的收入计入当月首日',
  },
  { name: 'warnings', label: '预警数', orgs: 'H', reading: warnings, column: 'open', as: 'count', isNow: true },
  { name: 'payable', label: '应付', orgs: 'H', reading: payable, column: 'closing_amount', as: 'amount' },

  { name: 'sold', label: '销售额', orgs: 'DV', reading: sold, column: 'amount', as: 'amount' },
  { name: 'profit', label: '毛利', orgs: 'DV', reading: earned, column: 'profit', as: 'amount' },
  { name: 'shipped', label: '出库额', orgs: 'DV', reading: shipped, column: 'amount', as: 'amount' },
  {
    name: 'consigned',
    label: '寄售库存额',
    orgs: 'DV',
    reading: { of: consignedOutside, sums: ['value', 'quantity'], takes: { counterparty_sn: 'keeper_sn' } },
    column: 'value',
    as: 'amount',
    hint: '存放在客户处的本单位货物，按成本',
  },
  { name: 'receivable', label: '应收', orgs: 'DV', reading: receivable, column: 'closing_amount', as: 'amount' },
  {
    name: 'collected',
    label: '回款率',
    orgs: 'DV',
    reading: receivable,
    column: 'collection_rate',
    as: 'rate',
    hint: '本期收款除以本期新增应收',
  },
  {
    name: 'returned',
    label: '退货率',
    orgs: 'DV',
    reading: returned,
    column: 'return_rate',
    as: 'rate',
    hint: '退货件数除以销售出库件数',
  },
  {
    name: 'lacking',
    label: '缺货数',
    orgs: 'DV',
    reading: { ...warnings, where: { category: lack } },
    column: 'danger',
    as: 'count',
    isNow: true,
    hint: '库存预警中库存为零的规格',
    list: { kind: 'warning', with: { category: lack, level: 'none', state: 'open' } },
  },

  { name: 'organisations', label: '机构数', orgs: 'P', ...counted('organisations'), list: { kind: 'organisation' } },
  {
    name: 'active',
    label: '活跃机构',
    orgs: 'P',
    ...counted('active_organisations'),
    hint: '期间内有货物流转的机构',
  },
  { name: 'documents', label: '单据数', orgs: 'P', ...counted('documents'), hint: '期间内使货物流转的单据' },
  { name: 'moved', label: '流转件数', orgs: 'P', reading: moved, column: 'quantity', as: 'quantity' },
  { name: 'products', label: '产品数', orgs: 'P', ...counted('products'), list: { kind: 'product' } },
  {
    name: 'scanned',
    label: '扫码率',
    orgs: 'P',
    reading: {
      ...network,
      sums: ['scanned_lines', 'coded_lines'],
      rates: { scan_rate: ['scanned_lines', 'coded_lines'] },
    },
    column: 'scan_rate',
    as: 'rate',
    hint: '一物一码产品的单据行中扫码录入的行数占比',
  },
  {
    name: 'registrations',
    label: '注册待审',
    orgs: 'P',
    ...counted('registrations_waiting'),
    isNow: true,
    list: { kind: 'registration', with: { state: 'pending' } },
  },
  {
    name: 'pending',
    label: '产品待审',
    orgs: 'P',
    ...counted('products_waiting'),
    isNow: true,
    list: { kind: 'product', with: { status: 'pending' } },
  },
]

const pieces = { column: 'quantity' } as const
const money = { column: 'amount' } as const
/** The measures that a reader may choose for trend, structure and ranking; the first one that he may see is preset. */
const measures: readonly BoardMeasure[] = [
  {
    name: 'used',
    label: '使用额',
    orgs: 'H',
    reading: used,
    ...money,
    day: 'used_on',
    levels: goodsLevels,
    ranks: byDepartment,
  },
  {
    name: 'bought',
    label: '采购额',
    orgs: 'H',
    reading: bought,
    ...money,
    day: 'bought_on',
    levels: goodsLevels,
    ranks: bySupplier,
  },
  {
    name: 'settled',
    label: '结算额',
    orgs: 'H',
    reading: settled,
    ...money,
    day: 'settled_on',
    levels: goodsLevels,
    ranks: byDepartment,
  },
  {
    name: 'usedPieces',
    label: '使用件数',
    orgs: 'H',
    reading: { ...used, sums: ['quantity'] },
    ...pieces,
    day: 'used_on',
    levels: goodsLevels,
    ranks: byDepartment,
  },
  {
    name: 'boughtPieces',
    label: '采购件数',
    orgs: 'H',
    reading: { ...bought, sums: ['quantity'] },
    ...pieces,
    day: 'bought_on',
    levels: goodsLevels,
    ranks: bySupplier,
  },
  {
    name: 'sold',
    label: '销售额',
    orgs: 'DV',
    reading: sold,
    ...money,
    day: 'day',
    levels: goodsLevels,
    ranks: byReceiver,
  },
  {
    name: 'profit',
    label: '毛利',
    orgs: 'DV',
    reading: earned,
    column: 'profit',
    day: 'day',
    levels: goodsLevels,
    ranks: byReceiver,
  },
  {
    name: 'consumed',
    label: '医院使用额',
    orgs: 'DV',
    reading: used,
    ...money,
    day: 'used_on',
    levels: goodsLevels,
    ranks: byHospital,
  },
  {
    name: 'soldPieces',
    label: '销售件数',
    orgs: 'DV',
    reading: { ...sold, sums: ['quantity'] },
    ...pieces,
    day: 'day',
    levels: goodsLevels,
    ranks: byReceiver,
  },
  {
    name: 'moved',
    label: '流转件数',
    orgs: 'P',
    reading: moved,
    ...pieces,
    day: 'day',
    levels: networkLevels,
    ranks: byTaker,
  },
  {
    name: 'documents',
    label: '收货单据数',
    orgs: 'P',
    reading: { of: networkFlow, counts: { documents: 'document_key' } },
    column: 'documents',
    day: 'day',
    levels: networkLevels,
    ranks: byTaker,
  },
]

const turnoverHint = '周转天数=期初与期末库存的平均数÷日均出库，按件数'
const inAccount = (direction: 'payable' | 'receivable') =>
  ({
    kind: 'receivablePayableSummary',
    with: { direction, begin_date: '=begin_date', end_date: '=end_date' },
  }) as const
const loanSums = {
  of: loans,
  sums: ['out_quantity', 'used_quantity', 'back_quantity'],
  counts: { operations: 'operation_key' },
  rates: { use_rate: ['used_quantity', 'out_quantity'] },
} as const
const inBands = { by: ['expiry_band'], sums: ['quantity', 'amount'] } as const
const healthy = {
  of: stockHealth,
  by: ['goods_name', 'specification_sn', 'expiry_band'],
  sums: ['amount', 'closing_quantity', 'closing_days', 'out_quantity'],
  rates: { supply_days: ['closing_days', 'out_quantity'] },
  take: 300,
} as const

/** 货物流向: from whom to whom, as bands. */
function flowCard(orgs: OrgType, reading: BoardReading, stations: readonly BoardLevel[], hint: string): BoardCard {
  const by = stations.flatMap(({ name, key }) => [name, key])
  return {
    name: 'flow',
    title: '货物流向',
    orgs,
    width: 12,
    reads: { all: { ...reading, by, take: 60 } },
    draws: { form: 'sankey', of: 'all', stations, value: 'quantity' },
    hint,
  }
}

/** Cards below the figures. Those of the platform are sums over all organisations, without money. */
const cards: readonly BoardCard[] = [
  { name: 'figures', title: '核心指标', orgs: 'PHDV', width: 12, reads: {}, draws: { form: 'figures' } },
  { name: 'trend', title: '趋势', orgs: 'PHDV', width: 6, reads: {}, draws: { form: 'trend' } },
  { name: 'structure', title: '结构', orgs: 'PHDV', width: 6, reads: {}, draws: { form: 'tree' } },
  { name: 'ranking', title: '排行', orgs: 'PHDV', width: 4, reads: {}, draws: { form: 'ranking' } },
  {
    name: 'map',
    title: '供应链地图',
    orgs: 'H',
    width: 4,
    reads: { in: { ...arrived, sums: ['quantity'], by: ['counterparty_name', 'counterparty_sn', 'partner_division'] } },
    draws: {
      form: 'map',
      value: 'quantity',
      flows: [{ of: 'in', from: 'partner_division', to: null, other: bySupplier }],
    },
    hint: '供应商到本单位的采购入库件数',
  },
  {
    name: 'map',
    title: '供应链地图',
    orgs: 'DV',
    width: 4,
    reads: {
      in: { ...arrived, sums: ['quantity'], by: ['counterparty_name', 'counterparty_sn', 'partner_division'] },
      out: { ...shipped, sums: ['quantity'], by: ['receiver_name', 'counterparty_sn', 'partner_division'] },
    },
    draws: {
      form: 'map',
      value: 'quantity',
      flows: [
        { of: 'in', from: 'partner_division', to: null, other: bySupplier },
        { of: 'out', from: null, to: 'partner_division', other: byReceiver },
      ],
    },
    hint: '采购入库与销售出库的件数',
  },
  {
    name: 'map',
    title: '供应链地图',
    orgs: 'P',
    width: 4,
    reads: {
      all: {
        ...moved,
        by: ['giver_name', 'giver_sn', 'giver_division', 'taker_name', 'taker_sn', 'taker_division'],
        take: 200,
      },
    },
    draws: {
      form: 'map',
      value: 'quantity',
      flows: [
        {
          of: 'all',
          from: 'giver_division',
          to: 'taker_division',
          other: byTaker,
          pair: ['giver_name', 'taker_name'],
        },
      ],
    },
    hint: '机构之间的收货件数',
  },
  {
    name: 'health',
    title: '库存健康',
    orgs: 'PHDV',
    width: 4,
    reads: { all: { ...healthy, each: 'HDV' } },
    draws: {
      form: 'scatter',
      of: 'all',
      level: bySpecification,
      across: 'supply_days',
      up: ['amount', 'closing_quantity'],
      expiry: 'expiry_band',
    },
    hint: '每个规格的可用天数与库存金额，颜色为最早到期批次的效期；期间没有出库的在最右',
  },
  {
    name: 'expiry',
    title: '效期漏斗',
    orgs: 'PHDV',
    width: 3,
    reads: { all: { ...stocked, ...inBands, each: 'HDV' } },
    draws: {
      form: 'funnel',
      of: 'all',
      values: ['quantity', 'amount'],
      level: byBand,
      bands: [
        { label: '180天内', tone: 'calm', of: ['half', 'quarter', 'month', 'expired'] },
        { label: '90天内', tone: 'info', of: ['quarter', 'month', 'expired'] },
        { label: '30天内', tone: 'warning', of: ['month', 'expired'] },
        { label: expiryBands.expired, tone: 'danger', of: ['expired'] },
      ],
    },
    hint: '截止日期的库存，按距有效期的天数',
  },
  {
    name: 'turnover',
    title: '周转',
    orgs: 'HDV',
    width: 3,
    reads: { all: { ...turned, by: ['class_name', 'class_sn'], take: 20 } },
    draws: { form: 'bars', of: 'all', level: byClass, value: 'turnover', as: 'days' },
    hint: turnoverHint,
  },
  {
    name: 'turnover',
    title: '周转',
    orgs: 'P',
    width: 3,
    reads: { all: { ...turned, by: ['catalogue_name', 'class_key'], take: 20, each: 'HDV' } },
    draws: { form: 'bars', of: 'all', level: byCatalogue, value: 'turnover', as: 'days' },
    hint: turnoverHint,
  },
  {
    name: 'money',
    title: '结算与付款',
    orgs: 'H',
    width: 3,
    reads: {
      used: { ...used, sums: ['amount'] },
      settled: { ...settled, sums: ['amount'] },
      invoiced: { of: invoicesOfPeriod, sums: ['amount'], takes: { supplier_sn: 'counterparty_sn' } },
      paid: { of: paymentsOfPeriod, sums: ['amount'], takes: { supplier_sn: 'counterparty_sn' } },
    },
    draws: {
      form: 'waterfall',
      parts: [
        { label: '使用', of: 'used', column: 'amount' },
        { label: '结算', of: 'settled', column: 'amount' },
        { label: '开票', of: 'invoiced', column: 'amount', list: inAccount('payable') },
        { label: '付款', of: 'paid', column: 'amount', list: inAccount('payable') },
      ],
    },
    hint: '期间内使用、结算、开票、付款的金额及相邻环节的差额',
  },
  {
    name: 'money',
    title: '结算与回款',
    orgs: 'DV',
    width: 3,
    reads: {
      used: { ...used, sums: ['amount'] },
      settled: { ...settled, sums: ['amount'] },
      invoiced: { of: invoicesWritten, sums: ['amount'] },
      paid: { of: moneyReceived, sums: ['amount'] },
    },
    draws: {
      form: 'waterfall',
      parts: [
        { label: '使用', of: 'used', column: 'amount' },
        { label: '结算', of: 'settled', column: 'amount' },
        { label: '开票', of: 'invoiced', column: 'amount', list: inAccount('receivable') },
        { label: '回款', of: 'paid', column: 'amount', list: inAccount('receivable') },
      ],
    },
    hint: '期间内医院使用、结算、开票、回款的金额及相邻环节的差额',
  },
  {
    name: 'money',
    title: '使用与结算',
    orgs: 'P',
    width: 3,
    reads: {
      arrived: { ...arrived, sums: ['quantity'], each: 'H' },
      used: { ...used, sums: ['quantity'], each: 'H' },
      settled: { ...settled, sums: ['quantity'], each: 'H' },
    },
    draws: {
      form: 'waterfall',
      parts: [
        { label: '采购入库', of: 'arrived', column: 'quantity' },
        { label: '使用', of: 'used', column: 'quantity' },
        { label: '结算', of: 'settled', column: 'quantity' },
      ],
    },
    hint: '各医院采购入库、使用与结算的件数，不含金额',
  },
  {
    name: 'loans',
    title: '跟台手术',
    orgs: 'PHDV',
    width: 3,
    reads: {
      all: { ...loanSums, step: ['day', 'month'], each: 'DV', takes: { supplier_sn: 'counterparty_sn' } },
    },
    draws: {
      form: 'combo',
      bars: [
        { label: '手术台次', of: 'all', column: 'operations' },
        { label: '送出件数', of: 'all', column: 'out_quantity' },
        { label: '使用件数', of: 'all', column: 'used_quantity' },
        { label: '退回件数', of: 'all', column: 'back_quantity' },
      ],
      line: { label: '使用率', of: 'all', column: 'use_rate' },
    },
    hint: '使用率=使用件数÷送出件数，按送出的月份',
  },
  flowCard(
    'H',
    { ...used, sums: ['quantity'] },
    [ofSupplier, byDepartment],
    '使用的货物由哪个供应商供应、用在哪个科室，按件数',
  ),
  flowCard(
    'D',
    { ...sold, sums: ['quantity'] },
    [ofSupplier, byReceiver],
    '销售的货物由哪个供应商供应、卖给哪个客户，按件数',
  ),
  flowCard('V', flowed, [ofDealer, byHospital], '本厂产品经哪个经销商到达哪家医院，按件数'),
  flowCard('P', moved, [byGiver, byTaker], '机构之间的收货件数'),
]

/** BI大屏: the board of managers. It answers what walls show, under their own filters, down to the lists. */
export const biBoard = defineBoard({
  kind: 'biScreen',
  screen: {
    route: '/bi1',
    title: 'BI大屏',
    orgs: 'PHDV',
    menu: WALLS,
    purpose: '自选期间、对比期与范围的经营分析：点图形筛选其他卡片，双击下钻，直到背后的明细',
    columns: [],
    filters: [],
    page: 'biScreen',
  },
  whose: 'party_sn',
  filters: {
    party_sn: { field: f.ref('机构', 'organisation', { orgs: 'P' }), onBar: true },
    warehouse_model_inner_sn: { field: f.ref('仓库', 'warehouse', { orgs: 'HDV' }), onBar: true },
    department_inner_sn: { field: f.ref('科室', 'department', { orgs: 'H' }), onBar: true },
    counterparty_sn: {
      field: f.ref('客户', 'organisation', { orgs: 'DV', optionsFilter: { relation: 'customer' } }),
      onBar: true,
    },
    custom_type_sn: {
      field: { ...inventoryDetail.parameters.custom_type_sn, orgs: 'HDV' },
      onBar: true,
    },
    catalogue: { field: f.text('产品分类', { orgs: 'P', max: 60 }), onBar: true },
    class_key: { field: f.text('产品分类', { orgs: 'P', max: 4 }), onBar: false },
    manufacturer: { field: f.text('品牌/厂家', { max: 60 }), onBar: true },
    value_class: { field: usageDetails.parameters.value_class, onBar: true },
    supplier_sn: { field: f.ref('供应商', 'organisation', { orgs: 'HDV' }), onBar: false },
    product: { field: f.text('产品', { max: 60 }), onBar: false },
    specification_sn: { field: f.ref('规格', 'specification'), onBar: false },
    expiry_band: { field: inventoryDetail.parameters.expiry_band, onBar: false },
  },
  figures,
  measures,
  cards,
})

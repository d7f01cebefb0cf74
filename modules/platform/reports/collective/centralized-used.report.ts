import { f } from '#kernel/definition/field.ts'
import { defineReport } from '#kernel/definition/report.ts'
import { goods, notAhead, unit } from '#modules/platform/reports/item-columns.ts'

/** Filters of both tabs: whose agreements, and until when. */
const asked = {
  end_date: f.day('统计截止日期', { required: true }),
  batch: f.text('集采批次'),
  agreed_on: f.day('协议日期'),
  specification_sn: f.ref('规格型号', 'specification'),
  product: f.text('产品名称/编码'),
  manufacturer: f.text('品牌/厂家'),
  supplier_sn: f.ref('供应商', 'organisation', { optionsFilter: { relation: 'supplier' } }),
  department_inner_sn: f.ref('使用科室', 'department'),
} as const
const page = {
  route: '/hospital/centralizedUsedReport',
  title: '集采耗材使用报表',
  orgs: 'H',
  menu: '报表中心',
} as const
const completions = { normal: '正常', late: '滞后', very_late: '严重滞后', done: '已完成' } as const

/** 集采耗材使用报表: what was agreed in volume-based procurement, bought and used, against the time that passed. */
export const centralizedUsed = defineReport({
  kind: 'centralizedUsed',
  title: '集采耗材使用报表',
  sqlFile: 'platform/reports/collective/centralized-used.sql',
  wholeOnly: 'what was agreed is used up by all stores and departments together',
  parameters: { ...asked, completion: f.pick('完成状态', completions) },
  validate: notAhead,
  columns: {
    collective_batch: f.text('集采批次', { width: 130 }),
    agreement: f.text('协议期', { width: 190 }),
    ...goods,
    registration_no: f.text('注册证号', { width: 150 }),
    ...unit,
    collective_price: f.price('中选价'),
    agreed_quantity: f.quantity('约定采购量'),
    bought_quantity: f.quantity('采购数量'),
    purchase_rate: f.rate('采购完成率'),
    used_quantity: f.quantity('使用数量'),
    use_rate: f.rate('使用完成率'),
    time_rate: f.rate('时间进度'),
    gap: f.rate('进度差'),
    completion: f.pick('完成状态', completions, {
      tones: { normal: 'success', done: 'success', late: 'warning', very_late: 'danger' },
    }),
    other_quantity: f.quantity('非中选同类使用量'),
    won_share: f.rate('中选占比'),
    expected_on: f.day('预计完成日期'),
    alert: f.pick('价格核对', { above: '采购价高于中选价' }, { tones: { above: 'danger' }, width: 160 }),
    grn_sn: f.text('入库单号', { width: 150 }),
    grn_price: f.price('采购价'),
  },
  groupBy: ['collective_batch', 'product_name', 'registration_no', 'manufacturer_name'],
  ratios: {
    purchase_rate: ['bought_quantity', 'agreed_quantity'],
    use_rate: ['used_quantity', 'agreed_quantity'],
  },
  totals: ['agreed_quantity', 'bought_quantity', 'used_quantity', 'other_quantity'],
  drillDown: {
    grn_sn: { document: 'purchaseGrn' },
    used_quantity: {
      to: 'wardUsedLines',
      with: { specification_sn: 'specification_sn', begin_date: 'first_day', end_date: 'last_day' },
    },
  },
  screens: [
    {
      ...page,
      tab: '完成进度',
      leads: true,
      purpose: '集中带量采购的约定量、采购与使用完成率，对照时间进度；采购价高于中选价的入库列在产品之下',
      columns: [
        'collective_batch',
        'agreement',
        'product_name',
        'specification_name',
        'manufacturer_name',
        'unit_name',
        'collective_price',
        'agreed_quantity',
        'bought_quantity',
        'purchase_rate',
        'used_quantity',
        'use_rate',
        'time_rate',
        'gap',
        'completion',
        'other_quantity',
        'won_share',
        'expected_on',
        'alert',
        'grn_sn',
        'grn_price',
      ],
      keyColumns: [
        'product_name',
        'specification_name',
        'agreed_quantity',
        'purchase_rate',
        'time_rate',
        'gap',
        'completion',
        'alert',
      ],
      filters: [],
    },
  ],
})

/** 月度趋势: the same goods month by month, and what each department used. */
export const centralizedTrend = defineReport({
  kind: 'centralizedTrend',
  title: '集采耗材月度趋势',
  sqlFile: 'platform/reports/collective/centralized-trend.sql',
  parameters: asked,
  validate: notAhead,
  columns: {
    month: f.text('月份', { width: 90 }),
    collective_batch: f.text('集采批次', { width: 130 }),
    ...goods,
    department_name: f.text('使用科室'),
    ...unit,
    bought_quantity: f.quantity('采购数量'),
    used_quantity: f.quantity('使用数量'),
    other_quantity: f.quantity('非中选同类使用量'),
    won_share: f.rate('中选占比'),
  },
  groupBy: ['month', 'collective_batch', 'product_name', 'manufacturer_name', 'department_name'],
  totals: ['bought_quantity', 'used_quantity', 'other_quantity'],
  screens: [
    {
      ...page,
      tab: '月度趋势',
      purpose: '协议期内各月的采购与各科室的使用',
      columns: [
        'month',
        'collective_batch',
        'product_name',
        'specification_name',
        'manufacturer_name',
        'department_name',
        'unit_name',
        'bought_quantity',
        'used_quantity',
        'other_quantity',
        'won_share',
      ],
      filters: [],
    },
  ],
})

import { f } from '#kernel/definition/field.ts'
import { defineReport } from '#kernel/definition/report.ts'
import { wallDays } from '#modules/platform/walls/wall-days.ts'

const ofCatalogue = 'the catalogue is the whole hospital’s'
const licensed = 'licences belong to the organisation, not to a warehouse or department'

/** 产品目录: a row a size of the hospital's own catalogue, enabled or stopped. */
export const catalogueSizes = defineReport({
  kind: 'wallCatalogue',
  title: '产品目录',
  beside: {
    specification_sn: f.text('规格'),
    product_sn: f.text('产品'),
  },
  sqlFile: 'platform/walls/goods/catalogue.sql',
  unscoped: ofCatalogue,
  parameters: {},
  columns: {
    device_class: f.pick('管理类别', { I: 'Ⅰ类', II: 'Ⅱ类', III: 'Ⅲ类' }),
    class_name: f.text('分类目录'),
    sizes: f.count('规格', { hint: '医院目录中启用的规格' }),
    admitted: f.count('本月新准入', { hint: '本月准入、在用的规格' }),
    stopped: f.count('停用规格', { hint: '医院目录中已停用的规格' }),
  },
  screens: [],
})

/** 产品属性: sizes of the catalogue with their stock, a row for each attribute that a size has. */
export const attributes = defineReport({
  kind: 'wallAttributes',
  title: '产品属性',
  sqlFile: 'platform/walls/goods/attributes.sql',
  parameters: {},
  columns: {
    attribute: f.pick('属性', {
      high: '高值',
      implant: '植入',
      interventional: '介入',
      reagent: '试剂',
      cold: '冷链',
      collective: '集采',
    }),
    sizes: f.count('规格'),
    quantity: f.quantity('库存件数'),
  },
  screens: [],
})

/** 国产/进口: what was used by the country of the goods, in yuan at the purchase price. */
export const origins = defineReport({
  kind: 'wallOrigins',
  title: '国产/进口',
  sqlFile: 'platform/walls/goods/origins.sql',
  parameters: { ...wallDays },
  columns: {
    origin: f.pick('产地', { domestic: '国产', imported: '进口' }),
    amount: f.amount('使用金额'),
    quantity: f.quantity('使用数量'),
  },
  screens: [],
})

export const lotSides = {
  received: '入库',
  store: '中心库',
  ward: '科室',
  cabinet: '智能柜',
  transit: '在途',
  used: '已使用',
  returned: '退货',
  lost: '损耗',
  other: '其他',
  difference: '数据不平',
} as const

/** 批次去向: what became of a lot and where it is now, in base units; a difference is a row of its own. */
export const lotFlow = defineReport({
  kind: 'wallLotFlow',
  title: '批次去向',
  sqlFile: 'platform/walls/goods/lot-flow.sql',
  parameters: { lot_no: f.lot('批号') },
  columns: { side: f.pick('去向', lotSides), quantity: f.quantity('件数') },
  screens: [],
})

/**
 * 批次机构分布: the organisations of a lot with their share of its pieces, in base units. The platform reads all of them,
 * an organisation itself and those with which it exchanged pieces of the lot.
 */
export const lotOrganisations = defineReport({
  kind: 'wallLotOrganisations',
  title: '批次机构分布',
  sqlFile: 'platform/walls/goods/lot-organisations.sql',
  wholeOnly: 'an organisation has pieces of a lot in all its stores',
  parameters: { lot_no: f.lot('批号') },
  columns: {
    node: f.text('机构'),
    part: f.pick('关系', { stays: '留在本机构', from: '来自', to: '发往' }),
    organisation_name: f.text('机构名称'),
    quantity: f.quantity('件数', { hint: '到达并留在该机构的件数，含已使用' }),
    whole: f.quantity('合计件数'),
    share: f.rate('占比'),
  },
  screens: [],
})

/** 召回批次: lots that were recalled and whose recall is still open here. */
export const recalledLots = defineReport({
  kind: 'wallRecalledLots',
  title: '召回批次',
  sqlFile: 'platform/walls/goods/recalled-lots.sql',
  wholeOnly: 'a recall holds the lot wherever it is in the hospital',
  parameters: {},
  columns: {
    product_name: f.text('产品'),
    lot_no: f.lot('批号'),
    recall_level: f.text('级别'),
    on_hand: f.quantity('在库'),
    used: f.quantity('已使用'),
    returned: f.quantity('已退回'),
  },
  screens: [],
})

/** The page of the hospital's own evidence of what it keeps, beside the archive of its makers. */
const evidence = {
  route: '/commonView/licRecord/vendorLic',
  title: '厂商证照档案',
  orgs: 'H',
  menu: '证照管理',
} as const

/** 合格证明: lots in stock, and those of them that have a certificate of quality. */
export const certifiedLots = defineReport({
  kind: 'wallCertifiedLots',
  title: '合格证明覆盖率',
  sqlFile: 'platform/walls/goods/certified-lots.sql',
  parameters: { certificate: f.pick('合格证明', { some: '有合格证', none: '缺合格证' }) },
  columns: {
    product_name: f.text('产品'),
    specification_name: f.text('规格型号'),
    manufacturer_name: f.text('生产厂家'),
    lot_no: f.lot('批号'),
    quantity: f.quantity('库存数量'),
    lots: f.count('在库批次', { hint: '在库的规格与批号，不含在途' }),
    certified: f.count('有合格证', { hint: '在库批次中已上传有效合格证明的' }),
  },
  totals: ['lots', 'certified'],
  screens: [
    {
      ...evidence,
      tab: '在库批次合格证明',
      purpose: '在库的每个规格与批号是否已有有效的合格证明，缺少的排在前面',
      columns: ['product_name', 'specification_name', 'manufacturer_name', 'lot_no', 'quantity', 'lots', 'certified'],
      filters: [],
    },
  ],
})

const certificateChoices = {
  status: f.pick('状态', {
    valid: '有效',
    quarter: '90天内到期',
    month: '30天内到期',
    expired: '已过期',
  }),
  origin: f.pick('类别', {
    domestic: '国械注准',
    imported: '国械注进',
    permitted: '国械注许',
    province: '省械注准',
    filed: '械备',
  }),
  renewal: f.pick('延续进度', { renewed: '已延续', none: '未办理', later: '180天后到期' }),
  scan: f.pick('扫描件', { some: '已上传', none: '缺扫描件' }),
} as const

/** 注册证: certificates of goods in the catalogue, the newest of each chain, with the stock under them. */
export const certificates = defineReport({
  kind: 'wallCertificates',
  title: '在用注册证',
  sqlFile: 'platform/walls/goods/certificates.sql',
  parameters: certificateChoices,
  columns: {
    product_name: f.text('产品'),
    certificate_no: f.text('注册证号'),
    valid_to: f.day('有效期至'),
    days_left: f.count('剩余天数'),
    month: f.text('到期月份'),
    ...certificateChoices,
    certificates: f.count('注册证', { hint: '在用产品的注册证，延续后的按新证计' }),
    stock_quantity: f.quantity('库存数量'),
  },
  totals: ['certificates'],
  screens: [
    {
      ...evidence,
      tab: '在用注册证',
      purpose: '本院目录中启用的产品所依据的注册证：到期、延续与扫描件，及其货物的库存',
      columns: [
        'product_name',
        'certificate_no',
        'valid_to',
        'days_left',
        'status',
        'origin',
        'renewal',
        'scan',
        'stock_quantity',
        'certificates',
      ],
      filters: [],
    },
  ],
})

/** 供应商: the suppliers of the hospital, with the state of their licences and their places. */
export const suppliers = defineReport({
  kind: 'wallSuppliers',
  title: '供应商',
  beside: {
    supplier_sn: f.text('供应商'),
  },
  sqlFile: 'platform/walls/goods/suppliers.sql',
  unscoped: licensed,
  parameters: {},
  columns: {
    supplier_name: f.text('供应商'),
    status: f.pick('资质状态', { valid: '有效', quarter: '90天内到期', expired: '已过期', missing: '缺失' }),
    province: f.text('地区'),
    suppliers: f.count('供应商', { hint: '与本院供货关系启用的供应商' }),
  },
  screens: [],
})

/**
 * 订单行: lines of orders that were due in the period, those that were in full in time, and what came of what was
 * ordered. Lines that the buyer stopped are left out.
 */
export const dueLines = defineReport({
  kind: 'wallDueLines',
  title: '到货及时率',
  beside: {
    counterparty_sn: f.text('往来单位'),
  },
  sqlFile: 'platform/walls/goods/due-lines.sql',
  parameters: { ...wallDays },
  columns: {
    counterparty_name: f.text('供应商'),
    due: f.count('应到行'),
    in_time: f.count('及时行'),
    ordered: f.quantity('订购数量'),
    received: f.quantity('入库数量'),
    punctuality: f.rate('及时率'),
    fill_rate: f.rate('满足率'),
  },
  screens: [],
})

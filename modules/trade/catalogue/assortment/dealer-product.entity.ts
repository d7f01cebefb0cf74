import { compare } from '#kernel/values/decimal.ts'
import { deviceClasses } from '#modules/trade/catalogue/products/risk-classes.ts'
import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'
import { stockState } from '#modules/trade/catalogue/assortment/stock-state.ts'
import { statusField } from '#modules/base/vocabulary/status-field.ts'

/** 经营产品: the sizes a dealer or manufacturer trades, from whom and at which prices. */
export const dealerProduct = defineEntity({
  kind: 'dealerProduct',
  title: '经营产品',
  table: 'dealer_product',
  key: 'dealer_product_sn',
  scope: 'organisation',
  writers: 'DV',
  display: 'specification_sn',
  // 首营 looks at the goods of one supplier; prices are the dealer's own.
  judged: {
    state: 'status',
    passed: ['enabled', 'disabled'],
    pending: 'enabled',
    action: null,
    only: ['supplier_sn'],
    changeRefused: '供应商由首营品种审批核定，不能直接修改：换供应商请重新办理首营品种审批',
    needsNobody: row => !row.admission_no,
  },
  fields: {
    specification_sn: f.ref('规格型号', 'specification', {
      required: true,
      shows: { specification_code: 'code', udi_di: 'udi_di', unit_name: 'unit_name' },
      optionsFilter: { scope: 'released' },
    }),
    admission_no: f.text('首营单号', { readOnly: true }),
    own_code: f.text('自编码', { max: 40 }),
    supplier_sn: f.ref('供应商', 'organisation', { optionsFilter: { relation: 'supplier' } }),
    purchase_price: f.price('采购价(含税)', { min: '0', default: '0' }),
    sale_price: f.price('销售价(含税)', { min: '0', default: '0' }),
    lowest_price: f.price('最低限价', { min: '0' }),
    tax_rate: f.taxRate('采购税率', { default: 13 }),
    sales_tax_rate: f.taxRate('销项税率'),
    tax_code: f.text('税收分类编码', {
      match: /^\d{19}$/,
      matchMsg: '税收分类编码应为19位数字',
      hint: '开具电子发票用；可按产品分类推荐',
    }),
    minimum: f.quantity('安全库存下限', { min: '0' }),
    maximum: f.quantity('库存上限', { min: '0' }),
    default_warehouse_sn: f.ref('默认仓库', 'warehouse', { named: 'where its goods go if nobody says else' }),
    default_location: f.text('默认货位', { max: 40 }),
    is_consigned: f.flag('是否寄售', { default: false }),
    is_unit_coded: f.flag('一物一码', { default: false }),
    remark: f.text('备注', { max: 200 }),
    status: statusField,
  },
  extras: {
    product_sn: f.ref('产品', 'product'),
    product_name: f.text('产品名称'),
    manufacturer_name: f.text('生产厂家'),
    device_class: f.pick('管理类别', deviceClasses),
    is_high_value: f.flag('高值'),
    registration_no: f.text('注册证号'),
    registration_expiry: f.day('注册证有效期至'),
    custom_type: f.text('自定义分类'),
    stock: f.quantity('现有库存'),
    stock_state: stockState,
    first_state: f.pick('首营状态', { approved: '已通过', none: '未审批' }),
    check_state: f.pick('核对状态', { pending: '待核对', passed: '核对通过', asked: '待补证', refused: '已驳回' }),
    check_problem: f.text('核对问题'),
  },
  unique: [['specification_sn']],
  guards: [
    row =>
      row.minimum === null ||
      row.maximum === null ||
      compare(String(row.maximum), String(row.minimum)) >= 0 ||
      '库存上限不能小于下限',
    row =>
      row.lowest_price === null ||
      compare(row.sale_price ?? '0', '0') === 0 ||
      compare(row.sale_price ?? '0', row.lowest_price) >= 0 ||
      '销售价不能低于最低限价',
  ],
  actions: {
    copy: {
      label: '复制',
      asks: { other_sn: f.ref('规格型号', 'specification', { required: true, optionsFilter: { scope: 'released' } }) },
    },
  },
  calls: {
    proposeTax: { label: '推荐税收编码', rows: true, orgs: 'DV', asks: {} },
    price: {
      label: '批量调价',
      rows: true,
      orgs: 'DV',
      asks: {
        side: f.pick('调整', { sale: '销售价', purchase: '进价' }, { required: true, default: 'sale' }),
        change_rate: f.rate('调整幅度', { hint: '如 5 为上涨5%，-5 为下降5%' }),
        fixed_price: f.price('统一调为', { min: '0.0001', hint: '与调整幅度填一项' }),
        effective_on: f.day('生效日期', { required: true, default: 'today' }),
        why: f.text('文件依据', { max: 100 }),
      },
    },
  },
  links: [
    {
      label: '协议价',
      to: '/commonView/inquiryRegistration',
      tab: '销售价',
      with: { specification_sn: '$specification_sn' },
    },
    {
      label: '价格历史',
      to: '/ptm/businessProduct',
      tab: '价格历史',
      with: { specification_sn: '$specification_sn' },
    },
  ],
  /** The platform may look into any organisation. */
  parameters: { of_org_sn: f.ref('机构', 'organisation') },
  search: ['product_name', 'specification_name', 'specification_code', 'udi_di'],
  screens: [
    {
      route: '/ptm/businessProduct',
      tab: '产品',
      leads: true,
      title: '经营产品',
      orgs: 'PDV',
      menu: '产品管理',
      purpose: '本企业经营的规格：供应商、采购价、销售价与库存上下限',
      columns: [
        'specification_code',
        'product_name',
        'specification_sn',
        'manufacturer_name',
        'registration_no',
        'registration_expiry',
        'udi_di',
        'unit_name',
        'supplier_sn',
        'purchase_price',
        'sale_price',
        'lowest_price',
        'tax_rate',
        'tax_code',
        'custom_type',
        'stock',
        'stock_state',
        'minimum',
        'maximum',
        'is_unit_coded',
        'first_state',
        'check_state',
        'check_problem',
        'status',
      ],
      without: {
        V: ['supplier_sn', 'first_state', 'check_state', 'check_problem'],
        P: ['stock', 'stock_state', 'custom_type'],
      },
      keyColumns: ['product_name', 'specification_sn', 'purchase_price', 'sale_price', 'stock', 'status'],
      filters: [
        'product_name',
        'specification_name',
        'udi_di',
        'registration_no',
        'manufacturer_name',
        'supplier_sn',
        'custom_type',
        'check_state',
        'stock_state',
        'status',
      ],
    },
  ],
})

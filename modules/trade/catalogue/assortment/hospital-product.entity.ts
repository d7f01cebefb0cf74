import { addDays, isDay, today } from '#kernel/values/date.ts'
import { regimes } from '#kernel/definition/document.ts'
import { deviceClasses } from '#modules/trade/catalogue/products/risk-classes.ts'
import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'
import { compare } from '#kernel/values/decimal.ts'
import { reagentTypes } from '#modules/base/vocabulary/reagent-types.ts'
import { stockState } from '#modules/trade/catalogue/assortment/stock-state.ts'
import { statusField } from '#modules/base/vocabulary/status-field.ts'

/** Days of warning before a certificate runs out. */
const SOON_DAYS = 90
const expiryTone = (day: unknown) =>
  !isDay(day) ? undefined : day < today() ? 'danger' : day <= addDays(today(), SOON_DAYS) ? 'warning' : undefined

export const admissionStates = { admitted: '已准入', not_admitted: '未准入' } as const
const specificationColumns = { specification_code: 'code', udi_di: 'udi_di', unit_name: 'unit_name' } as const

/** 医院产品目录: the sizes a hospital uses, from whom, at what price, and how it manages them. */
export const hospitalProduct = defineEntity({
  kind: 'hospitalProduct',
  title: '医院产品目录',
  table: 'hospital_product',
  key: 'hospital_product_sn',
  scope: 'organisation',
  display: 'his_code',
  // An import sets limits and external codes of existing rows; new goods come in by an admission or from the
  // platform.
  renews: 'specification_sn',
  onlyRenews: '该规格不在医院产品目录中，请先准入或从平台目录引入',
  labelled: 'catalogue',
  // Licences, price and votes of an admission are those of one supplier; how goods are managed is the hospital's own.
  judged: {
    state: 'admission_state',
    passed: ['admitted'],
    pending: 'not_admitted',
    action: null,
    only: ['supplier_sn', 'purchase_price', 'tax_rate'],
    changeRefused:
      '供应商和价格由准入单核定，不能直接修改：换供应商请重新办理产品准入申请，已有协议价的用“维护供应商”，调价请办理调价单',
    needsNobody: row => !row.admission_no,
  },
  prints: [
    { route: '/newprint/BarCodePrint', label: '打印条码' },
    { route: '/newprint/QrcodePrint', label: '打印二维码' },
  ],
  fields: {
    specification_sn: f.ref('规格型号', 'specification', {
      required: true,
      shows: specificationColumns,
      optionsFilter: { scope: 'released' },
    }),
    admission_state: f.pick('准入状态', admissionStates, { readOnly: true, default: 'not_admitted' }),
    admission_no: f.text('准入单号', { readOnly: true }),
    admitted_on: f.day('准入日期', { readOnly: true }),
    regime: f.pick('货权方式', regimes, { default: 'purchased' }),
    is_unit_coded: f.flag('一物一码', { default: false }),
    supplier_sn: f.ref('供应商', 'organisation', { optionsFilter: { relation: 'supplier' } }),
    purchase_price: f.price('进价(含税)', { readOnly: true, default: '0' }),
    tax_rate: f.taxRate('税率', { default: 13 }),
    markup_rate: f.rate('加价率', { min: '0', default: '0' }),
    charge_price: f.price('收费价', { readOnly: true }),
    is_chargeable: f.flag('可收费', { default: false }),
    his_code: f.text('HIS编码', { max: 40 }),
    his_charge_code: f.text('HIS收费项目编码', { max: 40 }),
    insurance_code: f.text('医保耗材编码', { match: /^C\d{19}$/, matchMsg: '医保耗材编码格式应为C加19位数字' }),
    listing_code: f.text('挂网编码', { max: 40 }),
    listed_price: f.price('挂网价', { min: '0.0001', hint: '省平台挂网价，采购价不得高于挂网价' }),
    collective_batch: f.text('集采批次', { max: 60 }),
    collective_from: f.day('集采协议期起'),
    collective_to: f.day('集采协议期止'),
    collective_price: f.price('集采中选价', { min: '0.0001' }),
    agreed_quantity: f.quantity('约定采购量', { min: '0' }),
    minimum: f.quantity('下限', { min: '0' }),
    maximum: f.quantity('上限', { min: '0' }),
    expiry_warning_days: f.count('近效期预警天数', { min: '0', max: 3650, default: 180 }),
    open_vial_days: f.count('开瓶有效期(天)', { min: '1', max: 3650 }),
    tests_per_kit: f.count('单盒测试数', { min: '1', max: 100000 }),
    reagent_type: f.pick('试剂类别', reagentTypes, { default: 'reagent', hint: '检验试剂填写' }),
    consumed_on: f.pick('试剂消耗时点', { open: '开瓶', load: '上机' }, { default: 'open' }),
    default_warehouse_sn: f.ref('默认仓库', 'warehouse', { named: 'where its goods go if nobody says else' }),
    accounting_class: f.text('财务分类', { max: 40 }),
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
    class_code_2002: f.text('68分类'),
    own_type: f.text('自定义分类'),
    account_type: f.text('财务分类'),
    pictures: f.files('图片', { width: 64 }),
    management_type: f.text('管理分类'),
    purchase_type: f.text('采购分类'),
    is_implant: f.flag('植入'),
    is_collective: f.flag('国家集采'),
    storage_condition: f.text('储存条件'),
    stock: f.quantity('现有库存'),
    stock_state: stockState,
    his_state: f.pick('HIS对照状态', { matched: '已对照', none: '未对照' }),
    is_new: f.flag('本月新准入', { hint: '本月准入、在用的规格' }),
    stands_for_product: f.flag('每个产品只列一个规格', { hint: '产品在目录中最先引入的规格' }),
  },
  unique: [['specification_sn']],
  guards: [
    row =>
      row.minimum === null ||
      row.maximum === null ||
      compare(String(row.maximum), String(row.minimum)) >= 0 ||
      '库存上限不能小于下限',
    row =>
      !row.collective_from ||
      !row.collective_to ||
      row.collective_to >= row.collective_from ||
      '集采协议期止不能早于协议期起',
  ],
  calls: {
    bringIn: {
      label: '从平台目录引入',
      tone: 'primary',
      asks: {
        product_sn: f.ref('产品', 'product', {
          required: true,
          optionsFilter: { scope: 'released', status: 'released' },
          hint: '引入所选产品的全部规格；准入申请审核后才能采购',
        }),
      },
    },
    setManage: {
      label: '批量设置管理方式',
      rows: true,
      asks: {
        regime: f.pick('货权方式', regimes, { hint: '留空为不改' }),
        managed_by: f.pick('管理方式', { lot: '批次', unit: '一物一码' }, { hint: '留空为不改' }),
      },
    },
    setSupplier: {
      label: '维护供应商',
      rows: true,
      asks: {
        supplier_sn: f.ref('供应商', 'organisation', { required: true, optionsFilter: { relation: 'supplier' } }),
        is_preferred: f.flag('设为首选供应商', { default: true }),
        min_order: f.quantity('最小起订量', { min: '0' }),
        lead_days: f.count('供货周期(天)', { min: '0', max: 365 }),
      },
    },
  },
  links: [
    {
      label: '价格历史',
      to: '/hospital/priceAdjustmentRecords',
      tab: '价格历史',
      with: { specification_sn: '$specification_sn' },
    },
    {
      label: '供应商',
      to: '/hospital/hProductDetails',
      tab: '供应商',
      with: { specification_sn: '$specification_sn' },
    },
    { label: '查看证照', to: '/ptm/productCert', with: { certificate_no: '$registration_no' } },
  ],
  tone: row => expiryTone(row.registration_expiry),
  search: ['product_name', 'specification_name', 'specification_code', 'udi_di', 'his_code'],
  screens: [
    {
      route: '/hospital/hProductDetails',
      tab: '产品',
      leads: true,
      title: '医院产品目录',
      orgs: 'H',
      menu: '产品管理',
      purpose: '本院使用的规格：准入、供应商、价格、管理方式与对照编码',
      columns: [
        'pictures',
        'specification_code',
        'product_name',
        'specification_sn',
        'unit_name',
        'manufacturer_name',
        'supplier_sn',
        'registration_no',
        'registration_expiry',
        'device_class',
        'is_high_value',
        'regime',
        'is_unit_coded',
        'purchase_price',
        'tax_rate',
        'charge_price',
        'listed_price',
        'insurance_code',
        'his_code',
        'minimum',
        'maximum',
        'account_type',
        'management_type',
        'purchase_type',
        'stock',
        'admission_state',
        'status',
      ],
      keyColumns: ['product_name', 'specification_sn', 'supplier_sn', 'purchase_price', 'stock', 'status'],
      filters: [
        'q',
        'product_name',
        'specification_name',
        'manufacturer_name',
        'supplier_sn',
        'device_class',
        'is_high_value',
        'regime',
        'class_code_2002',
        'account_type',
        'management_type',
        'purchase_type',
        'is_collective',
        'is_unit_coded',
        'admission_state',
        'his_state',
        'registration_expiry',
        'stock_state',
        'is_new',
        'stands_for_product',
        'status',
      ],
      actions: ['edit', 'enable', 'disable', 'bringIn', 'setManage', 'setSupplier', 'print'],
    },
  ],
})

/** 供应商: from whom each specification may be bought, at which price today, and which supplier comes first. */
export const productSupplier = defineEntity({
  kind: 'productSupplier',
  title: '产品供应商',
  table: 'product_supplier',
  key: 'product_supplier_sn',
  scope: 'organisation',
  readOnly: true,
  display: 'supplier_sn',
  sort: '-valid_from,product_supplier_sn',
  fields: {
    specification_sn: f.ref('规格型号', 'specification', { shows: specificationColumns }),
    supplier_sn: f.ref('供应商', 'organisation'),
    price: f.price('供货价(含税)'),
    tax_rate: f.taxRate('税率'),
    valid_from: f.day('价格生效日期'),
    valid_to: f.day('价格有效期至'),
    authorisation_no: f.text('授权书编号'),
    authorisation_until: f.day('授权有效期至'),
    min_order: f.quantity('最小起订量'),
    lead_days: f.count('供货周期(天)'),
    is_preferred: f.flag('首选供应商'),
    status: statusField,
  },
  extras: { product_name: f.text('产品名称', { width: 200 }) },
  search: ['product_name', 'specification_code', 'supplier_name'],
  screens: [
    {
      route: '/hospital/hProductDetails',
      tab: '供应商',
      title: '医院产品目录',
      orgs: 'H',
      menu: '产品管理',
      purpose: '各规格的供应商、采购价、授权书与首选供应商',
      columns: [
        'specification_code',
        'product_name',
        'specification_sn',
        'unit_name',
        'supplier_sn',
        'price',
        'tax_rate',
        'valid_from',
        'valid_to',
        'authorisation_no',
        'authorisation_until',
        'min_order',
        'lead_days',
        'is_preferred',
        'status',
      ],
      filters: ['product_name', 'specification_sn', 'supplier_sn', 'is_preferred', 'valid_from', 'status'],
    },
  ],
})

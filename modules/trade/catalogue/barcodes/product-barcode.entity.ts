import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'
import { statusField } from '#modules/base/vocabulary/status-field.ts'

export const codeTypes = {
  udi_di: 'UDI-DI',
  gtin: 'GTIN',
  ma: 'MA',
  hibc: 'HIBC',
  ahm: 'AHM',
  custom: '自定义',
} as const
export const issuers = {
  gs1: 'GS1',
  ma: '中关村工信二维码技术研究院(MA)',
  hibc: '医疗行业商业通信委员会(HIBC)',
  ahm: '阿里健康(AHM)',
  own: '本机构',
} as const
export const packLevels = { use: '使用单元', sale: '最小销售单元', inner: '中包装', outer: '外箱' } as const

/**
 * 产品条码: which code on a package identifies which goods, in which unit. Catalogue codes are listed beside those an
 * organisation keeps.
 */
export const productBarcode = defineEntity({
  kind: 'productBarcode',
  title: '产品条码',
  table: 'known_barcode',
  key: 'product_barcode_sn',
  scope: 'shared',
  writers: 'HDV',
  display: 'code',
  labelled: 'product',
  prints: [
    { route: '/newprint/BarCodePrint', label: '打印条码' },
    { route: '/newprint/QrcodePrint', label: '打印二维码' },
  ],
  fields: {
    code: f.text('条码/UDI-DI', { required: true, max: 60, width: 190 }),
    code_type: f.pick('条码类型', codeTypes, { required: true, default: 'udi_di' }),
    issuer: f.pick('发码机构', issuers, { readOnly: true }),
    specification_sn: f.ref('规格型号', 'specification', {
      required: true,
      shows: { product_sn: 'product_id', specification_code: 'code' },
      optionsFilter: { scope: 'released' },
    }),
    level: f.pick('包装级别', packLevels, { required: true, default: 'sale', width: 124 }),
    unit_inner_sn: f.ref('单位', 'unitTree', { hint: '不选时：最小销售单元为基本单位，包装按下级条码与数量推算' }),
    lower_code: f.text('下级UDI-DI', { max: 60, width: 150, hint: '中包装、外箱填写：下一级包装的条码' }),
    lower_count: f.count('换算数量', { min: '1', max: 1000000, hint: '中包装、外箱填写：所含下一级包装的数量' }),
    is_primary: f.flag('主条码', { default: false }),
    has_lot: f.flag('含批号', { default: false }),
    has_production: f.flag('含生产日期', { default: false }),
    has_expiry: f.flag('含效期', { default: false }),
    has_serial: f.flag('含序列号', { default: false }),
    remark: f.text('备注', { max: 200 }),
    changed_by: f.text('维护人', { readOnly: true }),
    status: statusField,
  },
  extras: {
    product_name: f.text('产品名称'),
    manufacturer_name: f.text('生产厂家'),
    registration_no: f.text('注册证号'),
    kept_by: f.pick('维护方', { catalogue: '产品目录', shared: '平台/厂商', own: '本机构' }),
    udi_check: f.pick('UDI库核对结果', { same: '一致', other: '属于其他产品', none: '未收录' }),
  },
  search: ['code', 'product_name', 'specification_name', 'specification_code'],
  sort: 'specification_sn,unit_inner_sn',
  screens: [
    {
      route: '/commonView/product/barcodeManage',
      title: '产品条码管理',
      orgs: 'HDV',
      menu: '条码标签',
      tab: '产品条码',
      purpose: '条码对应的规格与包装层级；无法识别的条码在此维护后即可扫码',
      columns: [
        'specification_code',
        'product_name',
        'specification_sn',
        'manufacturer_name',
        'registration_no',
        'code_type',
        'issuer',
        'code',
        'level',
        'unit_inner_sn',
        'lower_count',
        'lower_code',
        'has_lot',
        'has_expiry',
        'has_serial',
        'udi_check',
        'kept_by',
        'changed_by',
        'status',
      ],
      filters: [
        'product_name',
        'specification_name',
        'registration_no',
        'manufacturer_name',
        'code',
        'issuer',
        'level',
        'code_type',
        'udi_check',
        'kept_by',
        'status',
      ],
    },
  ],
})

import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'
import { productStates } from '#modules/trade/catalogue/products/product.entity.ts'

/** 规格型号: one size of a product, with its device identifier, certificate and base unit. */
export const specification = defineEntity({
  kind: 'specification',
  title: '规格型号',
  table: 'specification',
  key: 'specification_sn',
  scope: 'shared',
  writers: 'PHDV',
  under: 'product',
  deletedByOwner: true,
  restores: () => 'RESTORESPECIFICATION',
  display: 'name',
  pickerFields: 'all',
  fields: {
    code: f.text('规格编码', { readOnly: true, max: 40 }),
    product_sn: f.ref('产品', 'product', {
      required: true,
      shows: {
        product_code: 'code',
        brand: 'brand',
        device_class: 'device_class',
        is_high_value: 'is_high_value',
        is_implant: 'is_implant',
        is_reagent: 'is_reagent',
        is_cold_chain: 'is_cold_chain',
        is_unit_coded: 'is_unit_coded',
      },
    }),
    name: f.text('规格型号', { required: true, max: 100 }),
    model: f.text('型号', { max: 60 }),
    udi_di: f.text('UDI-DI', { max: 40 }),
    registration_certificate_sn: f.ref('注册证', 'registrationCertificate', {
      optionsFilter: { scope: 'passed' },
      shows: { registration_no: 'certificate_no', registration_expiry: 'valid_to' },
    }),
    unit_name: f.text('基本单位', { required: true, max: 10 }),
    minimum_sales_unit: f.text('最小销售单位', { max: 10 }),
    price: f.price('参考价', { min: '0', default: '0' }),
    tax_rate: f.taxRate('税率', { default: 13 }),
    insurance_code: f.text('医保耗材编码', { match: /^C\d{26}$/, matchMsg: '医保耗材编码格式应为C加26位数字' }),
    his_code: f.text('HIS编码', { max: 40 }),
    no_di_reason: f.text('无UDI-DI说明', { max: 200 }),
    pictures: f.files('图片'),
    lot_required: f.flag('须批号', { default: true }),
    serial_required: f.flag('须序列号', { default: false }),
    expiry_required: f.flag('须有效期', { default: true }),
    status: f.pick('状态', productStates, { readOnly: true, default: 'self_built' }),
  },
  extras: {
    unit_inner_sn: f.ref('基本单位', 'unitTree'),
    manufacturer_name: f.text('生产厂家'),
    supplier_sn: f.ref('供应商', 'organisation'),
  },
  /** `released`: the common catalogue instead of the caller's own. */
  /**
   * `asked`: only goods that may still be requested: not withdrawn by the platform, nor stopped in the caller's own
   * catalogue; `kept`: only not stopped there.
   */
  parameters: {
    scope: f.pick('范围', { released: '已发布产品' }),
    asked: f.flag('可订购'),
    kept: f.flag('在用'),
  },
  alike: { udi_di: { among: { scope: 'released' } } },
  unique: [['udi_di']],
  screens: [],
})

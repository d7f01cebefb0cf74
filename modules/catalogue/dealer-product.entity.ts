import { defineEntity } from '#kernel/entity.ts'
import { f } from '#kernel/field.ts'
import { statusField } from '#modules/on-off.ts'

/** 经营产品: the sizes a dealer or maker trades, from whom and at which prices. */
export const dealerProduct = defineEntity({
  kind: 'dealerProduct',
  title: '经营产品',
  table: 'dealer_product',
  key: 'dealer_product_sn',
  scope: 'organisation',
  writers: 'DV',
  display: 'specification_sn',
  retire: 'disable',
  fields: {
    specification_sn: f.ref('规格型号', 'specification', {
      required: true,
      shows: { specification_code: 'code', udi_di: 'udi_di', unit_name: 'unit_name' },
      narrow: { scope: 'released' },
    }),
    supplier_sn: f.ref('供应商', 'organisation', { narrow: { relation: 'supplier' } }),
    purchase_price: f.price('采购价(含税)', { min: '0', default: '0' }),
    sale_price: f.price('销售价(含税)', { min: '0', default: '0' }),
    tax_rate: f.taxRate('税率', { default: 13 }),
    minimum: f.quantity('安全库存下限', { min: '0' }),
    maximum: f.quantity('库存上限', { min: '0' }),
    default_warehouse_sn: f.ref('默认仓库', 'warehouse'),
    is_unit_coded: f.flag('一物一码', { default: false }),
    status: statusField,
  },
  extras: {
    product_sn: f.ref('产品', 'product'),
    product_name: f.text('产品名称'),
    manufacturer_name: f.text('生产厂家'),
    device_class: f.text('管理类别'),
    is_high_value: f.flag('高值'),
    registration_no: f.text('注册证号'),
    registration_expiry: f.day('注册证有效期至'),
  },
  unique: [['specification_sn']],
  guards: [
    row =>
      row.minimum === null ||
      row.maximum === null ||
      Number(row.maximum) >= Number(row.minimum) ||
      '库存上限不能小于下限',
  ],
  /** The platform may look into any organisation. */
  parameters: { of_org_sn: f.ref('机构', 'organisation') },
  search: ['product_name', 'specification_name', 'specification_code', 'udi_di'],
  screens: [
    {
      route: '/ptm/businessProduct',
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
        'tax_rate',
        'minimum',
        'maximum',
        'is_unit_coded',
        'status',
      ],
      filters: [
        'product_name',
        'specification_name',
        'udi_di',
        'registration_no',
        'manufacturer_name',
        'supplier_sn',
        'status',
      ],
    },
  ],
})

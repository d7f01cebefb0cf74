import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'
import { codeDates } from '#kernel/codes/custom-rule.ts'
import { statusField } from '#modules/base/vocabulary/status-field.ts'

const from = (what: string) => f.count(`${what}起始位`, { min: '1', max: 200, hint: '从1开始，含前缀' })
const length = (what: string) => f.count(`${what}位数`, { min: '1', max: 100 })

/** 解析规则: how an organisation parses codes that follow no standard; tried in order after the standards. */
export const barcodeRule = defineEntity({
  kind: 'barcodeRule',
  title: '解析规则',
  table: 'barcode_rule',
  key: 'barcode_rule_sn',
  scope: 'organisation',
  display: 'name',
  sort: 'place,barcode_rule_sn',
  fields: {
    name: f.text('规则名称', { required: true, max: 40 }),
    prefix: f.text('前缀', { required: true, max: 20, hint: '条码开头的固定字符' }),
    total_length: f.count('总长度', { min: '1', max: 200, hint: '留空为不限长度' }),
    product_from: from('产品码'),
    product_length: length('产品码'),
    lot_from: from('批号'),
    lot_length: f.count('批号位数', { min: '1', max: 100, hint: '留空为取到末尾' }),
    production_from: from('生产日期'),
    expiry_from: from('有效期'),
    date_format: f.pick('日期格式', codeDates, { required: true, default: 'YYMMDD' }),
    serial_from: from('序列号'),
    serial_length: f.count('序列号位数', { min: '1', max: 100, hint: '留空为取到末尾' }),
    place: f.count('顺序', { required: true, min: '1', max: 999, default: 1, hint: '数字小的优先' }),
    remark: f.text('备注', { max: 200 }),
    status: statusField,
  },
  unique: [['name']],
  guards: [
    row => row.product_from !== null || '请填写产品码起始位，否则无法知道是哪个产品',
    row => row.product_from === null || row.product_length !== null || '请填写产品码位数',
  ],
  search: ['name', 'prefix'],
  screens: [
    {
      route: '/commonView/product/barcodeManage',
      title: '产品条码管理',
      orgs: 'HDV',
      menu: '条码标签',
      tab: '解析规则',
      purpose: '非国际标准条码的解析规则：产品码、批号、效期、序列号；标准解析失败后按顺序试用',
      columns: [
        'place',
        'name',
        'prefix',
        'total_length',
        'product_from',
        'product_length',
        'lot_from',
        'lot_length',
        'production_from',
        'expiry_from',
        'date_format',
        'serial_from',
        'serial_length',
        'status',
      ],
      filters: ['name', 'prefix', 'status'],
    },
  ],
})

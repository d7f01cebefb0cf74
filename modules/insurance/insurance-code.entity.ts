import { defineEntity } from '#kernel/entity.ts'
import { f } from '#kernel/field.ts'

const page = {
  route: '/commonView/countryHealth',
  title: '国家医保编码管理',
  orgs: 'HDV',
  menu: '基础设置',
} as const
const named = [
  'code',
  'product_code',
  'specification_sn',
  'certificate_no',
  'manufacturer',
  'first_class',
  'second_class',
  'third_class',
  'generic_name',
  'material',
  'feature',
  'platform_code',
  'pay_class',
  'is_collective',
] as const
const filters = [
  'code',
  'specification_sn',
  'generic_name',
  'certificate_no',
  'manufacturer',
  'match_state',
  'pay_class',
  'is_collective',
  'changed_at',
] as const

/**
 * 国家医保编码: C + class 6 + generic name 3 + feature 5 + company 5; with a running number of 7 behind it, one registered model. Published
 * as sheets. Only what a person confirmed is a specification's code; what a newer sheet leaves out is no longer valid.
 */
export const insuranceCode = defineEntity({
  kind: 'insuranceCode',
  title: '国家医保编码',
  table: 'insurance_code',
  key: 'insurance_code_sn',
  scope: 'organisation',
  display: 'code',
  sort: 'code',
  retire: 'delete',
  renews: 'code',
  fields: {
    code: f.text('国家医保编码', {
      required: true,
      max: 27,
      width: 230,
      match: /^C\d{19}(\d{7})?$/,
      matchMsg: '国家医保编码格式错误，应为C开头的20位编码，或到注册规格的27位编码',
    }),
    specification_sn: f.ref('规格型号', 'specification', { shows: { product_code: 'code' } }),
    certificate_no: f.text('注册证号', { max: 60 }),
    manufacturer: f.text('生产厂家', { max: 100 }),
    product_name: f.text('医保产品名称', { max: 200 }),
    model: f.text('医保规格型号', { max: 200 }),
    first_class: f.text('一级分类', { max: 60 }),
    second_class: f.text('二级分类', { max: 60 }),
    third_class: f.text('三级分类', { max: 60 }),
    generic_name: f.text('医保通用名', { max: 100 }),
    material: f.text('材质', { max: 100 }),
    feature: f.text('规格特征', { max: 100 }),
    platform_code: f.text('省平台编码', { max: 60 }),
    pay_class: f.pick('医保支付类别', { a: '甲类', b: '乙类', c: '丙类', none: '不予支付' }),
    is_collective: f.flag('是否集采', { default: false }),
    valid_from: f.day('生效日期'),
    valid_to: f.day('有效期至'),
    remark: f.text('备注', { max: 200 }),
    match_state: f.pick(
      '匹配状态',
      { none: '未匹配', many: '多个候选', waiting: '待确认', matched: '已匹配', gone: '已失效', past: '已更换' },
      { readOnly: true },
    ),
    matched_by: f.text('确认人', { readOnly: true }),
    matched_at: f.instant('确认时间', { readOnly: true }),
    batch_at: f.instant('所在批次', { readOnly: true }),
    changed_at: f.instant('更新时间', { readOnly: true }),
  },
  extras: { stock: f.quantity('现有库存'), his_code: f.text('HIS编码') },
  search: ['code', 'generic_name', 'product_name', 'certificate_no'],
  calls: {
    match: { label: '自动匹配', asks: {}, tone: 'primary' },
    confirm: { label: '确认匹配', asks: {}, rows: true },
    unmatch: { label: '解除匹配', asks: {}, rows: true },
  },
  screens: [
    {
      ...page,
      tab: '医保编码',
      leads: true,
      purpose: '导入国家医保耗材编码，与规格匹配；人工确认后生效',
      columns: [...named, 'his_code', 'match_state', 'changed_at'],
      filters,
    },
    {
      ...page,
      tab: '批次更新记录',
      purpose: '新批次里已没有、或被新编码更换的编码，以及受影响的库存',
      where: { match_state: 'gone,past' },
      columns: [
        'code',
        'specification_sn',
        'generic_name',
        'match_state',
        'stock',
        'valid_to',
        'batch_at',
        'matched_by',
        'matched_at',
      ],
      filters: ['code', 'specification_sn', 'match_state'],
      actions: [],
    },
  ],
})

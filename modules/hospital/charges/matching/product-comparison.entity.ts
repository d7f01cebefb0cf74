import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'
import { compare, isDecimal, type Decimal } from '#kernel/values/decimal.ts'

export const matchStates = {
  none: '未对照',
  proposed: '待确认',
  matched: '已对照',
  different: '有差异',
  skipped: '无需对照',
} as const
export const matchDifferences = {
  price: '价格不一致',
  unit: '单位不一致',
  insurance: '医保码不一致',
  inactive: 'HIS已停用',
} as const

const FACTOR_PLACES = 4
const given = { readOnly: true } as const

/** How many units of the HIS one of ours is: above zero, with up to four places. */
export function wrongFactor(factor: unknown): string | null {
  const text = String(factor ?? '')
  if (!isDecimal(text) || compare(text as Decimal, '0') <= 0) return '换算系数必须大于0'
  return isDecimal(text, FACTOR_PLACES) ? null : '换算系数最多4位小数'
}

/** HIS产品对照: each size of the hospital's catalogue beside the item under which the HIS charges it. */
export const productComparison = defineEntity({
  kind: 'productComparison',
  title: 'HIS产品对照',
  table: 'product_comparison',
  key: 'product_comparison_sn',
  scope: 'organisation',
  display: 'item_name',
  sort: 'product_comparison_sn',
  renews: 'specification_sn',
  onlyRenews: '该规格不在医院产品目录中，不能对照',
  fields: {
    specification_sn: f.ref('规格型号', 'specification', {
      required: true,
      shows: { specification_code: 'code', unit_name: 'unit_name' },
    }),
    product_sn: f.ref('产品', 'product', { ...given, shows: { product_code: 'code' } }),
    his_item_sn: f.ref('HIS收费项目', 'hisItem', { optionsFilter: { is_active: 'true' } }),
    factor: f.text('换算系数', {
      default: '1',
      max: 14,
      width: 90,
      hint: '1个本院单位等于几个HIS单位，如一卷分10次收费填10',
    }),
    valid_from: f.day('生效日期', { hint: '留空为今天' }),
    remark: f.text('备注', { max: 200 }),
    is_chargeable: f.flag('是否可收费', given),
    charge_price: f.price('收费价', given),
    insurance_code: f.text('医保耗材编码', { ...given, width: 200 }),
    material_code: f.text('HIS编码', given),
    item_code: f.text('HIS收费项目编码', given),
    item_name: f.text('HIS项目名称', { ...given, width: 200 }),
    his_specification: f.text('HIS规格', given),
    his_unit: f.text('HIS单位', { ...given, width: 80 }),
    his_price: f.price('HIS单价', given),
    his_insurance_code: f.text('HIS医保耗材编码', { ...given, width: 200 }),
    match_state: f.pick('对照状态', matchStates, { ...given, tones: { different: 'warning', none: 'danger' } }),
    differences: f.many('差异类型', matchDifferences, given),
    basis: f.text('对照依据', given),
    matched_by: f.text('对照人', given),
    matched_at: f.instant('对照时间', given),
    read_at: f.instant('同步日期', given),
    push_state: f.pick('推送状态', { underway: '推送中', answered: '已接收', failed: '推送失败' }, given),
    push_answer: f.text('HIS答复', { ...given, width: 200 }),
  },
  extras: {
    difference_note: f.text('差异说明', { width: 220 }),
    own_type: f.text('产品分类'),
  },
  guards: [row => wrongFactor(row.factor) ?? true],
  tone: row => (row.match_state === 'different' ? 'warning' : undefined),
  search: ['product_code', 'product_name', 'specification_code', 'specification_name', 'item_code', 'item_name'],
  calls: {
    sync: {
      label: '同步HIS目录',
      asks: { whole: f.flag('全部重取', { default: false, hint: '不勾选时只取上次同步以后有变化的项目' }) },
    },
    autoMatch: { label: '自动对照', asks: {}, tone: 'primary' },
    match: { label: '确认对照', asks: { valid_from: f.day('生效日期', { hint: '留空为今天' }) }, rows: true },
    unmatch: { label: '取消对照', asks: {}, rows: true },
    skip: { label: '无需对照', asks: { remark: f.text('说明', { max: 200 }) }, rows: true },
    diffCheck: { label: '差异检查', asks: {} },
    push: { label: '推送HIS', asks: {}, rows: true },
  },
  links: [
    {
      label: '对照历史',
      to: '/hospital/productComparison',
      tab: '对照历史',
      with: { specification_sn: '$specification_sn' },
    },
    {
      label: '产品目录',
      to: '/hospital/hProductDetails',
      tab: '产品',
      with: { specification_name: '$specification_name' },
    },
  ],
  screens: [
    {
      route: '/hospital/productComparison',
      tab: '产品对照',
      leads: true,
      counted: { match_state: 'none,proposed,different', is_chargeable: 'true' },
      title: 'HIS产品对照',
      orgs: 'H',
      menu: 'HIS对接',
      purpose: '本院规格与HIS物资、收费项目的对照；确认后，使用按对照计费',
      columns: [
        'product_code',
        'product_sn',
        'specification_sn',
        'unit_name',
        'charge_price',
        'is_chargeable',
        'material_code',
        'item_code',
        'item_name',
        'his_specification',
        'his_unit',
        'his_price',
        'factor',
        'insurance_code',
        'his_insurance_code',
        'match_state',
        'differences',
        'difference_note',
        'basis',
        'valid_from',
        'matched_by',
        'matched_at',
        'push_state',
        'push_answer',
      ],
      keyColumns: ['product_sn', 'specification_sn', 'item_name', 'factor', 'match_state'],
      filters: ['q', 'own_type', 'is_chargeable', 'match_state', 'differences', 'item_name', 'read_at'],
      actions: ['edit', 'sync', 'autoMatch', 'match', 'unmatch', 'skip', 'diffCheck', 'push'],
    },
    {
      route: '/hospital/productComparison',
      tab: '人工对照',
      page: 'productMatching',
      title: 'HIS产品对照',
      orgs: 'H',
      menu: 'HIS对接',
      purpose: '左边选本院规格，右边选HIS收费项目，填写换算系数后对照',
      columns: ['product_sn', 'specification_sn', 'unit_name', 'charge_price'],
      filters: ['q'],
      actions: ['edit'],
    },
  ],
})

import { compare, type Decimal } from '#kernel/values/decimal.ts'
import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'
import { markupMethods, roundings } from '#modules/trade/pricing/markup.ts'

const given = { readOnly: true } as const
export const auditStates = { pending: '未审核', passed: '已审核' } as const
export const markupScopes = { house: '全院', class: '产品分类', single: '单品' } as const

/**
 * 加价率设置: how the charge price is computed from the purchase price, by band, class or single product; without a
 * matching rule it is the cost.
 */
export const markupRule = defineEntity({
  kind: 'markupRule',
  title: '加价率设置',
  table: 'markup_rule',
  key: 'markup_rule_sn',
  scope: 'organisation',
  writers: 'H',
  display: 'code',
  sort: 'precedence,-markup_rule_sn',
  judged: {
    state: 'audit_state',
    passed: ['passed'],
    pending: 'pending',
    action: 'review',
    changeRefused: '规则已审核，请先反审核',
  },
  fields: {
    code: f.text('规则编号', given),
    scope: f.pick('适用范围', markupScopes, { required: true, default: 'house' }),
    custom_type_sn: f.ref('产品分类', 'customType', { optionsFilter: { tree: 'own' }, when: ['scope', 'class'] }),
    specification_sn: f.ref('产品', 'specification', {
      optionsFilter: { scope: 'released' },
      when: ['scope', 'single'],
    }),
    method: f.pick('计价方式', markupMethods, { required: true, default: 'band' }),
    price_from: f.price('价格区间起(元)', { min: '0', hint: '含本数；留空为0' }),
    price_to: f.price('价格区间止(元)', { min: '0', hint: '不含本数；留空为不限' }),
    rate: f.rate('加价率', { min: '0', max: '10', when: ['method', 'band'] }),
    fixed_amount: f.price('固定加价额(元)', { min: '0', when: ['method', 'fixed'] }),
    cap: f.price('加价封顶(元)', { min: '0', when: ['method', 'band'] }),
    rounding: f.pick('进位方式', roundings, { required: true, default: 'fen' }),
    valid_from: f.day('生效日期', { required: true }),
    valid_to: f.day('有效期至'),
    policy_basis: f.text('政策依据', { max: 200, width: 200 }),
    remark: f.text('备注', { max: 200 }),
    audit_state: f.pick('审核状态', auditStates, { ...given, default: 'pending' }),
    created_by: f.text('制单人', given),
    reviewed_by: f.text('审核人', given),
  },
  extras: {
    target_name: f.text('产品分类/产品', { width: 220 }),
    precedence: f.count('优先级'),
    rule_state: f.pick('状态', { waiting: '未生效', valid: '生效中', ended: '已失效' }),
  },
  guards: [
    row => row.scope !== 'class' || row.custom_type_sn !== null || '请选择产品分类',
    row => row.scope !== 'single' || row.specification_sn !== null || '请选择产品',
    row => row.method !== 'band' || row.rate !== null || '请填写加价率',
    row => row.method !== 'fixed' || row.fixed_amount !== null || '请填写固定加价额',
    row =>
      row.price_to === null ||
      compare(row.price_to as Decimal, (row.price_from ?? '0') as Decimal) > 0 ||
      '价格区间止应大于价格区间起',
    row => !row.valid_to || row.valid_to >= row.valid_from || '有效期至不能早于生效日期',
  ],
  search: ['code', 'target_name', 'policy_basis'],
  actions: {
    review: { label: '审核', tone: 'primary' },
    unreview: { label: '反审核' },
  },
  calls: {
    trial: {
      label: '试算',
      asks: {
        specification_sn: f.ref('产品', 'specification', { required: true, optionsFilter: { scope: 'released' } }),
        cost: f.price('进价', { min: '0', hint: '留空为该产品今天的进价' }),
      },
    },
    apply: {
      label: '应用生成调价单',
      asks: { effective_on: f.day('生效日期', { default: 'today', hint: '留空为今天' }) },
    },
  },
  screens: [
    {
      route: '/hospital/premiumPrice',
      title: '加价率设置',
      orgs: 'H',
      menu: '产品管理',
      purpose: '收费价计算规则：单品先于分类，分类先于全院；没有规则时收费价等于进价',
      columns: [
        'code',
        'scope',
        'target_name',
        'method',
        'price_from',
        'price_to',
        'rate',
        'fixed_amount',
        'cap',
        'rounding',
        'valid_from',
        'valid_to',
        'precedence',
        'rule_state',
        'audit_state',
        'created_by',
        'reviewed_by',
      ],
      filters: ['scope', 'custom_type_sn', 'specification_sn', 'rule_state', 'audit_state', 'valid_from'],
    },
  ],
})

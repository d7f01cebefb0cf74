import { today } from '#kernel/values/date.ts'
import { isPositive } from '#kernel/values/decimal.ts'
import { defineDocument, type DocOf } from '#kernel/definition/document.ts'
import { f } from '#kernel/definition/field.ts'
import { lifecycle } from '#kernel/definition/lifecycle.ts'
import { eachLine, hasLines, needs, figure, type Figures } from '#modules/base/vocabulary/validators.ts'

export const adjustReasons = {
  collective: '集采中选',
  listed: '挂网价调整',
  contract: '合同续签',
  bargain: '议价',
  market: '市场调整',
  markup: '加价率变更',
  mistake: '录入更正',
  end: '停止供货',
} as const

/**
 * The prices that a document changes: hospitals charge patients, dealers and manufacturers sell; only a hospital
 * records that a supplier's price ends.
 */
export const adjustTypes = {
  purchase: '进价',
  charge: '收费价',
  both: '进价及收费价',
  sale: '销售价',
  trade: '进价及销售价',
  end: '终止供货价',
} as const
/** Types that apply only to some kinds of organisations. */
export const typeOrgs = { charge: 'H', both: 'H', end: 'H', sale: 'DV', trade: 'DV' } as const

const header = {
  adjust_type: f.pick('调价类型', adjustTypes, { choiceOrgs: typeOrgs }),
  adjust_reason: f.pick('调价原因', adjustReasons, {
    default: 'bargain',
    choiceOrgs: { collective: 'H', listed: 'H', markup: 'H', end: 'H' },
  }),
  counterparty_sn: f.ref('供应商', 'organisation', { optionsFilter: { relation: 'supplier' } }),
  policy_no: f.text('文件依据', { max: 100 }),
  effective_on: f.day('生效日期', { default: 'today' }),
  rewrites_orders: f.flag('是否调整未执行订单', {
    default: false,
    orgs: 'H',
    hint: '生效时，已审核订单未入库的部分改为新进价，并通知供应商',
  }),
  risen_count: f.count('涨价品种', { readOnly: true }),
  fallen_count: f.count('降价品种', { readOnly: true }),
  apply_state: f.pick('执行状态', { '1': '待生效', '2': '已生效' }, { readOnly: true }),
  business_date: f.day('制单日期'),
  remark: f.longText('备注', { max: 500 }),
  attachments: f.files('附件'),
}
const lines = {
  specification_sn: f.ref('规格型号', 'specification', { required: true }),
  old_price: f.price('原进价', { readOnly: true }),
  new_price: f.price('新进价', { min: '0' }),
  price_difference: f.price('进价差额', { readOnly: true }),
  change_rate: f.rate('变动幅度', { readOnly: true }),
  tax_percent: f.taxRate('税率', { readOnly: true }),
  listed_price: f.price('挂网价', { readOnly: true, orgs: 'H' }),
  old_charge: f.price('原收费价', { readOnly: true, orgs: 'H' }),
  new_charge: f.price('新收费价', { min: '0', orgs: 'H' }),
  old_sale: f.price('原销售价', { readOnly: true, orgs: 'DV' }),
  new_sale: f.price('新销售价', { min: '0', orgs: 'DV' }),
  lowest_price: f.price('最低限价', { readOnly: true, orgs: 'DV' }),
  stock_quantity: f.quantity('当前库存', { readOnly: true }),
  open_orders: f.count('未执行订单数', { readOnly: true }),
  remark: f.text('备注', { max: 200 }),
}
type Doc = DocOf<typeof header, typeof lines>
type Line = Doc['lines'][number]

const is =
  (...types: readonly (keyof typeof adjustTypes)[]) =>
  (doc: Pick<Doc, 'adjust_type'>): boolean =>
    (types as readonly unknown[]).includes(doc.adjust_type)
export const changesPurchase = is('purchase', 'both', 'trade')
export const changesCharge = is('charge', 'both')
export const changesSale = is('sale', 'trade')
export const endsSupply = is('end')

const isPrice = <N extends string>(line: Figures<N>, name: N): boolean => isPositive(figure(line, name))

const notPast = (doc: Doc): true | string => String(doc.effective_on ?? '') >= today() || '生效日期不能早于当前日期'
const eachModelOnce = (doc: { readonly lines: readonly Line[] }): true | string =>
  new Set(doc.lines.map(line => line.specification_sn)).size === doc.lines.length || '同一规格不能重复'

const life = lifecycle<Doc>({
  submit: [
    hasLines,
    needs('adjust_type', '请选择调价类型'),
    needs('effective_on', '请填写生效日期'),
    notPast,
    eachModelOnce,
    doc => !endsSupply(doc) || Boolean(doc.counterparty_sn) || '请选择停止供货的供应商',
    eachLine<Doc>((line, doc) => !changesPurchase(doc) || isPrice(line, 'new_price') || '请填写新进价，且必须大于0'),
    eachLine<Doc>((line, doc) => !changesCharge(doc) || isPrice(line, 'new_charge') || '请填写新收费价，且必须大于0'),
    eachLine<Doc>((line, doc) => !changesSale(doc) || isPrice(line, 'new_sale') || '请填写新销售价，且必须大于0'),
  ],
  review: [notPast],
})

const columns = [
  'sn',
  'adjust_type',
  'adjust_reason',
  'counterparty_sn',
  'line_count',
  'risen_count',
  'fallen_count',
  'effective_on',
  'apply_state',
  'created_by_name',
  'created_at',
  'reviewed_by_name',
  'reviewed_at',
  'state',
] as const
const filters = [
  'sn',
  'specification_sn',
  'counterparty_sn',
  'adjust_type',
  'adjust_reason',
  'effective_on',
  'apply_state',
  'created_by_name',
  'state',
] as const

/** 调价单: from its effective date a product has another cost, charge or sale price; existing documents keep theirs. */
export const priceAdjustment = defineDocument({
  kind: 'priceAdjustment',
  title: '调价单',
  numberPrefix: 'TJ',
  category: 'compliance',
  ownerTypes: 'HDV',
  facts: { corrected: 1 },
  header,
  lines,
  lineRules: {
    basis: 'row',
    import: true,
  },
  actions: {
    submit: life.submit,
    unsubmit: life.unsubmit,
    review: life.review,
    reject: life.reject,
    cancel: {
      ...life.cancel,
      guards: [
        doc => doc.state !== 'reviewed' || String(doc.effective_on) > today() || '调价已生效，不能作废，请另做调价单',
      ],
    },
  },
  posting: {
    stockDirection: 'none',
  },
  screens: [
    {
      route: '/hospital/priceAdjustmentRecords',
      tab: '调价单',
      leads: true,
      title: '调价记录',
      orgs: 'H',
      menu: '产品管理',
      purpose: '调整目录产品的进价或收费价，按生效日期执行，保留价格历史',
      columns,
      filters,
    },
    {
      route: '/ptm/businessProduct',
      tab: '调价单',
      title: '经营产品',
      orgs: 'DV',
      menu: '产品管理',
      purpose: '调整经营产品的进价或销售价，按生效日期执行；客户协议价优先',
      columns,
      filters,
    },
  ],
})

import { inexact } from '#kernel/inexact.ts'
/** A switch or limit that the platform sets for each organisation. People write the words; the engine reads the setting behind them. */
export type ConfigItem = {
  /** The setting of the engine, or what the sign-in reads. */
  readonly name: string
  readonly title: string
  readonly category: string
  readonly kind: 'switch' | 'number' | 'choice'
  readonly choices?: Readonly<Record<string, string>>
  readonly least?: number
  readonly most?: number
  /** 0 stands outside the range and means never. */
  readonly zero?: boolean
  readonly preset: string
}

const warnOrRefuse = { refuse: '拦截', warn: '仅警告' } as const

/** In the order of the page; a new one goes to the end, for its place is part of its key. */
export const configItems: readonly ConfigItem[] = [
  {
    name: 'password_cycle',
    title: '密码周期(天)',
    category: '账号安全',
    kind: 'number',
    least: 30,
    most: 365,
    zero: true,
    preset: '90',
  },
  {
    name: 'certificate_check',
    title: '证照过期控制',
    category: '质量控制',
    kind: 'choice',
    choices: warnOrRefuse,
    preset: '拦截',
  },
  { name: 'arrival_before_receipt', title: '采购入库前须到货验收', category: '采购入库', kind: 'switch', preset: '否' },
  { name: 'receipt_without_order', title: '允许无订单入库', category: '采购入库', kind: 'switch', preset: '是' },
  {
    name: 'receipt_days_left',
    title: '入库最短剩余效期(天)',
    category: '采购入库',
    kind: 'number',
    least: 0,
    most: 3650,
    preset: '180',
  },
  {
    name: 'short_life',
    title: '剩余效期不足',
    category: '采购入库',
    kind: 'choice',
    choices: { warn: '仅警告', refuse: '拦截' },
    preset: '仅警告',
  },
  {
    name: 'use_needs_scan',
    title: '高值是否强制扫码',
    category: '科室使用',
    kind: 'choice',
    choices: warnOrRefuse,
    preset: '拦截',
  },
  {
    name: 'first_expiry_first',
    title: '近效期先出',
    category: '出库发放',
    kind: 'choice',
    choices: { warn: '仅警告', refuse: '强制', off: '关闭' },
    preset: '仅警告',
  },
  { name: 'allow_self_review', title: '允许制单人自审', category: '单据审核', kind: 'switch', preset: '否' },
  {
    name: 'unreview_days',
    title: '允许反审核天数',
    category: '单据审核',
    kind: 'number',
    least: 0,
    most: 3650,
    preset: '365',
  },
  {
    name: 'double_recheck',
    title: '双人复核',
    category: '出库发放',
    kind: 'choice',
    choices: { all: '全部', special: '植入与冷链', off: '关闭' },
    preset: '植入与冷链',
  },
  { name: 'settlement_day', title: '寄售结算日', category: '结算', kind: 'number', least: 1, most: 31, preset: '31' },
  {
    name: 'registration_check',
    title: '注册证过期控制',
    category: '质量控制',
    kind: 'choice',
    choices: { same: '同证照过期控制', ...warnOrRefuse },
    preset: '同证照过期控制',
  },
  {
    name: 'licence_warning_days',
    title: '证照预警天数',
    category: '质量控制',
    kind: 'number',
    least: 1,
    most: 365,
    preset: '90',
  },
  {
    name: 'expiry_warning_days',
    title: '效期预警天数',
    category: '质量控制',
    kind: 'number',
    least: 1,
    most: 730,
    preset: '180',
  },
  { name: 'unit_coded', title: '是否一物一码', category: '产品', kind: 'switch', preset: '否' },
  {
    name: 'default_tax_rate',
    title: '默认税率',
    category: '产品',
    kind: 'choice',
    choices: { 0: '0', 1: '1', 3: '3', 6: '6', 9: '9', 13: '13' },
    preset: '13',
  },
  { name: 'price_editable', title: '允许修改单价', category: '单据', kind: 'switch', preset: '是' },
  { name: 'assistant', title: 'AI助手开关', category: '服务', kind: 'switch', preset: '是' },
  {
    name: 'sms_quota',
    title: '短信额度(条/月)',
    category: '服务',
    kind: 'number',
    least: 1,
    most: 1_000_000,
    zero: true,
    preset: '0',
  },
  { name: 'his_enabled', title: 'HIS接口开关', category: '服务', kind: 'switch', preset: '是' },
  {
    name: 'first_approval',
    title: '首营审批控制',
    category: '质量控制',
    kind: 'choice',
    choices: { refuse: '拦截', warn: '仅警告', off: '关闭' },
    preset: '关闭',
  },
  {
    name: 'first_approval_customer',
    title: '客户首营审批控制',
    category: '质量控制',
    kind: 'choice',
    choices: { refuse: '拦截', warn: '仅警告', off: '关闭' },
    preset: '关闭',
  },
  {
    name: 'cabinet_link_hours',
    title: '智能柜取用关联时限(小时)',
    category: '科室使用',
    kind: 'number',
    least: 1,
    most: 168,
    preset: '24',
  },
  {
    name: 'dealer_check_sample',
    title: '经销商产品核对抽查比例(%)',
    category: '质量控制',
    kind: 'number',
    least: 0,
    most: 100,
    preset: '0',
  },
  {
    name: 'admission_required',
    title: '产品引入须准入',
    category: '质量控制',
    kind: 'switch',
    preset: '否',
  },
  { name: 'advance_overdue_stops', title: '超期禁止预销售', category: '出库发放', kind: 'switch', preset: '否' },
  {
    name: 'advance_price_confirmed',
    title: '预销售价格须财务确认',
    category: '出库发放',
    kind: 'switch',
    preset: '否',
  },
  { name: 'pick_before_grant', title: '发放审核前须拣货', category: '出库发放', kind: 'switch', preset: '否' },
  { name: 'auto_sale_odo', title: '自动生成出库单', category: '出库发放', kind: 'switch', preset: '否' },
  { name: 'double_inspection', title: '双人验收(植入、冷链)', category: '采购入库', kind: 'switch', preset: '否' },
  {
    name: 'inspection_papers',
    title: '验收须有灭菌信息与合格证明',
    category: '采购入库',
    kind: 'switch',
    preset: '是',
  },
]

/** The engine's value behind what people wrote. */
export function settingOf(item: ConfigItem, written: string): unknown {
  if (item.kind === 'switch') return written === '是'
  if (item.kind === 'number') return inexact(written)
  return Object.entries(item.choices ?? {}).find(([, word]) => word === written)?.[0] ?? null
}

import type { OrgTypes } from '#kernel/values/organisation-type.ts'
import type { HospitalPolicy } from '#kernel/definition/setting.ts'
import type { Decimal } from '#kernel/values/decimal.ts'
import { inexact } from '#kernel/values/inexact.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { compare } from '#kernel/values/decimal.ts'
import { plain } from '#kernel/values/decimal.ts'
import { divide } from '#kernel/values/decimal.ts'
import { weightsOf, wrongWeights } from '#modules/base/settings/score-weights.ts'
import { loanBases, settleBaseOf, settleBases } from '#modules/base/settings/settle-bases.ts'

const places = ['warehouse', 'class'] as const
/** The moments at which a patient can be charged for goods used on him. */
const chargeTimings = { after: '使用后', before: '使用前' } as const

/** In the order of the page; new ones go to the end, as the position is part of the key. */
/** A category of the month's check (月末检查): the effect of its open things on closing the period. */
const closing = (name: string, orgs: OrgTypes, title: string, open: string): HospitalPolicy => ({
  name,
  orgs,
  title,
  category: '结算',
  controls: ['warn', 'refuse', 'off'],
  note: `${open}时能否期间结账：提醒须确认并填写原因，禁止须先处理；未审核的入账单据始终禁止结账`,
  // Read by the closing itself: `close_control`.
  sets: () => ({}),
})

export const hospitalPolicies: readonly HospitalPolicy[] = [
  {
    name: 'certExpired',
    orgs: 'HDV',
    title: '注册证/资质过期控制',
    category: '质量控制',
    controls: ['refuse', 'warn'],
    note: '产品注册证或供应商证照过期时，能否下单、入库、发放和使用',
    from: { control: 'certificate_check' },
    sets: control => ({ certificate_check: control ?? 'refuse', registration_check: 'same' }),
  },
  {
    name: 'minShelfLife',
    orgs: 'HDV',
    title: '入库最短剩余效期',
    category: '质量控制',
    controls: ['warn', 'refuse', 'off'],
    figure: { kind: 'number', preset: '180', unit: '天', min: 0, max: 3650 },
    scopes: places,
    note: '采购入库时剩余效期不足：医院按天数，经销商和厂商按总有效期的三分之一',
    from: { control: 'short_life', figure: 'receipt_days_left' },
    sets: (control, figure) => ({ short_life: control ?? 'warn', receipt_days_left: inexact(figure) }),
  },
  {
    name: 'expiredUse',
    title: '过期产品使用控制',
    category: '质量控制',
    controls: ['refuse'],
    note: '过期批号或单品一律不能发放、收货和使用，不可改为不控制',
    sets: () => ({}),
  },
  {
    name: 'fefo',
    orgs: 'HDV',
    title: '近效期先出',
    category: '出库发放',
    controls: ['warn', 'refuse', 'off'],
    scopes: ['warehouse'],
    note: '有更早到期的批号可用而选了更晚的批号',
    from: { control: 'first_expiry_first' },
    sets: control => ({ first_expiry_first: control ?? 'warn' }),
  },
  {
    name: 'priceCap',
    title: '挂网价控制',
    category: '价格',
    controls: ['refuse', 'warn', 'off'],
    scopes: places,
    note: '采购价高于省平台挂网价',
    sets: control => ({ price_cap: control ?? 'refuse' }),
  },
  {
    name: 'priceChange',
    orgs: 'HDV',
    title: '价格变动须说明幅度',
    category: '价格',
    controls: ['refuse', 'off'],
    figure: { kind: 'number', preset: '10', unit: '%', min: 0, max: 100 },
    note: '询价登记的价格变动超过该幅度时须填写原因',
    sets: (control, figure) => ({ price_change_limit: control === 'off' ? '' : figure }),
  },
  {
    name: 'claimTime',
    title: '申领时间窗',
    category: '申领发放',
    controls: ['off', 'refuse', 'warn'],
    figure: { kind: 'hours', preset: '周一至周五 08:00-17:00' },
    scopes: ['warehouse', 'department'],
    note: '常规申领可提交的星期与时间，加急申领不受限制',
    sets: (control, figure) => ({ claim_hours_check: control ?? 'off', claim_hours: figure }),
  },
  {
    name: 'claimQuota',
    title: '科室月度定额控制',
    category: '申领发放',
    controls: ['warn', 'refuse', 'off'],
    scopes: ['warehouse', 'department'],
    note: '本月申领数量超过仓库产品中的月度定额，或本月申领、领用金额超过科室额度',
    sets: control => ({ claim_quota: control ?? 'warn' }),
  },
  {
    name: 'autoReceipt',
    title: '发放后自动收货',
    category: '申领发放',
    controls: [],
    figure: { kind: 'number', preset: '0', unit: '小时', min: 0, max: 720 },
    note: '发放后超过该时限未收货，由系统确认收货；0为不自动收货',
    sets: (_control, figure) => ({ auto_receipt_hours: inexact(figure) }),
  },
  {
    name: 'useNeedsPatient',
    title: '高值使用必须关联患者',
    category: '科室使用',
    controls: ['refuse', 'off'],
    note: '高值产品使用登记没有患者；植入产品始终须关联',
    from: { control: 'high_value_needs_patient' },
    sets: control => ({ high_value_needs_patient: control === 'refuse' }),
  },
  {
    name: 'settleDay',
    title: '月结算日',
    category: '结算',
    controls: [],
    figure: { kind: 'settleDay', preset: '25' },
    note: '生成结算单未填期间时，期间止于最近的月结算日；可填1至28或月末',
    from: { figure: 'settlement_day' },
    sets: (_control, figure) => ({ settlement_day: figure === '月末' ? 31 : parseInteger(figure) }),
  },
  {
    name: 'invoiceTolerance',
    orgs: 'HDV',
    title: '发票差额容差',
    category: '结算',
    controls: ['refuse'],
    figure: { kind: 'number', preset: '0.05', unit: '元', min: 0, max: 100 },
    note: '发票与入库、结算金额每张发票允许的尾差',
    from: { figure: 'invoice_tolerance' },
    sets: (_control, figure) => ({ invoice_tolerance: figure }),
  },
  {
    name: 'twoInvoice',
    title: '两票制核验',
    category: '结算',
    controls: ['warn', 'refuse', 'off'],
    figure: { kind: 'switch', preset: '是' },
    note: '买断货物入库、收到供应商发票而没有生产厂家的第一票；供应商出库时也按本规则核对上游发票。参数为“是”时只核对高值耗材，为“否”时核对全部',
    from: { control: 'two_invoice_system', figure: 'two_invoice_high_value' },
    sets: (control, figure) => ({
      two_invoice_system: control !== 'off',
      two_invoice_check: control ?? 'warn',
      two_invoice_high_value: figure === '是',
    }),
  },
  {
    name: 'paymentTerm',
    title: '默认账期',
    category: '结算',
    controls: [],
    figure: { kind: 'number', preset: '90', unit: '天', min: 0, max: 720 },
    note: '供应商没有约定账期时，应付款的到期日按该天数计算',
    sets: (_control, figure) => ({ default_payment_days: inexact(figure) }),
  },
  {
    name: 'selfReview',
    orgs: 'HDV',
    title: '允许制单人自审',
    category: '单据审核',
    controls: [],
    figure: { kind: 'switch', preset: '否' },
    note: '为“否”时，制单人与审核人不能为同一人',
    from: { figure: 'allow_self_review' },
    sets: (_control, figure) => ({ allow_self_review: figure === '是' }),
  },
  {
    name: 'insuranceCode',
    title: '准入须有国家医保编码',
    category: '质量控制',
    controls: ['off', 'warn', 'refuse'],
    note: '可收费的高值产品没有医保编码时，能否批准准入',
    sets: control => ({ admission_insurance: control ?? 'off' }),
  },
  {
    name: 'overReceive',
    orgs: 'HDV',
    title: '超订单入库比例',
    category: '质量控制',
    controls: [],
    figure: { kind: 'number', preset: '0', unit: '%', min: 0, max: 20 },
    scopes: places,
    note: '到货、入库数量最多可以超过订单未入库数量的百分比；0为不得超过',
    sets: (_control, figure) => ({ over_receive: inexact(figure) }),
  },
  {
    name: 'urgentMinutes',
    title: '加急送达时限',
    category: '申领发放',
    controls: [],
    figure: { kind: 'number', preset: '60', unit: '分钟', min: 1, max: 1440, whole: true },
    scopes: ['warehouse', 'department'],
    note: '加急申领从审核通过起应送达的时间；到时未发齐或未送达的标记超时并提醒',
    sets: (_control, figure) => ({ urgent_minutes: parseInteger(figure) }),
  },
  {
    name: 'normalHours',
    title: '常规送达时限',
    category: '申领发放',
    controls: [],
    figure: { kind: 'number', preset: '24', unit: '小时', min: 1, max: 720, whole: true },
    scopes: ['warehouse', 'department'],
    note: '常规申领从审核通过起应送达的时间；到时未发齐或未送达的标记超时并提醒',
    sets: (_control, figure) => ({ normal_hours: parseInteger(figure) }),
  },
  {
    name: 'claimLevels',
    title: '申领审批级数',
    category: '申领发放',
    controls: [],
    figure: { kind: 'number', preset: '1', unit: '级', min: 0, max: 3, whole: true },
    note: '物资申领单由几级审批：护士长、科主任、设备科；与审核设置中物资申领单（全部仓库与科室）的级数是同一个设置',
    sets: () => ({}),
  },
  {
    name: 'doubleInspection',
    orgs: 'HDV',
    title: '双人验收',
    category: '质量控制',
    controls: [],
    figure: { kind: 'switch', preset: '否' },
    note: '为“是”时，植入类和冷链产品的验收单须填写第二验收员，且不是验收员和收货员',
    from: { figure: 'double_inspection' },
    sets: (_control, figure) => ({ double_inspection: figure === '是' }),
  },
  {
    name: 'inspectionPapers',
    orgs: 'HDV',
    title: '验收资料核对',
    category: '质量控制',
    controls: [],
    figure: { kind: 'switch', preset: '是' },
    note: '为“是”时，无菌产品须填写灭菌批号或灭菌日期，Ⅱ、Ⅲ类产品每个批号须有合格证明文件',
    from: { figure: 'inspection_papers' },
    sets: (_control, figure) => ({ inspection_papers: figure === '是' }),
  },
  {
    name: 'firstApproval',
    orgs: 'DV',
    title: '供应商与产品首营审批控制',
    category: '质量控制',
    controls: ['refuse', 'warn', 'off'],
    note: '供应商未通过首营企业审批，或产品未通过首营品种审批时，能否采购',
    from: { control: 'first_approval' },
    sets: control => ({ first_approval: control ?? 'refuse' }),
  },
  {
    name: 'firstApprovalCustomer',
    orgs: 'DV',
    title: '客户首营审批控制',
    category: '质量控制',
    controls: ['refuse', 'warn', 'off'],
    note: '客户未通过首营企业审批时，能否销售',
    from: { control: 'first_approval_customer' },
    sets: control => ({ first_approval_customer: control ?? 'refuse' }),
  },
  {
    name: 'twoInvoiceTrade',
    orgs: 'DV',
    title: '两票制核验',
    category: '质量控制',
    controls: ['off', 'refuse', 'warn'],
    figure: { kind: 'switch', preset: '否' },
    note: '销售其他厂家的产品而没有生产厂家的第一票。参数为“是”时只核对高值耗材，为“否”时核对全部',
    sets: (control, figure) => ({
      two_invoice_system: (control ?? 'off') !== 'off',
      two_invoice_check: control === 'warn' ? 'warn' : 'refuse',
      two_invoice_high_value: figure === '是',
    }),
  },
  {
    name: 'creditCheck',
    orgs: 'DV',
    title: '超出信用额度控制',
    category: '销售',
    controls: ['warn', 'refuse', 'off'],
    note: '销售订单、销售出库使客户应收超过其信用额度',
    sets: control => ({ credit_check: control ?? 'warn' }),
  },
  {
    name: 'invoiceLimit',
    orgs: 'DV',
    title: '单张开票限额',
    category: '销售',
    controls: [],
    figure: { kind: 'number', preset: '0', unit: '元', min: 0, max: 99_999_999 },
    note: '一张销项发票的价税合计不能超过的金额；0为不限',
    sets: (_control, figure) => ({ invoice_limit: figure }),
  },
  {
    name: 'careDays',
    orgs: 'HDV',
    title: '普通养护周期',
    category: '质量控制',
    controls: [],
    figure: { kind: 'number', preset: '90', unit: '天', min: 1, max: 365, whole: true },
    note: '在库批号再次养护检查的最长间隔',
    sets: (_control, figure) => ({ care_days: parseInteger(figure) }),
  },
  {
    name: 'careDaysKey',
    orgs: 'HDV',
    title: '重点养护周期',
    category: '质量控制',
    controls: [],
    figure: { kind: 'number', preset: '30', unit: '天', min: 1, max: 365, whole: true },
    note: '重点养护品种在库批号再次养护检查的最长间隔',
    sets: (_control, figure) => ({ care_days_key: parseInteger(figure) }),
  },
  {
    name: 'giftMonthsLeft',
    orgs: 'HDV',
    title: '赠送产品最短剩余效期',
    category: '出库发放',
    controls: [],
    figure: { kind: 'number', preset: '6', unit: '月', min: 0, max: 60, whole: true },
    note: '赠送给医院的产品至少应剩余的有效期；0为不限',
    sets: (_control, figure) => ({ gift_months_left: parseInteger(figure) }),
  },
  {
    name: 'issueApprovalLimit',
    orgs: 'HDV',
    title: '其他出库须附审批的金额',
    category: '出库发放',
    controls: [],
    figure: { kind: 'number', preset: '10000', unit: '元', min: 0, max: 9_999_999 },
    note: '其他出库的成本金额达到该数额时须上传审批附件',
    sets: (_control, figure) => ({ issue_approval_limit: figure }),
  },
  {
    name: 'settlementConfirm',
    title: '结算单自动确认',
    category: '结算',
    controls: [],
    figure: { kind: 'number', preset: '5', unit: '天', min: 1, max: 60, whole: true },
    note: '供应商收到结算单后超过该天数未答复，视为确认',
    sets: (_control, figure) => ({ settlement_confirm_days: parseInteger(figure) }),
  },
  {
    name: 'dateBack',
    orgs: 'HDV',
    title: '业务日期可补录天数',
    category: '单据审核',
    controls: [],
    figure: { kind: 'number', preset: '31', unit: '天', min: 0, max: 366, whole: true },
    note: '单据日期最多可早于今天的天数，更早的只能由有“补录更早日期”权限的人确认后提交；已结账期间一律不可补录',
    from: { figure: 'date_back_days' },
    sets: (_control, figure) => ({ date_back_days: parseInteger(figure) }),
  },
  {
    name: 'dateAhead',
    orgs: 'HDV',
    title: '业务日期可预填天数',
    category: '单据审核',
    controls: [],
    figure: { kind: 'number', preset: '0', unit: '天', min: 0, max: 31, whole: true },
    note: '单据日期最多可晚于今天的天数；0为不得晚于今天',
    from: { figure: 'date_ahead_days' },
    sets: (_control, figure) => ({ date_ahead_days: parseInteger(figure) }),
  },
  {
    name: 'unmatchedUse',
    title: '未对照允许使用',
    category: '科室使用',
    controls: [],
    figure: { kind: 'switch', preset: '否' },
    note: '接通HIS的医院：为“否”时，可收费产品没有与HIS收费项目对照的，不能登记患者使用',
    sets: (_control, figure) => ({ unmatched_use: figure === '是' }),
  },
  {
    name: 'chargeOnReview',
    title: '使用审核后自动计费',
    category: '科室使用',
    controls: [],
    figure: { kind: 'switch', preset: '是' },
    note: '接通HIS的医院：为“是”时，患者使用审核后自动向HIS计费；为“否”时由操作人推送计费',
    sets: (_control, figure) => ({ charge_on_review: figure === '是' }),
  },
  {
    name: 'refundFirst',
    title: '退用前须先退费',
    category: '科室使用',
    controls: [],
    figure: { kind: 'switch', preset: '是' },
    note: '为“是”时，已计费的使用须先退费才能反审核或红冲；为“否”时先退用，退费随后自动推送',
    sets: (_control, figure) => ({ refund_first: figure === '是' }),
  },
  {
    name: 'chargeWindow',
    title: '计费核对时间窗',
    category: '科室使用',
    controls: [],
    figure: { kind: 'number', preset: '72', unit: '小时', min: 1, max: 720, whole: true },
    note: '使用与HIS计费按患者和收费项目核对时，两者相差不超过的时间；超过仍未计费的为漏计费',
    sets: (_control, figure) => ({ charge_window_hours: parseInteger(figure) }),
  },
  {
    name: 'hisLeaver',
    title: 'HIS离职同步停用账号',
    category: '人员',
    controls: [],
    figure: { kind: 'switch', preset: '是' },
    note: '为“是”时，人员在HIS离职后，下次同步停用其关联的账号；员工资料保留，管理员账号除外',
    sets: (_control, figure) => ({ stops_his_leavers: figure === '是' }),
  },
  {
    name: 'settleBase',
    title: '结算依据',
    category: '结算',
    controls: [],
    figure: { kind: 'choice', choices: Object.values(settleBases), preset: settleBases.use },
    scopes: ['class'],
    note: '寄售货物由哪个环节进入待结算；按HIS计费的，使用后核对已计费或免计费才进入；改动只影响此后的发放和使用，已按发放结算的货物使用时不再结算',
    sets: (_control, figure) => ({ settle_base: settleBaseOf(figure) }),
  },
  {
    name: 'chargeTiming',
    title: '计费时机',
    category: '科室使用',
    controls: [],
    figure: { kind: 'choice', choices: Object.values(chargeTimings), preset: chargeTimings.after },
    note: '接通HIS的医院：为“使用前”时，患者使用提交即向HIS计费，计费成功后才能审核；HIS无法连接时可先审核，计费随后补推',
    sets: (_control, figure) => ({ charge_timing: figure === chargeTimings.before ? 'before' : 'after' }),
  },
  {
    name: 'loanSettle',
    title: '跟台结算依据',
    category: '结算',
    controls: [],
    figure: { kind: 'choice', choices: Object.values(loanBases), preset: loanBases.receipt },
    scopes: ['class'],
    note: '跟台货物使用后，按供应商的骨科销售单入库即产生应付；按月结算的进入待结算，由结算入库产生应付，供应商不用开销售单；改动只影响此后提交的使用记录',
    sets: (_control, figure) => ({ loan_settle: figure === loanBases.month ? 'month' : 'receipt' }),
  },
  {
    name: 'chargeConfirm',
    title: '服务费单自动确认',
    category: '结算',
    controls: [],
    figure: { kind: 'number', preset: '5', unit: '天', min: 1, max: 60, whole: true },
    note: '供应商收到服务费单后超过该天数未答复，视为确认',
    sets: (_control, figure) => ({ charge_confirm_days: parseInteger(figure) }),
  },
  {
    name: 'allowanceLimit',
    orgs: 'HDV',
    title: '折让限额',
    category: '结算',
    controls: [],
    figure: { kind: 'number', preset: '100', unit: '元', min: 0, max: 10_000_000 },
    note: '收款单、付款单的折让合计不超过该金额的，一级审核即可；超过的须经二级审核',
    sets: (_control, figure) => ({ allowance_limit: figure }),
  },
  {
    name: 'invoicePriceGap',
    orgs: 'HDV',
    title: '三单匹配价格容差',
    category: '结算',
    controls: [],
    figure: { kind: 'number', preset: '0', unit: '%', min: 0, max: 100 },
    note: '供应商发票与订单（没有订单的与入库）的单价、金额之差超过该比例且每行超过0.01元时，须由第二人差异审核；100为不比较',
    sets: (_control, figure) => ({ invoice_price_gap: figure === '100' ? '' : figure }),
  },
  {
    name: 'invoiceQuantityGap',
    orgs: 'HDV',
    title: '三单匹配数量容差',
    category: '结算',
    controls: [],
    figure: { kind: 'number', preset: '0', unit: '%', min: 0, max: 100 },
    note: '同一订单明细累计开票数量超过订单数量该比例且超出部分超过0.01元时，须由第二人差异审核；100为不比较',
    sets: (_control, figure) => ({ invoice_quantity_gap: figure === '100' ? '' : figure }),
  },
  closing('closeUnmatched', 'HDV', '结账前未核销收款', '收款单里还有没有核销发票的余额'),
  closing('closeUncharged', 'H', '结账前未计费使用', '还有使用后没有计费的耗材'),
  closing('closeDifference', 'HDV', '结账前往来差异', '还有对方有异议或没有答复的对账函'),
  {
    name: 'wallAmounts',
    orgs: 'HDV',
    title: '大屏金额授权',
    category: '数据授权',
    controls: [],
    figure: { kind: 'switch', preset: '否' },
    note: '选择“是”后，平台的大屏显示本机构的金额；与供应商之间的金额须双方都授权。未授权的金额显示为***，数量照常显示',
    // Read by the platform, not by the organisation that gives it.
    sets: () => ({}),
  },
  {
    name: 'supplierScore',
    title: '供应商评分权重',
    category: '报表评分',
    controls: [],
    figure: {
      kind: 'weights',
      preset: weightsOf('supplierScore').preset,
      choices: weightsOf('supplierScore').parts,
    },
    note: '供应商统计报表综合得分的权重，依次为到货及时率、订单满足率、验收合格率、资质、服务，合计100；没有数据的项不计',
    sets: () => ({}),
  },
  {
    name: 'spdScore',
    title: '科室SPD运营评分权重',
    category: '报表评分',
    controls: [],
    figure: { kind: 'weights', preset: weightsOf('spdScore').preset, choices: weightsOf('spdScore').parts },
    note:
      '科室SPD运营统计综合得分的权重，依次为满足率、准时送达率、扫码使用率、盘点准确率、计费匹配率，' +
      '合计100；没有数据的项不计',
    sets: () => ({}),
  },
]

export const hospitalPolicyOf = (name: string): HospitalPolicy | undefined =>
  hospitalPolicies.find(rule => rule.name === name)

const DAYS = '一二三四五六日'
const HOURS = /^周([一二三四五六日])至周([一二三四五六日]) ([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-3]):([0-5]\d)$/

/** True if a time is within a window such as 周一至周五 08:00-17:00; `at` is ISO in the local zone. */
export function withinHours(window: string, weekday: number, minutes: number): boolean {
  const [, from, to, ...clock] = HOURS.exec(window) ?? []
  if (!from || !to) return true
  const [first, last] = [DAYS.indexOf(from) + 1, DAYS.indexOf(to) + 1]
  const inDays = first <= last ? weekday >= first && weekday <= last : weekday >= first || weekday <= last
  const [h1, m1, h2, m2] = clock.map(parseInteger) as [number, number, number, number]
  return inDays && minutes >= h1 * 60 + m1 && minutes <= h2 * 60 + m2
}

/** The problem with a rule's figure, as worded on the page; null if there is none. */
export function wrongFigure({ figure }: HospitalPolicy, written: string): string | null {
  if (!figure) return written === '' ? null : '该规则没有参数值'
  if (figure.kind === 'choice')
    return figure.choices!.includes(written) ? null : `参数值只能填写：${figure.choices!.join('、')}`
  if (figure.kind === 'weights') return wrongWeights(figure.choices!, written)
  if (figure.kind === 'switch') return ['是', '否'].includes(written) ? null : '参数值只能填写：是、否'
  if (figure.kind === 'hours') return HOURS.test(written) ? null : '参数值应如：周一至周五 08:00-17:00'
  if (figure.kind === 'settleDay')
    return written === '月末' ||
      (/^\d{1,2}$/.test(written) && parseInteger(written) >= 1 && parseInteger(written) <= 28)
      ? null
      : '月结算日只能填写1至28或月末'
  const shape = figure.whole ? /^\d{1,6}$/ : /^\d{1,8}(\.\d{1,2})?$/
  const right =
    shape.test(written) && compare(written, String(figure.min)) >= 0 && compare(written, String(figure.max)) <= 0
  return right ? null : `参数值应在${figure.min}至${figure.max}之间`
}

/** A rule's percentage as a fraction; null if the rule sets no limit. */
export const limitOf = (percent: string): Decimal | null => (percent === '' ? null : plain(divide(percent, '100', 4)))

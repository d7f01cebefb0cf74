/** Rules that an organisation can switch, with the defaults. */
export const settingDefaults = {
  /** 允许制单人自审 */
  allow_self_review: false,
  /** 采购入库前须到货验收 */
  arrival_before_receipt: false,
  /** 双人复核: all, special (implants and the cold chain) or off */
  double_recheck: 'special',
  /** 允许无订单入库 */
  receipt_without_order: true,
  /** 允许反审核天数 */
  unreview_days: 365,
  /** 可补录天数, 可预填天数: the number of days by which a document's date may be before and after today. */
  date_back_days: 31,
  date_ahead_days: 0,
  /** 证照校验: refuse or warn */
  certificate_check: 'refuse',
  /** 注册证过期: refuse, warn, or same: as for organisations' licences */
  registration_check: 'same',
  /** HIS接口开关 */
  his_enabled: true,
  /** 允许修改单价: whether a price taken from a source may be changed. */
  price_editable: true,
  /** A receipt with fewer days of shelf life left needs confirmation (hospitals). */
  receipt_days_left: 180,
  /** 效期不足: warn or refuse */
  short_life: 'warn',
  /** 发票差额容差, yuan */
  invoice_tolerance: '0.05',
  /** 折让限额, yuan: an allowance beyond it needs a second audit level. */
  allowance_limit: '100',
  /** 三单匹配: percent by which an invoice's line may differ from the order's price; empty: not checked. */
  invoice_price_gap: '0',
  /** Percent by which more may be invoiced than was ordered; empty: not checked. */
  invoice_quantity_gap: '0',
  /** 超订单入库比例: percent that may be received beyond the ordered quantity. */
  over_receive: 0,
  /** 单张开票限额, yuan; 0: none */
  invoice_limit: '0',
  /** 月结算日 */
  settlement_day: 25,
  /** 高值与植入使用须扫码: refuse or warn */
  use_needs_scan: 'refuse',
  /** 高值使用必须关联患者; implants always do. */
  high_value_needs_patient: false,
  /** 两票制: a maker's goods come with the maker's invoice to the dealer. */
  two_invoice_system: false,
  /** 双人验收 */
  double_inspection: false,
  /** 验收须填写灭菌信息并上传合格证明文件 */
  inspection_papers: true,
  /** 近效期先出: warn, refuse or off */
  first_expiry_first: 'warn',
  /** 发放审核前须拣货: goods are only issued after the lines were picked, or registered as short. */
  pick_before_grant: false,
  /** 其他出库须附审批附件的成本金额, yuan */
  issue_approval_limit: '10000',
  /** Minimum months of shelf life left for goods given to a hospital. */
  gift_months_left: 6,
  /** 首营审批控制: refuse, warn or off */
  first_approval: 'off',
  /** 客户首营审批控制: refuse, warn or off */
  first_approval_customer: 'off',
  /** 超出信用额度: warn, refuse or off */
  credit_check: 'warn',
  /** 自动生成出库单: a reviewed sales order creates its delivery. */
  auto_sale_odo: false,
  /** 超期禁止预销售: a customer with overdue unsettled advance sales gets no more. */
  advance_overdue_stops: false,
  /** 价格须财务确认: an advance sale only becomes a sale at a price confirmed by finance. */
  advance_price_confirmed: false,
  /** 普通养护 and 重点养护: days within which a lot in stock is checked again. */
  care_days: 90,
  care_days_key: 30,
  /** Days after which a settlement without answer counts as agreed by the supplier. */
  settlement_confirm_days: 5,
  /** 服务费单自动确认天数 */
  charge_confirm_days: 5,
  /** 挂网价控制: refuse, warn or off */
  price_cap: 'refuse',
  /** 准入须有国家医保编码: refuse, warn or off */
  admission_insurance: 'off',
  /** Percent of change from which a registered price needs a reason; empty: never. */
  price_change_limit: '10',
  /** 申领时间窗: refuse, warn or off, and the window. */
  claim_hours_check: 'off',
  claim_hours: '',
  /** 科室月度定额: refuse, warn or off */
  claim_quota: 'warn',
  /** 加急送达时限, minutes, and 常规送达时限, hours: from the last approval of a requisition. */
  urgent_minutes: 60,
  normal_hours: 24,
  /** Hours after which the system confirms a ward's unconfirmed receipt; 0: never. */
  auto_receipt_hours: 0,
  /** How strict 两票制 is where it is on: refuse or warn */
  two_invoice_check: 'refuse',
  /** 两票制仅核对高值: other goods are not checked. */
  two_invoice_high_value: false,
  /** 结算依据: what makes consigned goods due: use, grant, or the charge of the use. */
  settle_base: 'use',
  /** 跟台结算依据: what was used of loans is owed by its receipt, or by the month's settlement. */
  loan_settle: 'receipt',
  /** 默认账期 of suppliers without one. */
  default_payment_days: 0,
  /** 未对照允许使用: chargeable goods without an item of the HIS may be used on patients. */
  unmatched_use: false,
  /** 计费时机: before the use is reviewed, or after. */
  charge_timing: 'after',
  /** 使用审核后自动计费, and 退用前须先退费 */
  charge_on_review: true,
  refund_first: true,
  /** 计费核对时间窗, hours between a use and its charge. */
  charge_window_hours: 72,
  /** HIS离职同步停用账号: who left in the HIS signs in no more after the next synchronisation. */
  stops_his_leavers: true,
} as const
type Widened<T> = T extends boolean ? boolean : T extends number ? number : string
type ModuleSettings = { -readonly [K in keyof typeof settingDefaults]: Widened<(typeof settingDefaults)[K]> }

declare module '#kernel/definition/setting.ts' {
  interface Settings extends ModuleSettings {}
}

import { type AnyDocument, regimes } from '#kernel/definition/document.ts'
import { f, type Fields } from '#kernel/definition/field.ts'
import { qualityStates } from '#kernel/ledger/posting.ts'

/** States of the push to the hospital's HIS, of a document that the HIS books as well. */
export const hisPushStates = {
  none: '未推送',
  sending: '推送中',
  sent: '推送成功',
  failed: '推送失败',
  reversed: '已冲销',
} as const

/** Fields stored as real columns for every document, with labels used where a definition gives none. */
export const commonFields: Fields = {
  sn: f.text('单号', { readOnly: true }),
  counterparty_sn: f.ref('往来单位', 'organisation'),
  warehouse_model_inner_sn: f.ref('仓库', 'warehouse'),
  to_warehouse_model_inner_sn: f.ref('目标仓库', 'warehouse'),
  department_inner_sn: f.ref('科室', 'department'),
  handler_inner_sn: f.ref('经办人', 'employee'),
  business_date: f.day('业务日期'),
  regime: f.pick('货权方式', regimes),
  source_type: f.count('来源类型'),
  source_sn: f.text('来源单号'),
  source_org_sn: f.ref('来源机构', 'organisation'),
  remark: f.longText('备注', { max: 500 }),
  attachments: f.files('附件'),
  org_name: f.text('机构', { readOnly: true }),
  untaxed_amount: f.amount('未税金额', { readOnly: true }),
  tax_amount: f.amount('税额', { readOnly: true }),
  taxed_amount: f.amount('价税合计', { readOnly: true }),
  rounding: f.amount('尾差', { readOnly: true }),
  line_count: f.count('品规数', { readOnly: true }),
  total_quantity: f.quantity('总数量', { readOnly: true }),
  created_by_name: f.text('制单人', { readOnly: true }),
  created_at: f.instant('制单时间', { readOnly: true }),
  submitted_by_name: f.text('提交人', { readOnly: true }),
  submitted_at: f.instant('提交时间', { readOnly: true }),
  review_level: f.count('当前审核级次', { readOnly: true }),
  current_approvers: f.text('待审角色', { readOnly: true, width: 160 }),
  last_opinion: f.text('上一级意见', { readOnly: true, width: 160 }),
  rejected_for: f.text('驳回原因', { readOnly: true, width: 180 }),
  age_days: f.count('账龄（天）', { readOnly: true }),
  overdue_days: f.count('超期天数', { readOnly: true }),
  items_due_on: f.day('到期日', { readOnly: true, hint: '所付发票和期初中最早的到期日' }),
  items_late_days: f.count('逾期天数', { readOnly: true, hint: '最早的到期日到付款日期，未付的到今天' }),
  payment_nos: f.text('付款单号', { readOnly: true, width: 160 }),
  last_paid_on: f.day('付款日期', { readOnly: true, hint: '最近一次付款' }),
  pay_accounts: f.text('付款账户', { readOnly: true, width: 160 }),
  last_offset_on: f.day('最近核销日期', { readOnly: true }),
  partner_payable: f.amount('供应商应付余额', { readOnly: true, wholeOnly: true }),
  partner_prepaid: f.amount('供应商预付余额', { readOnly: true, wholeOnly: true }),
  matched_amount: f.amount('已核销金额', { readOnly: true, hint: '核销发票、期初的金额，以及余额以后核销的部分' }),
  unmatched_amount: f.amount('未核销金额', { readOnly: true, hint: '与预收余额中本单的未核销余额相同' }),
  matching_state: f.pick('核销状态', { '1': '未核销', '2': '部分核销', '3': '已核销' }, { readOnly: true }),
  long_open: f.pick('长期未清', { '1': '超过90天未清', '0': '否' }, { readOnly: true, tones: { '1': 'danger' } }),
  booked_state: f.pick('记账状态', { '1': '未记账', '2': '部分记账', '3': '已记账' }, { readOnly: true }),
  has_balance: f.pick('余额大于0', { '1': '有余额', '0': '已用完' }, { readOnly: true }),
  owed_quantity: f.quantity('未归还数量', { readOnly: true }),
  open_pieces: f.quantity('未清件数', { readOnly: true }),
  used_pieces: f.quantity('使用件数', { readOnly: true }),
  returned_pieces: f.quantity('已退回', { readOnly: true }),
  lost_pieces: f.quantity('丢失损坏', { readOnly: true }),
  kit_count: f.count('套包数', { readOnly: true }),
  implant_pieces: f.quantity('植入物件数', { readOnly: true }),
  tool_pieces: f.quantity('工具件数', { readOnly: true }),
  difference_pieces: f.quantity('差异件数', {
    readOnly: true,
    hint: '预验收单：实收与清单不一致的件数；退回单：应退减实退',
  }),
  due_pieces: f.quantity('应退数量', { readOnly: true }),
  pieces_to_clean: f.quantity('待清洗消毒件数', { readOnly: true, hint: '退回的工具，丢失、损坏的除外' }),
  lending_department: f.text('借出科室', { readOnly: true, width: 120 }),
  borrowing_department: f.text('借入科室', { readOnly: true, width: 120 }),
  move_kind: f.pick('移库类型', { inside: '库内移位', between: '库间移库' }, { readOnly: true }),
  lying_cost: f.cost('未结清成本金额', { readOnly: true }),
  his_push_state: f.pick('HIS推送状态', hisPushStates, {
    readOnly: true,
    tones: { failed: 'danger', none: 'warning' },
  }),
  invoice_nos: f.text('发票号', { readOnly: true, width: 180 }),
  use_count: f.count('使用笔数', { readOnly: true }),
  payment_state: f.pick('付款状态', { 1: '未付款', 2: '部分付款', 3: '已付款' }, { readOnly: true }),
  collection_state: f.pick('收款状态', { 1: '未收款', 2: '部分收款', 3: '已收款' }, { readOnly: true }),
  collected_amount: f.amount('已收款金额', { readOnly: true, hint: '本单已开发票的收款与核销金额' }),
  service_fee: f.amount('服务费', { readOnly: true }),
  settlement_nos: f.text('结算单号', { readOnly: true, width: 160 }),
  settled_amount: f.amount('结算金额', { readOnly: true }),
  settlement_period: f.text('结算期间', { readOnly: true, width: 190 }),
  settlement_amount: f.amount('结算金额', { readOnly: true, hint: '发票所含结算入库单的全部金额' }),
  settlement_invoiced: f.amount('已开票金额', { readOnly: true, hint: '这些结算入库单在所有发票上已开的金额' }),
  settlement_uninvoiced: f.amount('未开票金额', { readOnly: true, hint: '结算金额减已开票金额' }),
  invoice_sent_at: f.instant('送验时间', { readOnly: true }),
  invoice_checked_by: f.text('核对人', { readOnly: true }),
  invoice_checked_at: f.instant('校验时间', { readOnly: true }),
  supplier_names: f.text('供应商', { readOnly: true, width: 180 }),
  counterparty_type: f.pick('机构类型', { 1: '医院', 2: '经销商', 3: '厂商' }, { readOnly: true }),
  offered_count: f.count('已报价品规数', { readOnly: true }),
  time_left: f.text('剩余时间', { readOnly: true, width: 110 }),
  goods_in_question: f.text('异常明细', { readOnly: true, width: 260 }),
  owner_names: f.text('货主', { readOnly: true, width: 180 }),
  quality_reviewer: f.text('质量审核人', { readOnly: true }),
  entry_mode: f.pick('录入方式', { hand: '手工录入', import: '表格导入' }, { readOnly: true }),
  checked_count: f.count('已检品规数', { readOnly: true }),
  due_count: f.count('应收品规数', { readOnly: true }),
  due_quantity: f.quantity('应收数量', { readOnly: true }),
  counted_quantity: f.quantity('已扫数量', { readOnly: true }),
  difference_quantity: f.quantity('差异数量', { readOnly: true }),
  uncorrected_quantity: f.quantity('应有数量', { readOnly: true }),
  corrected_quantity: f.quantity('实际数量', { readOnly: true }),
  correction_quantity: f.quantity('差异数量', { readOnly: true }),
  box_count: f.count('箱数', { readOnly: true }),
  reviewed_by_name: f.text('审核人', { readOnly: true }),
  reviewed_at: f.instant('审核时间', { readOnly: true }),
}

/** Line fields stored as real columns for every document. */
export const commonLineFields: Fields = {
  specification_sn: f.ref('规格型号', 'specification'),
  lot_no: f.lot('批号', { max: 40 }),
  production_date: f.day('生产日期'),
  expiry_date: f.expiry('有效期至'),
  unit_codes: f.codes('院内码'),
  unit_inner_sn: f.ref('单位', 'unitTree'),
  quantity: f.quantity('数量', { min: '0.001' }),
  base_quantity: f.quantity('基本单位数量', { readOnly: true }),
  price: f.price('含税单价', { min: '0' }),
  tax_rate: f.taxRate('税率'),
  untaxed_amount: f.amount('未税金额'),
  tax_amount: f.amount('税额'),
  taxed_amount: f.amount('价税合计'),
  owner_org_sn: f.ref('货主', 'organisation'),
  quality_state: f.pick('质量状态', qualityStates),
  location: f.text('货位', { max: 40 }),
  source_sn: f.text('来源单号'),
  source_org_sn: f.ref('来源机构', 'organisation'),
  source_line_no: f.count('来源行号'),
  remark: f.text('备注', { max: 200 }),
}

/**
 * Money of a document or a line that the program computes from prices: where lines are priced at cost, it reveals the
 * cost.
 */
const ofPrices = new Set(['price', 'untaxed_amount', 'tax_amount', 'taxed_amount', 'rounding'])

/** True if a kind's money is what goods cost its organisation: it is priced at cost, or its fields say so. */
export const isAtCost = ({ pricing, header, lines }: Pick<AnyDocument, 'pricing' | 'header' | 'lines'>): boolean =>
  pricing.costing !== undefined ||
  [lines.price, lines.taxed_amount, header.taxed_amount].some(field => field?.worth === 'cost')

const worded = (
  definition: AnyDocument,
  name: string,
  field: Fields[string] | undefined,
): Fields[string] | undefined =>
  field && field.worth === undefined && ofPrices.has(name) && isAtCost(definition) ? { ...field, worth: 'cost' } : field

/** The common field, by the name that the kind gives it. */
function labelled({ lifecycle }: AnyDocument, name: string): Fields[string] | undefined {
  const field = commonFields[name]
  const label = (lifecycle.columnLabels as Readonly<Record<string, string>> | undefined)?.[name]
  return field === undefined || label === undefined ? field : { ...field, label }
}

/** The header field of a document by its wire name: the definition's own wording first, then the common one. */
export const headerField = (definition: AnyDocument, name: string): Fields[string] | undefined =>
  worded(definition, name, definition.header[name] ?? labelled(definition, name))
/** The line field of a document by its wire name. */
export const lineField = (definition: AnyDocument, name: string): Fields[string] | undefined =>
  worded(definition, name, definition.lines[name] ?? commonLineFields[name])

/** Every field that a document or its lines may show, by the wire name. */
export const fieldsOfDocument = (definition: AnyDocument): Fields =>
  Object.fromEntries([
    ...Object.keys({ ...commonLineFields, ...definition.lines }).map(name => [name, lineField(definition, name)!]),
    ...Object.keys({ ...commonFields, ...definition.header }).map(name => [name, headerField(definition, name)!]),
  ])

import { defineDocument, type DocOf } from '#kernel/definition/document.ts'
import { add, isDecimal, isNegative, isZero, multiply, round, subtract } from '#kernel/values/decimal.ts'
import { f } from '#kernel/definition/field.ts'
import { lifecycle } from '#kernel/definition/lifecycle.ts'
import { qualityStates } from '#kernel/ledger/posting.ts'
import { eachLine, needs, filled } from '#modules/base/vocabulary/validators.ts'

type Doc = DocOf<typeof header, typeof lines>

const started = (doc: Doc): boolean => doc.count_state !== '1' && filled(doc.count_state)
const isStarted = (doc: Doc) => started(doc) || '请先开始盘点'
const everyLineCounted = (doc: Doc) => {
  const open = doc.lines.filter(line => !filled(line.counted_quantity)).length
  return open === 0 || `还有${open}行未录入实盘数量`
}

const isBlind = (doc: { readonly take_method?: unknown }): boolean => doc.take_method === 'blind'
const everyDifferenceExplained = eachLine<Doc>(
  line =>
    !['surplus', 'short'].includes(String(line.direction)) || Boolean(line.line_reason) || '有差异，请填写差异原因',
)

/**
 * The difference of a line as it is typed, with its sign: the counted quantity less the ledger of that moment. A line
 * that was not counted has none. In a blind count it is not computed.
 */
function differenceOf(line: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const counted = filled(line.recount_quantity) ? line.recount_quantity : line.first_quantity
  const [book, moved] = [line.book_quantity, line.moved_quantity ?? '0']
  if (!isDecimal(counted) || !isDecimal(book) || !isDecimal(moved))
    return { counted_quantity: null, difference: null, direction: null, difference_amount: null }
  const difference = subtract(counted, add(book, moved, 3), 3)
  return {
    counted_quantity: counted,
    difference,
    direction: isZero(difference) ? 'none' : isNegative(difference) ? 'short' : 'surplus',
    difference_amount: isDecimal(line.price) ? round(multiply(line.price, difference, 6), 2) : null,
  }
}

/** The scope is set before the count begins and is fixed afterwards. */
const begins = ['count_state', '1'] as const

const life = lifecycle<Doc>({
  submit: [
    needs('warehouse_model_inner_sn', '请选择仓库'),
    isStarted,
    everyLineCounted,
    // Users who count blindly must not see the differences, so they write the reasons only after submit.
    doc => isBlind(doc) || everyDifferenceExplained(doc),
  ],
  review: [everyDifferenceExplained],
  blockedMessage: '盘点差异已处理，不能反审核',
})

/** The columns that a blind count hides from the counters: the ledger quantity, and everything that would reveal it. */
const hidden = [
  'book_quantity',
  'moved_quantity',
  'difference',
  'difference_amount',
  'direction',
  'quantity',
  'base_quantity',
  'expected_codes',
  'unit_codes',
  'taxed_amount',
  'untaxed_amount',
  'gain_quantity',
  'loss_quantity',
  'has_difference',
  'match_rate',
  'misplaced',
] as const

const header = {
  warehouse_model_inner_sn: f.ref('仓库', 'warehouse', { required: true, when: begins }),
  take_type: f.pick(
    '盘点类型',
    { full: '全盘', sample: '抽盘', cycle: '循环盘', moving: '动态盘' },
    { default: 'full', when: begins },
  ),
  take_method: f.pick('盘点方式', { open: '明盘', blind: '盲盘' }, { default: 'open', when: begins }),
  scope_area: f.text('盘点库区', { max: 10, when: begins, hint: '货位编码的第一段，留空为全部库区' }),
  scope_shelf: f.text('盘点货架', { max: 20, when: begins, hint: '库区-货架，如 A-01，留空为全部货架' }),
  scope_location: f.text('盘点货位', { max: 40, when: begins, hint: '留空为全部货位' }),
  scope_class_sn: f.ref('盘点分类', 'customType', { when: begins, hint: '自定义分类，含下级，留空为全部分类' }),
  scope_owner_sn: f.ref('盘点货主', 'organisation', { when: begins, hint: '留空为全部货主' }),
  scope_product_sn: f.ref('盘点产品', 'product', { when: begins, hint: '留空为全部产品' }),
  moved_since: f.day('变动起始日', {
    when: ['take_type', 'moving'],
    hint: '动态盘：只盘此日以来有出入库的批次',
  }),
  is_locked: f.flag('锁库盘点', { when: begins }),
  count_state: f.pick('盘点进度', { '1': '未开始', '2': '初盘', '3': '复盘' }, { readOnly: true, default: '1' }),
  frozen_at: f.instant('账面时点', { readOnly: true }),
  plan_date: f.day('计划日期'),
  count_plan_sn: f.ref('盘点计划', 'countPlan', { readOnly: true }),
  counter_inner_sn: f.ref('盘点人', 'employee'),
  recounter_inner_sn: f.ref('复盘人', 'employee'),
  supervisor_inner_sn: f.ref('监盘人', 'employee'),
  book_lines: f.count('账面品规数', { readOnly: true }),
  counted_lines: f.count('已盘品规数', { readOnly: true }),
  gain_quantity: f.quantity('盘盈数量', { readOnly: true }),
  loss_quantity: f.quantity('盘亏数量', { readOnly: true }),
  difference_amount: f.cost('差异金额', { readOnly: true }),
  has_difference: f.pick('是否有差异', { '1': '无差异', '2': '有差异' }, { readOnly: true }),
  match_rate: f.rate('账实相符率', { readOnly: true }),
  misplaced: f.longText('错库', { readOnly: true, max: 5000 }),
  handler_inner_sn: f.ref('经办人', 'employee'),
  business_date: f.day('盘点日期'),
  remark: f.longText('备注', { max: 500 }),
  attachments: f.files('附件'),
}
const lines = {
  location: f.text('货位', { max: 40 }),
  specification_sn: f.ref('规格型号', 'specification', { required: true }),
  lot_no: f.lot('批号', { max: 40 }),
  expiry_date: f.day('有效期至'),
  owner_org_sn: f.ref('货主', 'organisation'),
  quality_state: f.pick('质量状态', qualityStates),
  book_quantity: f.quantity('账面数量', { readOnly: true }),
  moved_quantity: f.quantity('盘点期间变动', { readOnly: true }),
  first_quantity: f.quantity('初盘数量', { min: '0' }),
  recount_quantity: f.quantity('复盘数量', { min: '0' }),
  counted_quantity: f.quantity('实盘数量', { readOnly: true }),
  difference: f.quantity('差异', { readOnly: true }),
  direction: f.pick('差异类型', { none: '相符', surplus: '盘盈', short: '盘亏' }, { readOnly: true }),
  quantity: f.quantity('差异数量', { readOnly: true, default: '0.000' }),
  price: f.unitCost('成本单价', { readOnly: true }),
  difference_amount: f.cost('差异金额', { readOnly: true }),
  line_reason: f.text('差异原因', { max: 200, dueWhen: ['direction', 'surplus', 'short'] }),
  counted_how: f.pick(
    '盘点来源',
    { scanned: '扫码', typed: '手工录入', book: '未扫码，按账面' },
    { readOnly: true, tones: { book: 'warning' } },
  ),
  expected_codes: f.codes('应盘院内码', { readOnly: true }),
  counted_codes: f.codes('实盘院内码', { readOnly: true }),
  unit_codes: f.codes('差异院内码', { readOnly: true }),
  counted_by: f.text('盘点人', { readOnly: true }),
  counted_at: f.instant('盘点时间', { readOnly: true }),
  recounted_by: f.text('复盘人', { readOnly: true }),
  remark: f.text('备注', { max: 200 }),
}

/**
 * 盘点单: a warehouse or part of it is counted, openly or blind, by hand or by scanning; a second person recounts
 * differences. It books nothing: differences create draft finds and losses, which are approved separately.
 */
export const stockTake = defineDocument({
  kind: 'stockTake',
  title: '盘点单',
  numberPrefix: 'PD',
  category: 'internal',
  ownerTypes: 'HDV',
  facts: { counted: 1, corrected: 1 },
  header,
  lines,
  // The goods that a plan found due.
  internalFields: ['cycle_goods'],
  lineRules: {
    // 差异 with its sign includes them all.
    unlisted: ['direction', 'quantity', 'counted_quantity', 'untaxed_amount', 'tax_amount', 'taxed_amount'],
    follows: differenceOf,
    import: {
      by: ['lot_no', 'location', 'owner_org_sn', 'quality_state'],
      writes: ['first_quantity', 'recount_quantity', 'line_reason', 'remark'],
    },
    hiddenFields: doc => (isBlind(doc) && ['draft', 'rejected'].includes(String(doc.state)) ? hidden : []),
    scanning: {
      quantityField: doc => (doc.count_state === '3' ? 'recount_quantity' : 'first_quantity'),
      expectedField: 'book_quantity',
      expectedUnitsField: 'expected_codes',
      checklist: true,
      openCount: true,
      unitAction: 'scan',
    },
  },
  actions: {
    ...life,
    // A count without differences is completed at its review.
    unreview: { ...life.unreview, from: ['reviewed', 'completed'] },
    start: {
      label: '开始盘点',
      from: ['draft'],
      to: null,
      tone: 'primary',
      sets: { count_state: '2' },
      unavailableWhen: { count_state: ['2', '3'] },
    },
    fillBook: {
      label: '按账面填充',
      from: ['draft', 'rejected'],
      to: null,
      unavailableWhen: { count_state: ['1'], take_method: ['blind'] },
      guards: [isStarted, doc => !isBlind(doc) || '盲盘不能按账面填充'],
    },
    recount: {
      label: '复盘',
      from: ['draft', 'rejected'],
      to: null,
      sets: { count_state: '3' },
      unavailableWhen: { count_state: ['1'] },
      guards: [isStarted, everyLineCounted],
    },
    end: {
      label: '结束盘点',
      from: ['reviewed', 'partial'],
      to: 'stopped',
      requiresReason: '请填写结束原因',
      tone: 'danger',
    },
  },
  lifecycle: {
    editableWhenSubmitted: ['line_reason', 'remark'],
    listActions: {
      scan: {
        label: '扫码盘点',
        documents: { sn: 'stockTake' },
        inputs: {
          sn: f.text('盘点单号', { required: true, max: 40 }),
          codes: f.codes('院内码', { required: true }),
        },
      },
    },
  },
  sourcing: {
    followUps: [
      { on: 'review', kind: 'overflow', state: 'draft' },
      { on: 'review', kind: 'loss', state: 'draft' },
    ],
  },
  progress: {
    main: 'adjust',
  },
  posting: {
    stockDirection: 'named',
  },
  screens: [
    {
      route: '/commonView/takeStock',
      title: '库存盘点',
      orgs: 'HDV',
      menu: '库存管理',
      purpose: '全盘、抽盘或循环盘：冻结账面、录入实盘、复盘差异，审核后生成报溢与报损草稿',
      columns: [
        'sn',
        'warehouse_model_inner_sn',
        'take_type',
        'take_method',
        'scope_area',
        'scope_shelf',
        'scope_location',
        'scope_class_sn',
        'count_state',
        'frozen_at',
        'book_lines',
        'counted_lines',
        'gain_quantity',
        'loss_quantity',
        'difference_amount',
        'has_difference',
        'counter_inner_sn',
        'supervisor_inner_sn',
        'plan_date',
        'reviewed_by_name',
        'reviewed_at',
        'state',
      ],
      keyColumns: ['sn', 'state', 'warehouse_model_inner_sn', 'take_type', 'plan_date', 'difference_amount'],
      filters: [
        'sn',
        'warehouse_model_inner_sn',
        'take_type',
        'take_method',
        'counter_inner_sn',
        'plan_date',
        'has_difference',
        'specification_sn',
        'lot_no',
        'state',
      ],
    },
  ],
})

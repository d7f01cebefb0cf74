import { isPastUse } from '#kernel/rules/shelf-life.ts'
import { type Book, defineDocument, type DocOf } from '#kernel/definition/document.ts'
import { isPositive, isZero, share, subtract, zero } from '#kernel/values/decimal.ts'
import { f } from '#kernel/definition/field.ts'
import { postingLifecycle } from '#kernel/definition/lifecycle.ts'
import { type Move, qualityStates, store, transit } from '#kernel/ledger/posting.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import {
  addsUp,
  codesMatchQuantity,
  differ,
  everyLine,
  everyLineHasSource,
  hasLines,
  needs,
  positiveQuantity,
  reasoned,
  within,
  figure,
} from '#modules/base/vocabulary/validators.ts'
import { counted, held, pieces, remarked, stockedGoods } from '#modules/base/vocabulary/line-fields.ts'
import { moved } from '#modules/base/vocabulary/stock-moves.ts'

const examined = [
  within('unqualified_quantity', 'quantity', '不合格数量不能大于退库数量'),
  addsUp('qualified_quantity', 'unqualified_quantity', '验收合格数量与不合格数量之和必须等于退库数量'),
  reasoned('unqualified_quantity', 'unqualified_reason', '请填写不合格原因'),
  everyLine<Doc>(
    '有院内码的不合格品请单独成行',
    line =>
      line.unit_codes.length === 0 ||
      [zero, line.quantity].some(whole => isZero(subtract(figure(line, 'unqualified_quantity'), whole, 3))),
  ),
  everyLine<Doc>(
    '产品已过期，不能验收为合格',
    (line, doc) => !isPastUse(line, doc) || isZero(subtract(figure(line, 'unqualified_quantity'), line.quantity, 3)),
  ),
]

const header = {
  department_inner_sn: f.ref('退库科室', 'department'),
  warehouse_model_inner_sn: f.ref('退出仓库', 'warehouse', { required: true }),
  to_warehouse_model_inner_sn: f.ref('退入仓库', 'warehouse', {
    required: true,
    named: 'its people inspect and review what the ward sends',
  }),
  return_type: f.pick(
    '退库类型',
    {
      unused: '未用退库',
      quality: '质量退库',
      near_expiry: '近效期退库',
      wrong: '错发退库',
      missing: '差异退回',
      other: '其他',
    },
    { default: 'unused' },
  ),
  return_reason: f.text('退库原因', { max: 200 }),
  handler_inner_sn: f.ref('退库人', 'employee'),
  receiver_inner_sn: f.ref('接收人', 'employee'),
  inspected: f.flag('已验收', { readOnly: true }),
  business_date: f.day('退库日期'),
  remark: f.longText('备注', { max: 500 }),
  attachments: f.files('附件'),
}
const lines = {
  ...stockedGoods,
  ...pieces('院内码/定数包码'),
  ...held,
  quality_state: f.pick('质量状态', qualityStates),
  source_quantity: f.quantity('发放数量', { readOnly: true }),
  left_quantity: f.quantity('可退数量', { readOnly: true }),
  ...counted('退库数量'),
  qualified_quantity: f.quantity('验收合格数量', { min: '0', hint: '留空为退库数量减不合格数量' }),
  unqualified_quantity: f.quantity('不合格数量', { min: '0' }),
  unqualified_reason: f.text('不合格原因', { max: 200 }),
  price: f.price('单价', { min: '0' }),
  ...remarked,
}
type Doc = DocOf<typeof header, typeof lines>
type Line = Doc['lines'][number]

const life = postingLifecycle<Doc>({
  submit: [
    hasLines,
    needs('warehouse_model_inner_sn', '请选择退出仓库'),
    needs('to_warehouse_model_inner_sn', '请选择退入仓库'),
    differ('to_warehouse_model_inner_sn', 'warehouse_model_inner_sn', '退出仓库与退入仓库不能相同'),
    everyLineHasSource('请选择原发放单'),
    needs('return_reason', '请填写退库原因'),
    positiveQuantity,
    codesMatchQuantity,
  ],
  review: [doc => doc.inspected === true || '请先完成退库验收', ...examined],
})

/**
 * 科室退库单: a department returns what it does not need, or what was issued and never arrived is booked back from
 * transit. The warehouse inspects what comes, and takes the good part back into stock.
 */
export const grantReturn = defineDocument({
  kind: 'grantReturn',
  title: '科室退库单',
  numberPrefix: 'TK',
  category: 'ward',
  ownerTypes: 'H',
  facts: { granted: -1, issued: -1 },
  header,
  lines,
  internalFields: ['settled_back'],
  lineRules: {
    scanning: {},
  },
  actions: {
    ...life,
    submit: { ...life.submit, sets: { inspected: false } },
    inspect: {
      label: '退库验收',
      from: ['submitted'],
      to: null,
      tone: 'primary',
      inputs: ['receiver_inner_sn'],
      sets: { inspected: true },
      guards: examined,
    },
  },
  actsIn: { inspect: [['to_warehouse_model_inner_sn']], review: [['to_warehouse_model_inner_sn']] },
  lifecycle: {
    manualEntry: false,
    editableWhenSubmitted: ['qualified_quantity', 'unqualified_quantity', 'unqualified_reason', 'unit_codes', 'remark'],
  },
  sourcing: {
    sources: [
      {
        from: 'grantOdo',
        for: 'grant',
        label: '发放出库单（科室已收货）',
        sourceType: sourceTypes.GRANT,
        purpose: 'return',
        sharesLimitWith: ['use'],
        sameUnits: true,
        newestFirst: true,
        overdrawnMessage: '退库数量不能大于可退数量{n}',
        headerMap: {
          warehouse_model_inner_sn: 'to_warehouse_model_inner_sn',
          to_warehouse_model_inner_sn: 'warehouse_model_inner_sn',
        },
        snapshot: { whole: 'source_quantity', left: 'left_quantity' },
      },
      // Goods that the ward never received are still in transit and go back from there.
      {
        from: 'grantOdo',
        for: 'grantRest',
        label: '发放出库单（未收货差异）',
        sourceType: sourceTypes.GRANT_REST,
        purpose: 'refuse',
        sharesLimitWith: ['ward_receive'],
        sameUnits: true,
        inTransitOnly: true,
        newestFirst: true,
        overdrawnMessage: '退回数量不能大于未收货数量{n}',
        headerMap: { to_warehouse_model_inner_sn: 'warehouse_model_inner_sn' },
        snapshot: { whole: 'source_quantity', left: 'left_quantity' },
      },
    ],
  },
  posting: {
    stockDirection: 'out',
    stockCard: { in: 'return_in', out: 'transfer_out' },
    reservesStock: true,
    postings: (doc, book) => ({ moves: doc.lines.flatMap(line => homeward(doc, line, book)) }),
  },
  compliance: {
    verb: '退库',
    takesUnfit: [{ why: 'they come back from the ward' }],
  },
  screens: [
    {
      route: '/commonView/grantOdoReturn',
      title: '发放退库',
      orgs: 'H',
      menu: '发放管理',
      purpose: '科室退回未用物资，或把发放未收到的差异退回库房，验收后重新入库',
      columns: [
        'sn',
        'return_type',
        'department_inner_sn',
        'warehouse_model_inner_sn',
        'to_warehouse_model_inner_sn',
        'source_sn',
        'line_count',
        'total_quantity',
        'taxed_amount',
        'return_reason',
        'handler_inner_sn',
        'receiver_inner_sn',
        'business_date',
        'reviewed_by_name',
        'reviewed_at',
        'state',
      ],
      filters: [
        'sn',
        'department_inner_sn',
        'warehouse_model_inner_sn',
        'to_warehouse_model_inner_sn',
        'source_sn',
        'return_type',
        'specification_sn',
        'lot_no',
        'unit_code',
        'business_date',
        'state',
      ],
    },
  ],
})

/** A line's way back: the good part as good, the rest as unqualified. */
function homeward(doc: Doc, line: Line, book: Book): Move[] {
  const from =
    doc.source_type === sourceTypes.GRANT_REST
      ? transit(line.location ?? '')
      : store(doc.warehouse_model_inner_sn, line.location)
  const whole = moved(line, book, 'return', from, store(doc.to_warehouse_model_inner_sn))
  const bad = share(line.base_quantity, figure(line, 'unqualified_quantity'), line.quantity, 3)
  const parts: Move[] = [
    { ...whole, quantity: subtract(line.base_quantity, bad, 3), toQuality: 'qualified' },
    { ...whole, quantity: bad, toQuality: 'unqualified' },
  ]
  return parts.filter(move => isPositive(move.quantity))
}

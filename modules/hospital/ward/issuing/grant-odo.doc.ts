import { compare, type Decimal, isPositive, isZero } from '#kernel/values/decimal.ts'
import { type CommonLine, defineDocument, type DocOf } from '#kernel/definition/document.ts'
import { f } from '#kernel/definition/field.ts'
import { postingLifecycle } from '#kernel/definition/lifecycle.ts'
import { store, transit } from '#kernel/ledger/posting.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import { pushHis } from '#modules/hospital/his/receipts/push-action.ts'
import {
  codesMatchQuantity,
  differ,
  fitToLeave,
  hasLines,
  needs,
  positiveQuantity,
  type Has,
  type Figures,
} from '#modules/base/vocabulary/validators.ts'
import { counted, held, pieces, remarked, stockedGoods } from '#modules/base/vocabulary/line-fields.ts'
import { moved } from '#modules/base/vocabulary/stock-moves.ts'
import { mustSign } from '#modules/hospital/signatures/signature-field.ts'
import { swapFields, swapLot } from '#modules/hospital/ward/issuing/lot-substitution.ts'

/** The progress of the warehouse with a submitted issue. */
export const pickingStates = { '1': '待拣货', '2': '拣货中', '3': '已拣完' } as const
const isPicking = (header: Partial<Has<'picking_state'>>): boolean => (header.picking_state ?? null) !== null
const isBegun = (header: Partial<Has<'picking_state'>>): boolean => ['2', '3'].includes(String(header.picking_state))
const pickedOf = (line: object & Partial<Figures<'picked_quantity'>>): Decimal => line.picked_quantity ?? '0'
/** Lines with something neither picked nor registered as short. */
export const unpicked = (doc: { readonly lines: readonly CommonLine[] }): number =>
  doc.lines.filter(line => compare(pickedOf(line), line.quantity) < 0).length

const header = {
  warehouse_model_inner_sn: f.ref('发放仓库', 'warehouse', { required: true }),
  department_inner_sn: f.ref('领用科室', 'department', { named: 'the goods are for it' }),
  to_warehouse_model_inner_sn: f.ref('领入仓库', 'warehouse', {
    required: true,
    named: 'it receives by a document of its own',
  }),
  is_urgent: f.flag('加急'),
  is_charged: f.flag('是否收费'),
  is_direct: f.flag('直送', { readOnly: true, hint: '供应商直接送到科室，入库时已由科室收货' }),
  receiver_inner_sn: f.ref('领用人', 'employee'),
  ...mustSign,
  receiver_signed_by: f.text('领用人签收', { readOnly: true }),
  planned_date: f.day('计划发放日期'),
  picking_state: f.pick('拣货状态', pickingStates, { readOnly: true }),
  pick_listed_at: f.instant('拣货单生成时间', { readOnly: true }),
  planned_total: f.quantity('应发数量', { readOnly: true }),
  picked_total: f.quantity('已拣数量', { readOnly: true }),
  short_total: f.quantity('缺货数量', { readOnly: true }),
  short_reason: f.text('缺货原因', { max: 200 }),
  ...swapFields,
  picker_inner_sn: f.ref('拣货人', 'employee'),
  rechecker_inner_sn: f.ref('复核人', 'employee'),
  courier_inner_sn: f.ref('配送人', 'employee'),
  handler_inner_sn: f.ref('经办人', 'employee'),
  business_date: f.day('发放日期'),
  remark: f.longText('备注', { max: 500 }),
  attachments: f.files('附件'),
}
const lines = {
  ...stockedGoods,
  ...pieces('院内码/定数包码'),
  ...counted('发放数量'),
  planned_quantity: f.quantity('应发数量', { readOnly: true }),
  picked_quantity: f.quantity('已拣数量', { min: '0' }),
  picked_codes: f.pieces('已拣院内码'),
  short_quantity: f.quantity('缺货数量', { readOnly: true }),
  short_reason: f.text('缺货原因', { max: 200 }),
  price: f.price('单价', { min: '0' }),
  ...held,
  ...remarked,
}
type Doc = DocOf<typeof header, typeof lines>

const life = postingLifecycle<Doc>({
  submit: [
    hasLines,
    needs('warehouse_model_inner_sn', '请选择发放仓库'),
    needs('to_warehouse_model_inner_sn', '请选择领入仓库'),
    differ('to_warehouse_model_inner_sn', 'warehouse_model_inner_sn', '发放仓库与领入仓库不能相同'),
    positiveQuantity,
    fitToLeave((lot, why) => `批号${lot}为${why}状态，不能发放`),
    codesMatchQuantity,
  ],
  review: [
    doc => !isBegun(doc) || unpicked(doc) === 0 || `还有${unpicked(doc)}行未拣货`,
    differ('picker_inner_sn', 'rechecker_inner_sn', '拣货人与复核人不能为同一人'),
  ],
  blockedMessage: '科室已收货，不能反审核，请走科室退库',
})

/** The counter of a store: a tab of the one page of issues, and a page of its own. It shows no prices. */
const counter = {
  orgs: 'H',
  menu: '发放管理',
  purpose: '库管员柜台：拣货、复核、交接等待发放的单据',
  columns: [
    'sn',
    'warehouse_model_inner_sn',
    'department_inner_sn',
    'to_warehouse_model_inner_sn',
    'source_sn',
    'is_urgent',
    'line_count',
    'planned_total',
    'picked_total',
    'short_total',
    'picking_state',
    'picker_inner_sn',
    'rechecker_inner_sn',
    'receiver_inner_sn',
    'receiver_signed_by',
    'planned_date',
    'state',
  ],
  filters: [
    'sn',
    'warehouse_model_inner_sn',
    'department_inner_sn',
    'to_warehouse_model_inner_sn',
    'specification_sn',
    'unit_code',
    'planned_date',
    'picking_state',
    'state',
  ],
  states: ['submitted', 'rejected', 'reviewed', 'partial', 'completed'],
  actions: ['submit', 'review', 'reject', 'pick', 'short', 'sign', 'edit'],
  sort: '-is_urgent,planned_date',
} as const

/**
 * 发放出库单: the central warehouse issues goods to a department; they are in transit inside the hospital until the ward
 * receives them.
 */
export const grantOdo = defineDocument({
  kind: 'grantOdo',
  title: '发放出库单',
  numberPrefix: 'FF',
  category: 'ward',
  ownerTypes: 'H',
  facts: { granted: 1, issued: 1 },
  externalType: 'GRANTODO',
  header,
  lines,
  lineRules: {
    import: true,
    scanning: {
      // A submitted issue waits at the counter of the warehouse and is picked by its list.
      later: {
        when: isPicking,
        as: {
          quantityField: 'picked_quantity',
          expectedField: 'quantity',
          checklist: true,
          scannedUnitsField: 'picked_codes',
        },
      },
    },
  },
  actions: {
    ...life,
    submit: { ...life.submit, sets: { picking_state: '1' } },
    unsubmit: { ...life.unsubmit, sets: { picking_state: null } },
    reject: { ...life.reject, sets: { picking_state: null } },
    unreview: { ...life.unreview, sets: { receiver_signed_by: null } },
    pick: {
      label: '生成拣货单',
      from: ['submitted'],
      to: null,
      inputs: ['picker_inner_sn'],
      guards: [doc => doc.picking_state !== '3' || '已拣完，无需再生成拣货单'],
    },
    short: {
      label: '缺货登记',
      from: ['submitted'],
      to: null,
      tone: 'danger',
      inputs: ['short_reason'],
      guards: [
        doc => isBegun(doc) || '尚未开始拣货，请先生成拣货单并拣货',
        doc => unpicked(doc) > 0 || '没有缺货的行',
        needs('short_reason', '请填写缺货原因'),
        doc => doc.lines.some(line => isPositive(pickedOf(line))) || '全部缺货，请驳回单据',
      ],
    },
    swapLot,
    pushHis,
    sign: {
      label: '领用签收',
      from: ['reviewed', 'partial', 'completed'],
      to: null,
      inputs: ['receiver_inner_sn', 'signature_sn'],
      guards: [doc => !doc.receiver_signed_by || '领用人已签收，不能重复签收'],
    },
  },
  // The receiver signs where the goods are handed over, at the counter of either side.
  actsIn: { sign: [['warehouse_model_inner_sn'], ['to_warehouse_model_inner_sn', 'department_inner_sn']] },
  lifecycle: {
    // A grant reversed after its settlement is a negative line of the next one.
    reversibleAfter: ['settle'],
    editableWhenSubmitted: [
      'picked_quantity',
      'picked_codes',
      'short_reason',
      'picker_inner_sn',
      'rechecker_inner_sn',
      'courier_inner_sn',
      'receiver_inner_sn',
    ],
  },
  sourcing: {
    sources: [
      {
        from: 'dispatch',
        for: 'dispatch',
        sourceType: sourceTypes.DISPATCH,
        purpose: 'grant',
        overdrawnMessage: '发放数量不能大于配送剩余数量{n}',
        rollup: [
          { via: 'order', purpose: 'grant' },
          { via: 'order', purpose: 'allocate', givenBack: true },
        ],
      },
      {
        from: 'requisition',
        for: 'requisition',
        sourceType: sourceTypes.REQUISITION,
        purpose: 'grant',
        sharesLimitWith: ['allocate'],
        overdrawnMessage: '发放数量超过申领未发放数量{n}',
      },
    ],
    followUps: [{ on: 'review', kind: 'wardReceipt', state: 'submitted' }],
  },
  progress: {
    main: 'ward_receive',
    mainAlso: ['refuse'],
    statuses: { receive_state: 'ward_receive' },
  },
  posting: {
    stockDirection: 'out',
    stockCard: 'issue_out',
    reservesStock: true,
    postings: (doc, book) => ({
      moves: doc.lines
        .filter(line => !isZero(line.base_quantity))
        .map(line => moved(line, book, 'grant', store(doc.warehouse_model_inner_sn, line.location), transit(doc.sn))),
    }),
  },
  screens: [
    {
      route: '/commonView/grantOdo',
      tab: '发放单',
      leads: true,
      title: '发放出库',
      orgs: 'H',
      menu: '发放管理',
      purpose: '中心库按申领、配送单或直接向科室发放，科室收货后完成',
      columns: [
        'sn',
        'warehouse_model_inner_sn',
        'department_inner_sn',
        'to_warehouse_model_inner_sn',
        'source_sn',
        'line_count',
        'total_quantity',
        'taxed_amount',
        'receive_state',
        'his_push_state',
        'created_by_name',
        'receiver_inner_sn',
        'business_date',
        'reviewed_by_name',
        'reviewed_at',
        'state',
      ],
      filters: [
        'sn',
        'department_inner_sn',
        'to_warehouse_model_inner_sn',
        'warehouse_model_inner_sn',
        'source_sn',
        'specification_sn',
        'lot_no',
        'unit_code',
        'business_date',
        'receive_state',
        'his_push_state',
        'state',
      ],
    },
    { ...counter, route: '/commonView/grantOdo', tab: '仓库发放', title: '发放出库' },
    { ...counter, route: '/commonView/grantOdoWarehouse', title: '仓库发放', hidden: true },
    {
      route: '/hospital/hospitalgrantOdo',
      hidden: true,
      title: '医院发放出库',
      orgs: 'H',
      menu: '发放管理',
      purpose: '高值、一物一码与定数包逐码扫描发放到二级库，跟踪科室收货',
      columns: [
        'sn',
        'warehouse_model_inner_sn',
        'department_inner_sn',
        'to_warehouse_model_inner_sn',
        'source_sn',
        'line_count',
        'total_quantity',
        'taxed_amount',
        'receive_state',
        'his_push_state',
        'receiver_inner_sn',
        'handler_inner_sn',
        'business_date',
        'reviewed_by_name',
        'reviewed_at',
        'state',
      ],
      filters: [
        'sn',
        'warehouse_model_inner_sn',
        'department_inner_sn',
        'to_warehouse_model_inner_sn',
        'source_sn',
        'specification_sn',
        'lot_no',
        'unit_code',
        'business_date',
        'receive_state',
        'his_push_state',
        'state',
      ],
    },
  ],
})

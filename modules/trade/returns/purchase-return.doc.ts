import { defineDocument, regimes, type DocOf } from '#kernel/definition/document.ts'
import { negate, subtract } from '#kernel/values/decimal.ts'
import { f } from '#kernel/definition/field.ts'
import { postingLifecycle } from '#kernel/definition/lifecycle.ts'
import { outside, qualityStates, store, transit } from '#kernel/ledger/posting.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import { shippingFields, sharedShippingFields } from '#modules/trade/shipping/shipment-fields.ts'
import {
  codesMatchQuantity,
  eachLine,
  everyLineHasSource,
  hasLines,
  needs,
  needsWhen,
  positiveQuantity,
} from '#modules/base/vocabulary/validators.ts'
import { arrivingGoods, counted, held, pieces, priced, remarked } from '#modules/base/vocabulary/line-fields.ts'
import { moved } from '#modules/base/vocabulary/stock-moves.ts'
import { redWords } from '#modules/trade/returns/red-need.ts'
import { returnTypes } from '#modules/trade/returns/return-types.ts'

/** Return types whose goods may be unfit for issue. */
const unfit = ['quality', 'recall']

const header = {
  counterparty_sn: f.ref('供应商', 'organisation', { required: true, optionsFilter: { relation: 'supplier' } }),
  warehouse_model_inner_sn: f.ref('退货仓库', 'warehouse', { required: true }),
  regime: f.pick('货权方式', regimes, { default: 'purchased' }),
  return_type: f.pick(
    '退货类型',
    {
      ...returnTypes,
      other: '其他',
    },
    { default: 'quality' },
  ),
  is_exchange: f.flag('换货', { hint: '退回的数量回到原采购订单，供应商按原订单补货' }),
  recall_no: f.text('召回编号', { max: 40 }),
  return_reason: f.text('退货原因', { max: 200 }),
  transport: f.text('运输方式', { max: 40 }),
  ...shippingFields,
  return_address: f.text('收货地址', { max: 200 }),
  contact: f.text('联系人', { max: 40 }),
  contact_phone: f.text('联系电话', { max: 30 }),
  refuse_note: f.text('对方拒收原因', { readOnly: true }),
  handler_inner_sn: f.ref('经办人', 'employee'),
  business_date: f.day('退货日期'),
  remark: f.longText('备注', { max: 500 }),
  attachments: f.files('附件'),
}
const lines = {
  ...arrivingGoods,
  ...pieces('序列号/院内码'),
  ...held,
  quality_state: f.pick('质量状态', qualityStates),
  source_quantity: f.quantity('入库数量', { readOnly: true }),
  left_quantity: f.quantity('可退数量', { readOnly: true }),
  ...counted('退货数量'),
  ...priced(),
  red_quantity: f.quantity('待开红字数量', { readOnly: true }),
  invoice_no: f.text('原发票号', { readOnly: true }),
  stop_sn: f.text('停售单号', { readOnly: true }),
  stop_line_no: f.count('停售行号', { readOnly: true }),
  ...remarked,
}
type Doc = DocOf<typeof header, typeof lines>

const notRecalled = (doc: Doc): true | string =>
  doc.return_type !== 'recall' || '召回退货审核后不能撤回，请按召回流程处理'

const cameAgain = '换货的货物已按原采购订单发货或到货，不能撤回退货，请把换来的货物另行退货'

const life = postingLifecycle<Doc>({
  submit: [
    hasLines,
    needs('counterparty_sn', '请选择供应商'),
    needs('warehouse_model_inner_sn', '请选择退货仓库'),
    everyLineHasSource('请选择原采购入库单'),
    needs('return_reason', '请选择退货原因'),
    needsWhen('return_type', 'recall', 'recall_no', '召回退货请填写召回编号'),
    positiveQuantity,
    codesMatchQuantity,
    eachLine((line, doc) => {
      const state = line.quality_state ?? 'qualified'
      if (state === 'qualified' || unfit.includes(String(doc.return_type))) return true
      return `批号${line.lot_no ?? ''}为${qualityStates[state]}状态，退货类型请选择质量退货或召回退货`
    }),
  ],
  blockedMessage: '对方已收货，不能反审核',
})

/**
 * 采购退货单: received goods go back to their supplier, exactly the lots and pieces of a receipt. They are in transit
 * until the supplier receives them; what was bought is no longer owed, and if it was invoiced a red invoice is due.
 */
export const purchaseReturn = defineDocument({
  kind: 'purchaseReturn',
  title: '采购退货单',
  numberPrefix: 'CGTH',
  category: 'stockOut',
  ownerTypes: 'HDV',
  facts: { purchased: -1, received: -1, issued: 1 },
  externalType: 'PURCHASERETURN',
  header,
  lines,
  lineRules: {
    scanning: {},
    // Goods that were never invoiced need no red invoice.
    selfClosed: line => ({ purpose: 'invoice', quantity: subtract(line.base_quantity, line.red_quantity ?? '0', 3) }),
  },
  actions: {
    ...life,
    unreview: { ...life.unreview, guards: [notRecalled] },
    redReverse: { ...life.redReverse, guards: [notRecalled], blockedMessage: '对方已收货，不能红冲' },
  },
  lifecycle: {
    manualEntry: false,
  },
  sourcing: {
    sources: [
      {
        from: 'purchaseGrn',
        for: 'grn',
        sourceType: sourceTypes.GRN,
        purpose: 'return',
        sameUnits: true,
        newestFirst: true,
        overdrawnMessage: '退货数量不能大于可退数量{n}',
        // Exchanged goods come on their order again: there they count as not received.
        rollup: [
          {
            via: 'order',
            purpose: 'receive',
            givenBack: true,
            withTolerance: true,
            ifFlag: 'is_exchange',
            overdrawnMessage: cameAgain,
          },
          {
            via: 'order',
            purpose: 'arrive',
            givenBack: true,
            withTolerance: true,
            ifFlag: 'is_exchange',
            ifFrom: 'inspectionOrder',
            overdrawnMessage: cameAgain,
          },
          {
            via: 'order',
            purpose: 'ship',
            givenBack: true,
            ifFlag: 'is_exchange',
            ifFrom: 'delivery',
            overdrawnMessage: cameAgain,
          },
        ],
        snapshot: { whole: 'source_quantity', left: 'left_quantity' },
      },
    ],
    secondaryTarget: {
      kind: 'stopSale',
      sn: 'stop_sn',
      line: 'stop_line_no',
      purpose: 'return',
      sharesLimitWith: ['release', 'scrap'],
      overdrawnMessage: '退货数量不能大于停售单中未处理的数量{n}',
    },
  },
  progress: {
    main: 'receive',
    mainAlso: ['refuse'],
    statuses: { receive_state: 'receive', invoice_state: 'invoice' },
    statusLabels: {
      receive_state: { label: '对方收货状态', choices: { 1: '未收货', 2: '部分收货', 3: '已收货' } },
      invoice_state: redWords,
    },
  },
  posting: {
    stockDirection: 'out',
    stockCard: 'purchase_back',
    accountMovement: 'return',
    reservesStock: true,
    postings: (doc, book) => ({
      moves: doc.lines.map(line =>
        moved(line, book, 'return', store(doc.warehouse_model_inner_sn, line.location), transit(doc.sn)),
      ),
      entries:
        doc.regime === 'consigned'
          ? []
          : doc.lines.map(line => ({
              line_no: line.line_no,
              account: 'payable_estimated',
              amount: negate(line.taxed_amount),
            })),
    }),
  },
  compliance: {
    takesUnfit: [{ why: 'they go back to their supplier' }],
  },
  intercompany: {
    onProgress: {
      // The supplier wrote the trace event; here only our side of the transit is closed.
      receive: (doc, book) => ({
        moves: doc.lines.map(line => ({
          ...moved(line, book, 'receive', transit(doc.sn), outside(doc.counterparty_sn)),
          traced: false,
        })),
      }),
      // Goods that the supplier refuses come back to the warehouse that they left, and are owed again.
      refuse: (doc, book) => ({
        moves: doc.lines.map(line =>
          moved(line, book, 'arrive_reject', transit(doc.sn), store(doc.warehouse_model_inner_sn, line.location)),
        ),
        entries:
          doc.regime === 'consigned'
            ? []
            : doc.lines.map(line => ({
                line_no: line.line_no,
                account: 'payable_estimated',
                amount: line.taxed_amount,
              })),
      }),
    },
    copies: [
      {
        on: 'review',
        creates: { kind: 'saleReturn', state: 'draft' },
        header: ['return_type', 'is_exchange', 'recall_no', 'return_reason', 'transport', ...sharedShippingFields],
        message: { title: '客户退货，请验收', uri: 'saleReturn' },
      },
    ],
  },
  screens: [
    {
      route: '/commonView/buyReturn',
      title: '采购退货',
      orgs: 'HDV',
      menu: '出库管理',
      purpose: '已入库货物退回供应商：按入库单选批号与院内码，跟踪对方收货与红字发票',
      columns: [
        'sn',
        'return_type',
        'is_exchange',
        'regime',
        'counterparty_sn',
        'warehouse_model_inner_sn',
        'source_sn',
        'line_count',
        'total_quantity',
        'untaxed_amount',
        'tax_amount',
        'taxed_amount',
        'return_reason',
        'invoice_state',
        'receive_state',
        'handler_inner_sn',
        'business_date',
        'reviewed_by_name',
        'reviewed_at',
        'state',
      ],
      filters: [
        'sn',
        'counterparty_sn',
        'warehouse_model_inner_sn',
        'source_sn',
        'return_type',
        'is_exchange',
        'specification_sn',
        'lot_no',
        'unit_code',
        'business_date',
        'invoice_state',
        'receive_state',
        'state',
      ],
    },
  ],
})

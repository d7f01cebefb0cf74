import { isPositive } from '#kernel/values/decimal.ts'
import { defineDocument, type DocOf } from '#kernel/definition/document.ts'
import { f } from '#kernel/definition/field.ts'
import { deliveredTo } from '#modules/trade/shipping/delivery-fields.ts'
import { postingLifecycle } from '#kernel/definition/lifecycle.ts'
import { store } from '#kernel/ledger/posting.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import { shippingFields } from '#modules/trade/shipping/shipment-fields.ts'
import {
  codesMatchQuantity,
  differ,
  everyLine,
  fitToLeave,
  hasLines,
  inOrder,
  needs,
  notRecorded,
  positiveQuantity,
} from '#modules/base/vocabulary/validators.ts'
import { counted, held, offeredGoods, pieces, priced, remarked } from '#modules/base/vocabulary/line-fields.ts'
import { moved } from '#modules/base/vocabulary/stock-moves.ts'
import { recording, voucherFields } from '#modules/finance/accounting/voucher-fields.ts'

const settled = '预销售单已有结清记录'

const header = {
  counterparty_sn: f.ref('客户', 'organisation', { required: true, optionsFilter: { relation: 'customer' } }),
  place: f.text('客户科室/地点', { max: 80 }),
  warehouse_model_inner_sn: f.ref('发出仓库', 'warehouse', { required: true }),
  to_warehouse_model_inner_sn: f.ref('预销售仓库', 'warehouse', {
    readOnly: true,
    hint: '提交时由系统填写',
    named: 'the system keeps what is sold in advance there, under the number of the document',
  }),
  handler_inner_sn: f.ref('业务员', 'employee'),
  business_date: f.day('业务日期'),
  settle_date: f.day('预计结清日期'),
  receiver: deliveredTo.receiver,
  receiver_phone: deliveredTo.receiver_phone,
  transport: f.text('配送方式', { max: 40 }),
  ...shippingFields,
  price_state: f.pick(
    '价格确认状态',
    { '1': '未确认', '2': '已确认', '3': '部分确认' },
    { readOnly: true, default: '1' },
  ),
  price_confirmed_by: f.text('确认人', { readOnly: true }),
  ...voucherFields,
  remark: f.longText('备注', { max: 500 }),
  attachments: f.files('客户签收单'),
}
const lines = {
  ...offeredGoods,
  ...pieces(),
  ...counted('发出数量'),
  ...priced('预计单价'),
  ...held,
  line_price_state: f.pick('价格确认状态', { '1': '未确认', '2': '已确认' }, { readOnly: true }),
  line_confirmed_by: f.text('确认人', { readOnly: true }),
  used_quantity: f.quantity('已使用数量', { readOnly: true }),
  used_codes: f.codes('已使用院内码', { readOnly: true }),
  used_on: f.day('使用日期', { readOnly: true }),
  ...remarked,
}
type Doc = DocOf<typeof header, typeof lines>

const life = postingLifecycle<Doc>({
  submit: [
    hasLines,
    needs('counterparty_sn', '请选择客户'),
    needs('warehouse_model_inner_sn', '请选择发出仓库'),
    needs('settle_date', '请填写预计结清日期'),
    inOrder('business_date', 'settle_date', '预计结清日期不能早于业务日期'),
    differ('warehouse_model_inner_sn', 'to_warehouse_model_inner_sn', '发出仓库与预销售仓库不能相同'),
    positiveQuantity,
    fitToLeave((lot, why) => `批号${lot}不可预销售（${why}）`),
    codesMatchQuantity,
    everyLine(
      '预销售的货物须为本机构所有',
      (line, doc) => line.owner_org_sn === null || line.owner_org_sn === doc.org_sn,
    ),
  ],
  blockedMessage: `${settled}，不能反审核`,
})
const isConfirmed = (doc: Doc): boolean => doc.price_state === '2'

const columns = [
  'sn',
  'counterparty_sn',
  'handler_inner_sn',
  'warehouse_model_inner_sn',
  'to_warehouse_model_inner_sn',
  'business_date',
  'settle_date',
  'overdue',
  'overdue_days',
  'line_count',
  'total_quantity',
  'turned_quantity',
  'returned_quantity',
  'open_quantity',
  'taxed_amount',
  'open_amount',
  'reviewed_by_name',
  'reviewed_at',
  'state',
  'remark',
] as const
const filters = [
  'sn',
  'counterparty_sn',
  'handler_inner_sn',
  'warehouse_model_inner_sn',
  'business_date',
  'settle_date',
  'specification_sn',
  'lot_no',
  'unit_code',
  'overdue',
  'state',
] as const

/**
 * 预销售单: goods are brought to a customer before it is known what it will use. They stay ours, in the advance sales
 * warehouse under the number of this document, until they are sold or returned.
 */
export const advanceSale = defineDocument({
  kind: 'advanceSale',
  title: '预销售单',
  numberPrefix: 'YXS',
  category: 'sales',
  ownerTypes: 'DV',
  facts: { presold: 1, issued: 1 },
  externalType: 'ADVANCEODO',
  header,
  lines,
  lineRules: {
    scanning: {},
  },
  actions: {
    ...life,
    unreview: { ...life.unreview, guards: [notRecorded('单据已记账，不能反审核')] },
    redReverse: {
      ...life.redReverse,
      from: ['reviewed'],
      blockedMessage: `${settled}，不能红冲`,
      guards: [notRecorded('单据已记账，不能红冲')],
    },
    toSale: { label: '转销售出库', from: ['reviewed', 'partial'], to: null, tone: 'primary' },
    toBack: { label: '退回入库', from: ['reviewed', 'partial'], to: null },
    priceConfirm: {
      label: '确认价格',
      from: ['reviewed', 'partial'],
      to: null,
      sets: { price_state: '2' },
      guards: [
        doc => !isConfirmed(doc) || '价格已确认',
        everyLine('预计单价必须大于0', line => isPositive(line.price)),
      ],
    },
    priceUnconfirm: {
      label: '取消确认',
      from: ['reviewed'],
      to: null,
      sets: { price_state: '1' },
      blockedMessage: '已转销售，不能取消确认',
      guards: [doc => doc.price_state !== '1' || '价格尚未确认'],
    },
    ...recording,
  },
  lifecycle: {
    dueDate: 'settle_date',
    stateLabels: { reviewed: '未结清', partial: '部分结清', completed: '已结清' },
  },
  sourcing: {
    sources: [
      {
        from: 'salesOrder',
        for: 'so',
        sourceType: sourceTypes.ORDER_SO,
        purpose: 'ship',
        createLabel: '转预销售',
        overdrawnMessage: '发出数量超过订单剩余数量{n}',
      },
    ],
  },
  progress: {
    main: 'turn',
    mainAlso: ['return'],
    columns: {
      turned_quantity: { label: '已转销售数量', purpose: 'turn', of: 'quantity' },
      returned_quantity: { label: '已退回数量', purpose: 'return', of: 'quantity' },
      open_quantity: { label: '未结清数量', purpose: 'turn', besides: 'return', of: 'quantity', rest: true },
      turned_amount: { label: '已转销售金额', purpose: 'turn', of: 'value' },
      returned_amount: { label: '已退回金额', purpose: 'return', of: 'value' },
      open_amount: { label: '未结清金额', purpose: 'turn', besides: 'return', of: 'value', rest: true },
    },
  },
  posting: {
    stockDirection: 'out',
    reservesStock: true,
    postings: (doc, book) => ({
      moves: doc.lines.map(line =>
        moved(
          line,
          book,
          'transfer',
          store(doc.warehouse_model_inner_sn, line.location),
          store(doc.to_warehouse_model_inner_sn, doc.sn),
        ),
      ),
    }),
  },
  compliance: {
    party: 'customer',
    verb: '预销售',
  },
  screens: [
    {
      route: '/commonView/advanceSale',
      tab: '预销售单',
      leads: true,
      title: '预销售',
      orgs: 'DV',
      menu: '销售管理',
      purpose: '货物先送到客户处，货权仍属本机构；已使用的转销售出库，未使用的退回入库',
      columns,
      filters,
      actions: [
        'add',
        'edit',
        'del',
        'submit',
        'unsubmit',
        'review',
        'reject',
        'unreview',
        'redReverse',
        'cancel',
        'toSale',
        'toBack',
      ],
    },
    {
      route: '/commonView/advanceSaleFinance',
      tab: '预销售单',
      leads: true,
      title: '预销售财务',
      orgs: 'DV',
      menu: '销售管理',
      purpose: '客户处的货物：确认价格、记账，核对发出商品成本',
      columns: [
        'sn',
        'counterparty_sn',
        'handler_inner_sn',
        'business_date',
        'age_days',
        'overdue',
        'total_quantity',
        'open_quantity',
        'lying_cost',
        'taxed_amount',
        'turned_amount',
        'returned_amount',
        'open_amount',
        'price_state',
        'price_confirmed_by',
        'record_state',
        'accounting_period',
        'voucher_no',
        'recorded_by',
        'recorded_at',
        'reviewed_at',
        'state',
      ],
      filters: [
        'sn',
        'counterparty_sn',
        'handler_inner_sn',
        'business_date',
        'age_days',
        'price_state',
        'record_state',
        'accounting_period',
        'state',
      ],
      states: ['reviewed', 'partial', 'completed'],
      actions: ['priceConfirm', 'priceUnconfirm', 'record', 'unrecord'],
    },
  ],
})

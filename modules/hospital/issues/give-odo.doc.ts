import { defineDocument, type DocOf } from '#kernel/definition/document.ts'
import { f } from '#kernel/definition/field.ts'
import { deliveredTo } from '#modules/trade/shipping/delivery-fields.ts'
import { postingLifecycle } from '#kernel/definition/lifecycle.ts'
import { outside, store, transit } from '#kernel/ledger/posting.ts'
import { shippingFields, sharedShippingFields } from '#modules/trade/shipping/shipment-fields.ts'
import {
  codesMatchQuantity,
  fitToLeave,
  hasFiles,
  hasLines,
  needs,
  needsWhen,
  positiveQuantity,
} from '#modules/base/vocabulary/validators.ts'
import { costedGoods, ownGoods } from '#modules/hospital/issues/issued-goods.ts'
import { moved } from '#modules/base/vocabulary/stock-moves.ts'

const header = {
  counterparty_sn: f.ref('受赠单位', 'organisation', { required: true }),
  warehouse_model_inner_sn: f.ref('仓库', 'warehouse', { required: true }),
  give_type: f.pick(
    '赠送类型',
    { with_sale: '随货赠送', trial: '试用', donation: '捐赠', support: '支援' },
    { default: 'with_sale' },
  ),
  sale_sn: f.text('关联销售单号', { max: 40 }),
  give_reason: f.text('赠送原因', { max: 200 }),
  ...deliveredTo,
  transport: f.text('运输方式', { max: 40 }),
  ...shippingFields,
  grn_type: f.pick('对方入库类型', { gift: '赠品入库', donation: '捐赠入库', trial: '试用品' }, { readOnly: true }),
  deemed_tax: f.amount('视同销售税额', { readOnly: true, hint: '参考售价×税率，供会计参考，不入账' }),
  handler_inner_sn: f.ref('经办人', 'employee'),
  business_date: f.day('赠送日期'),
  taxed_amount: f.cost('成本金额', { readOnly: true }),
  remark: f.longText('备注', { max: 500 }),
  attachments: f.files('捐赠协议等附件'),
}
const lines = {
  ...costedGoods,
  reference_price: f.price('参考售价（未税）', { readOnly: true }),
  reference_rate: f.taxRate('税率', { readOnly: true }),
  deemed_tax: f.amount('视同销售税额', { readOnly: true }),
}
type Doc = DocOf<typeof header, typeof lines>

/**
 * 赠送出库单: goods are given away, free of charge and traced like sold ones. They leave at cost; a receiver on the
 * platform gets a receipt without a price.
 */
export const giveOdo = defineDocument({
  kind: 'giveOdo',
  title: '赠送出库单',
  numberPrefix: 'ZS',
  category: 'stockOut',
  ownerTypes: 'HDV',
  facts: { given: 1, issued: 1 },
  externalType: 'GIVEODO',
  header,
  lines,
  lineRules: {
    scanning: {},
  },
  actions: postingLifecycle<Doc>({
    submit: [
      hasLines,
      needs('counterparty_sn', '请选择受赠单位'),
      needs('warehouse_model_inner_sn', '请选择仓库'),
      needsWhen('give_type', 'with_sale', 'sale_sn', '请关联销售单'),
      doc => doc.give_type !== 'donation' || hasFiles(doc, 'attachments') || '请上传捐赠协议',
      positiveQuantity,
      fitToLeave((lot, why) => `批号${lot}不可赠送（${why}）`),
      codesMatchQuantity,
      ownGoods('寄售货物不能赠送'),
    ],
    blockedMessage: '对方已收货，不能反审核',
  }),
  progress: {
    main: 'receive',
    columns: { returned_quantity: { label: '已退回数量', purpose: 'return', of: 'quantity' } },
    statuses: { receive_state: 'receive' },
    statusLabels: { receive_state: { label: '收货状态', choices: { 1: '未收货', 2: '部分收货', 3: '已收货' } } },
  },
  posting: {
    stockDirection: 'out',
    incoming: 'delivery',
    reservesStock: true,
    postings: (doc, book) => ({
      moves: doc.lines.map(line =>
        moved(line, book, 'ship', store(doc.warehouse_model_inner_sn, line.location), transit(doc.sn)),
      ),
    }),
  },
  compliance: {
    party: 'customer',
    checkpoint: 'issue',
    verb: '赠送',
  },
  pricing: {
    costing: 'leaving',
  },
  intercompany: {
    onProgress: {
      // The receiver wrote the trace event; only our side of the transit is closed here.
      receive: (doc, book) => ({
        moves: doc.lines.map(line => ({
          ...moved(line, book, 'receive', transit(doc.sn), outside(doc.counterparty_sn)),
          traced: false,
        })),
      }),
    },
    copies: [
      {
        on: 'review',
        creates: { kind: 'otherGrn', state: 'draft' },
        hidePrices: true,
        header: ['grn_type', 'transport', ...sharedShippingFields],
        message: { title: '收到赠送货物，请收货', uri: 'otherGrn' },
      },
    ],
  },
  screens: [
    {
      route: '/commonView/giveOdo',
      title: '赠送出库',
      orgs: 'HDV',
      menu: '出库管理',
      purpose: '随货赠送、试用、捐赠与支援：免费出库，全程追溯，跟踪对方收货',
      columns: [
        'sn',
        'give_type',
        'counterparty_sn',
        'warehouse_model_inner_sn',
        'sale_sn',
        'line_count',
        'total_quantity',
        'taxed_amount',
        'deemed_tax',
        'receive_state',
        'returned_quantity',
        'give_reason',
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
        'give_type',
        'sale_sn',
        'specification_sn',
        'lot_no',
        'unit_code',
        'business_date',
        'receive_state',
        'state',
      ],
    },
  ],
})

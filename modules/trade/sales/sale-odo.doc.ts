import { defineDocument, regimes } from '#kernel/definition/document.ts'
import { f } from '#kernel/definition/field.ts'
import { deliveredTo } from '#modules/trade/shipping/delivery-fields.ts'
import { postingLifecycle } from '#kernel/definition/lifecycle.ts'
import { consignedAt, type Move, outside, store, transit } from '#kernel/ledger/posting.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import { shippingFields, sharedShippingFields } from '#modules/trade/shipping/shipment-fields.ts'
import {
  codesMatchQuantity,
  everyLine,
  fitToLeave,
  hasLines,
  needs,
  positiveQuantity,
} from '#modules/base/vocabulary/validators.ts'
import {
  counted,
  held,
  offeredGoods,
  pieces,
  priced,
  remarked,
  sterilised,
} from '#modules/base/vocabulary/line-fields.ts'
import { memoFalls } from '#modules/base/vocabulary/stock-moves.ts'

/**
 * 销售出库单: goods leave for a customer and are ours in transit until the customer receives them. A sale is owed from
 * here on; consigned goods stay ours at the customer, and only goods of our own may be consigned.
 */
export const saleOdo = defineDocument({
  kind: 'saleOdo',
  title: '销售出库单',
  numberPrefix: 'CK',
  category: 'stockOut',
  ownerTypes: 'DV',
  facts: { shipped: 1, sold: 1, issued: 1 },
  externalType: 'SALEODO',
  header: {
    counterparty_sn: f.ref('客户', 'organisation', { required: true, optionsFilter: { relation: 'customer' } }),
    warehouse_model_inner_sn: f.ref('出库仓库', 'warehouse', { required: true }),
    regime: f.pick('货权方式', regimes, { default: 'purchased' }),
    ...deliveredTo,
    transport: f.text('运输方式', { max: 40 }),
    ...shippingFields,
    temperature_control: f.text('温控要求', { max: 40 }),
    signer_note: f.text('签收人核对', { readOnly: true, dialogOnly: true }),
    handler_inner_sn: f.ref('业务员', 'employee'),
    picker_inner_sn: f.ref('拣货人', 'employee'),
    rechecker_inner_sn: f.ref('复核人', 'employee'),
    short_note: f.text('客户差异说明', { readOnly: true, dialogOnly: true }),
    recheck_result: f.pick('复核结论', { passed: '复核无误', failed: '复核有误' }),
    business_date: f.day('出库日期'),
    remark: f.longText('备注', { max: 500 }),
    attachments: f.files('附件'),
  },
  lines: {
    ...offeredGoods,
    ...pieces(),
    ...counted(),
    ...priced(),
    ...held,
    ...sterilised,
    upstream_invoice_no: f.text('上游发票号', {
      max: 40,
      hint: '两票制产品填写；该批号有进项发票的自动带出，随货告知客户',
    }),
    upstream_invoice_files: f.files('上游发票图片'),
    ...remarked,
  },
  lineRules: {
    scanning: {},
  },
  actions: {
    ...postingLifecycle({
      submit: [
        hasLines,
        needs('counterparty_sn', '请选择客户'),
        needs('warehouse_model_inner_sn', '请选择出库仓库'),
        positiveQuantity,
        fitToLeave((lot, why) => `批号${lot}不可销售（${why}）`),
        codesMatchQuantity,
        everyLine(
          '寄售货物不能再寄售',
          (line, doc) => doc.regime !== 'consigned' || line.owner_org_sn === null || line.owner_org_sn === doc.org_sn,
        ),
        everyLine(
          '货物为该客户寄售，不能再销售给货主',
          (line, doc) => line.owner_org_sn === null || line.owner_org_sn !== doc.counterparty_sn,
        ),
      ],
      review: [doc => (doc as { recheck_result?: unknown }).recheck_result !== 'failed' || '出库复核有误，不能审核'],
      blockedMessage: '客户已收货，请走销售退货',
    }),
    recheck: {
      label: '出库复核',
      from: ['submitted'],
      to: null,
      inputs: ['rechecker_inner_sn', 'recheck_result'],
      guards: [needs('rechecker_inner_sn', '请选择复核人'), needs('recheck_result', '请选择复核结论')],
    },
  },
  sourcing: {
    sources: [
      {
        from: 'salesOrder',
        for: 'so',
        sourceType: sourceTypes.ORDER_SO,
        purpose: 'ship',
        overdrawnMessage: '出库数量超过订单剩余数量{n}',
      },
      {
        from: 'advanceSale',
        for: 'advance',
        sourceType: sourceTypes.ADVANCE_SALE,
        purpose: 'turn',
        sharesLimitWith: ['return'],
        sameUnits: true,
        stockedUnderSource: true,
        overdrawnMessage: '处理数量超过未结清数量{n}',
      },
    ],
  },
  progress: {
    main: 'receive',
    mainAlso: ['refuse', 'reject'],
    statuses: { receive_state: 'receive', invoice_state: 'invoice' },
    statusLabels: {
      receive_state: { label: '收货状态', choices: { '1': '在途', '2': '部分收货', '3': '已收货' } },
    },
  },
  posting: {
    stockDirection: 'out',
    incoming: 'delivery',
    stockCard: 'issue_out',
    accountMovement: 'raise',
    reservesStock: true,
    postings: (doc, book) => ({
      moves: doc.lines.map(
        (line): Move => ({
          line_no: line.line_no,
          step: 'ship',
          quantity: line.base_quantity,
          from: store(doc.warehouse_model_inner_sn, line.location),
          to: transit(doc.sn),
          owner: line.owner_org_sn ?? book.org,
          // Once sold, goods held on consignment become ours: 先销后结.
          toOwner: book.org,
          quality: line.quality_state ?? 'qualified',
        }),
      ),
      entries:
        doc.regime === 'consigned'
          ? []
          : doc.lines.map(line => ({
              line_no: line.line_no,
              account: 'receivable_unbilled',
              amount: line.taxed_amount,
            })),
    }),
  },
  compliance: {
    party: 'customer',
    checkpoint: 'issue',
    verb: '出库',
    statutoryRegister: { in: 'sale', role: 'own', type: doc => (doc.regime === 'consigned' ? 'consigned' : 'sale') },
  },
  intercompany: {
    onProgressCreates: {
      refuse: { kind: 'saleReturn', header: { return_type: 'refused' } },
      reject: { kind: 'saleReturn', header: { return_type: 'refused' } },
    },
    onProgress: {
      // The receiver wrote the trace event; here only our side of the transit is closed.
      receive: (doc, book) => ({
        moves: doc.lines.map(
          (line): Move => ({
            line_no: line.line_no,
            step: 'receive',
            quantity: line.base_quantity,
            traced: false,
            from: transit(doc.sn),
            to: doc.regime === 'consigned' ? consignedAt(doc.counterparty_sn) : outside(doc.counterparty_sn),
            owner: book.org,
            quality: line.quality_state ?? 'qualified',
          }),
        ),
      }),
    },
    copies: [
      {
        on: 'review',
        creates: {
          kind: 'purchaseGrn',
          state: 'draft',
          alternative: { rule: 'arrival_before_receipt', kind: 'arrivalOrder' },
        },
        countsAs: 'ship',
        recallMessage: '请走销售退货',
        header: ['transport', 'temperature_control', ...sharedShippingFields],
        lines: ['sterilisation_lot_no', 'upstream_invoice_no'],
        message: { title: '供应商已发货，请收货', uri: 'purchaseGrn' },
      },
      // A sale of goods held on consignment is their use: their owner no longer has them with us, and sees neither
      // price nor customer.
      {
        on: 'review',
        toOwners: true,
        informational: true,
        hidePrices: true,
        message: { title: '寄售货物已销售', uri: 'useRecord' },
        receiverPosts: memoFalls('use'),
      },
    ],
  },
  screens: [
    {
      route: '/commonView/saleOdo',
      title: '销售出库',
      orgs: 'DV',
      menu: '出库管理',
      purpose: '拣货、复核、发货给客户，跟踪客户收货与开票',
      columns: [
        'sn',
        'regime',
        'counterparty_sn',
        'delivery_address',
        'warehouse_model_inner_sn',
        'source_sn',
        'line_count',
        'total_quantity',
        'untaxed_amount',
        'tax_amount',
        'taxed_amount',
        'invoice_state',
        'receive_state',
        'handler_inner_sn',
        'rechecker_inner_sn',
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
        'specification_sn',
        'lot_no',
        'unit_code',
        'business_date',
        'regime',
        'invoice_state',
        'receive_state',
        'handler_inner_sn',
        'state',
      ],
    },
  ],
})

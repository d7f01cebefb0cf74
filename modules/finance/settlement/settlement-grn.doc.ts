import { defineDocument } from '#kernel/definition/document.ts'
import { isPositive } from '#kernel/values/decimal.ts'
import { f } from '#kernel/definition/field.ts'
import { postingLifecycle } from '#kernel/definition/lifecycle.ts'
import { consumed, type Move, outside } from '#kernel/ledger/posting.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import { pushHis } from '#modules/hospital/his/receipts/push-action.ts'
import { everyLineHasSource, hasLines, needs, someQuantity } from '#modules/base/vocabulary/validators.ts'
import { pieces, priced, remarked, usedGoods } from '#modules/base/vocabulary/line-fields.ts'

const life = postingLifecycle({
  submit: [
    hasLines,
    needs('counterparty_sn', '请选择供应商'),
    someQuantity,
    everyLineHasSource('请从结算单生成结算入库单'),
  ],
  blockedMessage: '已关联发票，不能反审核',
})

/**
 * 结算入库单: used consigned goods become the hospital's own purchase. They are received and used up in one posting, so
 * that stock does not change; ownership changes and the payable arises.
 */
export const settlementGrn = defineDocument({
  kind: 'settlementGrn',
  title: '结算入库单',
  numberPrefix: 'JSRK',
  category: 'stockIn',
  ownerTypes: 'H',
  facts: { purchased: 1, titled: 1, received: 1 },
  copyFacts: { sold: 1, sold_as_used: 1, titled: 1, issued: 1 },
  externalType: 'PURCHASEGRN',
  header: {
    counterparty_sn: f.ref('供应商', 'organisation', { required: true, optionsFilter: { relation: 'supplier' } }),
    begin_date: f.day('结算期间起'),
    end_date: f.day('结算期间止'),
    warehouse_model_inner_sn: f.ref('仓库', 'warehouse'),
    finance_class: f.text('财务分类', { max: 40 }),
    handler_inner_sn: f.ref('经办人', 'employee'),
    business_date: f.day('入库日期'),
    remark: f.longText('备注', { max: 500 }),
    attachments: f.files('附件'),
  },
  lines: {
    ...usedGoods,
    ...pieces(),
    quantity: f.quantity('数量', { required: true }),
    ...priced('结算单价'),
    ...remarked,
  },
  actions: { ...life, redReverse: { ...life.redReverse, blockedMessage: '已关联发票，不能红冲' }, pushHis },
  lifecycle: {
    manualEntry: false,
  },
  sourcing: {
    sources: [
      {
        from: 'settlement',
        for: 'settlement',
        sourceType: sourceTypes.SETTLEMENT,
        purpose: 'settle',
        notReadyMessage: '结算单{sn}尚未经供应商确认',
        notReadyWhen: { field: 'confirm_state', is: '3', message: '供应商有异议，请先处理' },
      },
    ],
  },
  progress: {
    statuses: { invoice_state: 'invoice' },
    columns: { invoiced_amount: { label: '已开票金额', purpose: 'invoice', of: 'value' } },
  },
  posting: {
    stockDirection: 'named',
    stockCard: 'purchase_in',
    accountMovement: 'raise',
    postings: (doc, book) => ({
      // A use reversed after its settlement reverses ownership and payable; nothing is received.
      moves: doc.lines
        .filter(line => isPositive(line.base_quantity))
        .flatMap((line): Move[] => {
          // The pieces left at use: both halves only change ownership, without trace events.
          const half = {
            line_no: line.line_no,
            step: 'title',
            quantity: line.base_quantity,
            owner: book.org,
            value: line.taxed_amount,
            traced: false,
          } as const
          return [
            { ...half, from: outside(doc.counterparty_sn), to: consumed },
            { ...half, from: consumed, to: outside() },
          ]
        }),
      entries: doc.lines.map(line => ({
        line_no: line.line_no,
        account: 'payable_estimated',
        amount: line.taxed_amount,
      })),
    }),
  },
  compliance: {
    // The supplier's sale of what was used of its consigned goods.
    statutoryRegister: { in: 'sale', role: 'counterparty', type: () => 'settled' },
  },
  intercompany: {
    copies: [
      {
        on: 'review',
        header: ['begin_date', 'end_date'],
        lines: ['used_on'],
        message: { title: '结算已入库，请开票', uri: 'hospitalSettlementInvoice' },
        receiverPosts: doc => ({
          entries: doc.lines.map(line => ({
            line_no: line.line_no,
            account: 'receivable_unbilled',
            amount: line.taxed_amount,
          })),
        }),
      },
    ],
  },
  screens: [
    {
      route: '/hospital/settlementGrn',
      title: '结算入库单',
      orgs: 'H',
      menu: '结算管理',
      purpose: '把供应商已确认的结算转为医院采购：货权转移、应付产生，库存不变',
      columns: [
        'sn',
        'source_sn',
        'begin_date',
        'end_date',
        'counterparty_sn',
        'warehouse_model_inner_sn',
        'line_count',
        'total_quantity',
        'taxed_amount',
        'untaxed_amount',
        'tax_amount',
        'invoice_state',
        'invoiced_amount',
        'payment_state',
        'his_push_state',
        'handler_inner_sn',
        'business_date',
        'reviewed_by_name',
        'state',
      ],
      filters: [
        'sn',
        'source_sn',
        'counterparty_sn',
        'begin_date',
        'end_date',
        'warehouse_model_inner_sn',
        'finance_class',
        'invoice_state',
        'payment_state',
        'his_push_state',
        'specification_sn',
        'business_date',
        'state',
      ],
    },
  ],
})

import { defineDocument, type DocOf, regimes } from '#kernel/definition/document.ts'
import { f } from '#kernel/definition/field.ts'
import { deliveredTo } from '#modules/trade/shipping/delivery-fields.ts'
import { lifecycle, linesToStop, stop, stopLine, stoppableLine } from '#kernel/definition/lifecycle.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import { hasLines, inOrder, needs, positiveQuantity, within } from '#modules/base/vocabulary/validators.ts'
import { askedGoods, counted, priced, remarked } from '#modules/base/vocabulary/line-fields.ts'

const header = {
  counterparty_sn: f.ref('客户', 'organisation', { required: true, optionsFilter: { relation: 'customer' } }),
  regime: f.pick('货权方式', regimes, { default: 'purchased' }),
  order_type: f.pick(
    '订单类型',
    { normal: '常规', refill: '补货', urgent: '紧急', temporary: '临时', surgery: '跟台' },
    { default: 'normal' },
  ),
  is_urgent: f.flag('加急'),
  handler_inner_sn: f.ref('业务员', 'employee'),
  business_date: f.day('订单日期'),
  expected_date: f.day('要求到货日期'),
  promised_date: f.day('承诺交货日期'),
  ...deliveredTo,
  payment_terms: f.text('付款方式', { max: 40 }),
  payment_days: f.count('账期（天）', { min: '0', max: 365 }),
  sales_contract_no: f.text('销售合同号', { max: 40 }),
  ...linesToStop,
  remark: f.longText('备注', { max: 500 }),
  attachments: f.files('附件'),
}
const lines = {
  ...askedGoods,
  ordered_quantity: f.quantity('客户订单数量', { readOnly: true }),
  confirmed_quantity: f.quantity('确认数量', { min: '0', hint: '不大于客户订单数量，留空为全部确认' }),
  ...counted('订单数量', '0'),
  ...priced(),
  ...remarked,
  ...stoppableLine,
}
type Doc = DocOf<typeof header, typeof lines>

/**
 * 销售订单: a customer's order, from its order on the platform or by phone; once reviewed, it is confirmed to the
 * customer and may be shipped. On an order from a customer only the confirmed quantity, the promised date and the
 * remark are ours to change.
 */
export const salesOrder = defineDocument({
  kind: 'salesOrder',
  title: '销售订单',
  numberPrefix: 'XS',
  category: 'sales',
  ownerTypes: 'DV',
  facts: { ordered_here: 1 },
  header,
  lines,
  lineRules: {
    import: true,
    quantityCorrection: { field: 'confirmed_quantity', keeps: 'ordered_quantity' },
  },
  actions: {
    ...lifecycle<Doc>({
      submit: [
        hasLines,
        needs('counterparty_sn', '请选择客户'),
        positiveQuantity,
        inOrder('business_date', 'expected_date', '要求到货日期不能早于订单日期'),
      ],
      review: [hasLines, within('confirmed_quantity', 'ordered_quantity', '确认数量不能大于订单数量')],
      labels: { reject: '拒绝订单' },
      blockedMessage: '订单已出库，不能反审核',
    }),
    stop,
    stopLine,
  },
  lifecycle: {
    stopsWithSource: true,
    dueDate: 'expected_date',
    listActions: {
      refill: {
        label: '按使用补货',
        inputs: {
          counterparty_sn: f.ref('医院', 'organisation', { required: true, optionsFilter: { relation: 'customer' } }),
          begin_date: f.day('使用日期起', { hint: '起止都留空为全部未补货的使用' }),
          end_date: f.day('使用日期止'),
        },
      },
    },
    editableWhenSubmitted: ['confirmed_quantity', 'promised_date', 'handler_inner_sn', 'remark'],
  },
  sourcing: {
    isOrder: true,
    sourceLabels: {
      label: '订单来源',
      choices: { [sourceTypes.ORDER_PO]: '客户订单', [sourceTypes.NONE]: '手工' },
    },
    sources: [
      {
        from: 'purchaseOrder',
        for: 'po',
        sourceType: sourceTypes.ORDER_PO,
        purpose: 'confirm',
        fromCounterparty: true,
      },
    ],
    // 自动生成出库单: if the organisation sets it so, a confirmed order creates a draft delivery at once.
    followUps: [{ on: 'review', kind: 'saleOdo', state: 'draft', when: 'auto_sale_odo' }],
  },
  progress: {
    main: 'ship',
    underWay: ['ship'],
    statuses: { ship_state: 'ship' },
    columns: {
      stopped_quantity: { label: '已终止数量', hint: '逐行终止的数量', purpose: 'stop', of: 'quantity' },
      shipped_amount: { label: '已出库金额', purpose: 'ship', of: 'value' },
      standing_amount: {
        label: '有效金额',
        hint: '含税含尾差；终止的订单只计已出库部分，终止的行不计终止部分，作废的为0',
        purpose: 'ship',
        of: 'standing',
      },
      shipped_share: { label: '执行进度', purpose: 'ship', of: 'share' },
    },
  },
  posting: {
    stockDirection: 'named',
  },
  compliance: {
    party: 'customer',
    checkpoint: 'sale',
    verb: '接单',
  },
  screens: [
    {
      route: '/commonView/salesOrder',
      title: '销售订单',
      orgs: 'DV',
      menu: '销售管理',
      purpose: '确认客户订单，核对资质与库存，放行到仓库发货',
      numberNames: ['salesOrderSn', 'so_sn'],
      columns: [
        'sn',
        'counterparty_sn',
        'counterparty_type',
        'source_sn',
        'source_type',
        'order_type',
        'regime',
        'business_date',
        'expected_date',
        'promised_date',
        'line_count',
        'total_quantity',
        'taxed_amount',
        'standing_amount',
        'tax_amount',
        'shipped_amount',
        'shipped_share',
        'stopped_quantity',
        'ship_state',
        'handler_inner_sn',
        'reviewed_by_name',
        'reviewed_at',
        'state',
        'remark',
      ],
      filters: [
        'sn',
        'counterparty_sn',
        'counterparty_type',
        'source_sn',
        'source_type',
        'business_date',
        'expected_date',
        'handler_inner_sn',
        'specification_sn',
        'regime',
        'ship_state',
        'overdue',
        'state',
      ],
    },
  ],
})

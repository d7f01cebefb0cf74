import { defineDocument, type DocOf, type Guard } from '#kernel/definition/document.ts'
import { f } from '#kernel/definition/field.ts'
import { lifecycle, stop } from '#kernel/definition/lifecycle.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import { leasedPlace, lineFigures } from '#modules/trade/lease/notices/notice-fields.ts'
import { arrivingGoods, costed, pieces, remarked } from '#modules/base/vocabulary/line-fields.ts'
import {
  codesMatchQuantity,
  hasLines,
  needs,
  notExpired,
  positiveQuantity,
} from '#modules/base/vocabulary/validators.ts'

export const noticeInTypes = {
  purchase: '采购入库',
  sale_return: '销售退回',
  transfer: '调拨入库',
  other: '其他',
  /** 红冲入库通知: takes back the goods of an earlier notice; created only by its action. */
  red: '红冲入库',
} as const

const header = {
  notice_type: f.pick('通知类型', noticeInTypes, { required: true, default: 'purchase' }),
  ...leasedPlace,
  warehouse_model_inner_sn: f.ref('本机构仓库', 'warehouse', {
    hint: '调拨入库为调出的仓库，其余为本机构登记的租赁库',
  }),
  counterparty_sn: f.ref('供货单位', 'organisation', { copyLabel: '承租方', optionsFilter: { scope: 'all' } }),
  supplier_name: f.text('供货单位名称', { readOnly: true }),
  sender_sn: f.ref('发货机构', 'organisation', { readOnly: true, dialogOnly: true }),
  delivery_note_no: f.text('随货同行单号', { max: 40 }),
  expected_on: f.day('预计到货日期'),
  transport: f.text('运输方式', { max: 40 }),
  carrier: f.text('承运单位', { max: 60 }),
  storage: f.text('储运条件', { max: 40 }),
  deliverer: f.text('送货人/电话', { max: 60 }),
  arrived_lines: lineFigures('到货数量', '留空为全部按通知数量收货；写“行号:实收:拒收”，如 1:90:10', 2),
  arrived_codes: f.pieces('扫码收货', { dialogOnly: true, hint: '一物一码的产品逐件扫码；留空为除拒收外的全部' }),
  refused_scan: f.pieces('拒收的码', { dialogOnly: true, hint: '一物一码的产品扫拒收的码' }),
  refused_why: f.text('拒收原因', { max: 200, dialogOnly: true }),
  put_location: f.text('货位', { max: 40, dialogOnly: true, hint: '留空为库区' }),
  received_total: f.quantity('实收数量', { readOnly: true }),
  refused_total: f.quantity('拒收数量', { readOnly: true }),
  received_by: f.text('接收人', { readOnly: true }),
  done_at: f.instant('入库完成时间', { readOnly: true }),
  receipt_sn: f.text('采购入库单', { readOnly: true }),
  reverses_sn: f.text('原入库通知', { readOnly: true, hint: '红冲入库通知退出的是这张通知入库的货物' }),
  red_lines: lineFigures('红冲数量', '留空为全部已入库数量；写“行号:数量”，如 1:5'),
  red_codes: f.pieces('红冲的码', { dialogOnly: true, hint: '一物一码的产品扫码；数量和码都留空为全部' }),
  reversed_total: f.quantity('已红冲数量', { readOnly: true }),
  red_sns: f.text('红冲入库通知', { readOnly: true, dialogOnly: true }),
  answer_reason: f.text('驳回原因', { readOnly: true }),
  handler_inner_sn: f.ref('通知人', 'employee'),
  business_date: f.day('通知日期'),
  remark: f.longText('备注', { max: 500 }),
  attachments: f.files('附件'),
}
const lines = {
  ...arrivingGoods,
  ...pieces('序列号/院内码'),
  // Below zero on a red notice; any other notice must have a positive quantity at submit.
  quantity: f.quantity('通知数量', { required: true }),
  received_quantity: f.quantity('实收数量', { readOnly: true }),
  refused_quantity: f.quantity('拒收数量', { readOnly: true }),
  refuse_reason: f.text('拒收原因', { readOnly: true }),
  booked_quantity: f.quantity('已入库数量', { readOnly: true }),
  booked_now: f.quantity('本次入库数量', { readOnly: true }),
  reversed_quantity: f.quantity('已红冲数量', { readOnly: true }),
  received_codes: f.codes('实收码', { readOnly: true }),
  refused_codes: f.codes('拒收码', { readOnly: true }),
  booked_codes: f.codes('已入库码', { readOnly: true }),
  codes_now: f.codes('本次入库码', { readOnly: true }),
  reversed_codes: f.codes('已红冲码', { readOnly: true }),
  place: f.text('货位', { readOnly: true }),
  ...costed,
  ...remarked,
}
type Doc = DocOf<typeof header, typeof lines>

const isRed = (doc: Doc): boolean => doc.notice_type === 'red'
/** Goods that leave again by a red notice may be expired, and count below zero. */
const unlessRed =
  (guard: Guard<Doc>): Guard<Doc> =>
  doc =>
    isRed(doc) || guard(doc)

const life = lifecycle<Doc>({
  submit: [
    hasLines,
    needs('rented_area_sn', '请选择承租库区'),
    needs('warehouse_model_inner_sn', '请选择本机构仓库'),
    doc => doc.notice_type !== 'purchase' || Boolean(doc.counterparty_sn) || '采购入库请选择供货单位',
    doc => !isRed(doc) || Boolean(doc.reverses_sn) || '红冲入库请在原入库通知上点【红冲入库】生成',
    unlessRed(positiveQuantity),
    unlessRed(notExpired),
    unlessRed(codesMatchQuantity),
  ],
})

/**
 * 入库通知: a tenant announces goods to the warehouse that it rents. Its operator accepts, counts and confirms; the goods
 * are then in the operator's stock as the tenant's, and the tenant's books state that they are stored there. The
 * operator works on its copy (`lease-notice-in.server.ts`).
 */
export const leaseNoticeIn = defineDocument({
  kind: 'leaseNoticeIn',
  title: '入库通知',
  numberPrefix: 'RKTZ',
  category: 'stockIn',
  ownerTypes: 'DV',
  facts: { stored_elsewhere: 1 },
  header,
  lines,
  lineRules: {
    import: true,
    unlisted: ['booked_now', 'received_codes', 'booked_codes', 'codes_now', 'reversed_codes'],
  },
  internalFields: ['lease_area_id', 'lessor_warehouse_id', 'contract_no'],
  actions: {
    submit: life.submit,
    unsubmit: { ...life.unsubmit, unavailableWhen: { notice_type: ['red'] } },
    accept: { label: '接收通知', from: ['submitted'], to: 'reviewed', by: 'counterparty', tone: 'primary' },
    reject: {
      label: '驳回',
      from: ['submitted'],
      to: 'rejected',
      by: 'counterparty',
      tone: 'danger',
      requiresReason: '请填写驳回原因',
    },
    receive: {
      label: '收货登记',
      from: ['reviewed', 'partial'],
      to: null,
      by: 'counterparty',
      unavailableWhen: { notice_type: ['red'] },
      inputs: ['arrived_lines', 'arrived_codes', 'refused_scan', 'refused_why', 'put_location'],
      shares: ['received_total', 'refused_total', 'received_by'],
      sharesLines: [
        'received_quantity',
        'refused_quantity',
        'refuse_reason',
        'place',
        'received_codes',
        'refused_codes',
      ],
    },
    confirm: {
      label: '入库确认',
      from: ['reviewed', 'partial'],
      to: null,
      reaches: ['partial', 'completed'],
      by: 'counterparty',
      tone: 'primary',
      shares: ['received_total', 'refused_total', 'received_by', 'done_at'],
      sharesLines: [
        'received_quantity',
        'refused_quantity',
        'booked_quantity',
        'booked_now',
        'booked_codes',
        'codes_now',
      ],
    },
    redNotice: {
      label: '红冲入库',
      from: ['partial', 'completed', 'stopped'],
      to: null,
      reaches: ['reversed'],
      tone: 'danger',
      unavailableWhen: { notice_type: ['red'] },
      inputs: ['red_lines', 'red_codes'],
      requiresReason: '请填写红冲原因',
    },
    stop,
    cancel: { ...life.cancel, from: ['draft', 'rejected', 'submitted'] },
  },
  lifecycle: {
    columnLabels: { total_quantity: '通知数量', created_by_name: '通知人' },
    stateLabels: { submitted: '待接收', reviewed: '已接收', partial: '部分入库', completed: '已入库' },
  },
  sourcing: {
    sources: [
      {
        from: 'saleOdo',
        for: 'odo',
        label: '供应商发货单',
        sourceType: sourceTypes.ODO,
        purpose: 'receive',
        fromCounterparty: true,
        nonConsuming: true,
        states: ['reviewed', 'partial'],
        headerMap: { delivery_note_no: 'sn', warehouse_model_inner_sn: '' },
      },
    ],
  },
  posting: { stockDirection: 'in' },
  compliance: { takesUnfit: [{ why: 'they go back to their owner, from whom they came', when: isRed }] },
  intercompany: {
    copies: [
      {
        on: 'submit',
        recipient: doc => doc.lessor_sn,
        hidePrices: true,
        attachments: true,
        header: [
          'notice_type',
          'reverses_sn',
          'area_code',
          'lessor_store',
          'supplier_name',
          'sender_sn',
          'delivery_note_no',
          'expected_on',
          'transport',
          'carrier',
          'storage',
          'deliverer',
        ],
        message: { title: '承租方提交了入库通知', uri: 'leaseNoticeIn' },
      },
    ],
  },
  screens: [
    {
      route: '/commonView/grnNotice',
      tab: '本机构通知',
      leads: true,
      title: '入库通知',
      orgs: 'PDV',
      menu: '仓储租赁',
      purpose: '通知出租仓库将到的货物；出租方接收、收货并确认入库，货物归承租方所有',
      without: { P: ['rented_area_sn'] },
      columns: [
        'sn',
        'notice_type',
        'counterparty_sn',
        'supplier_name',
        'source_sn',
        'lessor_sn',
        'lessor_store',
        'area_code',
        'expected_on',
        'line_count',
        'total_quantity',
        'received_total',
        'refused_total',
        'reversed_total',
        'reverses_sn',
        'created_by_name',
        'received_by',
        'done_at',
        'state',
        'remark',
      ],
      keyColumns: ['sn', 'notice_type', 'area_code', 'expected_on', 'total_quantity', 'received_total', 'state'],
      filters: [
        'sn',
        'notice_type',
        'counterparty_sn',
        'area_code',
        'expected_on',
        'specification_sn',
        'lot_no',
        'state',
      ],
    },
    {
      route: '/commonView/grnNotice',
      tab: '承租方通知',
      title: '入库通知',
      orgs: 'PD',
      menu: '仓储租赁',
      purpose: '承租方通知将到的货物：接收通知、收货登记、入库确认',
      where: { role: 'counterparty' },
      actions: ['accept', 'reject', 'receive', 'confirm'],
      columns: [
        'sn',
        'notice_type',
        'counterparty_sn',
        'supplier_name',
        'lessor_store',
        'area_code',
        'expected_on',
        'line_count',
        'total_quantity',
        'received_total',
        'refused_total',
        'reversed_total',
        'reverses_sn',
        'received_by',
        'done_at',
        'state',
        'remark',
      ],
      keyColumns: ['sn', 'notice_type', 'counterparty_sn', 'area_code', 'total_quantity', 'received_total', 'state'],
      filters: ['sn', 'notice_type', 'counterparty_sn', 'area_code', 'expected_on', 'lot_no', 'state'],
    },
  ],
})

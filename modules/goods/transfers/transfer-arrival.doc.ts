import { add, isPositive, isZero, plain, subtract } from '#kernel/values/decimal.ts'
import { defineDocument, type DocOf } from '#kernel/definition/document.ts'
import { f } from '#kernel/definition/field.ts'
import { postingLifecycle } from '#kernel/definition/lifecycle.ts'
import { consignedAt, type Move, outside, qualityStates, store } from '#kernel/ledger/posting.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import {
  codesMatchQuantity,
  eachLine,
  everyLine,
  everyLineHasSource,
  hasLines,
  needs,
  reasoned,
  figure,
} from '#modules/base/vocabulary/validators.ts'
import { costAmount } from '#modules/base/vocabulary/line-fields.ts'

const header = {
  counterparty_sn: f.ref('调出机构', 'organisation', { readOnly: true }),
  warehouse_model_inner_sn: f.ref('调入仓库', 'warehouse', { required: true }),
  from_org_sn: f.ref('货物来自', 'organisation', { readOnly: true, dialogOnly: true }),
  transfer_reason: f.text('调拨原因', { readOnly: true }),
  expected_date: f.day('期望到货日期', { readOnly: true }),
  transport: f.text('运输方式', { readOnly: true }),
  handler_inner_sn: f.ref('经办人', 'employee'),
  business_date: f.day('收货日期'),
  taxed_amount: costAmount,
  remark: f.longText('备注', { max: 500 }),
  attachments: f.files('附件'),
}
const lines = {
  specification_sn: f.ref('规格型号', 'specification', { required: true }),
  lot_no: f.lot('批号', { readOnly: true }),
  production_date: f.day('生产日期', { readOnly: true }),
  expiry_date: f.day('有效期至', { readOnly: true }),
  unit_codes: f.codes('序列号/院内码'),
  location: f.text('调入货位', { max: 40 }),
  owner_org_sn: f.ref('货主', 'organisation', { readOnly: true }),
  quality_state: f.pick('质量状态', qualityStates, { readOnly: true }),
  unit_inner_sn: f.ref('单位', 'unitTree'),
  sent_quantity: f.quantity('调出数量', { readOnly: true }),
  left_quantity: f.quantity('待收数量', { readOnly: true }),
  quantity: f.quantity('实收数量', { required: true, min: '0' }),
  difference_reason: f.text('差异原因', { max: 200 }),
  refused_quantity: f.quantity('拒收数量', { min: '0' }),
  refuse_reason: f.text('拒收原因', { max: 200 }),
  price: f.unitCost('成本单价', { readOnly: true }),
  taxed_amount: f.cost('成本金额', { readOnly: true }),
  remark: f.text('备注', { max: 200 }),
}
type Doc = DocOf<typeof header, typeof lines>

const life = postingLifecycle<Doc>({
  submit: [
    hasLines,
    needs('warehouse_model_inner_sn', '请选择调入仓库'),
    everyLineHasSource('请引用对方的调拨单'),
    everyLine<Doc>(
      '实收数量与拒收数量不能都为0',
      line => isPositive(line.quantity) || isPositive(figure(line, 'refused_quantity')),
    ),
    reasoned('refused_quantity', 'refuse_reason', '请填写拒收原因'),
    eachLine<Doc>(line => {
      const said = add(line.quantity, figure(line, 'refused_quantity'), 3)
      const missing = subtract(figure(line, 'left_quantity'), said, 3)
      if (!isPositive(missing) || line.difference_reason) return true
      return `差异数量${plain(missing)}，请填写原因`
    }),
    codesMatchQuantity,
  ],
  labels: { review: '确认收货' },
  blockedMessage: '货物已被使用，不能反审核',
})

/**
 * 机构调入单: another hospital, or another dealer, sent goods at cost. Arrived goods are received with their lots, pieces,
 * quality and owner, and those that were the sender's become ours; refused goods go back, missing ones stay in transit
 * until they are found or refused.
 */
export const transferArrival = defineDocument({
  kind: 'transferArrival',
  title: '机构调入单',
  numberPrefix: 'JDR',
  category: 'stockIn',
  ownerTypes: 'HD',
  facts: { moved_here: 1, moved_in: 1, unowed: 1, received: 1 },
  externalType: 'ALLOTGRN',
  header,
  lines,
  lineRules: {
    scanning: {},
    // Goods refused on arrival still belong to the sender, who takes them back.
    rejected: line => {
      const quantity = line.refused_quantity ?? '0'
      return isPositive(quantity) ? { purpose: 'refuse', quantity } : null
    },
  },
  actions: life,
  lifecycle: {
    manualEntry: false,
  },
  sourcing: {
    sources: [
      {
        from: 'transfer',
        for: 'transfer',
        sourceType: sourceTypes.ALLOT,
        purpose: 'receive',
        sharesLimitWith: ['refuse'],
        fromCounterparty: true,
        sameUnits: true,
        states: ['reviewed', 'partial'],
        overdrawnMessage: '实收数量不能大于待收数量{n}',
        headerMap: { from_org_sn: 'counterparty_sn' },
        snapshot: { whole: 'sent_quantity', left: 'left_quantity' },
      },
    ],
  },
  posting: {
    stockDirection: 'in',
    stockCard: { in: 'transfer_in', out: 'transfer_out' },
    postings: (doc, book) => ({
      moves: doc.lines
        .filter(line => !isZero(line.base_quantity))
        .map(
          (line): Move => ({
            line_no: line.line_no,
            step: 'transfer_in',
            quantity: line.base_quantity,
            from: outside(doc.counterparty_sn),
            to: store(doc.warehouse_model_inner_sn, line.location),
            owner: line.owner_org_sn ?? book.org,
            quality: line.quality_state ?? 'qualified',
            value: line.owner_org_sn && line.owner_org_sn !== book.org ? '0.00' : line.taxed_amount,
          }),
        ),
    }),
  },
  compliance: {
    allowsExpired: true,
  },
  intercompany: {
    // The owner of goods that changed their holder is notified where they are now.
    copies: [
      {
        on: 'review',
        toOwners: true,
        informational: true,
        hidePrices: true,
        header: ['from_org_sn'],
        lineFilter: line => isPositive(line.quantity),
        message: { title: '寄售货物已调拨到其他机构', uri: 'stockLocator' },
        receiverPosts: doc => ({
          moves: doc.lines.map(
            (line): Move => ({
              line_no: line.line_no,
              step: 'transfer',
              quantity: line.base_quantity,
              traced: false,
              from: consignedAt(doc.from_org_sn),
              to: consignedAt(doc.counterparty_sn),
            }),
          ),
        }),
      },
    ],
  },
  screens: [
    {
      route: '/commonView/productTransferOrder',
      tab: '机构调入',
      title: '产品调拨单',
      orgs: 'HD',
      menu: '调拨管理',
      purpose: '其他医院或经销商调来的货物：核对后按成本入库，少收须说明原因，拒收的由对方收回',
      columns: [
        'sn',
        'source_sn',
        'counterparty_sn',
        'warehouse_model_inner_sn',
        'line_count',
        'total_quantity',
        'taxed_amount',
        'transfer_reason',
        'expected_date',
        'transport',
        'handler_inner_sn',
        'business_date',
        'created_at',
        'reviewed_by_name',
        'reviewed_at',
        'state',
      ],
      filters: [
        'sn',
        'source_sn',
        'counterparty_sn',
        'warehouse_model_inner_sn',
        'specification_sn',
        'lot_no',
        'unit_code',
        'business_date',
        'state',
      ],
      counted: { state: 'draft' },
    },
  ],
})

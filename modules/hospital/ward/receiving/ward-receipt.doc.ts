import { defineDocument, type DocOf } from '#kernel/definition/document.ts'
import { f } from '#kernel/definition/field.ts'
import { postingLifecycle } from '#kernel/definition/lifecycle.ts'
import { store, transit } from '#kernel/ledger/posting.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import { codesMatchQuantity, hasLines, needs, reasonedWhenLess, within } from '#modules/base/vocabulary/validators.ts'
import { counted, held, pieces, remarked, stockedGoods } from '#modules/base/vocabulary/line-fields.ts'
import { moved } from '#modules/base/vocabulary/stock-moves.ts'

const header = {
  warehouse_model_inner_sn: f.ref('收货仓库', 'warehouse', { required: true }),
  from_warehouse_inner_sn: f.ref('发放仓库', 'warehouse', { named: 'the goods left it by the issue' }),
  department_inner_sn: f.ref('收货科室', 'department'),
  handler_inner_sn: f.ref('收货人', 'employee'),
  business_date: f.day('收货日期'),
  used_sn: f.text('领用即消耗使用单', { readOnly: true }),
  difference_note: f.text('差异说明', { max: 200 }),
  remark: f.longText('备注', { max: 500 }),
}
const lines = {
  ...stockedGoods,
  ...pieces('院内码/定数包码'),
  granted_quantity: f.quantity('发放数量', { readOnly: true }),
  received_quantity: f.quantity('实收数量', { min: '0' }),
  ...counted('数量', '0'),
  difference_reason: f.pick('差异原因', { short: '少发', broken: '破损', wrong: '错发', expired: '过期' }),
  used_on_receipt: f.flag('领用即消耗', { readOnly: true, hint: '收货时登记为科室消耗，不进入科室库存' }),
  price: f.price('单价', { min: '0' }),
  ...held,
  ...remarked,
}
type Doc = DocOf<typeof header, typeof lines>

const life = postingLifecycle<Doc>({
  submit: [hasLines],
  review: [
    hasLines,
    needs('warehouse_model_inner_sn', '请选择收货仓库'),
    within('received_quantity', 'granted_quantity', '实收数量不能大于发放数量'),
    reasonedWhenLess('granted_quantity', 'difference_reason', '实收少于发放，请填写差异原因'),
    codesMatchQuantity,
  ],
  labels: { review: '确认收货' },
})

/**
 * 科室收货单: the ward confirms what was issued to it; created by the issue and waiting, it brings the goods into the
 * ward's warehouse.
 */
export const wardReceipt = defineDocument({
  kind: 'wardReceipt',
  title: '科室收货单',
  numberPrefix: 'KSRK',
  category: 'ward',
  ownerTypes: 'H',
  facts: { received: 1, ward_received: 1 },
  header,
  lines,
  lineRules: {
    scanning: { quantityField: 'received_quantity', expectedField: 'granted_quantity', checklist: true },
    quantityCorrection: {
      field: 'received_quantity',
      keeps: 'granted_quantity',
      unknownCode: '院内码{code}不在本发放单中',
    },
  },
  // Issued goods wait until they are received, returned or lost: the document cannot be cancelled.
  actions: {
    submit: life.submit,
    review: life.review,
    reject: life.reject,
    unreview: life.unreview,
    redReverse: life.redReverse,
  },
  lifecycle: {
    manualEntry: false,
    stateLabels: { submitted: '待收货', reviewed: '已收货' },
    columnLabels: { uncorrected_quantity: '发放数量', corrected_quantity: '实收数量', created_at: '发放时间' },
    editableWhenSubmitted: true,
  },
  sourcing: {
    sources: [
      {
        from: 'grantOdo',
        for: 'grant',
        sourceType: sourceTypes.GRANT,
        purpose: 'ward_receive',
        sharesLimitWith: ['refuse'],
        rollup: [{ via: 'order', purpose: 'ward_receive' }],
        headerMap: {
          warehouse_model_inner_sn: 'to_warehouse_model_inner_sn',
          from_warehouse_inner_sn: 'warehouse_model_inner_sn',
        },
      },
    ],
  },
  compliance: { allowsExpired: false },
  posting: {
    stockDirection: 'named',
    stockCard: { in: 'transfer_in', out: 'transfer_out' },
    postings: (doc, book) => ({
      moves: doc.lines.map(line =>
        moved(
          line,
          book,
          'ward_receive',
          transit(doc.source_sn ?? ''),
          store(doc.warehouse_model_inner_sn, line.location),
        ),
      ),
    }),
  },
  screens: [
    {
      route: '/hospital/receiveInwarehouse',
      title: '科室收货入库',
      orgs: 'H',
      menu: '科室管理',
      purpose: '科室核对库房送来的物资，确认后进入科室二级库',
      columns: [
        'sn',
        'source_sn',
        'from_warehouse_inner_sn',
        'department_inner_sn',
        'warehouse_model_inner_sn',
        'line_count',
        'uncorrected_quantity',
        'corrected_quantity',
        'correction_quantity',
        'taxed_amount',
        'created_at',
        'difference_note',
        'handler_inner_sn',
        'reviewed_by_name',
        'reviewed_at',
        'state',
      ],
      filters: [
        'sn',
        'source_sn',
        'department_inner_sn',
        'warehouse_model_inner_sn',
        'from_warehouse_inner_sn',
        'specification_sn',
        'lot_no',
        'unit_code',
        'business_date',
        'state',
      ],
    },
  ],
})

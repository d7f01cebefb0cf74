import { defineDocument, type DocOf } from '#kernel/definition/document.ts'
import { f } from '#kernel/definition/field.ts'
import { postingLifecycle } from '#kernel/definition/lifecycle.ts'
import { consignedAt, onLoan, outside, qualityStates, store, transit } from '#kernel/ledger/posting.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import {
  codesMatchQuantity,
  eachLine,
  everyLineHasLot,
  everyLineHasSource,
  hasLines,
  needs,
  positiveQuantity,
} from '#modules/base/vocabulary/validators.ts'
import { arrivingGoods, counted, pieces, remarked } from '#modules/base/vocabulary/line-fields.ts'
import { inKit, ofCase, ofCaseNames } from '#modules/hospital/surgery/loans/loan-fields.ts'

const header = {
  counterparty_sn: f.ref('医院', 'organisation', { readOnly: true }),
  ...ofCase,
  warehouse_model_inner_sn: f.ref('入库仓库', 'warehouse', { required: true }),
  to_warehouse_model_inner_sn: f.ref('预销售库位', 'warehouse', {
    readOnly: true,
    named: 'the system keeps what is with the hospital there, under the number of the presale',
  }),
  presale_sn: f.text('预销售单号', { readOnly: true, dialogOnly: true }),
  fetched_by: f.text('取件人', { max: 40 }),
  inspector_inner_sn: f.ref('验收人', 'employee'),
  cleaning: f.text('清洗消毒要求', { max: 80 }),
  answer_reason: f.text('医院退回原因', { readOnly: true }),
  handler_inner_sn: f.ref('经办人', 'employee'),
  business_date: f.day('退回日期'),
  remark: f.longText('备注', { max: 500 }),
  attachments: f.files('附件'),
}
const lines = {
  ...inKit,
  ...arrivingGoods,
  ...pieces('序列号/唯一码'),
  brought_quantity: f.quantity('出库数量', { readOnly: true }),
  due_quantity: f.quantity('应退数量', { readOnly: true }),
  ...counted('实退数量'),
  return_kind: f.pick(
    '退回情况',
    { returned: '退回', lost: '丢失', damaged: '损坏' },
    { hint: '丢失、损坏的数量审核后生成报损单' },
  ),
  is_opened: f.flag('已拆封'),
  quality_state: f.pick('质量状态', {
    qualified: qualityStates.qualified,
    pending: qualityStates.pending,
    unqualified: qualityStates.unqualified,
  }),
  difference_reason: f.text('差异原因', { max: 200 }),
  location: f.text('货位', { max: 40 }),
  ...remarked,
}
type Doc = DocOf<typeof header, typeof lines>
type Line = Doc['lines'][number]

const isGone = (line: Line): boolean => ['lost', 'damaged'].includes(String(line.return_kind))

/**
 * 骨科退回单: what an operation did not use comes back, piece by piece. The hospital gives it up when this is submitted,
 * or refuses because it was used meanwhile; the review puts it on our shelf, and what is lost or broken waits in
 * transit for its 报损单.
 */
export const boneBack = defineDocument({
  kind: 'boneBack',
  title: '骨科退回单',
  numberPrefix: 'GTH',
  category: 'sales',
  ownerTypes: 'DV',
  facts: { lent: -1 },
  overseen: true,
  externalType: 'ORTHOPAEDICBACKODO',
  header,
  lines,
  lineRules: { scanning: {} },
  actions: {
    ...postingLifecycle<Doc>({
      submit: [
        hasLines,
        needs('warehouse_model_inner_sn', '请选择入库仓库'),
        everyLineHasSource('请从骨科预销售单生成'),
        positiveQuantity,
        everyLineHasLot,
        codesMatchQuantity,
        eachLine(line => !isGone(line) || Boolean(line.difference_reason) || '丢失、损坏请填写差异原因'),
        eachLine(
          line =>
            line.is_opened !== true ||
            isGone(line) ||
            line.quality_state === 'unqualified' ||
            '已拆封的无菌包装须为不合格，放入不合格区',
        ),
      ],
      blockedMessage: '已生成报损单，不能反审核',
    }),
    hospitalRefuses: {
      label: '医院退回',
      from: ['submitted'],
      to: 'rejected',
      by: 'counterparty',
      requiresReason: true,
    },
  },
  lifecycle: {
    manualEntry: false,
    columnLabels: { total_quantity: '实退数量', difference_pieces: '差异数量' },
  },
  sourcing: {
    sources: [
      {
        from: 'bonePresale',
        for: 'boneBack',
        sourceType: sourceTypes.BONE_PRESALE,
        purpose: 'return',
        sharesLimitWith: ['use'],
        states: ['reviewed', 'partial', 'stopped'],
        headerMap: { presale_sn: 'sn' },
        snapshot: { whole: 'brought_quantity', left: 'due_quantity' },
        overdrawnMessage: '退回数量超出应退数量{n}',
      },
    ],
  },
  posting: {
    stockDirection: 'named',
    opensContainers: true,
    stockCard: 'return_in',
    postings: (doc, book) => ({
      moves: doc.lines.map(line => ({
        line_no: line.line_no,
        step: 'return',
        quantity: line.base_quantity,
        from: doc.to_warehouse_model_inner_sn
          ? store(doc.to_warehouse_model_inner_sn, doc.source_sn)
          : consignedAt(doc.counterparty_sn),
        to: isGone(line) ? transit(doc.sn) : store(doc.warehouse_model_inner_sn, line.location),
        owner: book.org,
        quality: 'qualified',
        toQuality: isGone(line) ? 'qualified' : (line.quality_state ?? 'qualified'),
      })),
    }),
  },
  compliance: { takesUnfit: [{ why: 'what was lent for an operation goes back to its owner' }] },
  intercompany: {
    copies: [
      {
        on: 'submit',
        withoutRemarks: true,
        refusedBy: 'hospitalRefuses',
        header: [...ofCaseNames, 'presale_sn'],
        lines: ['kit_code', 'return_kind'],
        message: { title: '供应商取回跟台货物', uri: 'bonePlan' },
        // The hospital gives the pieces up: they are on their way, and nobody can use them any more.
        receiverPosts: doc => ({
          moves: doc.lines.map(line => ({
            line_no: line.line_no,
            step: 'return',
            quantity: line.base_quantity,
            from: onLoan(String(doc.presale_sn)),
            to: transit(doc.sn),
            owner: doc.counterparty_sn,
            quality: 'qualified',
          })),
        }),
        reviewed: {
          label: '跟台货物已取回',
          text: '供应商已收回货物',
          staysSent: true,
          posts: doc => ({
            moves: doc.lines.map(line => ({
              line_no: line.line_no,
              step: 'return',
              quantity: line.base_quantity,
              from: transit(doc.sn),
              to: outside(doc.counterparty_sn),
              owner: doc.counterparty_sn,
              quality: 'qualified',
              traced: false,
            })),
          }),
        },
      },
    ],
  },
  screens: [
    {
      route: '/ptm/boneSaleBackOrder',
      title: '骨科退回单',
      orgs: 'DVP',
      menu: '骨科手术管理',
      purpose: '手术后未用的植入物与器械退回本机构仓库，逐码核对；丢失、损坏的转报损',
      without: { D: ['org_name'], V: ['org_name'] },
      columns: [
        'sn',
        'org_name',
        'source_sn',
        'counterparty_sn',
        'surgery_at',
        'business_date',
        'warehouse_model_inner_sn',
        'line_count',
        'due_pieces',
        'total_quantity',
        'difference_pieces',
        'pieces_to_clean',
        'inspector_inner_sn',
        'created_by_name',
        'reviewed_by_name',
        'reviewed_at',
        'rejected_for',
        'state',
      ],
      keyColumns: ['sn', 'source_sn', 'counterparty_sn', 'total_quantity', 'state'],
      filters: [
        'sn',
        'org_name',
        'source_sn',
        'counterparty_sn',
        'surgery_at',
        'warehouse_model_inner_sn',
        'specification_sn',
        'lot_no',
        'unit_code',
        'business_date',
        'state',
      ],
    },
  ],
})

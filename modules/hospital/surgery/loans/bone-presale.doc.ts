import { defineDocument } from '#kernel/definition/document.ts'
import { f } from '#kernel/definition/field.ts'
import { postingLifecycle, stop } from '#kernel/definition/lifecycle.ts'
import { consignedAt, onLoan, outside, store, transit } from '#kernel/ledger/posting.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import { sharedShippingFields, shippingFields } from '#modules/trade/shipping/shipment-fields.ts'
import {
  counted,
  held,
  offeredGoods,
  pieces,
  remarked,
  sterilised,
  valued,
} from '#modules/base/vocabulary/line-fields.ts'
import { moved } from '#modules/base/vocabulary/stock-moves.ts'
import {
  codesMatchQuantity,
  everyLine,
  fitToLeave,
  hasLines,
  needs,
  positiveQuantity,
} from '#modules/base/vocabulary/validators.ts'
import { inKit, ofCase, ofCaseNames } from '#modules/hospital/surgery/loans/loan-fields.ts'

/** A hospital that keeps no books here leaves the goods in a store of ours, under the number of this document. */
const staysOurs = (doc: { readonly to_warehouse_model_inner_sn: string | null }): boolean =>
  doc.to_warehouse_model_inner_sn !== null

/**
 * 骨科预销售单: implants and instruments go to a hospital for one operation before it is known what will be used. They
 * stay ours: the hospital keeps them in its store for loans until they are used, come back or are lost.
 */
export const bonePresale = defineDocument({
  kind: 'bonePresale',
  title: '骨科预销售单',
  numberPrefix: 'GYX',
  category: 'sales',
  ownerTypes: 'DV',
  facts: { lent: 1 },
  overseen: true,
  header: {
    counterparty_sn: f.ref('医院', 'organisation', { required: true, optionsFilter: { relation: 'customer' } }),
    ...ofCase,
    surgery_type: f.pick('手术类型', { elective: '择期', emergency: '急诊' }, { readOnly: true }),
    pre_state: f.pick(
      '预验收状态',
      { '1': '未预验收', '2': '已预验收', '3': '补验超时' },
      { readOnly: true, dialogOnly: true },
    ),
    warehouse_model_inner_sn: f.ref('出库仓库', 'warehouse', { required: true }),
    to_warehouse_model_inner_sn: f.ref('预销售库位', 'warehouse', {
      named: 'the system keeps what is with the hospital there, under the number of the presale',
      readOnly: true,
      hint: '医院未开通系统时，货物记在本机构预销售库',
    }),
    transport: f.text('配送方式', { max: 40 }),
    ...shippingFields,
    return_by: f.instant('预计归还时间'),
    clear_by: f.day('应结清日期', { readOnly: true, hint: '手术后7天' }),
    kit_shortage: f.text('套包缺件', { readOnly: true, width: 220 }),
    deliverer: f.text('送货人', { max: 40 }),
    handler_inner_sn: f.ref('业务员', 'employee'),
    business_date: f.day('出库日期'),
    remark: f.longText('备注', { max: 500 }),
    attachments: f.files('附件'),
  },
  lines: {
    ...inKit,
    ...offeredGoods,
    ...pieces('序列号/唯一码'),
    ...sterilised,
    ...counted('出库数量'),
    ...valued('单价'),
    ...held,
    ...remarked,
  },
  lineRules: { scanning: {} },
  actions: {
    ...(({ redReverse: _redReverse, ...life }) => life)(
      postingLifecycle({
        submit: [
          hasLines,
          needs('counterparty_sn', '请选择医院'),
          needs('warehouse_model_inner_sn', '请选择出库仓库'),
          positiveQuantity,
          fitToLeave((lot, why) => `批号${lot}不可跟台（${why}）`),
          codesMatchQuantity,
          everyLine(
            '跟台的货物须为本机构所有',
            (line, doc) => line.owner_org_sn === null || line.owner_org_sn === doc.org_sn,
          ),
        ],
        blockedMessage: '已产生使用或退回记录，不能反审核',
      }),
    ),
    stop,
    loadKit: { label: '按套包载入', from: ['draft', 'rejected'], to: null },
    toSale: { label: '生成销售单', from: ['reviewed', 'partial', 'completed'], to: null },
    toBack: { label: '生成退回单', from: ['reviewed', 'partial'], to: null, tone: 'primary' },
  },
  lifecycle: {
    columnLabels: { total_quantity: '产品件数' },
    dueDate: 'clear_by',
    stateLabels: { reviewed: '已送出', partial: '部分结清', completed: '已完成' },
  },
  sourcing: {
    sources: [
      {
        from: 'bonePlan',
        for: 'bonePlan',
        sourceType: sourceTypes.BONE_PLAN,
        purpose: 'ship',
        fromCounterparty: true,
        nonConsuming: true,
        headerMap: { plan_sn: 'sn' },
      },
      // A plan that we wrote ourselves, for a hospital without an account.
      {
        from: 'bonePlan',
        for: 'ownBonePlan',
        label: '本机构登记的跟台计划',
        sourceType: sourceTypes.BONE_PLAN,
        purpose: 'ship',
        nonConsuming: true,
        headerMap: { plan_sn: 'sn' },
      },
    ],
  },
  progress: {
    main: 'use',
    mainAlso: ['return'],
    columns: {
      used_quantity: { label: '已使用', purpose: 'use', of: 'quantity' },
      open_quantity: { label: '未清数量', purpose: 'use', besides: 'return', of: 'quantity', rest: true },
    },
  },
  posting: {
    stockDirection: 'out',
    comesHomeBy: 'boneBack',
    opensContainers: true,
    reservesStock: true,
    postings: (doc, book) => ({
      moves: doc.lines.map(line => {
        const from = store(doc.warehouse_model_inner_sn, line.location)
        return staysOurs(doc)
          ? moved(line, book, 'transfer', from, store(doc.to_warehouse_model_inner_sn, doc.sn))
          : // It is in the hospital's books with its copy, and for the trace under way until then.
            {
              ...moved(line, book, 'ship', from, consignedAt(doc.counterparty_sn)),
              tracedTo: transit(doc.sn),
            }
      }),
    }),
  },
  compliance: { party: 'customer', checkpoint: 'issue', verb: '出库' },
  intercompany: {
    copies: [
      {
        on: 'submit',
        hidePrices: true,
        withoutRemarks: true,
        header: [...ofCaseNames, ...sharedShippingFields, 'surgery_type', 'return_by', 'deliverer'],
        lines: [...Object.keys(inKit), 'sterilisation_lot_no'],
        message: { title: '跟台货物已备好，请预验收', uri: 'bonePreAcceptance' },
        reviewed: {
          label: '跟台货物已送出',
          text: '已送出，货物记在本院跟台库',
          posts: doc => ({
            moves: doc.lines.map(line => ({
              line_no: line.line_no,
              step: 'receive',
              quantity: line.base_quantity,
              from: outside(doc.counterparty_sn),
              to: onLoan(doc.sn),
              owner: doc.counterparty_sn,
              quality: line.quality_state ?? 'qualified',
              value: '0.00',
            })),
          }),
        },
      },
    ],
  },
  screens: [
    {
      route: '/ptm/bonePresaleOrder',
      title: '骨科预销售单',
      orgs: 'DVP',
      menu: '骨科手术管理',
      purpose: '手术前把植入物与器械送到医院，货权仍属本机构；使用后销售，其余退回',
      without: { D: ['org_name'], V: ['org_name'] },
      columns: [
        'sn',
        'org_name',
        'plan_sn',
        'counterparty_sn',
        'surgery_department',
        'surgery_at',
        'procedure_name',
        'surgeon_name',
        'warehouse_model_inner_sn',
        'kit_count',
        'line_count',
        'total_quantity',
        'used_quantity',
        'returned_pieces',
        'lost_pieces',
        'open_quantity',
        'overdue',
        'pre_state',
        'attendant',
        'created_by_name',
        'reviewed_at',
        'state',
      ],
      keyColumns: ['sn', 'counterparty_sn', 'surgery_at', 'total_quantity', 'open_quantity', 'state'],
      filters: [
        'sn',
        'org_name',
        'plan_sn',
        'counterparty_sn',
        'surgery_at',
        'warehouse_model_inner_sn',
        'specification_sn',
        'lot_no',
        'unit_code',
        'handler_inner_sn',
        'attendant',
        'overdue',
        'state',
      ],
    },
  ],
})

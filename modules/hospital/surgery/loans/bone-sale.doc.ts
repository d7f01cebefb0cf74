import { defineDocument } from '#kernel/definition/document.ts'
import { f } from '#kernel/definition/field.ts'
import { postingLifecycle } from '#kernel/definition/lifecycle.ts'
import { outside, store } from '#kernel/ledger/posting.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import {
  codesMatchQuantity,
  everyLineHasSource,
  hasLines,
  needs,
  positiveQuantity,
} from '#modules/base/vocabulary/validators.ts'
import { ofCase } from '#modules/hospital/surgery/loans/loan-fields.ts'
import { arrivingGoods, counted, pieces, remarked, sterilised, valued } from '#modules/base/vocabulary/line-fields.ts'

const foreign = '只能选择该手术已登记使用的产品'

/**
 * 骨科销售单: the goods that an operation used become a sale. The pieces left at their use; here the hospital's debt arises,
 * and its receipt waits for it. For a hospital that keeps no books here we note the use ourselves, and the goods leave
 * our presale place.
 */
export const boneSale = defineDocument({
  kind: 'boneSale',
  title: '骨科销售单',
  numberPrefix: 'GXS',
  category: 'sales',
  ownerTypes: 'DV',
  facts: { sold_as_used: 1, sold: 1, issued: 1 },
  overseen: true,
  externalType: 'SALEODO',
  header: {
    counterparty_sn: f.ref('医院', 'organisation', { readOnly: true }),
    regime: f.pick('货权方式', { purchased: '买断' }, { default: 'purchased', readOnly: true }),
    plan_sn: f.text('跟台计划单号', { readOnly: true }),
    surgery_at: ofCase.surgery_at,
    surgery_department: ofCase.surgery_department,
    attendant: ofCase.attendant,
    used_at: f.instant('使用时间', { readOnly: true }),
    to_warehouse_model_inner_sn: f.ref('预销售库位', 'warehouse', {
      readOnly: true,
      dialogOnly: true,
      named: 'the system keeps what is with the hospital there, under the number of the presale',
    }),
    settle_method: f.text('结算方式', { max: 40 }),
    contract_no: f.text('合同号', { max: 40 }),
    invoice_note: f.text('开票要求', { max: 100 }),
    handler_inner_sn: f.ref('业务员', 'employee'),
    business_date: f.day('销售日期'),
    remark: f.longText('备注', { max: 500 }),
    attachments: f.files('附件'),
  },
  lines: {
    ...arrivingGoods,
    ...pieces('序列号/唯一码'),
    ...sterilised,
    source_quantity: f.quantity('使用数量', { readOnly: true }),
    ...counted('销售数量'),
    ...valued('单价'),
    ...remarked,
  },
  actions: postingLifecycle({
    submit: [
      hasLines,
      needs('counterparty_sn', '请从手术使用记录生成'),
      everyLineHasSource(foreign),
      positiveQuantity,
      codesMatchQuantity,
      doc => doc.lines.every(line => line.price !== '0.0000') || '没有与该医院约定的价格，请先办理调价或询价登记',
    ],
    blockedMessage: '医院已入库或已开票，不能反审核',
  }),
  lifecycle: {
    columnLabels: { total_quantity: '产品件数' },
    manualEntry: false,
  },
  sourcing: {
    sources: [
      {
        from: 'surgeryUse',
        for: 'surgeryUse',
        sourceType: sourceTypes.ORTHOPAEDIC,
        purpose: 'turn',
        fromCounterparty: true,
        localOnly: true,
        states: ['reviewed', 'partial', 'completed'],
        dropsFields: ['price'],
        snapshot: { whole: 'source_quantity', left: 'source_quantity' },
        eligible: { line: { stock_source: ['loan'] }, message: foreign },
        overdrawnMessage: '销售数量不能大于已使用未销售数量{n}',
      },
      {
        from: 'bonePresale',
        for: 'bonePresale',
        label: '骨科预销售单（医院未开通系统）',
        sourceType: sourceTypes.BONE_PRESALE,
        purpose: 'use',
        sharesLimitWith: ['return'],
        dropsFields: ['price'],
        snapshot: { whole: 'source_quantity', left: 'source_quantity' },
        overdrawnMessage: '销售数量不能大于未清数量{n}',
      },
    ],
  },
  progress: {
    main: 'receive',
    statuses: { receive_state: 'receive', invoice_state: 'invoice' },
    statusLabels: {
      receive_state: { label: '医院入库', choices: { '1': '未入库', '2': '部分入库', '3': '已入库' } },
    },
    columns: {
      invoiced_amount: { label: '已开票金额', purpose: 'invoice', of: 'value' },
    },
  },
  posting: {
    stockDirection: 'named',
    stockCard: 'issue_out',
    accountMovement: 'raise',
    postings: (doc, book) => ({
      moves:
        doc.source_type === sourceTypes.BONE_PRESALE
          ? doc.lines.map(line => ({
              line_no: line.line_no,
              step: 'use',
              quantity: line.base_quantity,
              from: store(doc.to_warehouse_model_inner_sn, line.source_sn),
              to: outside(),
              owner: book.org,
              quality: 'qualified',
            }))
          : [],
      entries: doc.lines.map(line => ({
        line_no: line.line_no,
        account: 'receivable_unbilled',
        amount: line.taxed_amount,
      })),
    }),
  },
  compliance: {
    party: 'customer',
    checkpoint: 'sale',
    verb: '销售',
    takesUnfit: [{ why: 'they were used in an operation that was recorded before' }],
    statutoryRegister: { in: 'sale', role: 'own', type: () => 'surgery' },
  },
  intercompany: {
    copies: [
      {
        on: 'review',
        creates: { kind: 'purchaseGrn', state: 'draft' },
        recallMessage: '请医院先红冲骨科采购入库',
        header: ['plan_sn', 'used_at'],
        lines: ['sterilisation_lot_no'],
        message: { title: '供应商已开骨科销售单，请入库', uri: 'bonePurchaseGrn' },
      },
    ],
  },
  screens: [
    {
      route: '/ptm/boneSaleOrder',
      title: '骨科销售单',
      orgs: 'DVP',
      menu: '骨科手术管理',
      purpose: '手术使用的产品转为销售：产生应收，医院据此入库，之后开票收款',
      without: {
        D: ['org_name'],
        V: ['org_name'],
        P: ['untaxed_amount', 'tax_amount', 'taxed_amount', 'invoiced_amount', 'collected_amount'],
      },
      columns: [
        'sn',
        'org_name',
        'plan_sn',
        'source_sn',
        'counterparty_sn',
        'surgery_department',
        'surgery_at',
        'used_at',
        'line_count',
        'total_quantity',
        'untaxed_amount',
        'tax_amount',
        'taxed_amount',
        'invoice_state',
        'invoiced_amount',
        'collection_state',
        'collected_amount',
        'receive_state',
        'handler_inner_sn',
        'business_date',
        'reviewed_by_name',
        'reviewed_at',
        'state',
      ],
      keyColumns: ['sn', 'counterparty_sn', 'taxed_amount', 'invoice_state', 'receive_state', 'state'],
      filters: [
        'sn',
        'org_name',
        'plan_sn',
        'source_sn',
        'counterparty_sn',
        'surgery_at',
        'specification_sn',
        'lot_no',
        'unit_code',
        'business_date',
        'invoice_state',
        'collection_state',
        'receive_state',
        'state',
      ],
    },
  ],
})

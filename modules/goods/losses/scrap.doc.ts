import { isPastUse } from '#kernel/rules/shelf-life.ts'
import { defineDocument, type DocOf } from '#kernel/definition/document.ts'
import { f } from '#kernel/definition/field.ts'
import { postingLifecycle } from '#kernel/definition/lifecycle.ts'
import { outside, store } from '#kernel/ledger/posting.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import {
  codesMatchQuantity,
  eachLine,
  hasFiles,
  hasLines,
  needs,
  positiveQuantity,
} from '#modules/base/vocabulary/validators.ts'
import { costAmount, costedGoods } from '#modules/base/vocabulary/line-fields.ts'
import { bearers, ownersLearn } from '#modules/goods/losses/loss-lines.ts'
import { moved } from '#modules/base/vocabulary/stock-moves.ts'
import { signingColumns, signingFilters, signingTabs } from '#modules/goods/losses/approval-tabs.ts'

const listed = [
  'sn',
  'scrap_type',
  'warehouse_model_inner_sn',
  'line_count',
  'total_quantity',
  'taxed_amount',
  'handler_inner_sn',
  'business_date',
  'reviewed_by_name',
  'reviewed_at',
  'state',
] as const
const filtered = ['sn', 'scrap_type', 'warehouse_model_inner_sn', 'business_date', 'state'] as const

const life = postingLifecycle({
  submit: [
    hasLines,
    needs('warehouse_model_inner_sn', '请选择仓库'),
    positiveQuantity,
    codesMatchQuantity,
    eachLine((line, doc) => {
      const good = (line.quality_state ?? 'qualified') === 'qualified' && !isPastUse(line, doc)
      return !good || `批号${line.lot_no ?? ''}为合格品，请先办理停售`
    }),
    eachLine(
      (line, doc) =>
        !line.owner_org_sn ||
        line.owner_org_sn === doc.org_sn ||
        hasFiles(doc, 'attachments') ||
        '寄售产品报废须经货主确认，请上传货主的书面同意',
    ),
  ],
  notByAuthor: true,
  selfReviewMessage: '不能审核本人提交的单据',
  blockedMessage: '已登记销毁，不能反审核',
})

const header = {
  warehouse_model_inner_sn: f.ref('仓库', 'warehouse', { required: true }),
  scrap_type: f.pick(
    '报废类型',
    { expired: '过期', unqualified: '不合格', broken: '破损', recalled: '召回销毁', in_use: '使用中损坏' },
    { default: 'expired' },
  ),
  scrap_reason: f.text('报废原因', { max: 200, required: true }),
  bearer: f.pick('赔付方式', bearers, { default: 'none' }),
  handler_inner_sn: f.ref('申请人', 'employee'),
  business_date: f.day('报废日期'),
  destroy_state: f.pick('销毁状态', { 1: '未销毁', 2: '已销毁' }, { readOnly: true, default: '1' }),
  destroy_method: f.pick('销毁方式', { burn: '焚烧', deform: '毁形', waste: '医疗废物交接', factory: '退厂销毁' }),
  destroy_date: f.day('销毁日期'),
  destroy_place: f.text('销毁地点', { max: 100 }),
  witness_inner_sn: f.ref('监销人1', 'employee'),
  second_witness_inner_sn: f.ref('监销人2', 'employee'),
  destroy_pictures: f.files('销毁照片'),
  taxed_amount: costAmount,
  remark: f.longText('备注', { max: 500 }),
  attachments: f.files('附件'),
}
const lines = {
  ...costedGoods,
  quantity: f.quantity('报废数量', { required: true, min: '0.001' }),
  line_reason: f.text('报废原因', { max: 200 }),
  pictures: f.files('照片'),
  remark: f.text('备注', { max: 200 }),
}
type Doc = DocOf<typeof header, typeof lines>

const notDestroyed = (sentence: string) => (doc: Doc) => doc.destroy_state !== '2' || sentence

/**
 * 报废单: expired or unqualified goods leave the ledger at cost and are destroyed before witnesses; the document is the
 * record of it.
 */
export const scrap = defineDocument({
  kind: 'scrap',
  title: '报废单',
  numberPrefix: 'BF',
  category: 'internal',
  ownerTypes: 'HDV',
  facts: { lost: 1, issued: 1 },
  header,
  lines,
  lineRules: {
    scanning: {},
  },
  actions: {
    ...life,
    unreview: {
      ...life.unreview,
      from: ['reviewed', 'completed'],
      guards: [notDestroyed('已登记销毁，不能反审核')],
    },
    redReverse: { ...life.redReverse, guards: [notDestroyed('已销毁，不能红冲')] },
    destroy: {
      label: '登记销毁',
      from: ['reviewed'],
      to: 'completed',
      inputs: [
        'destroy_method',
        'destroy_date',
        'destroy_place',
        'witness_inner_sn',
        'second_witness_inner_sn',
        'destroy_pictures',
      ],
      sets: { destroy_state: '2' },
      guards: [
        needs('destroy_method', '请选择销毁方式'),
        needs('destroy_date', '请填写销毁日期'),
        needs('destroy_place', '请填写销毁地点'),
        doc =>
          (Boolean(doc.witness_inner_sn) &&
            Boolean(doc.second_witness_inner_sn) &&
            doc.witness_inner_sn !== doc.second_witness_inner_sn) ||
          '监销人不能少于2人',
        doc => hasFiles(doc, 'destroy_pictures') || '请上传销毁照片',
      ],
    },
  },
  lifecycle: {
    reversibleAfter: ['settle'],
    listActions: {
      fromExpired: {
        label: '提取过期库存',
        inputs: { warehouse_model_inner_sn: f.ref('仓库', 'warehouse', { required: true }) },
      },
    },
  },
  sourcing: {
    sources: [
      {
        from: 'purchaseGrn',
        for: 'grn',
        sourceType: sourceTypes.GRN,
        purpose: 'scrap',
        sameUnits: true,
        overdrawnMessage: '报废数量不能大于入库剩余数量{n}',
      },
      {
        from: 'stopSale',
        for: 'stopSale',
        sourceType: sourceTypes.STOP_SALE,
        purpose: 'scrap',
        sharesLimitWith: ['release'],
        overdrawnMessage: '报废数量不能大于停售未处理数量{n}',
      },
    ],
  },
  posting: {
    stockDirection: 'out',
    reservesStock: true,
    postings: (doc, book) => ({
      moves: doc.lines.map(line =>
        moved(line, book, 'scrap', store(doc.warehouse_model_inner_sn, line.location), outside()),
      ),
    }),
  },
  compliance: {
    takesUnfit: [{ why: 'they are destroyed' }],
  },
  pricing: {
    costing: 'leaving',
  },
  intercompany: {
    copies: [ownersLearn('scrap', '寄售货物已报废', ['scrap_type', 'bearer'])],
  },
  screens: [
    {
      route: '/commonView/scrapList',
      title: '报废单',
      orgs: 'HDV',
      menu: '质量管理',
      purpose: '过期、不合格货物的报废与销毁记录',
      columns: [
        ...listed,
        'source_sn',
        'owner_names',
        'scrap_reason',
        'destroy_state',
        'destroy_method',
        'destroy_date',
        'witness_inner_sn',
        'second_witness_inner_sn',
      ],
      filters: [...filtered, 'specification_sn', 'lot_no', 'unit_code', 'destroy_state'],
      actions: ['add', 'edit', 'del', 'submit', 'unsubmit', 'cancel', 'redReverse', 'destroy'],
    },
    ...signingTabs(
      {
        route: '/commonView/scrapCheck',
        title: '报废审核',
        orgs: 'HDV',
        menu: '质量管理',
        columns: [...listed, ...signingColumns],
        filters: [...filtered, ...signingFilters],
      },
      '等待本人审核的报废：质量与财务逐级审核，审核后货物退出库存，等待销毁',
    ),
  ],
})

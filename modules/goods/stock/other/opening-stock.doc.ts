import { defineDocument, regimes } from '#kernel/definition/document.ts'
import { f } from '#kernel/definition/field.ts'
import { postingLifecycle } from '#kernel/definition/lifecycle.ts'
import { type Move, outside, qualityStates, store } from '#kernel/ledger/posting.ts'
import {
  codesMatchQuantity,
  everyLine,
  expiredIsUnqualified,
  hasLines,
  needs,
  positiveQuantity,
} from '#modules/base/vocabulary/validators.ts'
import { arrivingGoods, counted, pieces, remarked, valued } from '#modules/base/vocabulary/line-fields.ts'
import { memoGrows } from '#modules/base/vocabulary/stock-moves.ts'

/** 期初库存: the stock on the day a warehouse goes live, own or consigned, lot by lot; the ledgers begin with it. */
export const openingStock = defineDocument({
  kind: 'openingStock',
  title: '期初库存',
  numberPrefix: 'QC',
  category: 'stockIn',
  ownerTypes: 'HDV',
  facts: { received: 1, opened: 1 },
  header: {
    warehouse_model_inner_sn: f.ref('仓库', 'warehouse', { required: true }),
    regime: f.pick('货权方式', regimes, { default: 'purchased' }),
    counterparty_sn: f.ref('货主', 'organisation', {
      optionsFilter: { relation: 'supplier' },
      hint: '寄售库存的供应商；自有库存留空',
    }),
    handler_inner_sn: f.ref('经办人', 'employee'),
    business_date: f.day('启用日期'),
    remark: f.longText('备注', { max: 500 }),
    attachments: f.files('附件'),
  },
  lines: {
    ...arrivingGoods,
    ...pieces('序列号/院内码'),
    ...counted(),
    ...valued(),
    owner_org_sn: f.ref('货主', 'organisation', { optionsFilter: { relation: 'supplier' } }),
    location: f.text('货位', { max: 40 }),
    quality_state: f.pick('质量状态', qualityStates),
    ...remarked,
  },
  lineRules: {
    import: true,
  },
  actions: {
    ...postingLifecycle({
      submit: [
        hasLines,
        needs('warehouse_model_inner_sn', '请选择仓库'),
        positiveQuantity,
        expiredIsUnqualified,
        codesMatchQuantity,
        everyLine(
          '寄售库存必须选择货主',
          (line, doc) => doc.regime !== 'consigned' || doc.counterparty_sn !== null || line.owner_org_sn !== null,
        ),
      ],
    }),
    closeOpening: { label: '期初结束', from: ['reviewed'], to: null, tone: 'danger' },
    reopenOpening: { label: '反期初', from: ['reviewed'], to: null, tone: 'danger', requiresReason: true },
  },
  posting: {
    stockDirection: 'in',
    postings: (doc, book) => ({
      moves: doc.lines.map((line): Move => {
        const owner = line.owner_org_sn ?? (doc.regime === 'consigned' ? doc.counterparty_sn : null) ?? book.org
        return {
          line_no: line.line_no,
          step: 'opening',
          quantity: line.base_quantity,
          from: outside(),
          to: store(doc.warehouse_model_inner_sn, line.location),
          owner,
          quality: line.quality_state ?? 'qualified',
          value: owner !== book.org ? '0.00' : book.type === 'H' ? line.taxed_amount : line.untaxed_amount,
        }
      }),
    }),
  },
  compliance: {
    allowsExpired: true,
  },
  intercompany: {
    // The owner of consigned goods is notified that they are here: its memo of goods at customers begins with them.
    copies: [
      {
        on: 'review',
        toOwners: true,
        message: { title: '客户登记了我方寄售期初', uri: 'openingStock' },
        receiverPosts: memoGrows('opening'),
      },
    ],
  },
  screens: [
    {
      route: '/commonView/initialInventory',
      title: '期初库存',
      orgs: 'DV',
      menu: '库存管理',
      purpose: '系统启用当日，按实物批号录入或导入库存',
      columns: [
        'sn',
        'warehouse_model_inner_sn',
        'business_date',
        'regime',
        'counterparty_sn',
        'line_count',
        'total_quantity',
        'taxed_amount',
        'entry_mode',
        'created_by_name',
        'created_at',
        'reviewed_by_name',
        'reviewed_at',
        'state',
        'remark',
      ],
      filters: [
        'sn',
        'warehouse_model_inner_sn',
        'counterparty_sn',
        'regime',
        'specification_sn',
        'lot_no',
        'business_date',
        'created_at',
        'state',
      ],
    },
    {
      route: '/hospital/hInitialInventory',
      title: '期初库存',
      orgs: 'H',
      menu: '库存管理',
      purpose: '系统启用前，各库房录入自有与寄售库存及院内码',
      columns: [
        'sn',
        'warehouse_model_inner_sn',
        'line_count',
        'total_quantity',
        'taxed_amount',
        'regime',
        'counterparty_sn',
        'created_by_name',
        'created_at',
        'reviewed_by_name',
        'reviewed_at',
        'state',
      ],
      filters: [
        'sn',
        'warehouse_model_inner_sn',
        'regime',
        'specification_sn',
        'lot_no',
        'unit_code',
        'business_date',
        'state',
      ],
    },
  ],
})

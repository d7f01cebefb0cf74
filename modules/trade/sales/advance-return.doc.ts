import { defineDocument } from '#kernel/definition/document.ts'
import { f } from '#kernel/definition/field.ts'
import { postingLifecycle } from '#kernel/definition/lifecycle.ts'
import { store } from '#kernel/ledger/posting.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import { codesMatchQuantity, hasLines, needs, positiveQuantity } from '#modules/base/vocabulary/validators.ts'
import { arrivingGoods, counted, held, pieces, remarked } from '#modules/base/vocabulary/line-fields.ts'
import { moved } from '#modules/base/vocabulary/stock-moves.ts'

/** 预销售退回单: what a customer did not use of an advance sale is back in our stock, lot and piece as it left. */
export const advanceReturn = defineDocument({
  kind: 'advanceReturn',
  title: '预销售退回单',
  numberPrefix: 'YXT',
  category: 'sales',
  ownerTypes: 'DV',
  facts: { presold: -1, issued: -1 },
  header: {
    counterparty_sn: f.ref('客户', 'organisation', { readOnly: true }),
    warehouse_model_inner_sn: f.ref('预销售仓库', 'warehouse', { required: true }),
    to_warehouse_model_inner_sn: f.ref('退回仓库', 'warehouse', { required: true }),
    handler_inner_sn: f.ref('业务员', 'employee'),
    business_date: f.day('退回日期'),
    remark: f.longText('备注', { max: 500 }),
    attachments: f.files('附件'),
  },
  lines: { ...arrivingGoods, ...pieces(), ...counted('退回数量'), ...held, ...remarked },
  lineRules: {
    scanning: {},
  },
  actions: postingLifecycle({
    submit: [hasLines, needs('to_warehouse_model_inner_sn', '请选择退回仓库'), positiveQuantity, codesMatchQuantity],
  }),
  lifecycle: {
    manualEntry: false,
  },
  sourcing: {
    sources: [
      {
        from: 'advanceSale',
        for: 'advanceBack',
        sourceType: sourceTypes.ADVANCE_SALE,
        purpose: 'return',
        sharesLimitWith: ['turn'],
        sameUnits: true,
        stockedUnderSource: true,
        // A returned quantity counts as not shipped under its order.
        rollup: [{ via: 'order', purpose: 'ship', givenBack: true }],
        headerMap: { to_warehouse_model_inner_sn: 'warehouse_model_inner_sn' },
        overdrawnMessage: '处理数量超过未结清数量{n}',
      },
    ],
  },
  posting: {
    stockDirection: 'out',
    reservesStock: true,
    postings: (doc, book) => ({
      moves: doc.lines.map(line =>
        moved(
          line,
          book,
          'transfer',
          store(doc.warehouse_model_inner_sn, line.location),
          store(doc.to_warehouse_model_inner_sn),
        ),
      ),
    }),
  },
  compliance: {
    takesUnfit: [{ why: 'they come home from where they were shown to a customer' }],
  },
  pricing: {
    keepsPrices: true,
  },
  screens: [
    {
      route: '/commonView/advanceSale',
      tab: '退回入库',
      title: '预销售',
      orgs: 'DV',
      menu: '销售管理',
      purpose: '预销售未用货物退回本机构仓库的记录',
      columns: [
        'sn',
        'counterparty_sn',
        'source_sn',
        'to_warehouse_model_inner_sn',
        'line_count',
        'total_quantity',
        'business_date',
        'handler_inner_sn',
        'reviewed_by_name',
        'reviewed_at',
        'state',
      ],
      filters: [
        'sn',
        'counterparty_sn',
        'source_sn',
        'specification_sn',
        'lot_no',
        'unit_code',
        'business_date',
        'state',
      ],
    },
  ],
})

import { defineDocument, type DocOf } from '#kernel/definition/document.ts'
import { f } from '#kernel/definition/field.ts'
import { postingLifecycle } from '#kernel/definition/lifecycle.ts'
import { store } from '#kernel/ledger/posting.ts'
import { type Decimal, divide } from '#kernel/values/decimal.ts'
import { isPackCode } from '#kernel/codes/pack-code.ts'
import { packTypes } from '#modules/goods/packs/pack-types.ts'
import { counted, held, remarked, stockedGoods } from '#modules/base/vocabulary/line-fields.ts'
import { moved } from '#modules/base/vocabulary/stock-moves.ts'
import {
  codesMatchQuantity,
  differ,
  fitToLeave,
  hasLines,
  needs,
  positiveQuantity,
} from '#modules/base/vocabulary/validators.ts'

/** The inputs for a draft: packs of one template out of one store. */
const asked = {
  warehouse_model_inner_sn: f.ref('仓库', 'warehouse', { required: true }),
  pack_template_sn: f.ref('定数包模板', 'packTemplate', { required: true }),
  pack_count: f.count('组包数量(包)', { required: true, min: '1', max: 500 }),
} as const

const header = {
  warehouse_model_inner_sn: f.ref('仓库', 'warehouse', { required: true }),
  pack_template_sn: f.ref('定数包模板', 'packTemplate'),
  operation_kit_sn: f.ref('手术套包', 'operationKit', { readOnly: true }),
  pack_type: f.pick('包类型', packTypes, { readOnly: true }),
  pack_size: f.quantity('定数', { readOnly: true }),
  pack_count: f.count('组包数量(包)', { readOnly: true }),
  target_location: f.text('目标货位', { max: 40, hint: '留空为原货位' }),
  handler_inner_sn: f.ref('组包人', 'employee'),
  rechecker_inner_sn: f.ref('复核人', 'employee'),
  business_date: f.day('组包日期'),
  remark: f.longText('备注', { max: 500 }),
}
const lines = {
  ...stockedGoods,
  ...held,
  ...counted('耗用数量'),
  unit_inner_sn: f.ref('单位', 'unitTree'),
  line_packs: f.count('包数', { readOnly: true }),
  unit_codes: f.codes('院内码', { hint: '一物一码产品扫描每件的院内码；其他产品不填，审核后为定数包码' }),
  pack_codes: f.codes('定数包码', { readOnly: true }),
  ...remarked,
}
type Doc = DocOf<typeof header, typeof lines>
type Line = Doc['lines'][number]

const isCombined = (doc: Doc): boolean => doc.pack_type === 'combined'

/** The quantity of a line in one pack: each combined pack contains some of every line. */
const sizeOf = (doc: Doc, line: Line): Decimal =>
  isCombined(doc) ? divide(line.base_quantity, String(doc.pack_count ?? 1), 3) : (doc.pack_size as Decimal)

/** True for goods managed piece by piece: the line has their codes, not those of the packs that it makes. */
const isCoded = (line: Line): boolean => line.unit_codes.some(code => !isPackCode(code))

/**
 * 组包单: goods of a store become packs of a fixed quantity, each under a code of its own. Stock does not change: the
 * pieces stay in their places, and leave as a pack from now on. Goods managed piece by piece are scanned into their
 * packs and keep their codes in them; the pack's code includes all of them.
 */
export const pack = defineDocument({
  kind: 'pack',
  title: '组包单',
  numberPrefix: 'ZB',
  category: 'internal',
  ownerTypes: 'H',
  facts: {},
  header,
  lines,
  lineRules: { scanning: {} },
  actions: postingLifecycle<Doc>({
    submit: [
      hasLines,
      needs('warehouse_model_inner_sn', '请选择仓库'),
      doc => Boolean(doc.operation_kit_sn) || needs('pack_template_sn', '请选择定数包模板')(doc),
      differ('rechecker_inner_sn', 'handler_inner_sn', '组包人与复核人不能为同一人'),
      positiveQuantity,
      codesMatchQuantity,
      fitToLeave((lot, why) => `批号${lot}为${why}状态，不能组包`),
    ],
    blockedMessage: '定数包已发放，不能反审核',
  }),
  lifecycle: {
    handlerSubmits: true,
    listActions: {
      byTemplate: { label: '按模板生成', inputs: asked },
      suggest: {
        label: '按补货需求生成',
        inputs: { warehouse_model_inner_sn: f.ref('仓库', 'warehouse', { required: true }) },
      },
    },
  },
  posting: {
    stockDirection: 'out',
    stockCard: 'none',
    reservesStock: true,
    makesPacks: doc => ({ size: line => sizeOf(doc, line), combined: isCombined(doc) }),
    postings: (doc, book) => ({
      moves: doc.lines.map(line => ({
        ...moved(
          line,
          book,
          'pack',
          store(doc.warehouse_model_inner_sn, line.location),
          store(doc.warehouse_model_inner_sn, (doc.target_location as string | null) ?? line.location),
        ),
        ...(isCoded(line) ? {} : { packSize: sizeOf(doc, line) }),
      })),
    }),
  },
  screens: [
    {
      route: '/hospital/productPack',
      title: '定数包组包',
      orgs: 'H',
      menu: '库存管理',
      tab: '组包单',
      leads: true,
      purpose: '把散货按模板组成定数包，审核后生成定数包码，科室按包申领、发放和使用',
      columns: [
        'sn',
        'warehouse_model_inner_sn',
        'pack_type',
        'pack_template_sn',
        'operation_kit_sn',
        'pack_size',
        'pack_count',
        'total_quantity',
        'handler_inner_sn',
        'rechecker_inner_sn',
        'business_date',
        'reviewed_by_name',
        'reviewed_at',
        'state',
      ],
      filters: [
        'sn',
        'warehouse_model_inner_sn',
        'pack_type',
        'pack_template_sn',
        'specification_sn',
        'lot_no',
        'unit_code',
        'business_date',
        'state',
      ],
    },
  ],
})

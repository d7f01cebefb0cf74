import { defineDocument, type DocOf } from '#kernel/definition/document.ts'
import { f } from '#kernel/definition/field.ts'
import { postingLifecycle } from '#kernel/definition/lifecycle.ts'
import { store } from '#kernel/ledger/posting.ts'
import { counted, held, remarked, stockedGoods } from '#modules/base/vocabulary/line-fields.ts'
import { moved } from '#modules/base/vocabulary/stock-moves.ts'
import {
  codesMatchQuantity,
  fitToLeave,
  hasLines,
  needs,
  positiveQuantity,
} from '#modules/base/vocabulary/validators.ts'

const header = {
  kit_sn: f.ref('套包', 'implantKit', { required: true }),
  load_type: f.pick('方向', { load: '装入', take_out: '取出' }, { required: true, default: 'load' }),
  warehouse_model_inner_sn: f.ref('仓库', 'warehouse', { required: true }),
  handler_inner_sn: f.ref('经办人', 'employee'),
  business_date: f.day('装取日期'),
  remark: f.longText('备注', { max: 500 }),
}
const lines = {
  ...stockedGoods,
  unit_codes: f.codes('唯一码'),
  ...held,
  to_location: f.text('目标货位', { max: 40 }),
  ...counted('装取数量'),
  unit_inner_sn: f.ref('单位', 'unitTree'),
  ...remarked,
}
type Doc = DocOf<typeof header, typeof lines>

export const isTakenOut = (doc: Doc): boolean => doc.load_type === 'take_out'

/**
 * 套包装取单: goods of a store go into a numbered kit, or out of it again. The kit is a place in that store, so stock
 * stays as it is; it is written by 组包, 补货, 扫码装入, 取出 and 拆包, never by hand.
 */
export const kitLoading = defineDocument({
  kind: 'kitLoading',
  title: '套包装取单',
  numberPrefix: 'TBZ',
  category: 'internal',
  ownerTypes: 'DV',
  facts: {},
  header,
  lines,
  actions: postingLifecycle<Doc>({
    submit: [
      hasLines,
      needs('kit_sn', '请选择套包'),
      needs('warehouse_model_inner_sn', '请选择仓库'),
      positiveQuantity,
      codesMatchQuantity,
      doc => isTakenOut(doc) || fitToLeave((lot, why) => `批号${lot}为${why}状态，不能装入套包`)(doc),
    ],
    blockedMessage: '套包已送出或已重新装取，不能反审核',
  }),
  lifecycle: { handlerSubmits: true },
  // Expired goods must come out of a kit before it is lent.
  compliance: { takesUnfit: [{ why: 'they are taken out of the kit', when: isTakenOut }], verb: '装入套包' },
  posting: {
    stockDirection: 'out',
    stockCard: 'none',
    reservesStock: true,
    opensContainers: true,
    postings: (doc, book) => ({
      moves: doc.lines.map(line =>
        moved(
          line,
          book,
          // The piece keeps its code: 'unpack' ends the code of a pack.
          isTakenOut(doc) ? 'transfer' : 'pack',
          store(doc.warehouse_model_inner_sn, line.location),
          store(doc.warehouse_model_inner_sn, line.to_location as string | null),
        ),
      ),
    }),
  },
  screens: [
    {
      route: '/commonView/operationKits',
      title: '手术套包',
      orgs: 'DV',
      menu: '骨科手术管理',
      tab: '装取记录',
      purpose: '每次组包、补货、扫码装入、取出和拆包的单据，由套包上的操作生成并直接入账',
      columns: [
        'sn',
        'kit_sn',
        'load_type',
        'warehouse_model_inner_sn',
        'line_count',
        'total_quantity',
        'handler_inner_sn',
        'business_date',
        'remark',
        'reviewed_by_name',
        'reviewed_at',
        'state',
      ],
      filters: [
        'sn',
        'kit_sn',
        'load_type',
        'warehouse_model_inner_sn',
        'specification_sn',
        'lot_no',
        'unit_code',
        'business_date',
        'state',
      ],
      actions: ['submit', 'unsubmit', 'review', 'reject', 'unreview', 'redReverse', 'cancel', 'del'],
    },
  ],
})

import { defineDocument, type DocOf } from '#kernel/definition/document.ts'
import { f } from '#kernel/definition/field.ts'
import { postingLifecycle } from '#kernel/definition/lifecycle.ts'
import { store } from '#kernel/ledger/posting.ts'
import { isPartCode } from '#kernel/codes/pack-code.ts'
import { unpackTypes } from '#modules/goods/packs/pack-types.ts'
import { counted, held, remarked, stockedGoods } from '#modules/base/vocabulary/line-fields.ts'
import { moved } from '#modules/base/vocabulary/stock-moves.ts'
import {
  codesMatchQuantity,
  everyLine,
  hasLines,
  needs,
  positiveQuantity,
  within,
} from '#modules/base/vocabulary/validators.ts'

/** Packs are named by their codes; those of coded pieces by the codes of all pieces in them. */
const isOpened = (line: Line): boolean => line.unit_codes.length > 0
/** Boxes of the unit tree: a quantity in a larger unit, without a code. */
const isBox = (line: Line): boolean => line.unit_codes.length === 0 && line.unit_inner_sn !== null

const header = {
  warehouse_model_inner_sn: f.ref('仓库', 'warehouse', { required: true }),
  unpack_type: f.pick('拆包类型', unpackTypes, { default: 'pack' }),
  unpack_reason: f.text('拆包原因', { max: 200 }),
  loss_sn: f.text('报损单号', { readOnly: true }),
  handler_inner_sn: f.ref('拆包人', 'employee'),
  business_date: f.day('拆包日期'),
  remark: f.longText('备注', { max: 500 }),
}
const lines = {
  unit_codes: f.codes('定数包码/箱码'),
  ...stockedGoods,
  ...counted('定数'),
  unit_inner_sn: f.ref('单位', 'unitTree', { hint: '外箱拆零填外箱单位' }),
  box_code: f.piece('箱码', { max: 100, hint: '外箱上的条码，一行一箱；由它追溯箱内各件，同一箱只能拆一次' }),
  lost_quantity: f.quantity('损耗数量', { min: '0' }),
  released_quantity: f.quantity('拆出数量', { readOnly: true, hint: '定数减损耗数量' }),
  target_location: f.text('目标货位', { max: 40, hint: '留空为原货位' }),
  child_codes: f.newPieces('子码', { hint: '外箱内每件的码；一物一码产品不填则生成新码' }),
  ...held,
  ...remarked,
}
type Doc = DocOf<typeof header, typeof lines>
type Line = Doc['lines'][number]

const typeOf = (doc: Doc) => doc.unpack_type ?? 'pack'
/** A guard for the lines of one way of opening. */
const everyLineOf = (type: keyof typeof unpackTypes, msg: string, holds: (line: Line) => boolean) => (doc: Doc) =>
  typeOf(doc) !== type || everyLine<Doc>(msg, holds)(doc)

/** 拆包单: a pack is opened and its pieces are loose again in the same store; its code ends. Lost pieces become a loss. */
export const unpack = defineDocument({
  kind: 'unpack',
  title: '拆包单',
  numberPrefix: 'CB',
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
      needs('unpack_reason', '请填写拆包原因'),
      everyLineOf('pack', '请扫描要拆的定数包码', line => isOpened(line) && !line.unit_codes.some(isPartCode)),
      everyLineOf('combined', '请扫描要拆的组合包码', isOpened),
      everyLineOf('box', '外箱拆零请选择外箱单位，不扫定数包码', line => isBox(line)),
      positiveQuantity,
      codesMatchQuantity,
      within('lost_quantity', 'base_quantity', '损耗数量不能大于定数'),
    ],
    blockedMessage: '拆出的货物已有后续业务，不能反审核',
  }),
  lifecycle: { handlerSubmits: true },
  // An expired pack may be opened, too, because its contents stay in the store.
  compliance: { takesUnfit: [{ why: 'they stay in their store, without the pack' }] },
  posting: {
    stockDirection: 'out',
    stockCard: 'none',
    reservesStock: true,
    namesPieces: true,
    postings: (doc, book) => ({
      moves: doc.lines.map(line =>
        moved(
          line,
          book,
          'unpack',
          store(doc.warehouse_model_inner_sn, line.location),
          store(doc.warehouse_model_inner_sn, (line.target_location as string | null) ?? line.location),
        ),
      ),
    }),
  },
  screens: [
    {
      route: '/hospital/productUnpack',
      title: '定数包拆包',
      orgs: 'H',
      menu: '库存管理',
      purpose: '科室要单件、包破损或须退供应商时拆包，拆出的散货回到库存，原定数包码失效',
      columns: [
        'sn',
        'warehouse_model_inner_sn',
        'unpack_type',
        'unpack_reason',
        'line_count',
        'total_quantity',
        'loss_sn',
        'handler_inner_sn',
        'business_date',
        'reviewed_by_name',
        'reviewed_at',
        'state',
      ],
      filters: [
        'sn',
        'warehouse_model_inner_sn',
        'unpack_type',
        'unit_code',
        'specification_sn',
        'lot_no',
        'unpack_reason',
        'business_date',
        'state',
      ],
    },
  ],
})

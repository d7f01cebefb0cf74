import { defineDocument, regimes, type DocOf } from '#kernel/definition/document.ts'
import { compare, type Decimal, isPositive } from '#kernel/values/decimal.ts'
import { f } from '#kernel/definition/field.ts'
import { postingLifecycle } from '#kernel/definition/lifecycle.ts'
import { sourceTypes } from '#kernel/definition/source-type.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { pushHis } from '#modules/hospital/his/receipts/push-action.ts'
import {
  codesMatchQuantity,
  eachLine,
  everyLine,
  hasLines,
  needs,
  notExpired,
  within,
} from '#modules/base/vocabulary/validators.ts'
import {
  counted,
  disposed,
  offeredGoods,
  pieces,
  priced,
  remarked,
  sterilised,
} from '#modules/base/vocabulary/line-fields.ts'
import { memoGrows } from '#modules/base/vocabulary/stock-moves.ts'
import { purchaseGrnScreens } from '#modules/goods/stock/receipts/purchase-grn.screens.ts'
import { arrivals, isOfOperation, staysUnqualified, usedAlready } from '#modules/goods/stock/receipts/receipt-moves.ts'
import { operationFields } from '#modules/goods/stock/receipts/operation-fields.ts'
import { grantedOnFields, soldOnFields, toGrant, toSale } from '#modules/goods/stock/receipts/resell-on-receipt.ts'

const exceeded = '入库数量不能大于来源单剩余数量{n}'
/** The sources that a receiving store expects: inspected arrivals and suppliers' deliveries. */
const counterSources: readonly number[] = [sourceTypes.ARRIVAL_RECORD, sourceTypes.ODO]
const notes = { whole: 'source_quantity', left: 'left_quantity' } as const

const header = {
  counterparty_sn: f.ref('供应商', 'organisation', { required: true, optionsFilter: { relation: 'supplier' } }),
  warehouse_model_inner_sn: f.ref('入库仓库', 'warehouse', { required: true, width: 128 }),
  regime: f.pick('货权方式', regimes, { default: 'purchased' }),
  delivery_note_no: f.text('随货同行单号', { max: 40, width: 140 }),
  ...operationFields,
  first_invoice_no: f.text('第一票发票号码', { max: 40, hint: '两票制产品填写生产厂家开给经销商的发票' }),
  arrival_temperature: f.text('到货温度', { max: 20 }),
  transport: f.text('运输方式', { max: 40 }),
  inspector_inner_sn: f.ref('验收人', 'employee'),
  purchaser_inner_sn: f.ref('采购员', 'employee'),
  business_department_sn: f.ref('业务部门', 'department', { named: 'whose business it is counted as' }),
  settle_method: f.text('结算方式', { max: 40 }),
  handler_inner_sn: f.ref('经办人', 'employee'),
  business_date: f.day('入库日期'),
  remark: f.longText('备注', { max: 500 }),
  attachments: f.files('附件'),
  expected_quantity: f.quantity('应收数量', { readOnly: true, dialogOnly: true }),
  lease_notice_sn: f.text('入库通知单号', { readOnly: true, dialogOnly: true, hint: '货物在出租方的仓库' }),
  direct_grants: f.text('直送发放单', { readOnly: true, dialogOnly: true }),
  expected_count: f.count('应收品规数', { readOnly: true, dialogOnly: true }),
  ...soldOnFields,
  ...grantedOnFields,
}
const lines = {
  ...offeredGoods,
  ...sterilised,
  ...pieces(),
  source_quantity: f.quantity('来源数量', { readOnly: true }),
  left_quantity: f.quantity('来源单未执行数量', { readOnly: true }),
  ...counted('数量', '0'),
  unqualified_quantity: f.quantity('其中不合格', {
    min: '0',
    hint: '验收不合格但留下销毁或待处理的数量，入库后为不合格状态',
  }),
  ...disposed,
  ...priced(),
  upstream_invoice_no: f.text('第一票发票号码', { max: 40, hint: '两票制产品填写，供应商发货时已告知的自动带出' }),
  upstream_invoice_files: f.files('第一票图片'),
  location: f.text('货位', { max: 40 }),
  reject_reason: f.text('差异原因', { max: 200, hint: '少收、破损或没有收到时填写，供应商在发货单上看到' }),
  ...remarked,
}
type Doc = DocOf<typeof header, typeof lines>

/** A source line of which nothing arrived stays on the receipt with the reason. */
const cameOrSaysWhy = eachLine<Doc>(
  line =>
    isPositive(line.quantity) ||
    (line.source_line_no !== null && Boolean(line.reject_reason)) ||
    (line.source_line_no === null ? '数量必须大于0' : '没有收到的行请填写差异原因'),
)
const somethingCame = (doc: Doc) =>
  doc.lines.some(line => isPositive(line.quantity)) || '本单没有收到任何货物，不能提交，请等货物到了再收'

/**
 * 采购入库单: goods arrive from a supplier and become our stock. Purchased goods are ours and owed from here on;
 * consigned goods stay the supplier's, and become payable when used.
 */
export const purchaseGrn = defineDocument({
  kind: 'purchaseGrn',
  title: '采购入库单',
  numberPrefix: 'RK',
  category: 'stockIn',
  ownerTypes: 'HDV',
  facts: { delivered: 1, purchased: 1, received: 1 },
  externalType: 'PURCHASEGRN',
  header,
  lines,
  lineRules: {
    import: true,
    newestFirst: true,
    scanning: { keepsUnscanned: header => counterSources.includes(parseInteger(header.source_type)) },
  },
  actions: {
    ...postingLifecycle<Doc>({
      submit: [
        hasLines,
        needs('counterparty_sn', '请选择供应商'),
        needs('warehouse_model_inner_sn', '请选择入库仓库'),
        cameOrSaysWhy,
        somethingCame,
        notExpired,
        codesMatchQuantity,
        within('unqualified_quantity', 'quantity', '不合格数量不能大于入库数量'),
        everyLine(
          '有院内码的不合格品请单独成行',
          line =>
            line.unit_codes.length === 0 ||
            !staysUnqualified(line) ||
            compare(line.unqualified_quantity as Decimal, line.quantity) === 0,
        ),
      ],
    }),
    toSale,
    toGrant,
    pushHis,
    readFirstInvoices: { label: '识别第一票', from: ['draft', 'rejected'], to: null },
  },
  lifecycle: {
    listActions: {
      fetch: { label: '获取待收货单', inputs: {}, orgs: 'DV', route: '/commonView/purchaseGrn' },
      fromUse: {
        label: '从手术使用生成',
        inputs: { use_no: f.text('手术使用记录号', { max: 40, hint: '留空为所有未入库的使用' }) },
        orgs: 'H',
        route: '/hospital/bonePurchaseGrn',
      },
    },
  },
  sourcing: {
    sources: [
      {
        from: 'saleOdo',
        for: 'odo',
        sourceType: sourceTypes.ODO,
        purpose: 'receive',
        fromCounterparty: true,
        // A closing message is about something else: a sale of goods that were on consignment.
        states: ['reviewed', 'partial'],
        // Goods refused on arrival or unqualified in inspection go back and are never received.
        sharesLimitWith: ['refuse', 'reject'],
        rollup: [{ via: 'order', purpose: 'receive', withTolerance: true }],
        overdrawnMessage: '收货数量不能大于发货数量{n}',
        snapshot: notes,
        headerMap: { delivery_note_no: 'sn' },
      },
      {
        from: 'inspectionOrder',
        for: 'inspection',
        sourceType: sourceTypes.ARRIVAL_RECORD,
        purpose: 'receive',
        sharesLimitWith: ['return'],
        overdrawnMessage: exceeded,
        snapshot: notes,
        rollup: [
          { via: 'order', purpose: 'receive', withTolerance: true },
          { via: 'delivery', purpose: 'receive' },
        ],
        headerMap: { inspector_inner_sn: 'handler_inner_sn' },
      },
      {
        from: 'purchaseOrder',
        for: 'po',
        sourceType: sourceTypes.ORDER_PO,
        purpose: 'receive',
        withTolerance: true,
        overdrawnMessage: '入库数量超过订单未入库数量，最多还可入库{n}',
        snapshot: notes,
        headerMap: { purchaser_inner_sn: 'handler_inner_sn' },
      },
      // Loaned goods that an operation used: by the sale of their supplier, or, if the supplier has no account, by the
      // use record.
      {
        from: 'boneSale',
        for: 'boneSale',
        sourceType: sourceTypes.ORTHOPAEDIC,
        purpose: 'receive',
        fromCounterparty: true,
        states: ['reviewed', 'partial'],
        rollup: [{ via: 'delivery', purpose: 'receive', ifFrom: 'delivery' }],
        overdrawnMessage: exceeded,
        snapshot: notes,
        headerMap: { bone_plan_sn: 'plan_sn' },
      },
      {
        from: 'surgeryUse',
        for: 'surgeryUse',
        label: '手术使用记录（跟台）',
        sourceType: sourceTypes.ORTHOPAEDIC,
        purpose: 'receive',
        partnerField: 'supplier_sn',
        states: ['reviewed', 'partial', 'completed'],
        eligible: { line: { stock_source: ['loan'] }, message: '请选择跟台货物的使用行' },
        dropsFields: ['price'],
        overdrawnMessage: exceeded,
        snapshot: notes,
      },
    ],
  },
  progress: {
    statuses: { invoice_state: 'invoice' },
  },
  posting: {
    stockDirection: 'in',
    stockCard: 'purchase_in',
    accountMovement: 'raise',
    postings: (doc, book) => ({
      moves: doc.lines.flatMap(line => {
        // Goods that a lessor took in are with him already: this receipt books what is owed for them.
        if (doc.lease_notice_sn) return []
        return isOfOperation(doc) ? usedAlready(doc, line, book) : arrivals(doc, line, book)
      }),
      entries:
        doc.regime === 'consigned'
          ? []
          : doc.lines.map(line => ({ line_no: line.line_no, account: 'payable_estimated', amount: line.taxed_amount })),
    }),
  },
  compliance: {
    party: 'supplier',
    checkpoint: 'receipt',
    verb: '入库',
  },
  intercompany: {
    // Consigned goods that came without the owner's delivery: the owner is notified what of its goods is here.
    copies: [
      {
        on: 'review',
        recipient: doc => (broughtByNobody(doc) ? doc.counterparty_sn : null),
        lineFilter: line => isPositive(line.quantity) && !line.delivery_document_id,
        message: { title: '客户登记了我方寄售货物', uri: 'purchaseGrn' },
        receiverPosts: memoGrows('receive'),
      },
    ],
  },
  screens: purchaseGrnScreens,
})

const broughtByNobody = (doc: Doc): boolean =>
  doc.regime === 'consigned' && doc.lines.some(line => !line.delivery_document_id)

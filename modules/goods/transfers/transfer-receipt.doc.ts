import { compare, type Decimal, plain, subtract } from '#kernel/values/decimal.ts'
import { defineDocument, type DocOf } from '#kernel/definition/document.ts'
import { f } from '#kernel/definition/field.ts'
import { postingLifecycle } from '#kernel/definition/lifecycle.ts'
import { store, transit } from '#kernel/ledger/posting.ts'
import {
  codesMatchQuantity,
  eachLine,
  hasLines,
  needs,
  positiveQuantity,
  within,
} from '#modules/base/vocabulary/validators.ts'
import { moved } from '#modules/base/vocabulary/stock-moves.ts'
import {
  arrivalColumns,
  arrivalFilters,
  arrivalHeader,
  ofTransfer,
  onTheWay,
} from '#modules/goods/transfers/arrivals.ts'

const header = {
  ...arrivalHeader,
  warehouse_model_inner_sn: f.ref('调入仓库', 'warehouse', { required: true }),
  business_date: f.day('收货日期'),
  difference_note: f.text('差异说明', { max: 200 }),
}
const lines = {
  ...onTheWay,
  sent_quantity: f.quantity('调出数量', { readOnly: true }),
  received_quantity: f.quantity('实收数量', { min: '0' }),
  quantity: f.quantity('数量', { required: true, min: '0' }),
  difference_reason: f.text('差异原因', { max: 200 }),
  remark: f.text('备注', { max: 200 }),
}
type Doc = DocOf<typeof header, typeof lines>

const life = postingLifecycle<Doc>({
  submit: [hasLines],
  review: [
    hasLines,
    needs('warehouse_model_inner_sn', '请选择调入仓库'),
    positiveQuantity,
    within('received_quantity', 'sent_quantity', '实收数量不能大于调出数量'),
    eachLine(line => {
      const sent = line.sent_quantity as Decimal | null | undefined
      if (!sent || compare(line.quantity, sent) >= 0 || line.difference_reason) return true
      return `差异数量${plain(subtract(sent, line.quantity, 3))}，请填写原因`
    }),
    codesMatchQuantity,
  ],
  labels: { review: '确认收货' },
})

/**
 * 调入收货单: the other warehouse confirms what was sent to it; the transfer creates it, and it ends the transit. Missing
 * goods stay in transit.
 */
export const transferReceipt = defineDocument({
  kind: 'transferReceipt',
  title: '调入收货单',
  numberPrefix: 'DR',
  category: 'internal',
  ownerTypes: 'HDV',
  facts: { moved_in: 1, received: 1 },
  externalType: 'ALLOTGRN',
  header,
  lines,
  lineRules: {
    scanning: { quantityField: 'received_quantity', expectedField: 'sent_quantity', checklist: true },
    quantityCorrection: {
      field: 'received_quantity',
      keeps: 'sent_quantity',
      unknownCode: '院内码{code}不在本调拨单中',
    },
  },
  actions: { submit: life.submit, review: life.review, unreview: life.unreview, redReverse: life.redReverse },
  lifecycle: {
    manualEntry: false,
    stateLabels: { submitted: '待收货', reviewed: '已收货' },
    editableWhenSubmitted: true,
  },
  sourcing: {
    sources: [
      {
        ...ofTransfer,
        for: 'transfer',
        purpose: 'receive',
        sharesLimitWith: ['return'],
        headerMap: {
          warehouse_model_inner_sn: 'to_warehouse_model_inner_sn',
          from_warehouse_inner_sn: 'warehouse_model_inner_sn',
        },
      },
    ],
  },
  compliance: { allowsExpired: false },
  posting: {
    stockDirection: 'named',
    stockCard: { in: 'transfer_in', out: 'transfer_out' },
    postings: (doc, book) => ({
      moves: doc.lines.map(line =>
        moved(
          line,
          book,
          'transfer_in',
          transit(doc.source_sn ?? ''),
          store(doc.warehouse_model_inner_sn, line.to_location),
        ),
      ),
    }),
  },
  screens: [
    {
      route: '/commonView/productTransferOrder',
      tab: '调入收货',
      title: '产品调拨单',
      orgs: 'HDV',
      menu: '调拨管理',
      purpose: '核对调入的货物，确认后入库；少收须说明原因，差额留在途',
      columns: [...arrivalColumns, 'difference_note'],
      filters: arrivalFilters,
    },
  ],
})

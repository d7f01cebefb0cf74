import { defineDocument, type DocOf } from '#kernel/definition/document.ts'
import { f } from '#kernel/definition/field.ts'
import { postingLifecycle } from '#kernel/definition/lifecycle.ts'
import { store, transit } from '#kernel/ledger/posting.ts'
import { codesMatchQuantity, hasLines, needs, positiveQuantity } from '#modules/base/vocabulary/validators.ts'
import { moved } from '#modules/base/vocabulary/stock-moves.ts'
import {
  arrivalColumns,
  arrivalFilters,
  arrivalHeader,
  ofTransfer,
  onTheWay,
  wentAway,
} from '#modules/goods/transfers/arrivals.ts'

const header = {
  ...arrivalHeader,
  warehouse_model_inner_sn: f.ref('退回仓库', 'warehouse', { required: true }),
  business_date: f.day('退回日期'),
  return_reason: f.text('退回原因', { max: 500 }),
  counterparty_sn: f.ref('调入机构', 'organisation', { readOnly: true }),
}
const lines = {
  ...onTheWay,
  quantity: f.quantity('退回数量', { required: true, min: '0.001' }),
  remark: f.text('备注', { max: 200 }),
}
type Doc = DocOf<typeof header, typeof lines>

/** 调拨退回单: what the other warehouse refused, or was stopped in transit, is back in the sender's warehouse. */
export const transferReturn = defineDocument({
  kind: 'transferReturn',
  title: '调拨退回单',
  numberPrefix: 'DT',
  category: 'internal',
  ownerTypes: 'HDV',
  facts: { moved: -1, issued: -1 },
  header,
  lines,
  lineRules: {
    scanning: { checklist: true },
  },
  actions: postingLifecycle<Doc>({
    submit: [
      hasLines,
      needs('warehouse_model_inner_sn', '请选择退回仓库'),
      needs('return_reason', '请填写退回原因'),
      positiveQuantity,
      codesMatchQuantity,
    ],
  }),
  lifecycle: {
    manualEntry: false,
  },
  sourcing: {
    sources: [
      {
        ...ofTransfer,
        eligible: wentAway,
        for: 'transferBack',
        states: ['reviewed', 'partial', 'completed', 'stopped'],
        purpose: 'return',
        sharesLimitWith: ['receive'],
        headerMap: { from_warehouse_inner_sn: 'to_warehouse_model_inner_sn' },
      },
    ],
  },
  posting: {
    stockDirection: 'named',
    stockCard: { in: 'transfer_in', out: 'transfer_out' },
    postings: (doc, book) => ({
      moves: doc.lines.map(line =>
        moved(line, book, 'return', transit(doc.source_sn ?? ''), store(doc.warehouse_model_inner_sn, line.location)),
      ),
    }),
  },
  screens: [
    {
      route: '/commonView/productTransferOrder',
      tab: '退回',
      title: '产品调拨单',
      orgs: 'HDV',
      menu: '调拨管理',
      purpose: '拒收、终止的调拨货物退回调出仓库的记录',
      columns: [...arrivalColumns, 'counterparty_sn', 'return_reason'],
      filters: arrivalFilters,
    },
  ],
})

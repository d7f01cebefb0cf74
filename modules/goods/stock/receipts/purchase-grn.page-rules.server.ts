import { purchaseGrn } from '#modules/goods/stock/receipts/purchase-grn.doc.ts'
import { definePageRules } from '#server/public/hooks.ts'

export const receiptPageRules = definePageRules(
  { place: 'receipt', chapter: '采购与收货', pages: [purchaseGrn] },
  {
    shelfLife: {
      text: '入库时剩余效期不足规定天数的，按规则提醒或拒绝；规则的改动只对此后的操作生效。',
      policy: 'minShelfLife',
    },
    overOrder: { text: '入库数量最多可以超过订单未入库数量的规定比例，再多一件也被拒绝。', policy: 'overReceive' },
    inspectionFirst: '机构要求采购入库前须到货验收的，入库单只能引用验收单生成。',
  },
)

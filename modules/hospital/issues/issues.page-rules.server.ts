import { giveOdo } from '#modules/hospital/issues/give-odo.doc.ts'
import { otherOdo } from '#modules/hospital/issues/other-odo.doc.ts'
import { definePageRules } from '#server/public/hooks.ts'

export const issuePageRules = definePageRules(
  { place: 'issue', chapter: '库存', pages: [otherOdo] },
  {
    approvalAttached: {
      text: '其他出库的成本金额达到规定数额时，须上传审批附件才能提交。',
      policy: 'issueApprovalLimit',
    },
    giftShelfLife: {
      text: '赠送给医院的产品须有足够的剩余效期，近效期产品不允许赠送。',
      policy: 'giftMonthsLeft',
      pages: [giveOdo],
    },
    giftGround: { text: '随货赠送须关联该单位的销售单，捐赠须上传捐赠协议。', pages: [giveOdo] },
  },
)

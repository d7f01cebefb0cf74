import { settlement } from '#modules/finance/settlement/settlement.doc.ts'
import { definePageRules } from '#server/public/hooks.ts'

export const settlementPageRules = definePageRules(
  { place: 'settlement', chapter: '结算', pages: [settlement] },
  {
    period: { text: '生成结算单没有填期间时，止于最近的月结算日；之后的使用进入下一期。', policy: 'settleDay' },
    confirmedByTime: { text: '供应商超过规定天数没有答复的，结算单由系统自动确认。', policy: 'settlementConfirm' },
    base: { text: '结算依据为“发放”时，发放即进入待结算，使用时不再结算，退回的冲减。', policy: 'settleBase' },
    loans: { text: '跟台货物按月结算时由结算入库产生应付，供应商不用开骨科销售单。', policy: 'loanSettle' },
  },
)

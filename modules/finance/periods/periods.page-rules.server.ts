import { accountingPeriod } from '#modules/finance/periods/accounting-period.entity.ts'
import { definePageRules } from '#server/public/hooks.ts'

export const periodPageRules = definePageRules(
  { place: 'period', chapter: '期间', pages: [accountingPeriod] },
  {
    openReceipts: {
      text: '还有未核销的收款时，期间结账按规则拒绝，或确认并填写原因后继续。',
      policy: 'closeUnmatched',
    },
  },
)

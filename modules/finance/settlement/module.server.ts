import type { ModuleHooks } from '#server/public/hooks.ts'
import { confirmByTime } from '#modules/finance/settlement/confirm-by-time.server.ts'
import { settlementColumns, settlementDetail } from '#modules/finance/settlement/settled-stage.server.ts'
import { settlementFigures } from '#modules/finance/settlement/settlement-columns.server.ts'
import { settlementGrnRules } from '#modules/finance/settlement/settlement-grn.server.ts'
import { settlementLineRules } from '#modules/finance/settlement/settlement-line.server.ts'
import { settlementRules } from '#modules/finance/settlement/settlement.server.ts'
import { settlementPageRules } from '#modules/finance/settlement/settlement.page-rules.server.ts'
import { hourly } from '#server/public/jobs.ts'

export const settlementHooks: ModuleHooks = {
  pageRules: [settlementPageRules],
  documents: [settlementRules, settlementGrnRules],
  records: [settlementLineRules],
  listColumns: { ...settlementColumns, ...settlementFigures },
  detailColumns: settlementDetail,
  jobs: [hourly('confirm_settlements', '结算单超时自动确认', ({ owner }) => confirmByTime(owner))],
}

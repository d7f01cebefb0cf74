import type { ModuleHooks } from '#server/public/hooks.ts'
import { leaseAreaRules, leaseStockRules, rentedAreaRules } from '#modules/trade/lease/areas/lease-area.server.ts'
import { billLastMonth } from '#modules/trade/lease/contracts/fees.server.ts'
import { leaseFeeRules, leaseLineRules, lesseeRules } from '#modules/trade/lease/contracts/lessee.server.ts'
import { shareLeases } from '#modules/trade/lease/contracts/share-leases.server.ts'
import { leaseNoticeInRules } from '#modules/trade/lease/notices/lease-notice-in.server.ts'
import { leaseNoticeOutRules } from '#modules/trade/lease/notices/lease-notice-out.server.ts'
import { leasedStockCheck } from '#modules/trade/lease/notices/leased-stock-check.server.ts'
import { hourly } from '#server/public/jobs.ts'

export const leaseHooks: ModuleHooks = {
  documents: [leaseNoticeInRules, leaseNoticeOutRules],
  records: [lesseeRules, leaseLineRules, leaseFeeRules, leaseAreaRules, rentedAreaRules, leaseStockRules],
  actionChecks: [leasedStockCheck],
  jobs: [
    hourly('bill_leases', '仓储租赁月度费用', ({ owner }) => billLastMonth(owner)),
    hourly('share_leases', '承租库区同步', ({ app, owner }) => shareLeases(app, owner)),
  ],
}

import { leaseAreaRules, leaseStockRules, rentedAreaRules } from '#modules/lease/areas/lease-area.server.ts'
import { billLastMonth } from '#modules/lease/contracts/fees.server.ts'
import { leaseFeeRules, leaseLineRules, lesseeRules } from '#modules/lease/contracts/lessee.server.ts'
import { shareLeases } from '#modules/lease/contracts/share-leases.server.ts'
import { type BackgroundJob, hourly } from '#server/public/jobs.ts'
import { leaseNoticeOutRules } from '#modules/lease/notices/lease-notice-out.server.ts'
import { leasedStockCheck } from '#modules/lease/notices/leased-stock-check.server.ts'
import { leaseNoticeInRules } from '#modules/lease/notices/lease-notice-in.server.ts'
import type { DocumentHooks } from '#server/public/hooks.ts'
import type { RecordRules } from '#server/public/records.ts'

export const leaseRecords: readonly RecordRules[] = [
  lesseeRules,
  leaseLineRules,
  leaseFeeRules,
  leaseAreaRules,
  rentedAreaRules,
  leaseStockRules,
]

export const leaseJobs: readonly BackgroundJob[] = [
  hourly('bill_leases', '仓储租赁月度费用', ({ owner }) => billLastMonth(owner)),
  hourly('share_leases', '承租库区同步', ({ app, owner }) => shareLeases(app, owner)),
]

/** Notices of tenants to the warehouse that they rent. */
export const leaseDocuments: readonly DocumentHooks[] = [leaseNoticeInRules, leaseNoticeOutRules]

/** The check of goods of tenants that runs on every document. */
export const leaseCheck = leasedStockCheck

import { deliverLeftRecords } from '#server/records/outbox.ts'
import { repairRefusalCancels } from '#server/documents/action/cancel-refusal.ts'
import { deliverPending } from '#server/documents/intercompany/deliver.ts'
import { repairWithdrawals } from '#server/documents/intercompany/resend.ts'
import { takeUpExports, tidyExports } from '#server/exports/jobs.ts'
import { runSchemes } from '#server/exports/scheduled.ts'
import { sweepScans } from '#server/identity/scans.ts'
import { type BackgroundJob, frequent, hourly } from '#server/jobs/job.ts'
import { purgeExpired } from '#server/jobs/purge-expired.ts'
import { fillInitials } from '#server/records/initials.ts'
import { closeMonths } from '#server/ledger/month-close.ts'
import { sealFigures } from '#server/reports/sealed-figures.ts'
import { collectReceipts } from '#server/realtime/receipts.ts'
import { performDue } from '#server/outbound/calls.ts'
import { findExport } from '#server/api/documents/exports.ts'

/** The engine's own background work. */
export const engineJobs: readonly BackgroundJob[] = [
  frequent('deliver_messages', '单据推送', ({ app, owner }) => deliverPending(app, owner)),
  frequent('deliver_records', '主数据通知', ({ app, owner }) => deliverLeftRecords(app, owner)),
  frequent('repair_withdrawals', '补救中断的单据撤回', ({ app, owner }) => repairWithdrawals(app, owner)),
  frequent('repair_refusals', '补救中断的撤销拒收', ({ app, owner }) => repairRefusalCancels(app, owner)),
  frequent('restart_exports', '续做中断的导出', resources => takeUpExports(resources, resources.store, findExport)),
  frequent('scheduled_exports', '定时导出', ({ exports, owner, store }) => runSchemes(exports, owner, store)),
  frequent('outbound_calls', '外部接口调用', ({ app, owner }) => performDue(app, owner)),
  hourly('collect_receipts', '补记消息回执', ({ owner }) => collectReceipts(owner)),
  hourly('purge_expired', '清理过期数据', ({ owner }) => purgeExpired(owner)),
  hourly('fill_initials', '补全简拼', ({ owner }) => fillInitials(owner)),
  hourly('close_months', '月度结存', ({ owner }) => closeMonths(owner)),
  hourly('seal_figures', '封存月末数字', ({ owner }) => sealFigures(owner)),
  hourly('delete_export_files', '清理过期导出文件', ({ owner, store }) => tidyExports(owner, store)),
  hourly('delete_unused_scans', '清理未提交的注册扫描件', ({ owner, store }) => sweepScans(owner, store)),
]

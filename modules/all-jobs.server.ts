import { remindApprovers } from '#modules/approval/remind.server.ts'
import { handOutAll } from '#modules/platform/messaging/message-delivery.server.ts'
import { sendDueMessages } from '#modules/platform/messaging/sent-message.server.ts'
import { recountWords } from '#modules/platform/dictionaries/dictionary-usage.server.ts'
import { remindOfExpiry } from '#modules/platform/settings/vip-level.server.ts'
import { publishVersions } from '#modules/platform/content/published-content.server.ts'
import { createMerged } from '#modules/partners/organisations/organisation-merge.server.ts'
import { liftRestored } from '#modules/platform/recycle-bin/data-restore.server.ts'
import { confirmChargesByTime } from '#modules/service-charges/service-charge.server.ts'
import { confirmByTime } from '#modules/settlement/confirm-by-time.server.ts'
import { purchasingJobs } from '#modules/purchasing/hooks.server.ts'
import { closeDue } from '#modules/purchasing/rfq/quotation.server.ts'
import { chargeJobs } from '#modules/charges/hooks.server.ts'
import { licenceJobs } from '#modules/licences/hooks.server.ts'
import { settleInvitations } from '#modules/partners/registration/invitation.server.ts'
import { sendAllAuthorisations } from '#modules/licensing/authorisation-sync.server.ts'
import { announceRegistered } from '#modules/partners/relations/unregistered-partner.server.ts'
import { createScans } from '#modules/partners/registration/registration-scans.server.ts'
import { complianceJobs } from '#modules/compliance/hooks.server.ts'
import { notifyReminders } from '#modules/stock/balances/use-reminder.server.ts'
import { readLisOfAll } from '#modules/reagents/lis-tests.server.ts'
import { countByPlan } from '#modules/counts/count-plan.server.ts'
import { markLateCounts } from '#modules/surgery/hooks.server.ts'
import { remindLoans } from '#modules/transfers/loans.server.ts'
import { watchCabinets } from '#modules/cabinet/device/alarms.server.ts'
import { shareCabinets } from '#modules/cabinet/transactions/owner-sync.server.ts'
import { workLeftBehind } from '#modules/cabinet/device/device-events.server.ts'
import { deliverRecalls } from '#modules/quality/recall-delivery.server.ts'
import { receiveByTime, notifyOverdue } from '#modules/ward/hooks.server.ts'
import { performDue } from '#server/public/outbound.ts'
import { collectReceipts } from '#server/public/notifications.ts'
import { recountWhereNeeded } from '#modules/warnings/recount.server.ts'
import { proposeCodes } from '#modules/insurance/proposed-codes.server.ts'
import { dropUnused } from '#modules/signatures/signature.server.ts'
import { leaseJobs } from '#modules/lease/hooks.server.ts'
import { transportJobs } from '#modules/transport/hooks.server.ts'
import { catalogueJobs } from '#modules/catalogue/hooks.server.ts'
import { invoicingJobs } from '#modules/invoicing/hooks.server.ts'
import { surgeryJobs } from '#modules/surgery/hooks.server.ts'
import { type BackgroundJob, frequent, hourly } from '#server/public/jobs.ts'

/** The background work of all modules, in the order in which it is done where several are due. */
export const jobs: readonly BackgroundJob[] = [
  frequent('send_messages', '定时消息发送', ({ app, owner }) => sendDueMessages(app, owner)),
  frequent('publish_versions', '应用版本定时发布', ({ owner }) => publishVersions(owner)),
  frequent('close_enquiries', '询价截止', ({ app, owner }) => closeDue(app, owner)),
  frequent('notify_overdue', '申领发放超时提醒', ({ app, owner }) => notifyOverdue(app, owner)),
  frequent('propose_insurance_codes', '医保编码推送', ({ app, owner }) => proposeCodes(app, owner)),
  frequent('outbound_calls', '外部接口调用', ({ app, owner }) => performDue(app, owner)),
  frequent('count_warnings', '库存预警重算', ({ app, owner }) => recountWhereNeeded(app, owner)),
  frequent('announce_registered', '往来单位入驻通知', ({ app, owner }) => announceRegistered(app, owner)),
  frequent('send_use_reminders', '使用提醒送达', ({ app, owner }) => notifyReminders(app, owner)),
  frequent('process_device_events', '智能柜消息补处理', ({ app, owner }) => workLeftBehind(app, owner)),
  frequent('watch_cabinets', '智能柜巡检', ({ app, owner }) => watchCabinets(app, owner)),
  frequent('deliver_recalls', '召回送达', ({ app, owner }) => deliverRecalls(app, owner)),
  frequent('share_cabinets', '智能柜数据同步货主', ({ app, owner }) => shareCabinets(app, owner)),
  hourly('mark_late_counts', '急诊跟台补验超时', ({ app, owner }) => markLateCounts(app, owner)),
  hourly('drop_unused_signatures', '未使用签名清理', ({ owner }) => dropUnused(owner)),
  hourly('deliver_notices', '公告送达', ({ owner }) => handOutAll(owner)),
  hourly('collect_receipts', '补记消息回执', ({ owner }) => collectReceipts(owner)),
  hourly('remind_approvers', '超时审批提醒', ({ owner }) => remindApprovers(owner)),
  hourly('remind_vip_expiry', '会员到期提醒', ({ owner }) => remindOfExpiry(owner)),
  hourly('move_merged_records', '合并机构的资料补录', ({ owner }) => createMerged(owner)),
  hourly('send_authorisations', '授权书同步', ({ owner }) => sendAllAuthorisations(owner)),
  hourly('count_dictionary_use', '字典引用统计', ({ owner }) => recountWords(owner)),
  hourly('file_registration_scans', '注册资料归档', ({ owner }) => createScans(owner)),
  hourly('settle_invitations', '邀请注册生效', ({ owner }) => settleInvitations(owner)),
  hourly('undo_restored_merges', '撤销合并的清理', ({ owner }) => liftRestored(owner)),
  hourly('confirm_settlements', '结算单超时自动确认', ({ owner }) => confirmByTime(owner)),
  hourly('confirm_charges', '服务费单超时自动确认', ({ owner }) => confirmChargesByTime(owner)),
  hourly('count_by_plan', '循环盘点生成', ({ owner }) => countByPlan(owner)),
  hourly('read_lis_tests', '读取LIS测试数', ({ owner }) => readLisOfAll(owner)),
  hourly('remind_loans', '借出归还提醒', ({ owner }) => remindLoans(owner)),
  hourly('receive_dispatches', '发放超时自动收货', ({ owner }) => receiveByTime(owner)),
  ...complianceJobs,
  ...catalogueJobs,
  ...purchasingJobs,
  ...licenceJobs,
  ...chargeJobs,
  ...transportJobs,
  ...leaseJobs,
  ...surgeryJobs,
  ...invoicingJobs,
]

import type { ModuleHooks } from '#server/public/hooks.ts'
import { addCourses } from '#modules/platform/operator/content/course-routes.server.ts'
import { addPackages } from '#modules/platform/operator/content/package-routes.server.ts'
import {
  appVersionRules,
  publishVersions,
  videoCourseRules,
} from '#modules/platform/operator/content/published-content.server.ts'
import { recountWords } from '#modules/platform/operator/dictionaries/dictionary-usage.server.ts'
import { dictionaryItemRules, dictionaryRules } from '#modules/platform/operator/dictionaries/dictionary.server.ts'
import { addOwnWords } from '#modules/platform/operator/dictionaries/own-dictionary-routes.server.ts'
import { handOutAll } from '#modules/platform/operator/messaging/message-delivery.server.ts'
import { noticeRules } from '#modules/platform/operator/messaging/notice.server.ts'
import { sendDueMessages, sentMessageRules } from '#modules/platform/operator/messaging/sent-message.server.ts'
import { backgroundJobRules } from '#modules/platform/operator/monitoring/background-job.server.ts'
import {
  errorRecordRules,
  interfaceAttemptRules,
  interfaceErrorRules,
} from '#modules/platform/operator/monitoring/interface-errors.server.ts'
import { dataRestoreRules, liftRestored } from '#modules/platform/operator/recycle-bin/data-restore.server.ts'
import { businessConfigRules } from '#modules/platform/operator/settings/org-business-config.server.ts'
import { remindOfExpiry, vipGrantRules, vipLevelRules } from '#modules/platform/operator/settings/vip-level.server.ts'
import { frequent, hourly } from '#server/public/jobs.ts'

export const operatorHooks: ModuleHooks = {
  records: [
    dictionaryRules,
    dictionaryItemRules,
    vipLevelRules,
    vipGrantRules,
    videoCourseRules,
    appVersionRules,
    noticeRules,
    sentMessageRules,
    dataRestoreRules,
    businessConfigRules,
    interfaceErrorRules,
    interfaceAttemptRules,
    errorRecordRules,
    backgroundJobRules,
  ],
  jobs: [
    frequent('send_messages', '定时消息发送', ({ app, owner }) => sendDueMessages(app, owner)),
    frequent('publish_versions', '应用版本定时发布', ({ owner }) => publishVersions(owner)),
    hourly('deliver_notices', '公告送达', ({ owner }) => handOutAll(owner)),
    hourly('remind_vip_expiry', '会员到期提醒', ({ owner }) => remindOfExpiry(owner)),
    hourly('count_dictionary_use', '字典引用统计', ({ owner }) => recountWords(owner)),
    hourly('undo_restored_merges', '撤销合并的清理', ({ owner }) => liftRestored(owner)),
  ],
  routes: [addCourses, addOwnWords, addPackages],
}

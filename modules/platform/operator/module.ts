import type { Module } from '#kernel/module.ts'
import { appVersion } from '#modules/platform/operator/content/app-version.entity.ts'
import { videoCourse } from '#modules/platform/operator/content/video-course.entity.ts'
import { dictionary, dictionaryItem } from '#modules/platform/operator/dictionaries/dictionary.entity.ts'
import { notice, noticeReceiver } from '#modules/platform/operator/messaging/notice.entity.ts'
import { sentMessage } from '#modules/platform/operator/messaging/sent-message.entity.ts'
import { backgroundJob } from '#modules/platform/operator/monitoring/background-job.entity.ts'
import {
  errorRecord,
  interfaceAttempt,
  interfaceError,
} from '#modules/platform/operator/monitoring/interface-errors.entity.ts'
import { dataRestore } from '#modules/platform/operator/recycle-bin/data-restore.entity.ts'
import { businessConfig } from '#modules/platform/operator/settings/org-business-config.entity.ts'
import { vipGrant, vipLevel } from '#modules/platform/operator/settings/vip-level.entity.ts'

export const operatorModule: Module = {
  entities: [
    dictionary,
    dictionaryItem,
    vipLevel,
    vipGrant,
    videoCourse,
    appVersion,
    dataRestore,
    businessConfig,
    notice,
    noticeReceiver,
    sentMessage,
    interfaceError,
    interfaceAttempt,
    errorRecord,
    backgroundJob,
  ],
}

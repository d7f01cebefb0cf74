import type { ModuleLook } from '#web/registry/contributions.ts'
import { appVersionLook } from '#modules/platform/operator/content/app-version.web.tsx'
import { videoCourseLook } from '#modules/platform/operator/content/video-course.web.tsx'
import { errorRecordLook } from '#modules/platform/operator/monitoring/interface-errors.web.tsx'
import { interfaceErrorLook } from '#modules/platform/operator/monitoring/interface-metrics.web.tsx'
import { dataRestoreLook } from '#modules/platform/operator/recycle-bin/data-restore.web.tsx'

export const operatorLook: ModuleLook = {
  customisations: [appVersionLook, dataRestoreLook, videoCourseLook, interfaceErrorLook, errorRecordLook],
}

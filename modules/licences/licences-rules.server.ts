import { licenceAuditRules } from '#modules/licences/licence-audit.server.ts'
import { remindOfLicences } from '#modules/licences/licence-reminders.server.ts'
import { licenceSettingRules } from '#modules/licences/licence-setting.server.ts'
import { licenceValidityRules } from '#modules/licences/licence-validity.server.ts'
import { licenceRules } from '#modules/licences/licence.server.ts'
import { partnerFileRules } from '#modules/licences/partner-file.server.ts'
import type { HourlyJob } from '#server/engine/housekeeping.ts'
import type { RecordRules } from '#server/engine/records/rules.ts'

/** What the records of this room cannot say without the database. */
export const licenceRecords: readonly RecordRules[] = [
  licenceRules,
  licenceValidityRules,
  licenceSettingRules,
  licenceAuditRules,
  partnerFileRules,
]

/** What this room wants done every hour. */
export const licenceJobs: readonly HourlyJob[] = [remindOfLicences]

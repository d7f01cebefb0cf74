import { authorisationLineRules } from '#modules/licences/authorisation-line.server.ts'
import { endGrants, passRenewalsOn, renewFiled } from '#modules/licences/grant-life.server.ts'
import { licenceApplicationRules } from '#modules/licences/licence-application.server.ts'
import { licenceEmpowerRules } from '#modules/licences/licence-empower.server.ts'
import { licenceAuditRules } from '#modules/licences/licence-audit.server.ts'
import { remindOfLicences } from '#modules/licences/licence-reminders.server.ts'
import { licenceRenewalRules } from '#modules/licences/licence-renewal.server.ts'
import { licenceSettingRules } from '#modules/licences/licence-setting.server.ts'
import { replaceFollowed } from '#modules/licences/licence-steps.server.ts'
import { licenceValidityRules } from '#modules/licences/licence-validity.server.ts'
import { licenceRules } from '#modules/licences/licence.server.ts'
import { partnerFileRules } from '#modules/licences/partner-file.server.ts'
import type { DocumentRules } from '#server/public/hooks.ts'
import type { HourlyJob } from '#server/public/jobs.ts'
import type { RecordRules } from '#server/public/records.ts'

/** What the records of this room cannot say without the database. */
export const licenceRecords: readonly RecordRules[] = [
  licenceRules,
  authorisationLineRules,
  licenceValidityRules,
  licenceSettingRules,
  licenceAuditRules,
  partnerFileRules,
  licenceRenewalRules,
]

/** What papers of this room ask of the database. */
export const licencePapers: readonly DocumentRules[] = [licenceApplicationRules, licenceEmpowerRules]

/** What this room wants done every hour. */
export const licenceJobs: readonly HourlyJob[] = [
  remindOfLicences,
  replaceFollowed,
  endGrants,
  passRenewalsOn,
  renewFiled,
]

export { grantedScans } from '#modules/licences/granted-scans.server.ts'

import { authorisationLineRules } from '#modules/licences/archive/authorisation-line.server.ts'
import { endGrants, passRenewalsOn, renewFiled } from '#modules/licences/sharing/grant-expiry.server.ts'
import { licenceApplicationRules } from '#modules/licences/sharing/licence-request.server.ts'
import { licenceEmpowerRules } from '#modules/licences/sharing/licence-grant.server.ts'
import { licenceAuditRules } from '#modules/licences/archive/licence-audit.server.ts'
import { remindOfLicences } from '#modules/licences/expiry/expiry-reminders.server.ts'
import { licenceRenewalRules } from '#modules/licences/archive/licence-renewal.server.ts'
import { licenceSettingRules } from '#modules/licences/expiry/expiry-setting.server.ts'
import { replaceFollowed } from '#modules/licences/archive/licence-lifecycle.server.ts'
import { licenceValidityRules } from '#modules/licences/expiry/licence-expiry.server.ts'
import { licenceRules } from '#modules/licences/archive/licence.server.ts'
import { partnerFileRules } from '#modules/licences/archive/partner-qualification.server.ts'
import type { DocumentHooks } from '#server/public/hooks.ts'
import type { HourlyJob } from '#server/public/jobs.ts'
import type { RecordRules } from '#server/public/records.ts'

/** The database rules of this module's records. */
export const licenceRecords: readonly RecordRules[] = [
  licenceRules,
  authorisationLineRules,
  licenceValidityRules,
  licenceSettingRules,
  licenceAuditRules,
  partnerFileRules,
  licenceRenewalRules,
]

/** The database rules of this module's documents. */
export const licenceLicences: readonly DocumentHooks[] = [licenceApplicationRules, licenceEmpowerRules]

/** The hourly jobs of this module. */
export const licenceJobs: readonly HourlyJob[] = [
  remindOfLicences,
  replaceFollowed,
  endGrants,
  passRenewalsOn,
  renewFiled,
]

export { grantedScans } from '#modules/licences/sharing/granted-scans.server.ts'

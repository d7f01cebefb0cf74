import { authorisationLineRules } from '#modules/licences/archive/authorisation-line.server.ts'
import { endGrants, passRenewalsOn } from '#modules/licences/sharing/grant-expiry.server.ts'
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
import { type BackgroundJob, hourly } from '#server/public/jobs.ts'
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
export const licenceJobs: readonly BackgroundJob[] = [
  hourly('remind_licences', '证照到期提醒', ({ owner }) => remindOfLicences(owner)),
  hourly('replace_licences', '证照换证生效', ({ owner }) => replaceFollowed(owner)),
  hourly('end_licence_grants', '证照授权到期', ({ owner }) => endGrants(owner)),
  hourly('pass_licence_renewals', '证照换证同步', ({ owner }) => passRenewalsOn(owner)),
]

export { grantedScans } from '#modules/licences/sharing/granted-scans.server.ts'

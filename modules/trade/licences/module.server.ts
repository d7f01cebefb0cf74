import type { ModuleHooks } from '#server/public/hooks.ts'
import { authorisationLineRules } from '#modules/trade/licences/archive/authorisation-line.server.ts'
import { licenceAuditRules } from '#modules/trade/licences/archive/licence-audit.server.ts'
import { replaceFollowed } from '#modules/trade/licences/archive/licence-lifecycle.server.ts'
import { licenceRenewalRules } from '#modules/trade/licences/archive/licence-renewal.server.ts'
import { licenceRules } from '#modules/trade/licences/archive/licence.server.ts'
import { partnerFileRules } from '#modules/trade/licences/archive/partner-file.server.ts'
import { remindOfLicences } from '#modules/trade/licences/expiry/expiry-reminders.server.ts'
import { licenceSettingRules } from '#modules/trade/licences/expiry/licence-expiry-setting.server.ts'
import { licenceValidityRules } from '#modules/trade/licences/expiry/licence-expiry.server.ts'
import { endGrants, passRenewalsOn } from '#modules/trade/licences/sharing/grant-expiry.server.ts'
import { passAllLinesOn } from '#modules/trade/licences/sharing/granted-lines.server.ts'
import { grantedScans } from '#modules/trade/licences/sharing/granted-scans.server.ts'
import { licenceEmpowerRules } from '#modules/trade/licences/sharing/licence-empower.server.ts'
import { licenceApplicationRules } from '#modules/trade/licences/sharing/licence-application.server.ts'
import { hourly } from '#server/public/jobs.ts'

export const licencesHooks: ModuleHooks = {
  documents: [licenceApplicationRules, licenceEmpowerRules],
  records: [
    licenceRules,
    authorisationLineRules,
    licenceValidityRules,
    licenceSettingRules,
    licenceAuditRules,
    partnerFileRules,
    licenceRenewalRules,
  ],
  jobs: [
    hourly('remind_licences', '证照到期提醒', ({ owner }) => remindOfLicences(owner)),
    hourly('replace_licences', '证照换证生效', ({ owner }) => replaceFollowed(owner)),
    hourly('end_licence_grants', '证照授权到期', ({ owner }) => endGrants(owner)),
    hourly('pass_licence_renewals', '证照换证同步', ({ owner }) => passRenewalsOn(owner)),
    hourly('pass_authorisation_lines', '授权明细同步', ({ owner }) => passAllLinesOn(owner)),
  ],
  grantedFiles: grantedScans,
}

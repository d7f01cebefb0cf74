import type { Module } from '#kernel/module.ts'
import { authorisationLine } from '#modules/trade/licences/archive/authorisation-line.entity.ts'
import { licenceAudit } from '#modules/trade/licences/archive/licence-audit.entity.ts'
import { licenceRenewal } from '#modules/trade/licences/archive/licence-renewal.entity.ts'
import { licence } from '#modules/trade/licences/archive/licence.entity.ts'
import { partnerFile } from '#modules/trade/licences/archive/partner-file.entity.ts'
import { licenceCalendar } from '#modules/trade/licences/expiry/licence-calendar.report.ts'
import { licenceSetting } from '#modules/trade/licences/expiry/licence-expiry-setting.entity.ts'
import { licenceValidity } from '#modules/trade/licences/expiry/licence-expiry.entity.ts'
import { licenceValidityFigures } from '#modules/trade/licences/expiry/licence-expiry.report.ts'
import {
  licenceApplicationAnswers,
  licenceApplicationCensus,
  licenceEmpowerCensus,
  licenceEmpowerHeld,
} from '#modules/trade/licences/sharing/grant-statistics.report.ts'
import { licenceEmpower } from '#modules/trade/licences/sharing/licence-empower.doc.ts'
import { licenceApplication } from '#modules/trade/licences/sharing/licence-application.doc.ts'
import { licenceLook } from '#modules/trade/licences/sharing/licence-look.entity.ts'

export const licencesModule: Module = {
  documents: [licenceApplication, licenceEmpower],
  entities: [
    licence,
    authorisationLine,
    partnerFile,
    licenceLook,
    licenceRenewal,
    licenceValidity,
    licenceSetting,
    licenceAudit,
  ],
  reports: [
    licenceCalendar,
    licenceValidityFigures,
    licenceApplicationCensus,
    licenceApplicationAnswers,
    licenceEmpowerCensus,
    licenceEmpowerHeld,
  ],
}

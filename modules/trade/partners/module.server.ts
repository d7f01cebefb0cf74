import type { ModuleHooks } from '#server/public/hooks.ts'
import {
  dealerAuthorisationRules,
  heldAuthorisationRules,
} from '#modules/trade/partners/dealers/dealer-authorisation.server.ts'
import { dealerRules } from '#modules/trade/partners/dealers/dealer.server.ts'
import { orgChangeRules } from '#modules/trade/partners/organisations/org-change-approval.server.ts'
import { createMerged } from '#modules/trade/partners/organisations/organisation-merge.server.ts'
import {
  organisationLicenceRules,
  organisationRules,
  tradeRelationRules,
} from '#modules/trade/partners/organisations/organisation.server.ts'
import {
  dealerInvitationRules,
  settleInvitations,
} from '#modules/trade/partners/registration/dealer-invitation.server.ts'
import { createScans } from '#modules/trade/partners/registration/registration-scans.server.ts'
import { registrationRules } from '#modules/trade/partners/registration/registration-audit.server.ts'
import { orgRelationRules } from '#modules/trade/partners/relations/org-relation.server.ts'
import { announceRegistered, localPartnerRules } from '#modules/trade/partners/relations/local-partner.server.ts'
import { supplierApplicationRules } from '#modules/trade/partners/supplier-requests/supplier-application.server.ts'
import { frequent, hourly } from '#server/public/jobs.ts'

export const partnersHooks: ModuleHooks = {
  documents: [supplierApplicationRules],
  records: [
    organisationRules,
    organisationLicenceRules,
    tradeRelationRules,
    orgRelationRules,
    localPartnerRules,
    registrationRules,
    orgChangeRules,
    dealerRules,
    dealerAuthorisationRules,
    heldAuthorisationRules,
    dealerInvitationRules,
  ],
  jobs: [
    frequent('announce_registered', '往来单位入驻通知', ({ app, owner }) => announceRegistered(app, owner)),
    hourly('move_merged_records', '合并机构的资料补录', ({ owner }) => createMerged(owner)),
    hourly('file_registration_scans', '注册资料归档', ({ owner }) => createScans(owner)),
    hourly('settle_invitations', '邀请注册生效', ({ owner }) => settleInvitations(owner)),
  ],
}

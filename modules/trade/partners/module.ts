import type { Module } from '#kernel/module.ts'
import { dealerAuthorisation, heldAuthorisation } from '#modules/trade/partners/dealers/dealer-authorisation.entity.ts'
import { dealer } from '#modules/trade/partners/dealers/dealer.entity.ts'
import { orgChange } from '#modules/trade/partners/organisations/org-change-approval.entity.ts'
import { organisationLicence } from '#modules/trade/partners/organisations/organisation-licence.entity.ts'
import { organisation } from '#modules/trade/partners/organisations/organisation.entity.ts'
import { dealerInvitation } from '#modules/trade/partners/registration/dealer-invitation.entity.ts'
import { registration } from '#modules/trade/partners/registration/registration-audit.entity.ts'
import { tradeRelation } from '#modules/trade/partners/relations/trade-relation.entity.ts'
import { orgRelation } from '#modules/trade/partners/relations/org-relation.entity.ts'
import { localPartner } from '#modules/trade/partners/relations/local-partner.entity.ts'
import { supplierApplication } from '#modules/trade/partners/supplier-requests/supplier-application.doc.ts'

export const partnersModule: Module = {
  documents: [supplierApplication],
  entities: [
    organisation,
    organisationLicence,
    tradeRelation,
    orgRelation,
    localPartner,
    registration,
    orgChange,
    dealer,
    dealerAuthorisation,
    heldAuthorisation,
    dealerInvitation,
  ],
}

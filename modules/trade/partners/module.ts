import type { Module } from '#kernel/module.ts'
import { dealerAuthorisation, heldAuthorisation } from '#modules/trade/partners/dealers/dealer-authorisation.entity.ts'
import { dealer } from '#modules/trade/partners/dealers/dealer.entity.ts'
import { orgChange } from '#modules/trade/partners/organisations/change-request.entity.ts'
import { organisationLicence } from '#modules/trade/partners/organisations/organisation-licence.entity.ts'
import { organisation } from '#modules/trade/partners/organisations/organisation.entity.ts'
import { dealerInvitation } from '#modules/trade/partners/registration/invitation.entity.ts'
import { registration } from '#modules/trade/partners/registration/registration.entity.ts'
import { tradeRelation } from '#modules/trade/partners/relations/trade-relation.entity.ts'
import { orgRelation } from '#modules/trade/partners/relations/trading-partner.entity.ts'
import { localPartner } from '#modules/trade/partners/relations/unregistered-partner.entity.ts'
import { supplierApplication } from '#modules/trade/partners/supplier-requests/supplier-request.doc.ts'

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
